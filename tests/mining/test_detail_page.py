"""The first region of a detail page is the one thing that it is about; listings stay lists."""

from __future__ import annotations

import json
from functools import partial

import pytest

from webquarry.mining.detail_page import is_same_title, put_item_first
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.page.stated_items import PageData
from webquarry.pipeline.mine_pages import mine

RELATED = ["Desk Fan", "Paper Lantern", "Oil Lamp", "Bulb Set", "Floor Lamp", "Clip Light"]


def cards(names: list[str]) -> str:
    return "".join(
        f"<li class=card><a href='/p/{name.replace(' ', '-')}'><img src='/i/{name}.jpg' width=200 height=200 alt=''>"
        f"<h3>{name}</h3></a><p>A {name.lower()} that lasts.</p><span class=price>{len(name)}.50 €</span></li>"
        for name in names
    )


def item(head: str = "", body: str = "") -> Document:
    """A page about a lamp, with six lamps beside it."""
    return Document(
        f"<!doctype html><html><head><title>Orrin Wall Lamp - Lumen</title>{head}</head><body class='{body}'>"
        "<nav><a href='/'>Home</a> <a href='/lamps'>Lamps</a></nav><main><div class=product>"
        "<img src='/i/orrin.jpg' width=600 height=600 alt=''><h1>Orrin Wall Lamp</h1>"
        "<p class=price>62,00 €</p><p class=stock>In stock</p>"
        "<p class=description>A wall lamp of turned brass with a shade of linen, made by two people in a small "
        "workshop by the sea. It dims, it swivels, and its cable is long enough for a high bed.</p>"
        "<p class=description>Every part can be had one by one, so that it need not be thrown away when one breaks.</p>"
        "<table><tr><th>Width</th><td>18 cm</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr></table></div>"
        f"<section class=more><h2>You may like</h2><ul>{cards(RELATED)}</ul></section></main></body></html>"
    )


def listing(head: str = "", body: str = "") -> Document:
    return Document(
        f"<!doctype html><html><head><title>Lamps - Lumen</title>{head}</head><body class='{body}'>"
        f"<nav><a href='/'>Home</a></nav><main><h1>Lamps</h1><p>All our lamps.</p><ul>{cards(RELATED)}</ul></main>"
        "</body></html>"
    )


def stated(kind: str, name: str) -> str:
    data = {"@context": "https://schema.org", "@type": kind, "name": name, "sku": "W-07"}
    return f"<script type='application/ld+json'>{json.dumps(data)}</script>"


GRAPH = "<meta property='og:type' content='product'><meta property='og:title' content='Orrin Wall Lamp'>"


@pytest.mark.parametrize(
    ("head", "body", "reason"),
    [
        (GRAPH, "", "its og:type is product"),
        (stated("Product", "Orrin Wall Lamp"), "", "it states one Product by its title in JSON-LD"),
        (stated("Product", "Orrin Wall Lamp, brass"), "", "it states one Product by its title in JSON-LD"),
        ("", "single single-lamp postid-7", "the class of its body is single-lamp"),
        ("", "template-product", "the class of its body is template-product"),
    ],
)
def test_a_page_that_says_so_is_one_record(head, body, reason):
    document = item(head, body)
    region, *others = mine(document)
    assert len(region) == 1
    assert region.reasons[:2] == ("the page is about one thing", reason)
    (record,) = region.records
    assert (record.values["title"], record.values["price"]) == ("Orrin Wall Lamp", "62,00 €")
    assert record.typed["price"].unit == "EUR"
    assert record.values["Width"] == "18 cm"
    assert not any("Desk Fan" in value for value in record.values.values())
    assert [len(each) for each in others if "Desk Fan" in each.records[0].text] == [6]
    assert all(each.role != "main" for each in others)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "<meta property='og:type' content='website'>",
        stated("Product", "Desk Fan"),  # one of the related ones
        stated("Organization", "Orrin Wall Lamp"),
    ],
)
def test_a_page_that_does_not_say_so_keeps_its_list_first_if_that_is_much_of_it(head):
    assert len(mine(item(head))[0]) == 6


def with_few_related(document: Document) -> Document:
    return Document(document.markup.replace(cards(RELATED), cards(RELATED[:3])))


def test_a_page_with_facts_under_its_title_before_a_short_list_is_one_record():
    region, *others = mine(with_few_related(item()))
    facts = "5 facts under its title, before any list of other pages"
    assert region.reasons == ("the page is about one thing", facts)
    (record,) = region.records
    assert (record.values["title"], record.values["Width"]) == ("Orrin Wall Lamp", "18 cm")
    assert len(others[0]) == 3


def test_facts_count_only_under_the_title_of_the_page():
    markup = with_few_related(item()).markup
    assert len(mine(Document(markup.replace("<title>Orrin Wall Lamp - Lumen</title>", "<title>Lumen</title>")))[0]) == 3


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(
            "<ul>" + "".join(f"<li><label><input type=checkbox>{n} €</label></li>" for n in (5, 9, 20, 50)) + "</ul>",
            id="what it can be filtered by",
        ),
        pytest.param(
            "<table><tr><th>Price<td>5 €<td>9 €<td>20 €</tr><tr><th>Width<td>5 cm<td>9 cm<td>7 cm</tr></table>",
            id="what it compares",
        ),
        pytest.param("<p>2 products</p><p>12 items</p><p>3 results</p>", id="how many it has"),
    ],
)
def test_facts_about_a_list_do_not_count(facts):
    story = "<p>Lamps by two people in a small workshop by the sea, who also mend what others made.</p>" * 5
    page = f"<title>Lamps - Lumen</title><main><h1>Lamps</h1>{facts}{story}<ul>{cards(RELATED[:3])}</ul></main>"
    assert len(mine(Document(page))[0]) == 3


