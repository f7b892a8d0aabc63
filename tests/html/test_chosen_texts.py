"""Some texts of a page, as if no others stood there."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from webquarry.model.document import Document

PARTS = st.sampled_from(
    "one| two|three | |\n|<p>|</p>|<b>|</b>|<br>|<div>|</div>|<pre>|</pre>|<span hidden>unseen</span>"
    "|<table><tr><td>|<td>|</table>|<li>|<i> </i>|<script>x</script>".split("|")
)


def text_of(markup, left_out=()):
    document = Document(markup)
    kept = [node for node in document.seen_texts.tolist() if document.texts[node].strip() not in left_out]
    return document.text_of(np.array(kept, dtype=np.int32))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>lessons<span> </span>for", "lessons for"),
        ("<pre>def<span class=w> </span>f()", "def f()"),
        ("<div>a<p><br></p>b", "a\nb"),
        ("<div>One<p>dropped</p>two", "One\ntwo"),
        ("<p>One<b>dropped</b>two", "One two"),
        ("<p>One<b hidden>dropped</b>two", "Onetwo"),
        ("<p>One<br>two", "One\ntwo"),
        ("<p>One, <b>two</b>.", "One, two."),
        ("<ul><li>One<li>dropped<li>Two", "One\nTwo"),
        ("<table><tr><td>1<td>2", "1\t2"),
        ("<p>dropped", ""),
    ],
)
def test_keeps_what_is_between_parts(markup, text):
    assert text_of(markup, left_out=("dropped",)) == text


def test_all_texts_are_the_text_of_the_page():
    markup = "<h1>A</h1><p>b <i>c</i>d<p>e<table><tr><td>f<td>g</table><pre>h\n i</pre>"
    assert text_of(markup) == Document(markup).text()


@given(st.lists(PARTS, max_size=25).map("".join))
def test_all_texts_of_any_page_are_its_text(markup):
    assert filled_lines(text_of(markup)) == filled_lines(Document(markup).text())


def filled_lines(text):
    """The lines, without blank ones: preformatted white space alone cannot be chosen."""
    return [line.strip() for line in text.split("\n") if line.strip()]
