"""Columns and the sections that they are of."""

from __future__ import annotations

import pytest

from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.section_columns import ValueNodes, columns_of, to_arrow
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Wrapper

BOOK = Wrapper(
    Source("book", key="country"),
    title="h1",
    grammar=Section(
        "",
        (
            Section("area", type="number", children=(Section("total", type="number"), Section("total_text"))),
            Section("borders", is_repeated=True, children=(Section("length", type="number"),)),
            Section("trade", type="table", children=(Section("year"),)),
            Section("country"),
            Section("notes"),
        ),
    ),
)


@pytest.mark.parametrize(
    ("column", "section"),
    [
        (("area",), ("area",)),
        (("area", "_value"), ("area",)),
        (("area", "_unit"), ("area",)),
        (("area", "_text"), ("area",)),
        (("area", "total"), ("area", "total")),
        (("Area", "TOTAL_unit"), ("area", "total")),
        (("area", "total_text"), ("area", "total")),
        (("area", "total_text_2"), ("area", "total_text")),
        (("area", "nonsense"), ("area",)),
        (("borders", "length"), ("borders",)),
        (("borders", "_heading"), ("borders",)),
        (("trade", "year"), ("trade",)),
        (("country_2",), ("country",)),
        (("notes", "nonsense"), ("notes",)),
        (("_title",), ("_title",)),
        (("_other",), ("_other",)),
        (("country",), None),
        (("_page",), None),
        ((), None),
    ],
)
def test_a_column_is_of_a_section(column, section):
    assert columns_of(BOOK).find_section(column) == section


def test_all_columns_but_key_and_page_are_of_sections():
    columns = columns_of(BOOK)
    names = to_arrow(BOOK, []).schema.names
    assert [name for name in names if columns.find_section((name,)) is None] == ["country", "_page"]


def test_columns_of_a_listing_are_of_its_fields():
    fields = (FieldRule("Price", "money"), FieldRule("price text"))
    wrapper = Wrapper(Source("shop", "records"), listing=ListingRule("div", "p", fields=fields))
    columns = columns_of(wrapper)
    assert [columns.find_section((name,)) for name in to_arrow(wrapper, []).schema.names] == [
        ("price",),
        ("price",),
        ("price",),
        ("price_text",),
        ("_other",),
        None,
    ]


def value(*path: str | int, is_whole: bool = False) -> SectionValue:
    """A value whose node is its path; a whole is followed by its parts."""
    return SectionValue(path, () if is_whole else path, "text", "/" + "/".join(map(str, path)))


@pytest.mark.parametrize(
    ("column", "nodes"),
    [
        (("area",), ["/area/_text", "/area/total"]),
        (("area", "_text"), ["/area/_text"]),
        (("area", "_value"), ["/area/_text"]),
        (("area", "total_unit"), ["/area/total"]),
        (("area", "total_text_2"), []),
        (("borders",), ["/borders/0/length", "/borders/1/length"]),
        (("notes",), ["/notes/_other/a", "/notes/_other/b"]),
        (("_other",), ["/_other/rest"]),
        (("country",), []),
        ((), []),
    ],
)
def test_a_column_holds_the_values_of_these_nodes(column, nodes):
    values = (
        value("area", "_text"),
        value("area", "total"),
        value("borders", 0, "length"),
        value("borders", 1, "length"),
        value("notes", is_whole=True),
        value("notes", "_other", "a"),
        value("notes", "_other", "b"),
        value("_other", "rest"),
    )
    extractions = [Extraction("a", "static", "book"), Extraction("b", "static", "book", values)]
    found = ValueNodes(BOOK, extractions)
    assert found.find(1, column) == nodes
    assert found.find(0, column) == []


def test_a_row_of_a_listing_holds_the_values_of_its_record():
    wrapper = Wrapper(Source("shop", "records"), listing=ListingRule("div", "p", fields=(FieldRule("Price", "money"),)))
    pages = [
        Extraction(page, "static", "shop", (value("records", 0, "price"), value("records", 1, "price")))
        for page in "ab"
    ]
    found = ValueNodes(wrapper, pages)
    assert len(to_arrow(wrapper, pages)) == 4
    assert [found.find(row, ("price",)) for row in (1, 2)] == [["/records/1/price"], ["/records/0/price"]]
    assert found.find(3, ()) == ["/records/1/price"]
