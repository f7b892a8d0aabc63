"""Rows that hold several records each, as in a grid: their cells are the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.records.candidates import Candidates
from webquarry.mining.records.measures import Floats, Measures
from webquarry.model import Document

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
