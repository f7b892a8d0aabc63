"""Match mined records with true ones.

Texts are bags of words: lower case, without accents, runs of Latin letters and digits (of any letters if there are
no Latin ones).  A record is right if it contains at least 60 % of the words of a true record, if these are at least
35 % of its own words (the truth omits buttons and the like), and if it does not also contain 60 % of a second true
record.  Records are matched one to one, most similar first.
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
    """The numbers of right, found and true records of a page."""

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
    """The means of precision, recall and F1 over pages (macro), and F1 over all records (micro)."""

    precision: float
    recall: float
    f1: float
    micro: float


def mean_of(scores: Sequence[Score]) -> Mean:
    """Combine the scores of many pages; a page without records counts as 0."""
    total = Score(*(sum(getattr(score, name) for score in scores) for name in ("right", "found", "true")))
    return Mean(
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.f1 for score in scores),
        total.f1,
    )


def words_of(text: str) -> Words:
    """Count the words of a text.

    >>> sorted(words_of("Café, 2 CAFES").elements())
    ['2', 'cafe', 'cafes']
    """
    plain = unicodedata.normalize("NFKD", text.lower())
    return Counter(re.findall(r"[a-z0-9]+", plain) or re.findall(r"\w+", plain))


def score_records(truths: Sequence[Sequence[str]], texts: Iterable[str]) -> Score:
    """Score the texts of records against the cells of the true ones.

    >>> score_records([["Tea", "3 EUR"], ["Milk", "1 EUR"]], ["Tea 3 EUR", "Tea 3 EUR Milk 1 EUR"])
    Score(right=1, found=2, true=2)
    """
    records = [words_of(text) for text in texts]
    return Score(len(match([words_of(" ".join(row)) for row in truths], records)), len(records), len(truths))


def match(truths: Sequence[Words], records: Sequence[Words]) -> list[tuple[int, int]]:
    """Pair true records with the records that are right for them, by index."""
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
    """Rate a record against each true one it may stand for; empty if it merges several."""
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
    """Return the share of a true record's words that a record contains."""
    return sum(min(count, record[word]) for word, count in truth.items()) / truth.total()


def _is_merge(truths: Sequence[Words], record: Words) -> bool:
    """True if the record contains several true ones without sharing words between them."""
    left, count = record.copy(), 0
    for truth in sorted(truths, key=lambda truth: -truth.total()):
        if _held(truth, left) >= MERGED:
            count += 1
            left.subtract({word: min(number, left[word]) for word, number in truth.items()})
    return count > 1
