"""Listings without records, and pages without the listing."""

from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.wrapping.listing_reader import is_empty_listing
from webquarry.wrapping.table_wrapper import is_empty_table

FIELDS = (FieldRule("Name", heading="Name"), FieldRule("Price", place=1, heading="Price"))


@pytest.mark.parametrize(
    ("region", "markup", "is_empty"),
    [
        ("body > div.goods", "<div class='goods wide'></div>", True),
        ("body > div#goods", "<div id='goods'><p>None left.</p></div>", True),
        ("body > div.goods", "<div class='news'></div>", False),
        ("body > div.main.goods", "<div class='goods'></div>", False),
        ("body > div.goods", "<section><div class='goods'></div></section>", False),
        ("body > div.goods", "<div class='goods' hidden></div>", False),
        ("body > div", "<div></div>", False),  # any page may have one
        ("body > ul.a, body > ol.b", "<ol class='b'></ol>", True),
    ],
)
def test_the_place_of_records_must_be_there(region, markup, is_empty):
    wrapper = Wrapper(Source("shop", "records"), listing=ListingRule(region, "p", fields=FIELDS))
    assert is_empty_listing(wrapper, Document(markup)) is is_empty


@pytest.mark.parametrize(
    ("markup", "is_empty"),
    [
        ("<table><tr><th>Name<th>Price</table>", True),
        ("<table><tr><th>Price<th>Colour<th>Name</table>", True),
        ("<table><tr><th>Name<th>Colour</table>", False),
        ("<p>Name Price</p>", False),
    ],
)
def test_the_headings_of_a_table_must_be_there(markup, is_empty):
    wrapper = Wrapper(Source("shop", "tables"), listing=ListingRule("body > table", "tr", fields=FIELDS))
    assert is_empty_table(wrapper, Document(markup)) is is_empty
