import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from webquarry.html.columns import Kind
from webquarry.html.markdown import to_markdown
from webquarry.html.markdown_blocks import MAX_NESTING
from webquarry.model.document import Document

ORACLE = MarkdownIt("commonmark").enable(["table", "strikethrough"])
URL = "https://salt.example/roads/"


def texts_of(document: Document, without: str = "\0") -> np.ndarray:
    shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    kept = [node for node in shown if document.texts[node].strip() and without not in document.texts[node]]
    return np.array(kept, dtype=np.int32)


def markdown(markup: str, without: str = "\0") -> str:
    document = Document(markup, url=URL)
    return to_markdown(document, texts_of(document, without))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h2>Salt <i>roads</i></h2><p>Old.", "## Salt *roads*\n\nOld."),
        ("<h2><div>Salt</div><div>roads</div></h2>", "## Salt roads"),
        ("<div>One<p>two</p>three</div>", "One\n\ntwo\n\nthree"),
        ("<p>One<br>two<br><br>three<br>", "One  \ntwo\n\nthree"),
        ("<p>One<hr><p>two<hr>", "One\n\n---\n\ntwo"),
        ("<blockquote><p>One<p>two</blockquote>", "> One\n>\n> two"),
        ("<p><b>One</b> <em>two</em> <del>three</del> <kbd>four</kbd>", "**One** *two* ~~three~~ `four`"),
        ("<b><p>One<p>two</b>", "**One**\n\n**two**"),
        ("<dl><dt>Salt<dd>white</dl>", "Salt\n\nwhite"),
        ("<p><span>Salt</span><b>Road</b><span>12</span>", "Salt **Road** 12"),
        ("<p><span>sa</span><b>lt</b> H<span>2</span><b>W</b>hite", "sa**lt** H2 **W**hite"),
        ("<p>One<h2> </h2><pre> </pre><ul><li> </ul><blockquote><br></blockquote><p>two", "One\n\ntwo"),
        ("One<p><br></p>two", "One\n\ntwo"),
        ("One<b> </b>two<span><br></span>three", "One two  \nthree"),
    ],
)
def test_writes_blocks_and_marks(markup, expected):
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
        ("<ul><li>a</li><ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul>a<div><li>b</div></ul>", "- a\n- b"),
        ("<li>a</li><li>b</li>", "a\n\nb"),
        ("<ul><li><p>a<p>b</ul>", "- a\n\n  b"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    ],
)
def test_writes_lists(markup, expected):
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre>a\n  b\n</pre>", "```\na\n  b\n```"),
        ("<pre>\n\n  b</pre>", "```\n  b\n```"),
        ("<pre><code class='language-python'>a = 1</code></pre>", "```python\na = 1\n```"),
        ("<div class='highlight-source-shell'><pre>ls</pre></div>", "```shell\nls\n```"),
        ("<pre data-lang=Rust>fn</pre>", "```rust\nfn\n```"),
        ("<pre><div>a</div><div>b</div>c<br>d</pre>", "```\na\nb\nc\nd\n```"),
        ("<pre>def<span> </span>salt</pre>", "```\ndef salt\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<p>the <code>a`b</code> and <code>x<br>y</code>", "the ``a`b`` and `x`  \n`y`"),
    ],
)
def test_writes_code(markup, expected):
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href=map.html>map</a>", f"[map]({URL}map.html)"),
        ("<base href=/b/><a href=map>map</a>", "[map](https://salt.example/b/map)"),
        ("<a href='a b(c'>[x]</a>", "[\\[x\\]](<https://salt.example/roads/a b(c>)"),
        ("<a href='#note'>1</a> <a href='javascript:x()'>2</a> <a>3</a>", "1 2 3"),
        ("<a href=x><h3>Head</h3><p>text</p></a>", f"### [Head]({URL}x)\n\n[text]({URL}x)"),
        ("<a href=x>a</a><a href=x>b</a>", f"[a]({URL}x)[b]({URL}x)"),
        ("<a href=x><b>a</b> b</a>", f"[**a** b]({URL}x)"),
    ],
)
def test_links_lead_to_absolute_addresses(markup, expected):
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d|e", "| a | b |\n| --- | --- |\n| c | d\\|e |"),
        ("<tr><td colspan=2>a<tr><td>c<td>d", "| a |  |\n| --- | --- |\n| c | d |"),
        ("<tr><td rowspan=2>a<td>b<tr><td>d", "| a | b |\n| --- | --- |\n|  | d |"),
        ("<tr><td>a<td>b<tr><td><p>c<p>d<td><ul><li>e<li>f</ul>", "| a | b |\n| --- | --- |\n| c<br>d | e<br>f |"),
        ("<caption>Salt</caption><tr><td>a<td>b<tr><td>c<td>d", "Salt\n\n| a | b |\n| --- | --- |\n| c | d |"),
        ("<tr><td>a<td><td>b<tr><td> <tr><td>c<td><td>d", "| a | b |\n| --- | --- |\n| c | d |"),
    ],
)
def test_writes_tables_without_spans_and_empty_lines(markup, expected):
    assert markdown(f"<table>{markup}</table>") == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a<tr><td>b</table>",
        "<table role=presentation><tr><td>a<td>b<tr></table>",
        "<table><tr><td><table><tr><td>a</table><td>b<tr><td></table>",
    ],
)
def test_tables_that_lay_out_the_page_are_not_written_as_tables(markup):
    assert markdown(markup) == "a\n\nb"


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img src=a.png alt='A\n map'>", f"![A map]({URL}a.png)"),
        ("<img src=data:image/gif,x data-src=a.png>", f"![]({URL}a.png)"),
        ("<img srcset='s.png 1x, l.png 2x'>", f"![]({URL}l.png)"),
        ("<a href=b.png><img src=a.png></a>", f"[![]({URL}a.png)]({URL}b.png)"),
        ("<img src=a.png><noscript><img src=a.png></noscript>", f"![]({URL}a.png)"),
        ("<img src=a.png width=1 height=1>", ""),
        ("<img src=a.png width=24>", ""),
        ("<img src=a.png hidden>", ""),
        ("<img alt=x>", ""),
        ("<img src=/pixels/blank.gif alt=blank>", ""),
        ("<img src=/i/placeholder-300.svg data-original=a.png>", f"![]({URL}a.png)"),
        ("<div><img src=a.png><p>DROPPED</p></div>", ""),
    ],
)
def test_writes_images_that_stand_among_the_texts(image, expected):
    found = markdown(f"<header><img src=logo.png></header><p>One</p><div>{image}</div><p>two</p>", without="DROPPED")
    assert found == "\n\n".join(filter(None, ("One", expected, "two")))


