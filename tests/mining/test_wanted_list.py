"""Finding a list by words of one of its records, and telling when the best list is doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webquarry.errors import InputError
from webquarry.mining.visual import UNEVEN, mine_visual
from webquarry.mining.wanted_list import find_doubt, find_like
from webquarry.model.document import Document
from webquarry.model.region import Region

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
