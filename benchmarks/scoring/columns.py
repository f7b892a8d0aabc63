"""Score how right records are split into columns.

In each right record, true cells are matched one to one with values whose words have an F1 of at least 0.6, most
similar first.  The cells found on a page are then compared in pairs: a pair is claimed if both cells are in the same
mined column, and true if both are in the same true column.

The truth lists every text of a record, also captions of buttons and labels, which are not values.  A text that at least
half of the records of a page have in one column is taken for one, and is not counted among the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.scoring.records import Words, match, words_of

ALIKE = 0.6

Cell = tuple[int, str]
"""A true column, and the mined column in which the cell was found."""


@dataclass(frozen=True)
class ColumnScore:
    """The cells found and the true cells in right records of one page, and the pairs of cells found."""

    found: int
    true: int
    both: int
    claimed_pairs: int
    true_pairs: int

    @property
    def precision(self) -> float:
        return self.both / self.claimed_pairs if self.claimed_pairs else 0.0

    @property
    def recall(self) -> float:
        return self.both / self.true_pairs

    @property
    def f1(self) -> float:
        return 2 * self.both / (self.claimed_pairs + self.true_pairs)


@dataclass(frozen=True)
class ColumnMean:
    """The share of cells found over all pages, and the means of the pair scores over pages with pairs."""

    cells: float
    precision: float
    recall: float
    f1: float


def score_columns(
    truths: Sequence[Sequence[str]], texts: Sequence[str], values: Sequence[Mapping[str, str]]
) -> ColumnScore:
    """Score a page, given the texts of its records and their values by column.

    >>> score_columns([["Tea", "3"], ["Milk", "1"]], ["Tea 3", "Milk 1"], [{"a": "Tea", "b": "3"}, {"a": "Milk"}])
    ColumnScore(found=3, true=4, both=1, claimed_pairs=1, true_pairs=1)
    """
    pairs = match([words_of(" ".join(row)) for row in truths], [words_of(text) for text in texts])
    placed = [(true, cell) for true, said in pairs for cell in _place(truths[true], values[said])]
    captions, cells = find_captions(truths), [cell for _, cell in placed]
    return ColumnScore(
        found=sum((column, truths[true][column]) not in captions for true, (column, _) in placed),
        true=sum(
            bool(words_of(cell)) and (column, cell) not in captions
            for true, _ in pairs
            for column, cell in enumerate(truths[true])
        ),
        both=_count_pairs(cells),
        claimed_pairs=_count_pairs(said for _, said in cells),
        true_pairs=_count_pairs(true for true, _ in cells),
    )


def find_captions(truths: Sequence[Sequence[str]]) -> set[tuple[int, str]]:
    """Find columns with a text that at least half of several records share."""
    counts = Counter((column, cell) for row in truths for column, cell in enumerate(row))
    return {each for each, count in counts.items() if count > 1 and 2 * count >= len(truths)}


def mean_of_columns(scores: Sequence[ColumnScore]) -> ColumnMean:
    """Combine the scores of many pages."""
    paired = [score for score in scores if score.true_pairs]
    return ColumnMean(
        sum(score.found for score in scores) / (sum(score.true for score in scores) or 1),
        *(fmean(getattr(score, name) for score in paired) if paired else 0.0 for name in ("precision", "recall", "f1")),
    )


def _place(row: Sequence[str], values: Mapping[str, str]) -> list[Cell]:
    said = {name: words_of(value) for name, value in values.items() if value}
    likeness = sorted(
        ((alike(words_of(cell), value), true, name) for true, cell in enumerate(row) for name, value in said.items()),
        reverse=True,
    )
    cells: dict[int, str] = {}
    for share, true, name in likeness:
        if share >= ALIKE and true not in cells and name not in cells.values():
            cells[true] = name
    return list(cells.items())


def alike(one: Words, other: Words) -> float:
    """Return the F1 of two bags of words."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _count_pairs(things: Iterable[Cell | int | str]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(things).values())
