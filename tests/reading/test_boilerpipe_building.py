"""What is a block on a page, by its tags."""

from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.reading.boilerpipe import Label, build_blocks


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>One<p>Two", ["One", "Two"]),
        ("<p>One <b>bold</b> <i>word</i>", ["One bold word"]),
        ("<p>f<sub>0</sub>o<span>o</span>", ["f0oo"]),
        ("<p>the<abbr>WHO</abbr>says", ["the WHO says"]),
        ("<p>see<a href=x>here</a>and there", ["see here and there"]),
        ("<p>One<br>two<img>three", ["One", "two", "three"]),
        ("<p>One<small>two</small>three", ["One", "two", "three"]),
        ("<p>One\n   two\t three", ["One two three"]),
        ("<b>One</b> <i>two</i>", ["One two"]),
        ("<b>One</b><!-- note --><i>two</i>", ["Onetwo"]),
        ("<a href=x><div>One</div><div>two</div></a>", ["One", "two"]),
        ("<p>One<script>x</script>two<style>y</style>", ["One", "two"]),
        ("<p>One<noscript>two</noscript><object>three</object><select><option>four</select>", ["One"]),
        ("<p hidden>One<p style='display: none'>two<p>three", ["three"]),
        ("<p>&nbsp;<p> <p>One", ["One"]),
        ("<p>•<p>One", ["•", "One"]),
        ("<title>One</title>", []),
        ("<frameset><frame></frameset>", []),
        ("", []),
    ],
)
def test_tags_part_blocks_or_words_or_nothing(markup, texts):
    assert list(build_blocks(Document(markup)).blocks.texts) == texts


def test_words_and_linked_words_are_counted():
    blocks = build_blocks(Document("<p>One <a href=x>two three</a><a href=y>four</a>.<p><a href=z>five</a>")).blocks
    assert (blocks.words.tolist(), blocks.linked.tolist()) == ([4, 1], [3, 1])


def test_words_of_blocks_in_a_link_are_linked():
    blocks = build_blocks(Document("<a href=x><h2>One two</h2><p>three</p></a><p>four")).blocks
    assert (blocks.words.tolist(), blocks.linked.tolist()) == ([2, 1, 1], [2, 1, 0])


def test_words_after_a_link_within_a_link_are_not_linked():
    markup = "<a href=x>one <table><tr><td><a href=y>two</a></table> three</a><p>four <a href=z>five</a> six"
    blocks = build_blocks(Document(markup)).blocks
    by_text = dict(zip(blocks.texts, blocks.linked.tolist(), strict=True))
    assert (by_text["two"], by_text["four five six"]) == (1, 1)


def test_level_counts_blocks_and_links_but_not_inline_elements():
    blocks = build_blocks(Document("<div>a<p>b</p><span><b>c</b></span><hr><a href=x>d</a></div>")).blocks
    assert (blocks.levels - blocks.levels[0]).tolist() == [0, 1, 0, 1]


def test_a_block_is_at_the_level_of_its_first_text():
    blocks = build_blocks(Document("<div>a</div><div><a href=x>b</a> c</div><div>d <a href=x>e</a></div>")).blocks
    assert (blocks.levels - blocks.levels[0]).tolist() == [0, 1, 0]


def test_headings_and_items_have_labels():
    blocks = build_blocks(Document("<h1>a</h1><h3><b>b</b></h3><h4>c</h4>d<ul><li>e<li><p>f</ul>")).blocks
    assert blocks.labels.tolist() == [Label.HEADING, Label.HEADING, 0, 0, Label.ITEM, Label.ITEM]


def test_lines_are_those_of_the_whole_block():
    words = " ".join(["sevenup"] * 12)  # ten of them fill 79 characters
    blocks = build_blocks(Document(f"<p>{words} <a href=x>{words}</a><p>short one")).blocks
    assert (blocks.line_words.tolist(), blocks.lines.tolist()) == ([20, 2], [2, 1])


def test_the_title_is_the_last_one_that_is_not_empty():
    markup = "<title>First</title><title> Second </title><title></title><p>x<svg><title>Third</title></svg>"
    assert build_blocks(Document(markup)).blocks.title == "Second"


def test_each_text_knows_its_block_and_what_is_passed_over_has_none():
    document = Document("<p>One <b>two</b><noscript>three</noscript><p>four")
    built = build_blocks(document)
    assert [document.texts[node] for node in built.nodes] == ["One ", "two", "three", "four"]
    assert built.places.tolist() == [0, 0, -1, 1]
