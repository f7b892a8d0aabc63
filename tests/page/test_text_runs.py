from __future__ import annotations

from types import SimpleNamespace

import pytest

from webquarry.model.document import Document
from webquarry.page.text_runs import Elements, open_tree, read_pieces
from webquarry.page.trees import ColumnsTree, MarkupTree


def pieces_of(markup: str, **options):
    return read_pieces(MarkupTree(markup), **options)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One<p>Two", [("One", 1), ("Two", 2)]),
        ("One<br>two", [("One", 1), ("two", 2)]),
        ("<p>One <b>two</b> three", [("One", 1), ("two", 1), ("three", 1)]),
        ("<p>One\n  two\t three", [("One two three", 1)]),
        ("<pre>One\n\n  two</pre>", [("One", 1), ("two", 2)]),
        ("<div>One<p>two</p>three</div>", [("One", 1), ("two", 2), ("three", 3)]),
        ("<tr><td>One<td>two<table><tr><td>One<td>two</table>", [("Onetwo", 1), ("One", 2), ("two", 3)]),
        ("<p> <p>&nbsp;<p>One", [("One", 1)]),
        ("<p>One<span hidden>two</span><script>three</script>", [("One", 1)]),
    ],
)
def test_texts_stand_in_lines(markup, expected):
    assert [(piece.text, piece.line) for piece in pieces_of(markup)] == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p><b>Area</b>: 9 km", ["Area:", "9 km"]),
        ("<p><b>Area:</b> 9 km", ["Area:", "9 km"]),
        ("<p><b>Area</b> : 9 km", ["Area:", "9 km"]),
        ("<p>Area: 9 km", ["Area:", "9 km"]),
        ("<p>It is 9: no label", ["It is 9:", "no label"]),
        ("<p>9 km: a label", ["9 km:", "a label"]),
        ("<p>End. Area: no label", ["End. Area: no label"]),
        ("<p>http://example.org/", ["http://example.org/"]),
        ("<p>at 12:30 sharp", ["at 12:30 sharp"]),
        ("<h3>Session 1: Sources", ["Session 1: Sources"]),
        ("<p>" + "long " * 20 + "label: no", ["long " * 20 + "label: no"]),
        ("<p><b>One</b>, <b>two</b>", ["One, two"]),
        ("<p><b>One</b><b>two</b>", ["Onetwo"]),
    ],
)
def test_labels_are_parted_from_their_values(markup, expected):
    assert [piece.text for piece in pieces_of(markup)] == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>Area: 9 km", ["p :…", "p"]),
        ("<p><b>Area:</b> 9 km", ["p > b :", "p"]),
        ("<p><b>Area</b>: 9 km", ["p > b :", "p"]),
        ("<p><b>Area</b> 9 km", ["p > b", "p"]),
        ("<h3>Area:</h3>", ["h3 :"]),
    ],
)
def test_a_final_colon_is_part_of_the_signature(markup, expected):
    assert [piece.signature for piece in pieces_of(markup)] == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre>One\n  two\n\tthree</pre>", [0, 2, 8]),
        ("One<br>&nbsp;&nbsp;&nbsp;two", [0, 3]),
        ("One<br>&nbsp; &nbsp;two", [0, 3]),
        ("One<br>&nbsp;&nbsp;<i>two</i>", [0, 2]),
        ("One<br>\n   two", [0, 0]),
        ("One<br>   two", [0, 0]),
        ("One\u3000two<br>\u3000three", [0, 1]),
    ],
)
def test_spaces_that_are_kept_set_in(markup, expected):
    assert [piece.indent for piece in pieces_of(markup)] == expected


def test_a_piece_knows_what_parts_it_from_the_one_before():
    assert [(piece.gap, piece.text) for piece in pieces_of("<p>One<b>two</b> <i>three</i><u> four</u>")][1:] == [
        ("", "two"),
        (" ", "three"),
        (" ", "four"),
    ]


def test_a_piece_knows_how_many_lines_are_drawn_above_it():
    assert [piece.rules for piece in pieces_of("One<hr>two<p>three<hr><hr>four")] == [0, 1, 1, 3]


def test_pieces_in_a_data_table_know_their_cell():
    tree = ColumnsTree(Document("<p>One<table><tr><th>A<th>B<tr><td>1<b>x</b><td>Area: 9</table>"))
    found = read_pieces(tree)
    assert [(piece.text, piece.cell and tree.document.tag(piece.cell)) for piece in found] == [
        ("One", None),
        ("A", "th"),
        ("B", "th"),
        ("1", "td"),
        ("x", "td"),
        ("Area: 9", "td"),
    ]
    assert found[3].cell == found[4].cell != found[5].cell


def test_only_what_is_in_the_content_is_read():
    page = "<div class=menu>Home</div><div class=main><p>One</div><p>Two"
    assert [piece.text for piece in pieces_of(page, content=("html", "body", "div.main"))] == ["One"]


def test_a_page_without_the_content_is_read_whole():
    assert [piece.text for piece in pieces_of("<p>One<p>Two", content=("html", "body", "div.main"))] == ["One", "Two"]


def test_classes_that_do_not_count_are_not_part_of_signatures():
    page = "<p class='blue big'>One"
    assert [piece.signature for piece in pieces_of(page)] == ["p.big.blue"]
    assert [piece.signature for piece in pieces_of(page, classes=["big"])] == ["p.big"]
    assert [piece.signature for piece in pieces_of(page, classes=[])] == ["p"]


def test_steps_that_are_hidden_are_not_read():
    page = "<p>One<span class=tip>two</span><div class=tip>three</div><p class=x><i>four</i></p><p><i>five</i>"
    assert [piece.text for piece in pieces_of(page, hidden=["span.tip", "p.x > i"])] == ["One", "three", "five"]


def test_a_static_page_is_read_from_its_markup_and_others_from_their_columns():
    assert isinstance(open_tree(Document("<p>One")), MarkupTree)
    assert isinstance(open_tree(Document("<p>One", method="cleandom")), ColumnsTree)


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
def test_recognises_preformatted_text(markup, kept):
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
def test_recognises_the_cell_of_a_data_table(markup, tag):
    element, document = element_of(markup)
    cell = element.cell if isinstance(element.cell, int) else None
    assert (document.tag(cell) if cell is not None else None) == tag


def test_a_table_in_a_cell_of_a_data_table_is_text_of_that_cell():
    inner = "<table><tr><th>C<th>D<tr><td>here<td>4</table>"
    element, document = element_of(f"<table><tr><th>A<th>B<tr><td id=outer>{inner}<td>2</table>")
    assert document.attributes[element.cell]["id"] == "outer"


def test_very_deep_pages_are_read():
    assert element_of("<span>" * 3000 + "here")[0].is_hidden is False
