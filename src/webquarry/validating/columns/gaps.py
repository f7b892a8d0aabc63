"""Values that stand where another column has a gap.

What is no price is often given a column of its own, in which there is nothing to compare it with.  When its record
lacks a price or the like that nearly all records have, and it stands in the place of that, it is compared with these.
Among texts it may well be a field that only this record has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Selection

FEWEST = 5
"""Records by which to tell which columns all have."""
NEARLY_ALL, HARDLY_ANY = 0.8, 0.1
"""Shares of the records."""
TYPED = frozenset(["number", "money", "date"])

Places = list[int]
"""Of the values of a record, in the selection."""


def find_rivals(selection: Selection, records: NDArray[np.int64], types: Sequence[Hashable]) -> tuple[str, ...]:
    """For each value the column whose values it is to be compared with: its own, or that in whose gap it stands.

    `types` are those of the texts.
    """
    columns = list(selection.columns)
    by_record = [[place for place, _ in each] for _, each in groupby(enumerate(records.tolist()), key=itemgetter(1))]
    if not columns or len(by_record) < FEWEST:
        return tuple(columns)
    counts = Counter(columns)
    usual = [name for name in counts if counts[name] >= NEARLY_ALL * len(by_record)]
    rare = {name for name in counts if counts[name] <= max(1, HARDLY_ANY * len(by_record))}
    order, typed = _usual_order(selection, by_record, usual), _find_typed(columns, types)
    for places in by_record:
        own = {columns[place]: place for place in places}
        for name in [name for name in own if name in rare]:
            gap = _find_gap(selection, own, name, order)
            if gap is not None and gap in typed:
                columns[own[name]] = gap
                own[gap] = own[name]
    return tuple(columns)


def _find_typed(columns: Sequence[str], types: Sequence[Hashable]) -> set[str]:
    """The columns of which nearly all values are amounts or dates."""
    counts = Counter(columns)
    pairs = Counter(zip(columns, types, strict=True)).items()
    return {name for (name, kind), count in pairs if kind in TYPED and count >= NEARLY_ALL * counts[name]}


def _usual_order(selection: Selection, by_record: list[Places], usual: list[str]) -> list[str]:
    """The usual columns as they follow each other on the page, in the first record that has the most of them."""
    fullest = max(by_record, key=lambda places: sum(selection.columns[place] in usual for place in places))
    nodes = {selection.columns[place]: int(selection.nodes[place]) for place in fullest}
    return sorted((name for name in usual if name in nodes), key=nodes.__getitem__)


def _find_gap(selection: Selection, own: dict[str, int], name: str, order: list[str]) -> str | None:
    """The usual column that a record lacks where it has a value of a rare one."""
    node = selection.nodes[own[name]]
    for place, column in enumerate(order):
        if column not in own:
            before, after = order[:place], order[place + 1 :]
            follows = all(selection.nodes[own[each]] <= node for each in before if each in own)
            precedes = all(selection.nodes[own[each]] >= node for each in after if each in own)
            if follows and precedes:
                return column
    return None
