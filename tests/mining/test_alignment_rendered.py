"""What a layout adds to the alignment of columns; pages are rendered by a real browser."""

from __future__ import annotations

import pytest

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.pipeline.render_pages import render

pytestmark = pytest.mark.usefixtures("browser")

TREES = ("Oak", "Fir", "Elm")


def values(style: str, contents: list[str]) -> dict[str, list[str | None]]:
    articles = "".join(f"<article>{content}</article>" for content in contents)
    document = render(Page(url="https://example.org/", body=f"<style>{style}</style>{articles}".encode()))
    assert isinstance(document, Document)
    found = [document.node(f"/html/body/article[{place + 1}]") for place in range(len(contents))]
    spans = [(node, int(document.ends[node])) for node in found if node is not None]
    return {field.name: list(field.values) for field in align_fields(document, spans)}


def test_the_title_is_the_text_of_the_largest_letters():
    found = values("i {font-size: 30px}", [f"<p>About {tree}s</p><p><i>{tree}</i></p>" for tree in TREES])
    assert found["title"] == list(TREES)


def test_letters_however_large_do_not_outweigh_a_linked_heading():
    contents = [f"<h3><a href=/{tree}>{tree}</a></h3><p><i>Hull {tree[0]}</i></p><p>by {tree}</p>" for tree in TREES]
    assert values("h3 {font-size: 18px} i {font-size: 96px}", contents)["title"] == list(TREES)


def test_texts_that_touch_are_one_word_and_a_unit_belongs_to_its_number():
    prices = [f"<p><b>{n}</b><sup>99</sup></p><p><b>{n}</b><u>votes</u></p>" for n in (12, 7, 8)]
    found = values("u {margin-left: 8px}", prices)
    assert ["1299", "799", "899"] in found.values()
    assert ["12 votes", "7 votes", "8 votes"] in found.values()


def test_styles_part_what_tag_paths_do_not():
    contents = [
        "<h3>Oak</h3><p class=x>12</p><p>Hull</p>",
        "<h3>Fir</h3><p>York</p>",
        "<h3>Elm</h3><p class=x>9</p>",
        "<h3>Yew</h3><p class=x>8</p><p>Bath</p>",
    ]
    found = values(".x {color: red}", contents)
    assert ["12", None, "9", "8"] in found.values()
    assert ["Hull", "York", None, "Bath"] in found.values()


def test_spans_set_as_blocks_are_values_of_their_own():
    contents = [f"<span>{tree} grows</span><span>slowly in {tree.lower()} woods</span>" for tree in TREES]
    found = values("span {display: block}", contents)
    assert [f"{tree} grows" for tree in TREES] in found.values()


def test_what_is_not_seen_is_in_no_value():
    found = values("u {display: none}", [f"<h3>{tree}</h3><p>Wood <u>secret</u></p>" for tree in TREES])
    assert not any("secret" in (row[0] or "") for row in found.values())


def test_marked_words_in_lines_that_wrap_keep_the_marks_behind_them():
    said = "They grow well in deep soil wherever there is water enough for them, and live for a long time."
    texts = [
        f"Of the <em>oak</em>. {said}",
        f"<em>Fir</em> and spruce. {said}",
        f"Many say that the wood of an <em>elm</em>, wet or dry, outlasts its builder. {said}",
        f"Yews, or <em>yew</em> trees. {said} So does the <em>yew</em>!",
    ]
    found = values("p {width: 200px}", [f"<h3>Tree {n}</h3><p>{text}</p>" for n, text in enumerate(texts)])
    assert [text.replace("<em>", "").replace("</em>", "") for text in texts] in found.values()
