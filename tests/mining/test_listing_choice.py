"""Finding a list by words of one of its records, telling when the best one is doubtful, and following it over pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webquarry.errors import InputError
from webquarry.mining.listing_choice import Listing, find_alike, find_column_doubt, find_doubt, find_like
from webquarry.mining.visual import UNEVEN, mine_visual
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.values.text_value import Value

NAMES = "kettle lamp saw hammer chair table mirror basket ladder bucket broom candle clock vase rug".split()
GOODS = "".join(
    f"<article><h3><a href='/{name}'>{name}</a></h3><p>A text about the {name}, long enough to matter to a person who"
    f" wants one, and who reads all of it before he buys.</p><b>{len(name)}.50</b></article>"
    for name in NAMES
)
STAFF = "".join(f"<div><b>{name}</b><i>{place}</i></div>" for name, place in zip("ABC", "xyz", strict=True))
MENU = "<nav><a href=/a>Shop</a> <a href=/b>Staff</a> <a href=/c>Visit</a></nav>"
SHOP = f"{MENU}<main>{GOODS}</main><p>A lone note.</p><section>{STAFF}</section>"
APP = "<div id=root></div><p>Loading<script src=app.js></script>"


def document_of(markup: str) -> Document:
    return Document(f"<!DOCTYPE html><title>Page</title><body>{markup}")


def find(markup: str, words: str) -> Region:
    document = document_of(markup)
    return find_like(document, mine_visual(document), words)


def test_finds_the_list_that_has_the_words_whatever_their_case_and_spaces():
    assert len(find(SHOP, "about  THE\nlamp")) == len(NAMES)


def test_finds_a_menu_by_its_words():
    assert [record.text for record in find(SHOP, "visit").records] == ["Shop", "Staff", "Visit"]


def test_grows_a_list_too_small_to_be_mined():
    document = document_of(SHOP)
    regions = mine_visual(document)
    assert not any("By" in record.text for region in regions for record in region.records)
    grown = find_like(document, regions, "By")
    assert [record.text for record in grown.records] == ["Ax", "By", "Cz"]


def test_names_the_nearest_text_where_the_words_are_not_on_the_page():
    with pytest.raises(InputError, match="no text has 'hamer'; the nearest is 'hammer'"):
        find(SHOP, "hamer")


def test_says_so_where_nothing_like_the_words_repeats():
    with pytest.raises(InputError, match="nothing like it repeats"):
        find("<h1>One</h1><p>A lone note.", "lone note")


def test_a_good_list_is_not_doubted():
    document = document_of(SHOP)
    assert find_doubt(document, mine_visual(document)) == ""


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        pytest.param(APP, "no records were found; its text may come by script: try --scripts", id="application"),
        pytest.param("<p>Nothing.", "no records were found", id="nothing"),
        pytest.param(
            "<article><h1>Kettle</h1><p>A kettle.<p><a href=/k>Buy</a><b>2.50</b></article><ul><li>One<li>Two</ul>",
            "the best list is doubtful (score 0.03); try --region 2, or --like with words of one record",
            id="detail page",
        ),
    ],
)
def test_a_poor_answer_is_doubted_with_what_to_try(markup, words):
    document = document_of(markup)
    assert find_doubt(document, mine_visual(document)) == words


def test_a_list_is_doubted_if_the_second_is_nearly_as_good():
    document = document_of(SHOP)
    best = mine_visual(document)[0]
    second = replace(best, score=0.8 * best.score)
    words = (
        "the best list is doubtful (the second is nearly as good); try --region 2, or --like with words of one record"
    )
    assert find_doubt(document, [best, second]) == words
    assert find_doubt(document, [best, replace(best, score=0.6 * best.score)]) == ""


def test_a_list_is_doubted_if_its_records_differ_and_are_little_of_the_page():
    extras = ("<p>few</p><i>in {n}</i>", "<u>some</u><b>at {n}</b>", "<em>all</em><s>by {n}</s>", "")
    records = "".join(
        f"<article><h3><a href=/{n}>Tool {n}</a></h3><p>{n}.50</p>{extras[n % 4]}</article>".replace("{n}", str(n))
        for n in range(8)
    )
    document = document_of(records + "<div><p>" + "Much else is on the page. " * 40 + "</div>")
    assert UNEVEN in mine_visual(document)[0].reasons
    assert UNEVEN in find_doubt(document, mine_visual(document))


def test_columns_are_doubted_if_many_have_no_name():
    def doubt_of(names: str, *values: str) -> str:
        document = document_of(SHOP)
        fields = tuple(Field(name, "text", values, (None,) * len(values)) for name in names.split())
        best = mine_visual(document)[0]
        return find_column_doubt(replace(best, fields=fields, spans=best.spans[: len(values)]))

    assert doubt_of("title text text_2 number_2", "a", "b") == ""
    assert doubt_of("title text_2 text_3 number_2", "a", "b").startswith("3 columns have no name and may be wrong;")
    assert doubt_of("title text_2 text_3 number_2", "a") == ""  # a page about one thing has many texts


def listing_page(*records: str, fields: dict[str, str], tag: str = "li", role: str = "main") -> Region:
    """A region with a record an element of the tag; `fields` are names with the tag in which the values stand."""
    inner = "".join(f"<{tag}>{record}</{tag}>" for record in records)
    document = Document(f"<body><ul>{inner}</ul>", url="https://shop.example/")
    spans = [(node, int(document.ends[node])) for node in range(len(document)) if document.tag(node) == tag]
    return Region(
        document=document,
        node=spans[0][0] - 1 if spans else 0,
        spans=tuple(spans),
        fields=tuple(column(document, spans, name, within) for name, within in fields.items()),
        kind="records",
        method="visual",
        role=role,
        score=1.0,
    )


def column(document: Document, spans: list[tuple[int, int]], name: str, within: str) -> Field:
    nodes = [next((node for node in range(*span) if document.tag(node) == within), None) for span in spans]
    kind = "link" if within == "a" else "text"
    values = [
        None if node is None else document.attributes[node]["href"] if kind == "link" else document.text(node)
        for node in nodes
    ]
    return Field(name, kind, tuple(values), tuple(nodes))


def values(region: Region) -> list[dict[str, str]]:
    return [record.values for record in region.records]


def test_the_first_page_is_taken_as_it_is():
    first = listing_page("<b>Kettle</b><i>12</i>", "<b>Lamp</b><i>9</i>", fields={"title": "b", "price": "i"})
    assert Listing().take([first]) == first


def test_records_that_were_there_before_are_left_out():
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b>", "<b>Lamp</b>", fields={"title": "b"})])
    later = listing.take([listing_page("<b>Lamp</b>", "<b>Saw</b>", "<b>Hammer</b>", fields={"title": "b"})])
    assert values(later) == [{"title": "Saw"}, {"title": "Hammer"}]
    assert len(later) == len(later.spans) == len(later.fields[0].nodes) == 2
    last = listing.take([listing_page("<b>Saw</b>", "<b>Axe</b>", fields={"title": "b"})])
    assert values(last) == [{"title": "Axe"}]


def test_the_same_text_with_another_link_is_another_record():
    listing = Listing()
    fields = {"title": "b", "link": "a"}
    listing.take([listing_page("<b>Lamp</b><a href=/1>buy</a>", fields=fields)])
    later = listing.take(
        [listing_page("<b>Lamp</b><a href=/1>buy</a>", "<b>Lamp</b><a href=/2>buy</a>", fields=fields)]
    )
    assert values(later) == [{"title": "Lamp", "link": "/2"}]


def test_a_page_that_lists_a_thing_twice_keeps_both():
    twice = listing_page("<b>Lamp</b>", "<b>Lamp</b>", fields={"title": "b"})
    assert len(Listing().take([twice])) == 2


def test_a_page_with_nothing_new_ends_the_listing():
    listing = Listing()
    page = listing_page("<b>Kettle</b>", "<b>Lamp</b>", fields={"title": "b"})
    listing.take([page])
    assert listing.take([page]) is None


def test_columns_in_the_same_place_have_the_same_name():
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b><i>12</i><u>new</u>", fields={"title": "b", "price": "i", "text": "u"})])
    later = listing.take(
        [listing_page("<b>Lamp</b><u>old</u><i>9</i>", fields={"title": "b", "text": "u", "text_2": "i"})]
    )
    assert values(later) == [{"title": "Lamp", "text": "old", "price": "9"}]


def test_a_name_that_stands_for_something_else_is_not_taken_twice():
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b><i>12</i>", fields={"title": "b", "text": "i"})])
    later = listing.take(
        [listing_page("<b>Lamp</b><s>20</s><i>9</i>", fields={"title": "b", "text": "s", "text_2": "i"})]
    )
    assert values(later) == [{"title": "Lamp", "text_2": "20", "text": "9"}]


def test_a_new_column_keeps_its_name_on_all_further_pages():
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b>", fields={"title": "b"})])
    second = listing.take([listing_page("<b>Lamp</b><s>20</s>", fields={"title": "b", "was": "s"})])
    third = listing.take([listing_page("<b>Saw</b><s>30</s>", fields={"title": "b", "text_2": "s"})])
    assert values(second) == [{"title": "Lamp", "was": "20"}]
    assert values(third) == [{"title": "Saw", "was": "30"}]


def test_the_region_that_goes_on_is_the_one_alike_not_the_best():
    fields = {"title": "b", "price": "i"}
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b><i>12</i>", fields=fields)])
    other = listing_page("<u>News</u>", "<u>More news</u>", fields={"text": "u"}, tag="p")
    alike = listing_page("<b>Lamp</b><i>9</i>", fields=fields)
    assert values(listing.take([other, alike])) == [{"title": "Lamp", "price": "9"}]
    assert find_alike(alike, [other]) is None
    assert find_alike(alike, []) is None


def test_another_region_than_the_best_can_be_followed():
    fields = {"title": "b"}
    menu = listing_page("Home", "Contact", fields={}, tag="p", role="menu")
    listing = Listing(2)
    assert values(listing.take([menu, listing_page("<b>Kettle</b>", fields=fields)])) == [{"title": "Kettle"}]
    assert values(listing.take([menu, listing_page("<b>Lamp</b>", fields=fields)])) == [{"title": "Lamp"}]


def test_typed_values_stay_with_their_records():
    from dataclasses import replace

    def priced(*records: str) -> Region:
        page = listing_page(*records, fields={"price": "i"})
        price = page.fields[0]
        return replace(
            page, fields=(replace(price, type="number", typed=tuple(Value(float(v)) for v in price.values)),)
        )

    listing = Listing()
    listing.take([priced("<i>1</i>", "<i>2</i>")])
    later = listing.take([priced("<i>2</i>", "<i>3</i>")])
    assert [record.typed["price"].value for record in later.records] == [3.0]


def test_what_is_taken_stays_as_it_is():
    listing = Listing()
    listing.take([listing_page("<b>Kettle</b>", fields={"title": "b"})])
    page = listing_page("<b>Kettle</b>", "<b>Lamp</b>", fields={"name": "b"})
    before = repr(page)
    listing.take([page])
    assert repr(page) == before
    assert len(page) == 2
