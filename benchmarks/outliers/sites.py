"""Render the corpus of sites and score extracted texts against the true content.

Scores follow the scorer of the corpus: words are weighted by their bytes in UTF-8 and compared as a multiset for each
page, including content that is not shown.  Text nodes are split into words separately, even if they touch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.pool import show_progress
from webquarry.html.columns import Kind, find_inside
from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.validating.labelled_quality import CONTENT, mark_selected

SITES = ("eightbar", "flink_web", "rust_blog")


@cache
def rendered_site(root: Path, site: str, count: int | None = None) -> tuple[Document, ...]:
    """Render the articles of a site, or an even sample, once per run; pages that fail are left out."""
    folder = root / "sites" / site
    paths = sorted(folder.rglob("*.html"))
    pages = list(wq.fetch_all(draw_evenly(paths, count) if count else paths))
    results = show_progress(wq.render_all(pages, roots=[folder], offline=True), len(pages), f"rendering {site}")
    return tuple(result for result in results if not isinstance(result, Failure))


SELECTORS = {"eightbar": "div.entry-content", "flink_web": "article.markdown", "rust_blog": "div.post"}
_WORD = re.compile(r"\w+")
_NO_TEXT = frozenset(["script", "style", "noscript", "template"])


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1 by bytes, and F1 by visible nodes."""

    precision: float
    recall: float
    f1: float
    nodes: float


@dataclass(frozen=True, eq=False)
class Truth:
    """The texts of some pages, page after page, with flags for content."""

    documents: Sequence[Document]
    texts: Sequence[NDArray[np.int32]]
    """The visible texts of each page that are not blank."""
    content: NDArray[np.bool_]
    """A flag for each text, page after page."""
    bytes: NDArray[np.float64]
    """The bytes of the words of each text."""
    total: float
    """The bytes of all content, including what is not visible."""
    _words: NDArray[np.int64]
    """A number for each word of the texts, the same for equal words of a page."""
    _owners: NDArray[np.int64]
    """The text that each word is in."""
    _sizes: NDArray[np.float64]
    """The bytes of each numbered word."""
    _counts: NDArray[np.int64]
    """The occurrences of each numbered word in the content."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first text of each page, and the end of the last page."""
        return np.concatenate([[0], np.cumsum([len(each) for each in self.texts])])

    def score(self, kept: NDArray[np.bool_]) -> Score:
        """Score the kept texts."""
        claimed = np.bincount(self._words[kept[self._owners]], minlength=len(self._sizes))
        good = float(np.minimum(claimed, self._counts) @ self._sizes)
        precision, recall = good / max(1.0, float(claimed @ self._sizes)), good / max(1.0, self.total)
        right = int((kept & self.content).sum())
        return Score(
            precision,
            recall,
            2 * precision * recall / (precision + recall or 1),
            2 * right / max(1, int(kept.sum() + self.content.sum())),
        )


def find_truth(documents: Sequence[Document], selectors: Sequence[str]) -> Truth:
    """Find the content of pages: all text in the elements that match each page's selector."""
    texts, content, words, owners, counts = [], [], [], [], []
    numbers: dict[tuple[int, str], int] = {}
    first = 0
    for page, (document, selector) in enumerate(zip(documents, selectors, strict=True)):
        labels = mark_selected(document, selector) == CONTENT
        seen = document.seen_texts
        texts.append(seen)
        content.append(labels[seen])
        for place, node in enumerate(seen.tolist(), start=first):
            for word in _WORD.findall(document.texts[node].lower()):
                words.append(numbers.setdefault((page, word), len(numbers)))
                owners.append(place)
        for node in np.flatnonzero(labels & has_text(document)).tolist():
            counts += [numbers.setdefault((page, w), len(numbers)) for w in _WORD.findall(document.texts[node].lower())]
        first += len(seen)
    sizes = np.array([len(word.encode()) for _, word in numbers], dtype=np.float64)
    true = np.bincount(np.array(counts, dtype=np.int64), minlength=len(sizes))
    coded, places = np.array(words, dtype=np.int64), np.array(owners, dtype=np.int64)
    return Truth(
        documents=documents,
        texts=texts,
        content=np.concatenate(content),
        bytes=np.bincount(places, sizes[coded], first),
        total=float(true @ sizes),
        _words=coded,
        _owners=places,
        _sizes=sizes,
        _counts=true,
    )


def has_text(document: Document) -> NDArray[np.bool_]:
    """Flag the text nodes outside scripts, styles and the like."""
    inside: NDArray[np.bool_] = find_inside(document.ends, document.has_tag(_NO_TEXT))
    return (document.kinds == Kind.TEXT) & ~inside
