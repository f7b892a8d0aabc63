"""Regions: JSON as documented, tables with types, and a face for notebooks that no page can abuse."""

from __future__ import annotations

import html.parser
import json
import pickle
import sys
from dataclasses import replace
from datetime import date

import pyarrow as pa
import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.names import distinct, snake_case
from webquarry.model.region import Record, Region
from webquarry.model.table_columns import Field
from webquarry.values.text_value import Value

DOCUMENT = Document("<ul><li><a href=/k>Kettle</a> 12,50 €<li><a href=/l>Lamp</a></ul>", url="https://example.org/")
ITEMS = tuple(DOCUMENT.node(f"/html/body/ul/li[{number}]") for number in (1, 2))
LINKS = tuple(DOCUMENT.node(f"/html/body/ul/li[{number}]/a") for number in (1, 2))

TITLE = Field("title", "text", ("Kettle", "Lamp"), LINKS)
PRICE = Field("price", "money", ("12,50 €", None), (ITEMS[0], None), (Value(12.5, "EUR"), None))
LINK = Field("link", "link", ("https://example.org/k", "https://example.org/l"), LINKS)


def region_of(*fields: Field) -> Region:
    return Region(
        document=DOCUMENT,
        node=DOCUMENT.node("/html/body/ul"),
        spans=tuple((node, int(DOCUMENT.ends[node])) for node in ITEMS),
        fields=fields,
        kind="records",
        method="visual",
        role="main",
        score=0.93456,
        reasons=("two alike",),
    )


def column_of(name: str, kind: str, *values: Value | None) -> Field:
    texts = tuple(None if value is None else f"text of {value.value}" for value in values)
    return Field(name, kind, texts, (None,) * len(values), values)


def test_json_is_as_documented():
    assert json.loads(json.dumps(region_of(TITLE, PRICE).to_dict())) == {
        "kind": "records",
        "role": "main",
        "method": "visual",
        "score": 0.9346,
        "reasons": ["two alike"],
        "node": "/html/body/ul",
        "box": None,
        "fields": [
            {"name": "title", "type": "text", "constant": False},
            {"name": "price", "type": "money", "constant": False},
        ],
        "records": [
            {
                "text": "Kettle 12,50 €",
                "node": "/html/body/ul/li[1]",
                "box": None,
                "values": {"title": "Kettle", "price": "12,50 €"},
                "nodes": {"title": "/html/body/ul/li[1]/a", "price": "/html/body/ul/li[1]"},
                "typed": {"price": {"value": 12.5, "unit": "EUR"}},
            },
            {
                "text": "Lamp",
                "node": "/html/body/ul/li[2]",
                "box": None,
                "values": {"title": "Lamp"},
                "nodes": {"title": "/html/body/ul/li[2]/a"},
                "typed": {},
            },
        ],
    }


@pytest.mark.parametrize(
    ("value", "expected"), [(date(2026, 11, 15), "2026-11-15"), (True, True), (float("inf"), None), (3.0, 3.0)]
)
def test_typed_values_fit_json(value, expected):
    region = region_of(column_of("x", "number", Value(value), None))
    assert json.loads(json.dumps(region.to_dict(), allow_nan=False))["records"][0]["typed"]["x"]["value"] == expected


def test_regions_are_equal_by_value_and_survive_pickle():
    region = region_of(TITLE, PRICE)
    assert len(region.records) == 2  # what is computed once is not part of the value
    again = pickle.loads(pickle.dumps(region))
    assert again == region == region_of(TITLE, PRICE)
    assert hash(again) == hash(region)
    assert again.to_dict() == region.to_dict()
    assert region != region_of(TITLE)
    assert region != replace(region, score=0.5)


def test_a_region_is_described_in_one_short_line():
    fields = [Field(f"column {number}", "text", ("x" * 9_000,) * 2, (None, None)) for number in range(300)]
    told = repr(region_of(*fields))
    assert told.startswith("<Region of 2 records, 300 fields (records, main, score 0.93): column 0, column 1,")
    assert len(told) < 250
    assert len(repr(fields[0])) < 80


