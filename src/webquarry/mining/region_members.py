"""Who belongs to a group: strangers among its records leave, siblings of the same family join.

The group is found by what its records have in common; its members are then settled by what the page calls them, so
that a list of several types of records is whole, and an advertisement in it is none of them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.candidates import Candidates
from webquarry.mining.measures import STRANGE, Floats, Measures
from webquarry.model.document import Document
from webquarry.page.landmarks import is_advertisement
from webquarry.page.leaves import Leaves

FAMILIAR = 0.5
"""Likeness from which a record is one, whatever it is called."""
MOST = 0.8
"""Share of the familiar records that have a class name, for it to be the family's."""
LEAST_WEIGHT = 0.25
"""Of the median record, for a sibling to join."""

Pairs = NDArray[np.int64]
"""First node and stop of each record, side by side."""


def settle_members(document: Document, leaves: Leaves, spans: Pairs, likeness: NDArray[np.float64]) -> Pairs:
    """The first nodes and stops of the records that belong together."""
    family = _family(document, spans[likeness >= FAMILIAR])
    if not family or (document.ends[spans[:, 0]] != spans[:, 1]).any():
        return spans[likeness >= STRANGE]
    named = np.array([_is_named(document, node, family) for node in spans[:, 0].tolist()])
    for place in np.flatnonzero(named & (likeness < FAMILIAR)).tolist():
        named[place] = not is_advertisement(document, leaves, int(spans[place, 0]))
    kept = spans[np.where(named, likeness >= STRANGE / 2, likeness >= FAMILIAR)]
    judged = set(spans[:, 0].tolist())
    joining = [node for node in _siblings(document, leaves, kept, family) if node not in judged]
    if not joining:
        return kept
    both = np.concatenate([kept, np.array([(node, document.ends[node]) for node in joining])])
    return both[np.argsort(both[:, 0], kind="stable")]


def _family(document: Document, spans: Pairs) -> frozenset[str]:
    names = Counter(name for node in spans[:, 0].tolist() for name in _class_names(document, node))
    return frozenset(name for name, count in names.items() if count >= MOST * len(spans))


def _class_names(document: Document, node: int) -> set[str]:
    return set(document.attributes[node].get("class", "").split())


def _is_named(document: Document, node: int, family: frozenset[str]) -> bool:
    return len(family & _class_names(document, node)) * 2 >= len(family)


def _siblings(document: Document, leaves: Leaves, spans: Pairs, family: frozenset[str]) -> list[int]:
    """Elements of the family beside the records, and the records themselves."""
    if not len(spans):
        return []
    least = LEAST_WEIGHT * float(np.median(leaves.totals[spans[:, 0]]))
    siblings = np.flatnonzero(np.isin(document.parents, document.parents[spans[:, 0]]) & (leaves.totals > least))
    return [
        node
        for node in siblings.tolist()
        if _is_named(document, node, family) and not is_advertisement(document, leaves, node)
    ]


# MERGED mining/records/rows: Rows that hold several records each, as in a grid: their cells are the records.
MORE_RECORDS = 1.6
"""Times as many records as rows, for cells to be looked at as the records."""
MOST_INSIDE = 0.8
"""Share of the cells that stand in rows."""
MOST_ROWS = 0.6
"""Share of the rows that hold two cells or more."""
SIDE_BY_SIDE = 0.4
"""Share of neighbouring cells that stand beside each other, as they do in a grid."""
ALIKE_CELLS = 0.65
"""Mean overlap of neighbouring cells of one row."""
TWIN_CELLS = 0.85
"""The same, for cells below each other."""
STATIC_CELLS = 0.8
"""The same where there is no layout to tell."""
MOST_WEIGHT = 0.6
"""Share of the rows' weight that the cells hold."""
LEVELS = 3
"""Grids in grids, at most."""


def split_rows(
    document: Document, candidates: Candidates, measures: Measures, order: NDArray[np.int64], rows: int
) -> int:
    """The best group of cells, where the group given is of rows that hold several records each; else that group."""
    for _ in range(LEVELS):
        worthy = (candidates.sizes >= MORE_RECORDS * candidates.sizes[rows]) & (measures.richness >= 2)
        worthy &= measures.share >= MOST_WEIGHT * measures.share[rows]
        likely = order[worthy[order]].tolist()
        cells = next((group for group in likely if _are_cells(document, candidates, measures, rows, group)), None)
        if cells is None:
            break
        rows = cells
    return rows


def _are_cells(document: Document, candidates: Candidates, measures: Measures, rows: int, cells: int) -> bool:
    here, there = candidates.records(cells), candidates.records(rows)
    first, stop = candidates.first[here], candidates.stop[here]
    holder = np.searchsorted(candidates.first[there], first, side="right") - 1
    inside = (holder >= 0) & (stop <= candidates.stop[there][holder])
    per_row = np.bincount(holder[inside], minlength=int(candidates.sizes[rows]))
    if inside.mean() < MOST_INSIDE or (per_row > 1).mean() < MOST_ROWS:
        return False
    together = document.parents[first[1:]] == document.parents[first[:-1]]
    if not together.any():
        return False
    overlap = float(measures.overlaps[here][:-1][together].mean())
    if measures.boxes is None:
        return overlap >= (ALIKE_CELLS if document.tag(int(first[0])) in ("td", "th") else STATIC_CELLS)
    return overlap >= (ALIKE_CELLS if _beside(measures.boxes[here], together) >= SIDE_BY_SIDE else TWIN_CELLS)


def _beside(boxes: Floats, together: NDArray[np.bool_]) -> float:
    """The share of neighbours that stand beside each other."""
    one, next_one = boxes[:-1][together], boxes[1:][together]
    common = np.minimum(one[:, 3], next_one[:, 3]) - np.maximum(one[:, 1], next_one[:, 1])
    lower = np.minimum(one[:, 3] - one[:, 1], next_one[:, 3] - next_one[:, 1])
    return float((common > lower / 2).mean())