def test_a_good_list_below_facts_about_its_makers_stays_a_list():
    story = (
        "<p>Lamps by two people in a small workshop by the sea, who also mend what others made, for boats too.</p>" * 12
    )
    facts = "<dl><dt>Made in</dt><dd>Hull</dd><dt>Since</dt><dd>1990</dd><dt>Boxes</dt><dd>12 cm</dd></dl>"
    lamps = cards([f"Lamp number {letter}" for letter in "abcdefghijkl"])
    page = f"<title>Lamps - Lumen</title><main><h1>Lamps</h1>{facts}{story}<ul>{lamps}</ul></main>"
    assert len(mine(Document(page))[0]) == 12


def test_a_list_of_facts_stays_a_list():
    rows = "".join(f"<tr><th>Room {number}</th><td>{number} m²</td></tr>" for number in range(1, 9))
    page = f"<title>Rooms - Lumen</title><main><h1>Rooms</h1><table>{rows}</table></main>"
    assert len(mine(Document(page))[0]) == 8


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("<meta property='og:type' content='product'>", ""),
        (stated("Product", "Lamps"), ""),
        (stated("Product", "Lamps") + "<meta property='og:type' content='product'>", ""),
        ("<meta property='og:type' content='product.group'>", "template-collection"),
        ("", "archive single-post"),
    ],
)
def test_a_listing_stays_a_list_whatever_it_says(head, body):
    region = mine(listing(head, body))[0]
    assert len(region) == 6
    assert region.reasons[0] != "the page is about one thing"


def test_a_layout_of_a_single_column_does_not_make_a_listing_a_page_about_one_thing():
    told = "<p>Lamps for halls and stairs, made to order in our workshop and sent within a week to any address.</p>" * 4
    markup = listing(body="single-column").markup.replace("<p>All our lamps.</p>", told)
    assert len(mine(Document(markup))[0]) == 6


def test_a_record_without_a_title_is_not_made():
    assert len(mine(Document(item(GRAPH).markup.replace("<h1>Orrin Wall Lamp</h1>", "")))[0]) == 6


def test_what_is_called_related_is_not_in_the_record():
    markup = item(GRAPH).markup.replace("</table>", "</table><div class=share>Tell your friends: <b>Mail</b></div>")
    (record,) = mine(Document(markup))[0].records
    assert not any("friends" in value for value in record.values.values())


def test_a_teaser_without_links_belongs_to_the_record():
    markup = item(GRAPH).markup.replace("<p class=stock>", "<p class=teaser>Light for a corner.</p><p class=stock>")
    region = mine(Document(markup))[0]
    assert "Light for a corner." in region.records[0].values.values()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Orrin Wall Lamp", "ORRIN  wall lamp", True),
        ("Orrin Wall Lamp", "Orrin Wall Lamp - Lumen", True),
        ("Lamp", "Lamps", False),
        ("Lamps", "Lamps and lights for every room of the house", False),
        ("", "Lamps", False),
    ],
)
def test_titles_are_compared_by_their_beginnings(one, other, is_same):
    assert is_same_title(one, other) is is_same


def test_the_title_is_one_field_whatever_colons_it_has_and_where_the_page_says_it():
    markup = with_few_related(item()).markup.replace(
        "Orrin Wall Lamp - Lumen", "Brass Works | Orrin: Wall Lamp | Lumen"
    )
    markup = markup.replace("<h1>Orrin Wall Lamp</h1>", "<p>Brass Works</p><h1>Orrin: Wall Lamp</h1>")
    (record,) = mine(Document(markup))[0].records
    assert record.values["title"] == "Orrin: Wall Lamp"
    assert "Orrin" not in record.values


def test_lists_beside_the_item_are_aligned_only_when_asked_for():
    document = item(GRAPH)
    asked: list[Region] = []
    lists = [replace_fields(region, fields=partial(asked.append, region)) for region in mine_visual(document)]
    _, *others = put_item_first(document, lists, PageData(document))
    assert "side" in [region.role for region in others]
    assert asked == []


def test_an_item_whose_title_is_no_heading_is_known_by_the_title_of_the_page() -> None:
    markup = item(stated("Product", "Orrin Wall Lamp")).markup.replace(
        "<h1>Orrin Wall Lamp</h1>", "<b>Orrin Wall Lamp</b>"
    )
    (first, *_) = mine(Document(markup))
    assert first.reasons[:2] == ("the page is about one thing", "it states one Product by its title in JSON-LD")
    assert first.records[0].values["title"] == "Orrin Wall Lamp"


def test_facts_some_of_which_are_links_are_about_the_item() -> None:
    facts = "".join(
        f"<div class=fact><i>{label}</i> {value}</div>"
        for label, value in (
            ("By", "<a href='/m/ann'>Ann Moss</a> <a href='/m/bo'>Bo Reed</a>"),
            ("From", "<a href='/l/fife'>Fife</a>"),
            ("Series", "Harbour"),
        )
    )
    markup = item(GRAPH).markup.replace("<p class=stock>In stock</p>", f"<div class=facts>{facts}</div>")
    values = mine(Document(markup))[0].records[0].values.values()
    assert {"Ann Moss", "Fife", "Harbour"} <= set(values)
