from __future__ import annotations

from types import SimpleNamespace

import pytest

from webquarry.model.document import Document
from webquarry.page.text_runs import Elements
from webquarry.page.trees import ColumnsTree

HELD = ("block", "signature", "is_hidden", "is_preformatted", "is_emphasis", "step", "cell")


def element_of(markup: str):
    """What holds for the text `here`, by name, with the tree that it is in."""
    document = Document(markup)
    tree = ColumnsTree(document)
    place = next(node for node, text in enumerate(document.texts) if "here" in text)
    return SimpleNamespace(**dict(zip(HELD, Elements(tree)(int(document.parents[place])), strict=True))), document


@pytest.mark.parametrize(
    ("markup", "signature"),
    [
        ("<p>here", "p"),
        ("<div><div class='b a'>here", "div.a.b"),
        ("<div class=x><span class=y><em>here", "div.x > span.y > em"),
        ("<b><a href=x><font>here", "body > b"),
        ("<b><font size=5>here", "body > b > font[size=5]"),
        ("<b><span class=x>here", "body > b > span.x"),
        ("<a><b>here", "body > b"),
        ("<h3><a>here", "h3"),
        ("<h3><span class=x>here", "h3 > span.x"),
        ("<p><font size='+1' color=Red>here", "p > font[size=+1 color=Red]"),
        ("<p style='COLOR: Red; margin: 0; font-weight:Bold !important'>here", "p[color:red font-weight:bold]"),
        ("<p style='background-color: red'>here", "p"),
        ("<table><tr><td>here<td>x", "td:1/2"),
        ("<table><tr><td>x<td class=k>here<td>x", "td.k:2/3"),
        ("<table><tr><td>here", "td"),
        ("<table><tr><td>here<td><td><td><td>", "td"),
    ],
)
def test_a_signature_has_tags_and_classes_from_the_block_inwards(markup, signature):
    assert element_of(markup)[0].signature == signature


@pytest.mark.parametrize(
    ("markup", "tag"),
    [("<p><b>here", "p"), ("<table><tr><td>here", "td"), ("<ul><li><i>here", "li"), ("here", "body")],
)
def test_a_text_is_in_its_nearest_block(markup, tag):
    element, document = element_of(markup)
    assert document.tag(element.block) == tag


@pytest.mark.parametrize(
    ("markup", "hidden"),
    [
        ("<p>here", False),
        ("<p hidden>here", True),
        ("<div style='display: none'><p>here", True),
        ("<dialog>here", True),
        ("<dialog open>here", False),
        ("<title>here</title>", True),
        ("<template><p>here", True),
        ("<p hidden=until-found>here", False),
    ],
)
def test_what_markup_hides_is_hidden(markup, hidden):
    assert element_of(markup)[0].is_hidden is hidden


@pytest.mark.parametrize(
    ("markup", "emphasis"),
    [("<p>here", False), ("<p><b>here", True), ("<dt><span>here", True), ("<h2>here", True), ("<b><p>here", False)],
)
def test_headings_and_emphases_are_told(markup, emphasis):
    assert element_of(markup)[0].is_emphasis is emphasis


@pytest.mark.parametrize(("markup", "kept"), [("<pre><b>here", True), ("<textarea>here", True), ("<code>here", False)])
def test_preformatted_text_is_told(markup, kept):
    assert element_of(markup)[0].is_preformatted is kept


@pytest.mark.parametrize(
    ("markup", "tag"),
    [
        ("<table><tr><th>A<th>B<tr><td>1<td>here", "td"),
        ("<table><tr><th>A<th>B<tr><td>1<td><ul><li>here", "td"),
        ("<table><caption>here</caption><tr><th>A<th>B<tr><td>1<td>2", None),
        ("<table><tr><td>here<td>B", None),
    ],
)
def test_the_cell_of_a_data_table_is_told(markup, tag):
    element, document = element_of(markup)
    cell = element.cell if isinstance(element.cell, int) else None
    assert (document.tag(cell) if cell is not None else None) == tag


def test_a_table_in_a_cell_of_a_data_table_is_text_of_that_cell():
    inner = "<table><tr><th>C<th>D<tr><td>here<td>4</table>"
    element, document = element_of(f"<table><tr><th>A<th>B<tr><td id=outer>{inner}<td>2</table>")
    assert document.attributes[element.cell]["id"] == "outer"


def test_very_deep_pages_are_read():
    assert element_of("<span>" * 3000 + "here")[0].is_hidden is False
