"""What a wrapper finds: as JSON, and as a table whose columns the wrapper says."""

from __future__ import annotations

import json
import pickle
from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from webquarry.model.extraction import Extraction, SectionValue, nest
from webquarry.model.section_columns import count_records, to_arrow
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Wrapper
from webquarry.values.text_value import Value

AREA = Section("area", (Section("total", type="number"), Section("land")))
BORDERS = Section("borders", (Section("length", type="number"),), is_repeated=True)
PORTS = Section("ports", (Section("port"), Section("berths", type="number")), type="table")
BOOK = Wrapper(
    Source("book", key="Country"),
    grammar=Section(
        "",
        (
            Section("geography", (Section("location"), AREA, BORDERS, PORTS, Section("crops", type="list"))),
            Section("founded", type="date"),
            Section("is_island", type="boolean"),
        ),
    ),
)
SHOP = Wrapper(
    Source("shop", kind="records"),
    listing=ListingRule("ul", "li", fields=(FieldRule("title"), FieldRule("price", "money"))),
)


def value(*path: str | int, text: str, typed: Any = None) -> SectionValue:
    headings = tuple(part if isinstance(part, int) or part[0] == "_" else part.title() for part in path)
    return SectionValue(path, headings, text, "/html/body/p[1]", typed)


def found(*values: SectionValue, page: str = "https://example.org/a", key: str | None = "Elmland") -> Extraction:
    return Extraction(page, "static", "book", values, key=key)


FULL = found(
    value("geography", "_text", text="Hilly."),
    value("geography", "location", text="North"),
    value("geography", "area", "total", text="1,200 sq km", typed=Value(1200.0, "sq km")),
    value("geography", "borders", 0, "_heading", text="Oakland"),
    value("geography", "borders", 0, "length", text="12 km", typed=Value(12.0, "km")),
    value("geography", "borders", 1, "_heading", text="Ashland"),
    value("geography", "ports", 0, "port", text="Quay"),
    value("geography", "ports", 0, "berths", text="3", typed=Value(3.0)),
    value("geography", "crops", text="rye, oats", typed=("rye", "oats")),
    value("founded", text="3 May 1820", typed=Value(date(1820, 5, 3))),
    value("is_island", text="no", typed=Value(False)),
    value("_other", "geography", "note", text="see map"),
)


def test_json_is_as_documented():
    assert found(FULL.values[2], FULL.values[4], FULL.values[8], key=None).to_dict() == {
        "page": "https://example.org/a",
        "document": "static",
        "source": "book",
        "record": {
            "Geography": {
                "Area": {"Total": "1,200 sq km"},
                "Borders": [{"Length": "12 km"}],
                "Crops": "rye, oats",
            }
        },
        "typed": {
            "geography.area.total": {"value": 1200.0, "unit": "sq km"},
            "geography.borders[0].length": {"value": 12.0, "unit": "km"},
            "geography.crops": ["rye", "oats"],
        },
        "nodes": {
            "geography.area.total": "/html/body/p[1]",
            "geography.borders[0].length": "/html/body/p[1]",
            "geography.crops": "/html/body/p[1]",
        },
    }


def test_json_has_the_key_of_a_page_that_has_one():
    assert found().to_dict()["key"] == "Elmland"


@pytest.mark.parametrize(
    ("said", "expected"), [(float("inf"), None), (date(2020, 1, 2), "2020-01-02"), (True, True), (2.5, 2.5)]
)
def test_typed_values_fit_json(said, expected):
    typed = found(value("founded", text="x", typed=Value(said))).to_dict()["typed"]
    assert typed == {"founded": {"value": expected, "unit": None}}
    json.dumps(typed, allow_nan=False)


def test_extractions_are_equal_by_value_and_survive_pickle():
    assert pickle.loads(pickle.dumps(FULL)) == FULL


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([(("a",), "1"), (("a", "b"), "2")], {"a": {"_text": "1", "b": "2"}}),
        ([(("a", "b"), "2"), (("a",), "1")], {"a": {"b": "2", "_text": "1"}}),
        ([(("a",), "1"), (("a",), "2")], {"a": "1", "a_2": "2"}),
        ([(("a", 0, "b"), "1"), (("a", 0), "2")], {"a": [{"b": "1", "_text": "2"}]}),
        ([(("a", 1, "b"), "1"), (("a", 0, "b"), "2")], {"a": [{"b": "2"}, {"b": "1"}]}),
        ([(("a", 0), "1"), (("a", 1), "2")], {"a": ["1", "2"]}),
    ],
)
def test_texts_nest_as_their_paths_say(values, expected):
    assert nest(values) == expected


