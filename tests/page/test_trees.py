"""What holds for both trees: on any page they give the same pieces, at the same addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import webquarry as wq
from webquarry.model.document import Document
from webquarry.page.text_runs import open_tree, read_pieces
from webquarry.page.trees import ColumnsTree, MarkupTree

TESTS = Path(__file__).parents[1]
PAGES = sorted([*TESTS.glob("pages/*/page.html"), *TESTS.glob("pages-of-sources/*/*.html")])
TAGS = (
    "a b i u font p div span ul li dl dt dd table caption tbody thead tr td th form textarea pre br hr h1 h2 head body "
    "title style noscript frameset svg math foreignObject desc title dialog center select option x-y"
).split()
ATTRIBUTES = ("class=a", "class='b a'", "hidden", "style='color: red'", "style=display:none", "size=5", "open", "class")
ODDITIES = ("<!-- a -->", "<![CDATA[ word ]]>", "&nbsp;", "\xa0\xa0", ":", "Area:", " ", "\n", "\t", "&#12;", "<3", "x")

words = st.integers(0, 99).map(lambda number: f" w{number} ")
opening = st.tuples(st.sampled_from(TAGS), st.lists(st.sampled_from(ATTRIBUTES), max_size=2)).map(
    lambda pair: f"<{pair[0]} {' '.join(pair[1])}>"
)
closing = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
broken_html = st.lists(words | opening | closing | st.sampled_from(ODDITIES), max_size=30).map("".join)
thorough = settings(
    deadline=None, derandomize=True, max_examples=300, database=None, suppress_health_check=list(HealthCheck)
)


def pieces_of(tree: ColumnsTree | MarkupTree) -> list[tuple]:
    return [
        (each.text, each.line, each.signature, each.rules, each.indent, each.gap, tree.xpath(each.element))
        for each in read_pieces(tree)
    ]


def columns_pieces(markup: str) -> list[tuple]:
    return pieces_of(ColumnsTree(Document(markup)))


def markup_pieces(markup: str) -> list[tuple]:
    tree = open_tree(Document(markup))
    assert isinstance(tree, MarkupTree) or tree.document.parents.size > 512
    return pieces_of(tree)


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p></p>",
        "<h2>Area:</h2><p>9 sq km<hr><p>note: <b>none</b>",
        "<pre>\n  Name:\tElm\n    Town: Oak</pre>",
        "&nbsp;&nbsp;<i>total</i>: 9<br>\xa0\u3000<i>land</i>: 8",
        "<table><tr><th>Name<th>Age<tr><td>Elm<td>9</table>",
        "<table><tr><td>Name<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>",
        "<p hidden>one<p hidden=until-found>two<dialog>three</dialog><dialog open>four</dialog><input type=hidden>",
        "<svg><text>one</text><![CDATA[two]]><foreignObject><h2>three</h2>four</foreignObject></svg><p>five",
        "<frameset><frame src=a></frameset><noframes><h2>one</h2>two</noframes>",
        "<FONT SIZE=5 COLOR=Red>one</FONT><font size>two</font><p class>three<p style>four",
        "<p>one<table>two<tr><td>three</table>four",
        "a\x00b<p>\x00c",
        "<div>" * 3000 + "one<p>two",
        "".join(f"<ul><li><b>H{number}:</b> v{number}" for number in range(3000)),
    ],
)
def test_both_trees_give_the_same_pieces(markup):
    assert markup_pieces(markup) == columns_pieces(markup)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_both_trees_give_the_same_pieces_of_whole_pages(page):
    markup = wq.clean(wq.fetch(page)).markup
    assert markup_pieces(markup) == columns_pieces(markup)


@thorough
@given(markup=broken_html)
def test_both_trees_give_the_same_pieces_of_broken_pages(markup):
    assert markup_pieces(markup) == columns_pieces(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<template>one<b>two</b></template><p>three",
        "<div><template shadowrootmode=open>one</template>two</div>",
    ],
)
def test_what_is_in_a_template_is_not_seen(markup):
    assert [each[0] for each in markup_pieces(markup)] == [each[0] for each in columns_pieces(markup)]


def test_a_page_that_was_cleaned_is_read_like_the_page_itself():
    page = Document("<title></title><p>one<p hidden>two</p><svg><text>three</text></svg>")
    cleaned = Document(page.to_xhtml())
    assert [each.text for each in read_pieces(open_tree(cleaned))] == ["one", "three"]
    assert [each.text for each in read_pieces(ColumnsTree(cleaned))] == ["one", "three"]