def test_an_image_before_the_first_text_belongs_to_the_element_that_holds_all():
    page = "<div><img src=logo.png></div><main><figure><img src=a.png></figure><p>One<p>two</main><img src=z.png>"
    assert markdown(page) == f"![]({URL}a.png)\n\nOne\n\ntwo"


def test_rules_part_texts_once():
    assert markdown("<hr><p>One</p><hr><div><hr></div><hr><p>two</p><hr>") == "One\n\n---\n\ntwo"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<b>“Go.”</b> he said", "**“Go.”** he said"),
        ("the <b>“crew”</b>: a wish", "the **“crew”**: a wish"),
        ("he said <i>«non»</i>, twice", "he said *«non»*, twice"),
        ("re<b>“do”</b>ing", "re<strong>“do”</strong>ing"),
    ],
)
def test_emphasis_beside_quotation_marks_is_written_by_signs_where_they_are_read(markup, expected):
    assert markdown(f"<p>{markup}</p>") == expected


def test_small_images_are_told_by_their_boxes():
    document = Document("<p>One<img src=a.png>two<img src=b.png>three", url=URL)
    boxes = np.full((len(document), 4), 16, dtype=np.float32)
    boxes[document.node("/html/body/p/img[2]"), 2:] = 200
    assert to_markdown(document, texts_of(document), boxes) == f"Onetwo![]({URL}b.png)three"


@pytest.mark.parametrize(
    "markup",
    [
        "<ul><li>One<li>DROPPED<li>two</ul>",
        "<p>One <b>DROPPED</b> two",
        "<table><tr><td>One<td>DROPPED<tr><td>DROPPED<td>two</table>",
        "<h2>DROPPED</h2>One<pre>DROPPED</pre><blockquote>DROPPED</blockquote>two",
    ],
)
def test_what_was_not_kept_never_appears(markup):
    found = markdown(markup, without="DROPPED")
    assert "DROPPED" not in found
    assert Document(ORACLE.render(found)).text().split() == ["One", "two"]


