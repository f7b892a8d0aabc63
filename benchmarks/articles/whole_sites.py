"""Score the main texts of whole sites: each page alone, pages read together, and trafilatura.

The sites are those of the corpus, as they are without a browser, and sites that are made here with pages of several
templates. Words weigh their bytes in UTF-8, as in the scorer of the corpus, and all pages of a site are added up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import webquarry as wq
from benchmarks.articles.comparing import TRAFILATURA, load_readers
from benchmarks.articles.made_sites import TEMPLATES, make_site
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.outliers.sites import SELECTORS, has_text
from webquarry.model.document import Document
from webquarry.validating.labelled_quality import CONTENT, mark_selected

ALONE, TOGETHER = "alone", "together"
_WORD = re.compile(r"\w+")
_ARTICLES_OF_MADE_SITE = 24

Words = Counter[str]


def run_whole_sites(root: Path, count: int | None = None) -> Finding | None:
    """Compare the ways to read a site; `count` limits the pages of each site of the corpus."""
    if not all((root / "sites" / site).is_dir() for site in SELECTORS):
        return None
    scores = {site: score_site(_pages_of(root, site, count), selector) for site, selector in SELECTORS.items()}
    for number, (name, template) in enumerate(TEMPLATES.items()):
        pages = make_site(template, articles=_ARTICLES_OF_MADE_SITE, seed=number)
        bodies = [
            wq.Page(url=f"https://made{number}.test/{place}", body=page.encode()) for place, page in enumerate(pages)
        ]
        scores[f"made: {name}"] = score_site(bodies, "[data-true]")
    ways = list(next(iter(scores.values())))
    figures = {
        "whole sites, F1: mean": mean(each[TOGETHER] for each in scores.values()),
        "whole sites, F1 ahead of each page alone: least": min(e[TOGETHER] - e[ALONE] for e in scores.values()),
    }
    if TRAFILATURA in ways:
        figures["whole sites, F1 ahead of trafilatura: least"] = min(
            each[TOGETHER] - each[TRAFILATURA] for each in scores.values()
        )
    return Finding(
        title="Main texts of whole sites",
        note="F1 by bytes of words. Pages of a site are read alone, together by the vote, and by trafilatura.",
        heads=("site", *ways),
        rows=[[site, *(f"{each[way]:.4f}" for way in ways)] for site, each in scores.items()],
        figures=figures,
    )


def score_site(pages: Sequence[wq.Page], selector: str) -> dict[str, float]:
    """Score all ways to read the pages of a site, whose content is in the elements of a selector."""
    documents = [wq.clean(page) for page in pages]
    true = [_content_of(document, selector) for document in documents]
    texts = {
        ALONE: [article.text for article in wq.read(documents, method="blocks")],
        TOGETHER: [article.text for article in wq.read(documents)],
    }
    if TRAFILATURA in (readers := load_readers()):
        texts[TRAFILATURA] = [readers[TRAFILATURA](page.body) for page in pages]
    return {way: _score(true, [_words(text) for text in said]) for way, said in texts.items()}


def _pages_of(root: Path, site: str, count: int | None) -> list[wq.Page]:
    paths = sorted((root / "sites" / site).rglob("*.html"))
    fetched = wq.fetch_all(draw_evenly(paths, count) if count else paths)
    return [page for page in fetched if isinstance(page, wq.Page)]


def _content_of(document: Document, selector: str) -> Words:
    nodes = ((mark_selected(document, selector) == CONTENT) & has_text(document)).nonzero()[0].tolist()
    return _words(" ".join(document.texts[node] for node in nodes))


def _words(text: str) -> Words:
    return Counter(_WORD.findall(text.lower()))


def _weigh(words: Words) -> int:
    return sum(count * len(word.encode()) for word, count in words.items())


def _score(true: Sequence[Words], said: Sequence[Words]) -> float:
    """Return the F1 of all pages together."""
    both = sum(_weigh(content & words) for content, words in zip(true, said, strict=True))
    return 2 * both / max(1, sum(map(_weigh, true)) + sum(map(_weigh, said)))
