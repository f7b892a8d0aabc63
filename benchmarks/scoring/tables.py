"""Score mined tables against the true one.

Cells are compared ignoring case, spacing, punctuation and reference marks such as [1].  `cells` is the F1 of the bags
of (column, text), `places` the share of true cells found in the same row and column; empty cells are ignored.  The
best table of a page counts; a page without tables scores 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MARK = re.compile(r"\[[^\]]{1,8}\]")

Grid = Sequence[Sequence[str]]
"""Rows of cell texts, with the header first."""


@dataclass(frozen=True, order=True)
class TableScore:
    """The score of a page."""

    cells: float
    places: float


def score_tables(true: Grid, said: Iterable[Grid]) -> TableScore:
    """Score the best of the tables.

    >>> score_tables([["Name", "Size"], ["A", "1"]], [[["x"]], [["name", "size [2]"], ["A", "2"]]])
    TableScore(cells=0.75, places=0.75)
    """
    wanted = _plain(true)
    return max((_score(wanted, _plain(table)) for table in said), default=TableScore(0.0, 0.0))


def _score(true: Grid, said: Grid) -> TableScore:
    one, other = _bag(true), _bag(said)
    total = one.total() + other.total()
    places = [(row, column) for row, cells in enumerate(true) for column, cell in enumerate(cells) if cell]
    hits = sum(_cell(said, row, column) == true[row][column] for row, column in places)
    return TableScore(2 * (one & other).total() / total if total else 0.0, hits / len(places) if places else 0.0)


def _cell(table: Grid, row: int, column: int) -> str | None:
    return table[row][column] if row < len(table) and column < len(table[row]) else None


def _bag(table: Grid) -> Counter[tuple[int, str]]:
    return Counter((column, cell) for row in table for column, cell in enumerate(row) if cell)


def _plain(table: Grid) -> Grid:
    return [[" ".join(re.findall(r"\w+", _MARK.sub("", cell).lower())) for cell in row] for row in table]
