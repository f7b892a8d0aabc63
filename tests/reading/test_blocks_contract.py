"""What holds for the default reader on whatever it is given."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

TAGS = "a article aside b blockquote br div dl dt footer form h1 h2 li main nav p pre select table td tr ul".split()
MORE = (
    "",
    " class=comments",
    " class='entry-content'",
    " class=card",
    " id=footer",
    " hidden",
    " role=main",
    " href=/x",
)
TEXTS = st.sampled_from(
    ["word", "A sentence of some length, with a comma and an end. ", " ", "文" * 50, "x" * 400, "©", "&#0;"]
)
OPENINGS = st.builds(lambda tag, more: f"<{tag}{more}>", st.sampled_from(TAGS), st.sampled_from(MORE))
CLOSINGS = st.builds("</{}>".format, st.sampled_from(TAGS))
PIECES = st.lists(st.one_of(OPENINGS, TEXTS, CLOSINGS), max_size=15).map("".join)
PAGES = st.builds(lambda piece, times, rest: piece * times + rest, PIECES, st.integers(1, 6), PIECES)


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(markup=PAGES | st.text(max_size=60))
def test_judges_every_visible_text_once_and_leaves_the_document_alone(markup):
    document = Document(markup)
    before = pickle.dumps(document)
    article = read_blocks(document)
    assert pickle.dumps(document) == before
    visible = (document.kinds == Kind.TEXT) & ~document.hidden
    written = [node for node in np.flatnonzero(visible).tolist() if document.texts[node].strip()]
    assert article.nodes.tolist() == written
    assert len(article.kept) == len(article.scores) == len(article.reasons) == len(written)
    assert all(article.reasons)
    assert ((article.scores >= 0) & (article.scores <= 1)).all()
    assert np.array_equal(article.scores >= 0.5, article.kept)


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(markup=PAGES)
def test_reads_the_same_page_the_same_way(markup):
    assert read_blocks(Document(markup)) == read_blocks(Document(markup))


def test_a_page_of_many_nodes_is_read_whole():
    paragraphs = "".join(
        f"<div><p>Paragraph {number} of a very long text, which goes on.</p></div>" for number in range(20_000)
    )
    article = read_blocks(Document(f"<main>{paragraphs}</main>"))
    assert len(article) == 20_000


def test_a_deep_page_is_read():
    markup = (
        "<div>" * 3_000
        + "<p>At the bottom of the well there was a single sentence, and it was read."
        + "</div>" * 3_000
    )
    assert "single sentence" in read_blocks(Document(markup)).text