PATHS = st.lists(st.sampled_from(["a", "b", "_text", 0, 1]), min_size=1, max_size=4).map(lambda path: ("x", *path))


def texts_in(nested: Any) -> list[str]:
    if nested is None or isinstance(nested, str):
        return [] if nested is None else [nested]
    inside = nested.values() if isinstance(nested, dict) else nested
    return [text for each in inside for text in texts_in(each)]


@given(st.lists(PATHS))
def test_no_text_is_lost_whatever_the_paths(paths):
    values = [(path, str(number)) for number, path in enumerate(paths)]
    assert sorted(texts_in(nest(values))) == sorted(text for _, text in values)


def test_a_page_is_a_row_with_sections_in_sections():
    (row,) = to_arrow(BOOK, [FULL]).to_pylist()
    assert row == {
        "country": "Elmland",
        "geography": {
            "_text": "Hilly.",
            "location": "North",
            "area": {"_text": None, "total": 1200.0, "total_unit": "sq km", "total_text": "1,200 sq km", "land": None},
            "borders": [
                {"_heading": "Oakland", "_text": None, "length": 12.0, "length_unit": "km", "length_text": "12 km"},
                {"_heading": "Ashland", "_text": None, "length": None, "length_unit": None, "length_text": None},
            ],
            "ports": [{"port": "Quay", "berths": 3.0, "berths_unit": None, "berths_text": "3"}],
            "crops": ["rye", "oats"],
            "crops_text": "rye, oats",
        },
        "founded": date(1820, 5, 3),
        "founded_text": "3 May 1820",
        "is_island": False,
        "is_island_text": "no",
        "_other": '{"geography": {"note": "see map"}}',
        "_page": "https://example.org/a",
    }


def test_every_page_gives_the_same_columns():
    tables = [to_arrow(BOOK, pages) for pages in ([], [found()], [FULL], [found(FULL.values[1]), FULL])]
    assert all(table.schema == tables[0].schema for table in tables)


def test_an_absent_section_is_null_and_one_that_is_there_is_not():
    table = to_arrow(BOOK, [found(), found(value("geography", "area", "land", text=""))])
    assert table.column("geography").is_null().to_pylist() == [True, False]
    assert table.column("geography").to_pylist()[1]["area"]["land"] == ""
    assert table.column("geography").to_pylist()[1]["borders"] is None


def test_rows_keep_to_their_pages():
    pages = [
        found(value("geography", "borders", 0, "_heading", text="one"), page="p"),
        found(value("founded", text="once"), page="q"),
        found(*(value("geography", "borders", n, "_heading", text=str(n)) for n in (1, 0)), page="r"),
    ]
    rows = to_arrow(BOOK, pages).to_pylist()
    headings = [[each["_heading"] for each in (row["geography"] or {}).get("borders") or []] for row in rows]
    assert headings == [["one"], [], ["0", "1"]]
    assert [row["_page"] for row in rows] == ["p", "q", "r"]


def test_lists_may_be_in_lists():
    inner = Section("stops", (Section("time"),), is_repeated=True)
    wrapper = Wrapper(Source("bus"), grammar=Section("", (Section("lines", (inner,), is_repeated=True),)))
    page = found(
        value("lines", 0, "stops", 0, "time", text="8:00"),
        value("lines", 1, "stops", 0, "time", text="9:00"),
        value("lines", 0, "stops", 1, "time", text="8:10"),
    )
    (lines,) = to_arrow(wrapper, [page]).column("lines").to_pylist()
    assert [[stop["time"] for stop in line["stops"]] for line in lines] == [["8:00", "8:10"], ["9:00"]]


@pytest.mark.parametrize(
    ("unforeseen", "kept"),
    [
        (value("geography", "moons", text="two"), {"geography": {"moons": "two"}}),
        (value("founded", "by", text="Elm"), {"founded": {"by": "Elm"}}),
        (value("geography", "borders", "_text", text="long"), {"geography": {"borders": {"_text": "long"}}}),
        (value("founded", text="again"), {"founded": "again"}),
        (value("_text", text="Welcome"), {"_text": "Welcome"}),
        (value("founded", "_other", "city", text="1830"), {"founded": {"city": "1830"}}),
    ],
)
def test_what_the_grammar_does_not_foresee_is_kept(unforeseen, kept):
    page = found(value("founded", text="once"), unforeseen)
    assert json.loads(to_arrow(BOOK, [page]).column("_other")[0].as_py()) == kept


PARTS = st.sampled_from(
    [*{name for path, _ in BOOK.grammar.walk() for name in path}, "_text", "_heading", "_other", 0, 1]
)