@pytest.mark.parametrize("tag", ["blockquote", "ul><li", "b", "div", "a href=x"])
def test_deep_pages_are_written(tag):
    assert markdown(f"<{tag}>" * 3000 + "salt").count("salt") == 1 + (tag == "a href=x")


def test_lists_deeper_than_anyone_writes_go_on_in_the_last():
    written = markdown("".join(f"<ul><li>w{number}" for number in range(200)))
    assert written.split() == [part for number in range(200) for part in ("-", f"w{number}")]
    assert max(len(line) - len(line.lstrip()) for line in written.splitlines()) == 2 * (MAX_NESTING - 1)


def test_spaces_for_typesetting_are_plain_ones():
    assert markdown("<p>10&nbsp;km,&#8239;wa&shy;ter<pre>a&nbsp;b</pre>") == "10 km, water\n\n```\na b\n```"


def test_nothing_kept_is_nothing_written():
    assert markdown("<p><img src=a.png><hr>") == ""


WORDS = st.sampled_from(
    "salt Roads 1. 12) - + * # ## > | || \\ ` `` ~~~ _a_ *b* **c** [d] ](e) ![f] <g> &amp; &lt; &#35; http://h.example/i_j"
    " === --- ... !  : [k]: --> <!-- $ ~~l~~ (m) \" ' 日本 \xa0n ﻿ o\u200bp 1\\. a*b*c :".split()
)
TEXT = (
    st.lists(WORDS, min_size=1, max_size=4)
    .map(" ".join)
    .map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
)
SPACED = st.tuples(st.sampled_from(["", " ", "\n"]), TEXT, st.sampled_from(["", " ", "\n "])).map("".join)


def wrapped(tag: str, attributes: str = ""):
    return lambda inner: f"<{tag}{attributes}>{inner}</{tag}>"


def inlines(inner):
    marks = [inner.map(wrapped(tag)) for tag in ("b", "i", "em", "strong", "code", "span", "del", "kbd", "sup")]
    return st.one_of(
        *marks, inner.map(wrapped("a", " href='/x y(z)'")), st.lists(inner, min_size=1, max_size=4).map("".join)
    )


LINE = st.recursive(SPACED | st.just("a<br>b") | st.just("<br>"), inlines, max_leaves=6)
CELLS = st.lists(LINE.map(wrapped("td")), min_size=1, max_size=3).map("".join)
TABLE = st.lists(CELLS.map(wrapped("tr")), min_size=1, max_size=3).map("".join).map(wrapped("table"))
CODE = TEXT.map(lambda text: f"<pre>{text}\n  x ```\n</pre>")


def blocks(inner):
    joined = st.lists(inner, min_size=1, max_size=3).map("".join)
    items = st.lists(joined.map(wrapped("li")), min_size=1, max_size=3).map("".join)
    return st.one_of(
        joined.map(wrapped("div")),
        joined.map(wrapped("blockquote")),
        items.map(wrapped("ul")),
        items.map(wrapped("ol", " start=7")),
        joined,
    )


BLOCK = LINE.map(wrapped("p")) | LINE | LINE.map(wrapped("h2")) | TABLE | CODE | st.just("<hr>")
PAGE = st.recursive(BLOCK, blocks, max_leaves=8)


def count(document: Document, tag: str) -> int:
    """How many elements of a name hold a text."""
    nodes = np.flatnonzero(document.has_tag([tag])).tolist()
    return sum(bool(document.text(node).strip()) for node in nodes)


def linked(document: Document) -> list[str]:
    """The words that lead somewhere."""
    return [word for node in np.flatnonzero(document.has_tag(["a"])).tolist() for word in squeezed(document.text(node))]


def squeezed(text: str) -> list[str]:
    return text.replace("\u200b", "").split()


@settings(max_examples=100)
@given(PAGE)
def test_markdown_reads_as_the_texts_do(markup):
    document = Document(markup, url=URL)
    nodes = texts_of(document)
    found = to_markdown(document, nodes)
    read_back = Document(ORACLE.render(found))
    assert squeezed(read_back.text()) == squeezed(document.text()), found
    for tag in ("h2", "li", "ol", "blockquote"):
        assert count(read_back, tag) == count(document, tag), (tag, found)
    assert linked(read_back) == linked(document), found
