"""Columns and the sections that they are of."""

from __future__ import annotations

import pytest

from webquarry.model.section_columns import columns_of, to_arrow
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
