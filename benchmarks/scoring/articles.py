"""Score a main text against the true one, by the two measures of the field.

Shingles of four words: precision and recall are means over pages, and F1 is computed from these means.
Words: the mean of the F1 of the pages.
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
    """The score of a page; an empty text has no precision, and an empty truth no recall."""

    precision: float | None
    recall: float | None
    words: float
    """F1."""


@dataclass(frozen=True)
class Score:
    """Means over pages."""

    pages: int
    precision: float
    recall: float
    words: float

    @property
    def shingles(self) -> float:
        """The F1 of mean precision and mean recall."""
        return f1(self.precision, self.recall)


def score_page(true: str, said: str) -> PageScore:
    """Score a text against the true one.

    >>> score_page("one two three four five", "one two three four")
    PageScore(precision=1.0, recall=0.5, words=0.888888888888889)
    """
    precision, recall = _overlap(_shingles(true), _shingles(said))
    words = f1(*_overlap(Counter(_WORD.findall(true.lower())), Counter(_WORD.findall(said.lower()))))
    return PageScore(precision if said.strip() else None, recall if true.strip() else None, words)


def sum_up(scores: Sequence[PageScore]) -> Score:
    """Average the scores of pages."""
    precisions = [each.precision for each in scores if each.precision is not None]
    recalls = [each.recall for each in scores if each.recall is not None]
    return Score(len(scores), _mean(precisions), _mean(recalls), _mean([each.words for each in scores]))


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall."""
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
    """Return precision and recall, both 1 if both texts are empty."""
    if not true and not said:
        return 1.0, 1.0
    both = sum((true & said).values())  # type: ignore[operator]
    return (both / said.total() if said else 0.0), (both / true.total() if true else 0.0)