def test_a_typed_field_is_values_units_and_texts():
    table = region_of(TITLE, PRICE).to_arrow()
    assert table.schema == pa.schema(
        [("title", pa.string()), ("price", pa.float64()), ("price_unit", pa.string()), ("price_text", pa.string())]
    )
    assert table.to_pylist() == [
        {"title": "Kettle", "price": 12.5, "price_unit": "EUR", "price_text": "12,50 €"},
        {"title": "Lamp", "price": None, "price_unit": None, "price_text": None},
    ]


@pytest.mark.parametrize(
    ("kind", "value", "arrow"),
    [
        ("number", 3, pa.float64()),
        ("number", 2**53 + 1, pa.float64()),
        ("money", 2.5, pa.float64()),
        ("date", date(2026, 11, 15), pa.date32()),
        ("boolean", False, pa.bool_()),
    ],
)
def test_each_type_has_its_arrow_type(kind, value, arrow):
    table = region_of(column_of("x", kind, Value(value), None)).to_arrow()
    assert table.schema == pa.schema([("x", arrow), ("x_text", pa.string())])
    assert table["x"].to_pylist() == [value if kind in ("date", "boolean") else float(value), None]
    assert table["x_text"].to_pylist() == [f"text of {value}", None]


def test_a_field_that_is_called_as_the_texts_of_another_gets_a_number():
    own = Field("price_text", "text", ("cheap", "dear"), (None, None))
    for fields in ((PRICE, own), (own, PRICE)):
        table = region_of(*fields).to_arrow()
        assert sorted(table.column_names) == ["price", "price_text", "price_text_2", "price_unit"]
        assert table["price_text"].to_pylist() == ["12,50 €", None]
        assert table["price_text_2"].to_pylist() == ["cheap", "dear"]


def test_the_upper_ends_of_ranges_are_a_column_of_their_own():
    own = Field("price_to", "text", ("Paris", "Rome"), (None, None))
    ranged = Field(
        "price", "money", ("from £9 - £11", "£5"), (None, None), (Value(9, "GBP", 11, "from"), Value(5, "GBP"))
    )
    table = region_of(own, ranged).to_arrow()
    assert table.column_names == ["price_to_2", "price", "price_to", "price_unit", "price_text"]
    assert table["price"].to_pylist() == [9.0, 5.0]
    assert table["price_to"].to_pylist() == [11.0, None]
    assert table["price_text"].to_pylist() == ["from £9 - £11", "£5"]
    assert region_of(own, PRICE).to_arrow().column_names[0] == "price_to"


def test_no_two_columns_have_one_name_however_fields_are_called():
    names = ("price", "price", "price_2", "price_text", "price_2_text", "price_unit", "price_text_text")
    fields = [replace(PRICE, name=name) for name in names] + [replace(TITLE, name=name) for name in names]
    table = region_of(*fields).to_arrow()
    assert len(set(table.column_names)) == len(table.column_names) == 3 * len(names) + len(names)


def test_records_without_fields_are_a_column_of_their_texts():
    assert region_of().to_arrow().to_pylist() == [{"text": "Kettle 12,50 €"}, {"text": "Lamp"}]


def test_halves_of_characters_do_not_break_a_table():
    table = region_of(Field("a\ud800", "text", ("\ud83d\ude00", "\udfffx"), (None, None))).to_arrow()
    assert table.to_pydict() == {"a\ufffd": ["\U0001f600", "\ufffdx"]}


def test_a_data_frame_has_the_same_columns():
    frame = region_of(TITLE, PRICE).to_pandas()
    assert list(frame.columns) == ["title", "price", "price_unit", "price_text"]
    assert frame["price"].dtype == "float64"
    assert frame["price"][0] == 12.5


