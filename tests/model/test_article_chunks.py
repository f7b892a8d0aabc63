"""Chunks of articles for retrieval."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.html.columns import Kind
from webquarry.model.article import Article, Metadata, count_words
from webquarry.model.document import Document

SENTENCE = "This sentence has just six words."


def article_of(markup: str, title: str = "") -> Article:
    """An article of all texts but those of a menu."""
    document = Document(markup, url="https://salt.example/")
    shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    nodes = np.array([node for node in shown if document.texts[node].strip()], dtype=np.int32)
    kept = np.array([document.tag(int(document.parents[node])) != "nav" for node in nodes.tolist()], dtype=bool)
    return Article(document, "blocks", nodes, kept, kept.astype(np.float32), ("",) * len(nodes), Metadata(title=title))


def chunks_of(markup: str, words: int) -> list[tuple[tuple[str, ...], str]]:
    return [(chunk.headings, chunk.text) for chunk in article_of(markup).chunks(words=words)]


def test_headings_begin_chunks_and_lead_to_them():
    markup = "<h1>Salt</h1><p>One.</p><h2>Mines</h2><p>Two.</p><h3>Deep<br>ones</h3><p>Three.</p><h2>Sea</h2><p>Four."
    assert chunks_of(markup, 100) == [
        (("Salt",), "Salt\nOne."),
        (("Salt", "Mines"), "Mines\nTwo."),
        (("Salt", "Mines", "Deep ones"), "Deep ones\nThree."),
        (("Salt", "Sea"), "Sea\nFour."),
    ]


def test_paragraphs_are_joined_as_long_as_they_fit():
    markup = "<p>One two three.</p><p>Four five.</p><p>Six.</p><ul><li>Seven eight<li>Nine</ul>"
    assert [text for _, text in chunks_of(markup, 5)] == ["One two three.\nFour five.", "Six.\nSeven eight\nNine"]


@pytest.mark.parametrize(
    ("text", "words", "parts"),
    [
        (f"{SENTENCE} {SENTENCE} {SENTENCE}", 12, [f"{SENTENCE} {SENTENCE}", SENTENCE]),
        ("It was J. Smith. He came at 5 p.m. and left.", 5, ["It was J. Smith.", "He came at 5 p.m.", "and left."]),
        ("He said “no.” She left. Why?", 3, ["He said “no.”", "She left. Why?"]),
        ("one two three four five", 2, ["one two", "three four", "five"]),
        ("東京は大きい。京都は古い。", 8, ["東京は大きい。", "京都は古い。"]),
        ("word", 1, ["word"]),
    ],
)
def test_what_is_too_long_is_split_at_sentences_then_between_words(text, words, parts):
    assert [part for _, part in chunks_of(f"<p>{text}</p>", words)] == parts


def test_code_is_split_at_its_lines():
    assert [part for _, part in chunks_of("<pre>one two\nthree four\nfive six</pre>", 4)] == [
        "one two\nthree four",
        "five six",
    ]


def test_a_chunk_knows_page_title_position_and_nodes():
    article = article_of("<p>One <b>two</b> three.</p><p>Four five six.</p>", title="Salt\n and more")
    first, second = article.chunks(words=3)
    assert (first.page, first.title, first.position, second.position) == (
        "https://salt.example/",
        "Salt and more",
        1,
        2,
    )
    assert [article.document.texts[node] for node in first.nodes] == ["One ", "two", " three."]
    assert second.xpaths == ("/html/body/p[2]/text()",)
    plain = json.loads(json.dumps(second.to_dict()))
    assert plain == {
        "page": "https://salt.example/",
        "title": "Salt and more",
        "headings": [],
        "position": 2,
        "words": 3,
        "text": "Four five six.",
        "nodes": ["/html/body/p[2]/text()"],
    }


def test_parts_of_a_paragraph_have_their_own_nodes():
    first, second = article_of("<p>One <b>two.</b> Three <i>four.</i></p>").chunks(words=2)
    texts = article_of("<p>One <b>two.</b> Three <i>four.</i></p>").document.texts
    assert [texts[node] for node in first.nodes] == ["One ", "two."]
    assert [texts[node] for node in second.nodes] == [" Three ", "four."]


def test_an_empty_article_has_no_chunks():
    assert article_of("<nav>Home</nav>").chunks() == []


def test_a_text_that_the_page_only_states_has_chunks_without_nodes():
    article = replace(article_of("<nav>Home</nav>"), stated="One two.\n\nThree four.")
    assert [(chunk.text, chunk.nodes) for chunk in article.chunks(words=2)] == [("One two.", ()), ("Three four.", ())]


def test_a_chunk_of_no_words_is_refused():
    with pytest.raises(ValueError, match="at least 1 word"):
        article_of("<p>x").chunks(words=0)


@settings(deadline=None, derandomize=True, max_examples=80, database=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "h2", "h3", "li", "pre", "div"]),
            st.lists(
                st.sampled_from(["Salt", "is.", "old!", "東京。", "a", "e.g.", "<b>x</b>", "J."]),
                min_size=1,
                max_size=12,
            ),
        ),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 9),
)
def test_no_word_is_lost_and_no_chunk_too_long(parts, words):
    markup = "".join(f"<{tag}>{' '.join(texts)}</{tag}>" for tag, texts in parts)
    article = article_of(markup)
    chunks = article.chunks(words=words)
    assert "".join(" ".join(chunk.text for chunk in chunks).split()) == "".join(article.text.split())
    assert all(0 < count_words(chunk.text) <= words for chunk in chunks)
    assert {node for chunk in chunks for node in chunk.nodes} == set(article.nodes[article.kept].tolist())
