"""How much of a true text was said, and how much else.

The two measures of the field: shingles of four words, where each page weighs the same, precision and recall are means
over pages and F1 is made of these means; and words, where it is the mean of the pages' F1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

SHINGLE = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class PageScore:
    """What a text is worth; a page that says nothing has no precision, and one without a truth no recall."""

    precision: float | None
    recall: float | None
    words: float
    """F1."""


@dataclass(frozen=True)
class Score:
    """The mean over pages."""

    pages: int
    precision: float
    recall: float
    words: float

    @property
    def shingles(self) -> float:
        """F1 of the mean precision and recall."""
        return f1(self.precision, self.recall)


def score_page(true: str, said: str) -> PageScore:
    """How far a text is the true one.

    >>> score_page("one two three four five", "one two three four")
    PageScore(precision=1.0, recall=0.5, words=0.888888888888889)
    """
    precision, recall = _overlap(_shingles(true), _shingles(said))
    words = f1(*_overlap(Counter(_WORD.findall(true.lower())), Counter(_WORD.findall(said.lower()))))
    return PageScore(precision if said.strip() else None, recall if true.strip() else None, words)


def sum_up(scores: Sequence[PageScore]) -> Score:
    """The mean of pages."""
    precisions = [each.precision for each in scores if each.precision is not None]
    recalls = [each.recall for each in scores if each.recall is not None]
    return Score(len(scores), _mean(precisions), _mean(recalls), _mean([each.words for each in scores]))


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _mean(figures: Sequence[float]) -> float:
    return mean(figures) if figures else 0.0


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    count = max(1, len(words) - SHINGLE + 1) if words else 0
    return Counter(tuple(words[place : place + SHINGLE]) for place in range(count))


def _overlap(
    true: Counter[tuple[str, ...]] | Counter[str], said: Counter[tuple[str, ...]] | Counter[str]
) -> tuple[float, float]:
    """Precision and recall, both 1 where there is nothing to say and nothing was said."""
    if not true and not said:
        return 1.0, 1.0
    both = sum((true & said).values())  # type: ignore[operator]
    return (both / said.total() if said else 0.0), (both / true.total() if true else 0.0)
