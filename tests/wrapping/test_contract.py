"""What holds of learning and reading on whatever they are given."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

TAGS = (
    "a b i u font p div span ul li dl dt dd table caption tr td th form textarea pre br hr h1 h2 h3 head body title "
    "style noscript frameset frame svg math foreignObject desc dialog center select option label blockquote o:p"
).split()
ATTRIBUTES = ("class=a", "class='b a'", "hidden", "style='color: red'", "style='font-size: 30px'", "size=5", "lang=de")
ODDITIES = (
    *("<!-- a -->", "<![CDATA[ word ]]>", "&nbsp;", "\xa0\xa0", ":", " ", "\n", "\t", "<3", "\x00", "\U0001f600", "::"),
    *("<h2>Area</h2>", "<b>total:</b> 9 km<br>", "<i>note:</i> none<br>", "<h2>1990</h2>", "Phone: 555<br>", "12.5 %"),
    *("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "<dt>Area<dd>9", "<tr><td>Area<td>9", "<h2>[0]</h2>", "<b>_</b>"),
)

words = st.integers(0, 9).map(lambda number: f" w{number} ")
opening = st.tuples(st.sampled_from(TAGS), st.lists(st.sampled_from(ATTRIBUTES), max_size=2)).map(
    lambda pair: f"<{pair[0]} {' '.join(pair[1])}>"
)
closing = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
broken_html = st.lists(words | opening | closing | st.sampled_from(ODDITIES), max_size=30).map("".join)
pages = st.lists(broken_html | st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=4)
repeated = st.tuples(broken_html, st.integers(1, 4)).map(lambda pair: [pair[0]] * pair[1])
sources = pages | repeated | st.tuples(pages, repeated).map(lambda pair: pair[0] + pair[1])
thorough = settings(
    deadline=None, derandomize=True, max_examples=200, database=None, suppress_health_check=list(HealthCheck)
)
DEEP = 1100
"""More than Python lets functions call themselves."""
FEW = 20
"""Values whose texts are looked for: on a deep page each costs as much as the whole page."""
ODD_PAGES = {
    "nothing": [],
    "an empty page": [""],
    "empty pages": ["", "", ""],
    "no text": ["<p></p><img src=a>"],
    "deep divisions": ["<div>" * DEEP + "<b>Area:</b> 9"],
    "deep emphases": ["<b>" * DEEP + "Area: 9"],
    "deep lists": ["".join(f"<ul><li><b>H{number}:</b> v{number}" for number in range(DEEP))],
    "deep quotes": ["".join(f"<blockquote><b>H{number}:</b> {page}" for number in range(DEEP)) for page in range(2)],
    "deep indents": ["<pre>" + "\n".join(" " * number + f"H{number}: v" for number in range(DEEP)) + "</pre>"],
    "many sizes": [
        "".join(f"<p style='font-size: {DEEP - number}px'><b>H{number}</b></p>{page}" for number in range(200))
        for page in range(2)
    ],
    "frames": ["<frameset><frame src=a></frameset><noframes><h2>Area</h2>9</noframes>"],
    "a drawing": ["<svg><text>one</text><title>two</title><foreignObject><h2>Area</h2>9</foreignObject></svg>"],
    "headings alone": ["<h2>One</h2><h2>Two</h2><h2>Three</h2>"],
    "a wide table": ["<h2>Area</h2><table><tr>" + "<th>a" * 50 + "<tr>" + "<td>1" * 60 + "</table>"],
}


def learn(markups: list[str]) -> Wrapper:
    return learn_sections([Document(markup) for markup in markups], Source("book"))


def read_all(wrapper: Wrapper, markups: list[str]) -> list[Extraction]:
    reader = Reader(wrapper)
    return [reader.read(Document(markup)) for markup in markups]


def check_values_stand_where_they_say(markup: str, extraction: Extraction) -> None:
    document = Document(markup)
    nodes = [document.node(value.node) for value in extraction.values]
    assert None not in nodes
    for value, node in list(zip(extraction.values, nodes, strict=True))[:FEW]:
        assert value.text.split()[0][:1] in document.text(node), value


@pytest.mark.parametrize("markups", ODD_PAGES.values(), ids=ODD_PAGES)
def test_odd_pages_are_learnt_and_read(markups):
    wrapper = learn(markups)
    for markup, extraction in zip(markups, read_all(wrapper, markups), strict=True):
        check_values_stand_where_they_say(markup, extraction)
        assert len(extraction.to_dict()["nodes"]) <= len(extraction.values)


def test_a_page_with_a_template_is_learnt_and_read():
    markup = "<template><h2>Area</h2>9</template><h2>Place</h2>Elm<h2>Town</h2>Oak"
    assert [value.text for value in read_all(learn([markup]), [markup])[0].values] == ["Elm", "Oak"]


@thorough
@given(markups=sources, other=broken_html)
def test_any_pages_are_learnt_and_read(markups, other):
    wrapper = learn(markups)
    for markup, extraction in zip([*markups, other], read_all(wrapper, [*markups, other]), strict=True):
        check_values_stand_where_they_say(markup, extraction)


@thorough
@given(markups=sources)
def test_the_same_pages_give_the_same_wrapper_and_values_and_stay_as_they_are(markups):
    documents = [Document(markup) for markup in markups]
    wrapper = learn_sections(documents, Source("book"))
    assert wrapper == learn(markups)
    assert [document.markup for document in documents] == markups
    before = [document.texts for document in documents]
    reader = Reader(wrapper)
    first = [reader.read(document) for document in documents]
    assert first == [reader.read(document) for document in documents]
    assert first == read_all(wrapper, markups)
    assert before == [Document(markup).texts for markup in markups]


@thorough
@given(markups=sources, other=broken_html)
def test_a_wrapper_that_was_written_and_read_again_reads_pages_alike(markups, other):
    wrapper = learn(markups)
    again = read_wrapper(write_wrapper(wrapper))
    assert read_all(again, [*markups, other]) == read_all(wrapper, [*markups, other])


@thorough
@given(markups=sources)
def test_what_is_asked_for_is_what_the_whole_has_of_it(markups):
    wrapper = learn(markups)
    names = [child.name for child in wrapper.grammar.children][:1]
    reader = Reader(wrapper, only=names)
    for markup, whole in zip(markups, read_all(wrapper, markups), strict=True):
        wanted = [value for value in whole.values if value.path[0] in names]
        assert [value for value in reader.read(Document(markup)).values if names] == wanted
