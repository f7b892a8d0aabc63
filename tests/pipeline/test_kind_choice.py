"""The kind of wrapper that fits sample pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.pipeline import kind_choice
from webquarry.pipeline.kind_choice import choose_kind

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(*names: str) -> list[Document]:
    return [wq.clean(wq.fetch(EXAMPLES / name)) for name in names]


@pytest.mark.parametrize(
    ("names", "kind", "reason"),
    [
        ([f"factbook/geos/{code}.html" for code in ("am", "bv", "cd")], "sections", "under headings that recur"),
        ([f"shops/lumen/leuchten/lu-{number}.html" for number in (4100, 4107, 4121)], "item", "its og:type is product"),
        (["shops/lumen/index.html", "shops/lumen/page-2.html"], "records", "11 records that lead to other pages"),
        (["shops/kettleby/index.html"], "records", "10 records that lead to other pages"),
        (["factbook/geos/am.html"], "sections", "one page without a list"),
    ],
)
def test_the_kind_is_chosen_by_what_the_pages_are(names, kind, reason):
    choice = choose_kind(read(*names))
    assert choice.kind == kind
    assert reason in choice.reason


def test_pages_of_one_template_without_headings_are_an_item():
    boats = [
        Document(
            f"<html><body><main><p class=yard>{yard}</p><h1>{name}</h1><p class=size>{length} m</p>"
            f"<p class=price>{price} EUR</p><p class=text>{name} was built by {yard} in a wet summer.</p></main></body>"
        )
        for name, yard, length, price in (
            ("Heron", "Harrow", 4, 1200),
            ("Teal", "Sedge", 3, 890),
            ("Coot", "Fenn", 5, 70),
        )
    ]
    choice = choose_kind(boats)
    assert (choice.kind, "0 of them under headings" in choice.reason) == ("item", True)


STOOLS = (("Oak stool", "49 €", "oak"), ("Ash bench", "129 €", "ash"), ("Pine shelf", "35 €", "pine"))


def test_small_pages_with_a_price_under_no_heading_are_an_item():
    pages = [
        Document(
            f"<html><body><h1>{name}</h1><div>{price}</div><div>A {name.lower()} that lasts.</div><h3>Wood</h3>"
            f"<div>{wood}</div><h3>Number</h3><div>{wood}-7</div><p><a href=/>All furniture</a></body></html>"
        )
        for name, price, wood in STOOLS
    ]
    choice = choose_kind(pages)
    assert (choice.kind, "2 of them under headings" in choice.reason) == ("item", True)
    assert wq.extract(wq.wrap(pages, name="x"), pages[1]).record["price"] == "129 €"


def test_small_pages_with_all_values_under_headings_are_sections():
    pages = [
        Document(f"<html><body><h1>{name}</h1><h3>Price</h3><p>{price}</p><h3>Wood</h3><p>{wood}</p></body></html>")
        for name, price, wood in STOOLS
    ]
    assert choose_kind(pages).kind == "sections"


def test_a_page_that_is_a_table_is_one():
    rows = "".join(f"<tr><td>Town {number}<td>{number}00<td>{number} km" for number in range(1, 9))
    page = Document(f"<html><body><h1>Towns</h1><table><tr><th>Town<th>People<th>Size{rows}</table></body></html>")
    choice = choose_kind([page])
    assert (choice.kind, choice.reason.startswith("a table has ")) == ("tables", True)


def test_wrap_chooses_the_kind_that_it_is_not_given():
    assert wq.wrap(read("shops/lumen/index.html", "shops/lumen/page-2.html"), name="x").source.kind == "records"
    assert wq.wrap(read("shops/lumen/index.html"), name="x", kind="sections").source.kind == "sections"


def test_listings_are_looked_for_until_too_many_pages_have_none(monkeypatch: pytest.MonkeyPatch):
    asked = []

    def mine(document: Document, *, method: str = "visual") -> list[Region]:
        asked.append(method)
        return []

    monkeypatch.setattr(kind_choice, "mine", mine)
    pages = [Document(f"<html><body><p>Page {number}</p></body></html>") for number in range(6)]
    assert kind_choice.choose_by_regions(pages) is None
    assert asked == ["visual"] * 3 + ["tables"] * 3
