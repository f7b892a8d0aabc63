"""Whole pages read by Boilerpipe."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from webquarry.html.parsing import decode
from webquarry.model.document import Document, Layout
from webquarry.reading.boilerpipe import LATEST, RELEASED, read_boilerpipe

SENTENCE = "The river rose again in the night and by the morning the lower fields lay under a sheet of brown water. "
PAGE = f"""<!DOCTYPE html><html lang=en><head><title>Water in the fields - The Lowland Post</title></head><body>
<ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Sport and games</a></ul>
<h1>Water in the fields</h1>
<p class=by>By A. Reeve</p>
<p>{SENTENCE * 3}</p>
<p>{SENTENCE * 2}<a href=d>The mill</a> stood dry.</p>
<p>It rained on.</p>
<p>{SENTENCE * 2}</p>
<noscript>Please turn on scripts so that all of the many fine things on this page can be shown to you.</noscript>
<p>Have your say</p>
<p>{"I have lived here for all of my days and never have I seen the like of it before. " * 3}</p>
<div><a href=e>Imprint</a> <a href=f>Contact us</a> <a href=g>Terms of use</a></div>
</body></html>"""


def reasons_by_text(markup: str, steps=RELEASED) -> dict[str, tuple[bool, str]]:
    article = read_boilerpipe(Document(markup), steps=steps)
    verdicts = zip(article.nodes.tolist(), article.kept.tolist(), article.reasons, strict=True)
    return {article.document.texts[node].strip()[:12]: (kept, reason) for node, kept, reason in verdicts}


@pytest.mark.parametrize("steps", [RELEASED, LATEST])
def test_keeps_the_text_and_leaves_menu_comments_and_footer(steps):
    lines = read_boilerpipe(Document(PAGE), steps=steps).text.split("\n")
    paragraph = (SENTENCE * 2).strip()
    assert lines[-4:] == [(SENTENCE * 3).strip(), f"{paragraph} The mill stood dry.", "It rained on.", paragraph]
    assert not {"Home", "News", "Have your say", "Imprint Contact us Terms of use"} & set(lines)


def test_every_text_has_the_reason_of_what_decided_last():
    reasons = reasons_by_text(PAGE)
    assert reasons["The river ro"] == (True, "few links, and enough words here or next to it")
    assert reasons["Home"] == (False, "too many links or too few words")
    assert reasons["Have your sa"] == (False, "after the end of the text")
    assert reasons["I have lived"] == (False, "after the end of the text")
    assert reasons["Please turn "] == (False, "in an element that Boilerpipe passes over")


def test_what_is_before_the_text_comes_with_it():
    reasons = reasons_by_text(f"<p>A. Reeve</p><p>Lowland</p><p>{SENTENCE * 3}</p>")
    assert reasons["A. Reeve"] == (True, "just before text that is content")


def test_a_smaller_text_further_down_is_not_part_of_it():
    links = "<p><a href=x>More of this</a>" * 4
    reasons = reasons_by_text(
        f"<p>{SENTENCE * 5}</p>{links}<p>Our shop has many fine things. {'Buy them now. ' * 15}</p>"
    )
    assert reasons["Our shop has"] == (False, "apart from the largest text")


def test_what_is_between_title_and_text_is_part_of_it():
    links = "<p><a href=x>More of this</a>" * 4
    summary = f"<p>In short: {'it rained and rained. ' * 6}</p>"
    page = f"<title>Rain at last</title><h1>Rain at last</h1>{summary}{links}<p>{SENTENCE * 5}</p>"
    assert reasons_by_text(page)["Rain at last"] == (True, "between the title and the text")
    assert reasons_by_text(page)["In short: it"] == (True, "between the title and the text")


def test_the_latest_recipe_leaves_a_heading_at_the_end():
    page = f"<p>{SENTENCE * 4}</p><h2>Related to this</h2>"
    assert reasons_by_text(page)["Related to t"][0]
    assert reasons_by_text(page, LATEST)["Related to t"] == (False, "a heading without text below it")


def test_scores_are_one_for_what_is_kept_and_nothing_for_what_is_not():
    article = read_boilerpipe(Document(PAGE))
    assert article.method == "boilerpipe"
    assert article.scores.tolist() == article.kept.astype(float).tolist()


def test_what_a_browser_does_not_show_is_not_there():
    static = Document(f"<div><p>{SENTENCE * 3}</p></div><p class=overlay>{SENTENCE * 6}</p>")
    overlay = static.node("/html/body/p")
    visible = np.ones(len(static), dtype=np.bool_)
    visible[overlay:] = False
    layout = Layout(
        boxes=np.zeros((len(static), 4), dtype=np.float32),
        styles=np.zeros((len(static), 0), dtype=np.int32),
        values=(),
        properties=(),
        visible=visible,
        width=800,
        height=600,
        browser="none",
        viewport=800,
    )
    rendered = replace(static, kind="rendered", layout=layout, tree=static._columns)
    assert read_boilerpipe(static).text == (SENTENCE * 3).strip() + "\n" + (SENTENCE * 6).strip()
    assert read_boilerpipe(rendered).text == (SENTENCE * 3).strip()
    assert len(read_boilerpipe(rendered).nodes) == 1


def test_a_page_of_nothing_is_an_empty_article():
    article = read_boilerpipe(Document(""))
    assert (article.text, len(article), len(article.nodes)) == ("", 0, 0)


def test_long_rows_of_marks_are_read_as_any_text():
    article = read_boilerpipe(Document("<p>" + "-" * 200_000 + "<p>" + "a—." * 100_000))
    assert article.kept.tolist() == [True, True]


_TAGS = (
    "a abbr b body br div h1 hr li noscript object option p script span svg table td template textarea title".split()
)
_pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from([f"<{tag}>" for tag in _TAGS] + [f"</{tag}>" for tag in _TAGS]),
    st.sampled_from(
        [SENTENCE, "Comments", "12 comments", " ", "&nbsp;", "_", "<p hidden>", "<title>Rain - sun</title>"]
    ),
)


@pytest.mark.parametrize("steps", [RELEASED, LATEST])
@given(markup=st.lists(_pieces, max_size=30).map("".join))
def test_any_markup_gives_an_article_of_all_that_is_seen(steps, markup):
    document = Document(markup)
    shipped = pickle.dumps(document)
    article = read_boilerpipe(document, steps=steps)
    seen = [n for n in range(len(document)) if document.kinds[n] == 3 and not document.hidden[n]]
    assert article.nodes.tolist() == [node for node in seen if document.texts[node].strip()]
    assert len(article.nodes) == len(article.kept) == len(article.scores) == len(article.reasons)
    assert all(article.reasons)
    assert read_boilerpipe(Document(markup), steps=steps) == article
    assert pickle.dumps(document) == shipped


@given(body=st.binary(max_size=200))
def test_any_bytes_give_an_article(body):
    assert read_boilerpipe(Document(decode(body))).method == "boilerpipe"