@given(st.lists(st.lists(st.lists(PARTS, min_size=1, max_size=4), max_size=8), max_size=3))
def test_no_text_is_lost_in_a_table_whatever_the_paths(pages):
    texts = [[str(number) for number in range(len(paths))] for paths in pages]
    extractions = [
        found(*(SectionValue(tuple(path), tuple(path), text, "/html") for path, text in zip(paths, said, strict=True)))
        for paths, said in zip(pages, texts, strict=True)
    ]
    rows = to_arrow(BOOK, extractions).drop_columns(["country", "_page"]).to_pylist()
    for row, said in zip(rows, texts, strict=True):
        row["_other"] = row["_other"] and json.loads(row["_other"])
        assert sorted(texts_in(row)) == sorted(said)


def test_own_text_may_stand_at_the_section_itself():
    table = to_arrow(BOOK, [found(value("geography", text="Hilly."))])
    assert table.column("geography")[0].as_py()["_text"] == "Hilly."


def test_a_typed_repeated_section_has_its_value_beside_its_text():
    wrapper = Wrapper(Source("fees"), grammar=Section("", (Section("fees", is_repeated=True, type="money"),)))
    page = found(
        value("fees", 0, "_heading", text="Members"), value("fees", 0, "_text", text="9 €", typed=Value(9.0, "EUR"))
    )
    (fees,) = to_arrow(wrapper, [page]).column("fees").to_pylist()
    assert fees == [{"_heading": "Members", "_value": 9.0, "_unit": "EUR", "_text": "9 €"}]


def test_a_table_whose_columns_are_unknown_is_json():
    wrapper = Wrapper(Source("book"), grammar=Section("", (Section("trade", type="table"),)))
    page = found(value("trade", 0, "year", text="1990"), value("trade", 1, "year", text="1991"))
    assert json.loads(to_arrow(wrapper, [page]).column("trade")[0].as_py()) == [{"year": "1990"}, {"year": "1991"}]


def test_no_two_columns_have_one_name():
    sections = (Section("total", type="number"), Section("total_text"), Section("total_unit"), Section("country"))
    table = to_arrow(Wrapper(Source("book", key="country"), grammar=Section("", sections)), [found()])
    assert table.column_names == [
        "country",
        "total",
        "total_unit",
        "total_text",
        "total_text_2",
        "total_unit_2",
        "country_2",
        "_other",
        "_page",
    ]


def test_a_text_that_says_nothing_is_kept_without_a_value():
    page = found(value("founded", text="long ago"), value("geography", "area", "total", text="?"))
    (row,) = to_arrow(BOOK, [page]).to_pylist()
    assert (row["founded"], row["founded_text"]) == (None, "long ago")
    assert (row["geography"]["area"]["total"], row["geography"]["area"]["total_text"]) == (None, "?")


@pytest.mark.parametrize("typed", [Value(2.0), Value(date(2020, 1, 1)), ("a",), Value(True), Value(float("inf"))])
@pytest.mark.parametrize("kind", ["text", "number", "money", "date", "boolean", "list", "link"])
def test_a_value_of_another_type_than_its_section_does_no_harm(kind, typed):
    wrapper = Wrapper(Source("book"), grammar=Section("", (Section("total", type=kind),)))
    (row,) = to_arrow(wrapper, [found(value("total", text="as written", typed=typed))]).to_pylist()
    assert "as written" in row.values()


def test_half_a_surrogate_pair_does_no_harm():
    page = found(value("geography", "location", text="\ud83d"), value("_other", "\ud83d", text="\ud83d"))
    to_arrow(BOOK, [page]).column("geography")[0].as_py()["location"].encode()


def test_a_record_of_a_listing_is_a_row():
    pages = [
        found(
            value("records", 0, "title", text="Kettle"),
            value("records", 0, "price", text="9 €", typed=Value(9.0, "EUR")),
            value("records", 1, "title", text="Lamp"),
            page="p",
        ),
        found(page="q"),
        found(value("records", 0, "title", text="Drill"), page="r"),
    ]
    table = to_arrow(SHOP, pages)
    assert table.drop_columns("_other").to_pydict() == {
        "title": ["Kettle", "Lamp", "Drill"],
        "price": [9.0, None, None],
        "price_unit": ["EUR", None, None],
        "price_text": ["9 €", None, None],
        "_page": ["p", "p", "r"],
    }
    assert [count_records(SHOP, page) for page in pages] == [2, 0, 1]


def test_a_listing_without_records_has_its_columns():
    table = to_arrow(SHOP, [])
    assert table.column_names == ["title", "price", "price_unit", "price_text", "_other", "_page"]
    assert table.schema.field("price").type == pa.float64()
