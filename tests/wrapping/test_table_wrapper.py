from __future__ import annotations

import pytest

from webquarry.errors import InputError
from webquarry.mining.table_regions import mine_tables
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.wrapper import Source, Wrapper
from webquarry.values.text_value import Value
from webquarry.wrapping.table_wrapper import check_table, learn_table, read_table

TOWNS = [("Norwich", "1,200", "Norfolk"), ("Ely", "20,100", "Cambridgeshire"), ("Oban", "8,500", "Argyll")]
OTHERS = [("Truro", "18,700", "Cornwall"), ("Leeds", "474,600", "Yorkshire")]
NAMES = ("Town", "People", "County")


def table(rows: list[tuple[str, ...]], names: tuple[str, ...] = NAMES, attributes: str = "") -> str:
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table {attributes}><tr>{head}</tr>{body}</table>"


def page(body: str) -> Document:
    return Document(f"<!DOCTYPE html><html lang=en><body>{body}</body></html>", url="https://maps.example/towns.html")


def learn(*documents: Document) -> Wrapper:
    return learn_table([mine_tables(document)[0] for document in documents], Source("towns"))


def records(wrapper: Wrapper, document: Document) -> list[dict[str, str]]:
    return read_table(wrapper, document).record.get("records", [])


def test_reads_the_table_of_another_page():
    found = records(learn(page(table(TOWNS))), page(table(OTHERS)))
    assert found == [dict(zip(NAMES, row, strict=True)) for row in OTHERS]


def test_columns_are_found_by_their_headings():
    turned = table([row[::-1] for row in OTHERS], NAMES[::-1])
    found = records(learn(page(table(TOWNS))), page(turned))
    assert found == [dict(zip(NAMES, row, strict=True)) for row in OTHERS]


def test_values_are_typed():
    extraction = read_table(learn(page(table(TOWNS))), page(table(OTHERS)))
    people = [value.typed for value in extraction.values if value.path[-1] == "people"]
    assert people == [Value(18700), Value(474600)]


def test_the_table_with_the_headings_is_taken_among_others():
    other = table([("Monday", "9-17"), ("Tuesday", "9-12")], ("Day", "Open"))
    found = records(learn(page(table(TOWNS) + other)), page(other + table(OTHERS)))
    assert [each["Town"] for each in found] == ["Truro", "Leeds"]


def test_of_tables_with_the_same_headings_the_one_in_the_same_place_is_taken():
    def both(first: list[tuple[str, ...]], second: list[tuple[str, ...]]) -> Document:
        return page(f"<h2>A</h2>{table(first)}<h2>B</h2>{table(second)}")

    sample = both(TOWNS, OTHERS[:1])
    region = next(each for each in mine_tables(sample) if len(each) == len(TOWNS))
    wrapper = learn_table([region], Source("towns"))
    assert check_table(wrapper, [region]).records == 1
    assert [each["Town"] for each in records(wrapper, both(OTHERS, TOWNS))] == ["Truro", "Leeds"]


def test_headings_may_take_two_rows_and_come_again():
    def tall(rows: list[tuple[str, ...]]) -> Document:
        head = "<tr><th rowspan=2>Town</th><th colspan=2>People</th></tr><tr><th>2001</th><th>2011</th></tr>"
        body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in rows)
        return page(f"<table><tr><th colspan=3>Towns of the East</th></tr>{head}{body}{head}</table>")

    wrapper = learn(tall([("Ely", "15,100", "20,100"), ("March", "18,000", "22,300"), ("Wisbech", "20,200", "22,900")]))
    assert wrapper.listing is not None
    assert [field.heading for field in wrapper.listing.fields] == ["Town", "People 2001", "People 2011"]
    assert records(wrapper, tall([("Truro", "17,400", "18,700"), ("Bude", "5,000", "9,200")])) == [
        {"Town": "Truro", "People 2001": "17,400", "People 2011": "18,700"},
        {"Town": "Bude", "People 2001": "5,000", "People 2011": "9,200"},
    ]


def test_marks_of_footnotes_are_left_out_as_in_mining():
    def noted(rows: list[tuple[str, ...]]) -> Document:
        mark = '<sup class="reference"><a href="#n1">[1]</a></sup>'
        return page(table([(row[0], f"{row[1]}{mark}", row[2]) for row in rows]))

    wrapper = learn(noted(TOWNS))
    assert [each["People"] for each in records(wrapper, noted(OTHERS))] == ["18,700", "474,600"]


def test_a_table_without_headings_is_found_by_its_place():
    def bare(rows: list[tuple[str, ...]]) -> Document:
        body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in rows)
        return page(f'<table class="towns" border=1>{body}</table>')

    sample = bare([("12", "1,200", "7"), ("14", "20,100", "8"), ("15", "8,500", "9")])
    wrapper = learn(sample)
    assert [list(each.values()) for each in records(wrapper, bare([("16", "18,700", "3"), ("17", "4", "5")]))] == [
        ["16", "18,700", "3"],
        ["17", "4", "5"],
    ]


def test_a_column_that_is_gone_is_missing():
    extraction = read_table(learn(page(table(TOWNS))), page(table([row[:2] for row in OTHERS], NAMES[:2])))
    assert extraction.missing == ("County",)
    assert extraction.record["records"][0] == {"Town": "Truro", "People": "18,700"}


def test_a_page_without_the_table_misses_its_records():
    assert read_table(learn(page(table(TOWNS))), page("<p>Moved.</p>")).missing == ("records",)


def test_columns_that_only_some_samples_have_are_optional():
    wrapper = learn(page(table(TOWNS)), page(table([(*row, "yes") for row in OTHERS], (*NAMES, "Market"))))
    assert wrapper.listing is not None
    assert [(field.name, field.is_optional) for field in wrapper.listing.fields] == [
        ("Town", False),
        ("People", False),
        ("County", False),
        ("Market", True),
    ]


def test_refuses_what_is_not_a_table():
    document = page("<ul>" + "".join(f"<li><b>Town {number}</b> in the east</li>" for number in range(5)) + "</ul>")
    with pytest.raises(InputError, match="not a table"):
        learn_table([mine_visual(document)[0]], Source("towns"))
