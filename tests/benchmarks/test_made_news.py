"""The news sites that are made to look for the gain of visual outliers."""

from __future__ import annotations

import re

from benchmarks.outliers.made_news import NEWS_SITES, make_news

from webquarry.model.document import Document
from webquarry.reading.boilerpipe import read_boilerpipe
from webquarry.validating.labelled_quality import CONTENT, mark_selected
from webquarry.validating.selections import select_article


def pages_of(name: str, articles: int = 6) -> list[str]:
    return make_news(NEWS_SITES[name], articles=articles)


def test_boilerplate_in_its_own_look_and_in_that_of_the_text_differ_in_the_style_sheet_alone():
    own, like = (
        [re.sub(r"<style>.*?</style>", "", page) for page in pages_of(f"boilerplate {look}")]
        for look in ("has its own look", "looks like the text")
    )
    assert own == like
    assert pages_of("boilerplate has its own look") != pages_of("boilerplate looks like the text")


def test_sites_are_the_same_on_every_run():
    for name in NEWS_SITES:
        assert pages_of(name) == pages_of(name)


def test_boilerpipe_keeps_boilerplate_in_the_text():
    taken = {True: 0, False: 0}
    for page in pages_of("boilerplate has its own look"):
        document = Document(page)
        nodes = select_article(read_boilerpipe(document)).nodes
        for is_content in (mark_selected(document, "[data-true]")[nodes] == CONTENT).tolist():
            taken[is_content] += 1
    assert taken[True] > 50
    assert taken[False] > 50