class Links(html.parser.HTMLParser):
    """The addresses that can be clicked, and every element that there is."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.addresses: list[str | None] = []
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.addresses += [value for name, value in attrs if name == "href"]


def test_a_notebook_shows_records_with_links_that_can_be_clicked():
    shown = Links(region_of(TITLE, PRICE, LINK)._repr_html_())
    assert shown.addresses == ["https://example.org/k", "https://example.org/l"]
    assert "<td>12,50 €</td>" in region_of(TITLE, PRICE)._repr_html_()


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "//example.org/",
        "https:alert",
        "https://example.org/\n",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize("kind", ["link", "image"])
def test_only_addresses_of_the_web_become_links(address, kind):
    region = region_of(Field("link", kind, (address, None), (None, None)))
    for noun in (region, region.records[0]):
        shown = Links(noun._repr_html_())
        assert shown.addresses == []
        assert shown.elements <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_what_a_page_says_is_text_in_a_notebook():
    evil = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"
    link = f'https://example.org/"onmouseover="alert(1)//{evil}'.replace(" ", "")
    region = region_of(
        Field(evil, "text", (evil, None), (None, None)), Field("link", "link", (link, link), (None, None))
    )
    for noun in (region, region.records[0]):
        shown = Links(noun._repr_html_())
        assert shown.elements == {"table", "caption", "thead", "tbody", "tr", "th", "td", "a"}
        assert shown.attributes == {"href", "rel", "target"}
        assert set(shown.addresses) == {link}


def test_a_notebook_says_how_many_records_it_does_not_show():
    count = 250
    markup = Document("<ul>" + "<li>x" * count)
    first = markup.node("/html/body/ul/li[1]")
    spans = tuple((first + 2 * place, first + 2 * place + 2) for place in range(count))
    field = Field("x", "text", tuple(f"value {place}" for place in range(count)), (None,) * count)
    region = Region(markup, first - 1, spans, "records", "visual", "main", 1.0, fields=(field,))
    shown = region._repr_html_()
    assert "<td>value 99</td>" in shown
    assert "<td>value 100</td>" not in shown
    assert "250 records, 1 field " in shown
    assert "150 more are not shown" in shown


def test_a_record_shows_its_values():
    record = region_of(TITLE, PRICE).records[0]
    assert isinstance(record, Record)
    assert "<td>price</td><td>12,50 €</td>" in record._repr_html_()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Title", "title"),
        ("Unit price (€)", "unit_price"),
        ("priceCurrency", "price_currency"),
        ("Energy (kWh)", "energy_kwh"),
        ("iPhone", "iphone"),
        ("2026", "_2026"),
        ("½ price", "_1_2_price"),
        ("_page", "page"),
        ("  ", "column"),
        ("%", "column"),
        ("Größe", "größe"),
        ("Gro\u0308ße", "größe"),
        ("İl", "i\u0307l"),
        ("価格", "価格"),
        ("मूल्य (रु)", "मूल्य_रु"),
        ('drop table "x"; --', "drop_table_x"),
        ("select", "select"),
    ],
)
def test_names_in_databases_are_lower_snake_case(name, expected):
    assert snake_case(name) == expected
    assert snake_case(expected) == expected


def test_a_number_never_takes_the_name_of_another():
    assert distinct(["a", "a", "a_2", "b"], taken=["b", "b_2"]) == ["a", "a_3", "a_2", "b_3"]


def test_a_column_is_taken_by_its_name_and_a_record_by_its_number():
    region = region_of(TITLE, PRICE)
    assert region["title"] == ["Kettle", "Lamp"]
    assert region["price"] == [12.5, None]
    assert region["price_unit"] == ["EUR", None]
    assert region[1].values == {"title": "Lamp"}
    assert list(region) == list(region.records)
    assert "price" in region
    assert "cost" not in region


@pytest.mark.parametrize(
    ("name", "said"),
    [("prize", "did you mean 'price'"), ("stock", "choose from title, price, price_unit, price_text")],
)
def test_a_column_that_is_not_there_says_which_are(name, said):
    with pytest.raises(InputError, match=f"there is no column '{name}'; {said}"):
        _ = region_of(TITLE, PRICE)[name]


def test_a_region_is_a_polars_frame():
    frame = region_of(TITLE, PRICE).to_polars()
    assert frame.rows() == [("Kettle", 12.5, "EUR", "12,50 €"), ("Lamp", None, None, None)]


def test_without_polars_an_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="pip install polars"):
        region_of(TITLE).to_polars()
