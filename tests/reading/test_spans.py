"""Which blocks nodes hold, and what is asked only of those that hold some."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest

import webquarry as wq
from webquarry.model.document import Document
from webquarry.reading.blocks import find_blocks

LINE = "The ferry left the harbour at noon, an hour late, with a piano on deck and nobody to play it."


@pytest.mark.parametrize(
    ("address", "covered"),
    [
        ("/html/body/ul", [False, True, True, False]),
        ("/html/body/ul/li[2]", [False, False, True, False]),
        ("/html/body/img", [False] * 4),
        ("/html/body/p[2]/b", [False] * 4),  # the block begins before it
    ],
)
def test_a_node_covers_the_blocks_that_begin_in_it(address, covered):
    document = Document("<p>One<ul><li>Two<li>Three</ul><img><p>Four <b>five</b>")
    spans = find_blocks(document).spans
    node = document.node(address)
    assert spans.cover(np.array([node])).tolist() == covered
    assert spans.sum_in(np.array([1.0, 2.0, 4.0, 8.0]))[node] == sum(1 << place for place in range(4) if covered[place])


def test_the_outermost_of_nested_furniture_gives_the_reason():
    article = wq.read(Document(f"<p>{LINE}</p><aside>Here <nav>Home</nav> <footer>Legal</footer></aside><nav>Up</nav>"))
    assert article.reasons == ("prose", *["beside the content"] * 3, "navigation")


def test_an_article_is_stated_by_an_item_without_text():
    cards = "".join(f"<li><a href=/{each}>{LINE[:40]}</a>" for each in range(9))
    item = "<span itemscope itemtype='https://schema.org/NewsArticle'></span>"
    markup = f"<ul>{cards}</ul><div><p>{LINE}</div>"
    assert LINE[:40] in wq.read(Document(markup)).text.splitlines()
    assert wq.read(Document(item + markup)).text == LINE


def test_a_page_is_freed_with_its_article():
    document = Document(f"<nav>Home</nav><p>{LINE}")
    article = wq.read(document)
    freed = weakref.ref(document)
    gc.disable()  # only what nothing refers to goes
    try:
        del document, article
        assert freed() is None
    finally:
        gc.enable()


def test_scores_and_reasons_survive_pickle_before_they_were_asked_for():
    article = wq.read(Document(f"<nav>Home</nav><p>{LINE}"))
    copy = pickle.loads(pickle.dumps(article))
    assert copy == article
    assert copy.reasons == ("navigation", "prose")
