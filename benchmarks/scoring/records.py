"""Which mined records are right.

Texts are bags of words: lower case, accents taken off, runs of Latin letters and digits (of any letters where there
are none).
A record is right when it holds at least 60 % of the words of a true record, when these make up at least 35 % of its
own words (the truth leaves out buttons and the like), and when it does not hold 60 % of a second true record beside
the first.  Records and true records are matched one to one, the most alike first.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

HELD = 0.6
OWN = 0.35
MERGED = 0.6

Words = Counter[str]


@dataclass(frozen=True)
class Score:
    """How many records of a page were right, of those that were found and those that are true."""

    right: int
    found: int
    true: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.true) if self.right else 0.0


@dataclass(frozen=True)
class Mean:
    """Precision, recall and F1, each the mean over pages (macro), and F1 over all records together (micro)."""

    precision: float
    recall: float
    f1: float
    micro: float


def mean_of(scores: Sequence[Score]) -> Mean:
    """The scores of many pages as one; a page on which nothing was found counts with nothing."""
    total = Score(*(sum(getattr(score, name) for score in scores) for name in ("right", "found", "true")))
    return Mean(
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.f1 for score in scores),
        total.f1,
    )


def words_of(text: str) -> Words:
    """The words of a text.

    >>> sorted(words_of("Café, 2 CAFES").elements())
    ['2', 'cafe', 'cafes']
    """
    plain = unicodedata.normalize("NFKD", text.lower())
    return Counter(re.findall(r"[a-z0-9]+", plain) or re.findall(r"\w+", plain))


def score_records(truths: Sequence[Sequence[str]], texts: Iterable[str]) -> Score:
    """The score of the texts of records, given the cells of the true ones.

    >>> score_records([["Tea", "3 EUR"], ["Milk", "1 EUR"]], ["Tea 3 EUR", "Tea 3 EUR Milk 1 EUR"])
    Score(right=1, found=2, true=2)
    """
    records = [words_of(text) for text in texts]
    return Score(len(match([words_of(" ".join(row)) for row in truths], records)), len(records), len(truths))


def match(truths: Sequence[Words], records: Sequence[Words]) -> list[tuple[int, int]]:
    """Pairs of a true record and the right one for it."""
    likeness = sorted((pair for place in range(len(records)) for pair in _pairs(truths, records, place)), reverse=True)
    taken_truths: set[int] = set()
    taken_records: set[int] = set()
    found = []
    for _, true, said in likeness:
        if true not in taken_truths and said not in taken_records:
            taken_truths.add(true)
            taken_records.add(said)
            found.append((true, said))
    return found


def _pairs(truths: Sequence[Words], records: Sequence[Words], said: int) -> list[tuple[float, int, int]]:
    """How like a record is to each true one that it may be; none when it merges several."""
    record = records[said]
    shares = [_held(truth, record) for truth in truths]
    if _is_merge([truth for truth, share in zip(truths, shares, strict=True) if share >= MERGED], record):
        return []
    size = record.total() or 1
    precise = [share * truth.total() / size for truth, share in zip(truths, shares, strict=True)]
    return [
        (2 * share * own / (share + own), true, said)
        for true, (share, own) in enumerate(zip(shares, precise, strict=True))
        if share >= HELD and own >= OWN
    ]


def _held(truth: Words, record: Words) -> float:
    """The share of a true record's words that a record holds."""
    return sum(min(count, record[word]) for word, count in truth.items()) / truth.total()


def _is_merge(truths: Sequence[Words], record: Words) -> bool:
    """Whether the record holds several true ones side by side, each with words of its own, the longest first."""
    left, count = record.copy(), 0
    for truth in sorted(truths, key=lambda truth: -truth.total()):
        if _held(truth, left) >= MERGED:
            count += 1
            left.subtract({word: min(number, left[word]) for word, number in truth.items()})
    return count > 1
