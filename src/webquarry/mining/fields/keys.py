"""Keys: what pieces of different records have in common when they are values of one column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.record_paths import record_paths
from webquarry.mining.leaves import Leaves
from webquarry.model import Document

WIDEST_CELL = 1000
"""Columns that a cell may span, as in the HTML standard."""


def find_keys(pieces: Pieces, leaves: Leaves) -> list[int]:
    """For each piece a number that tells its tag path below the record, its cell in a row, and text from image."""
    paths = record_paths(leaves, pieces.tops[pieces.records], np.array(pieces.owners)).tolist()
    cells = find_cells(pieces)
    codes: dict[tuple[int, int, bool], int] = {}
    triples = zip(paths, cells, pieces.is_image, strict=True)
    return [codes.setdefault(triple, len(codes)) for triple in triples]


def find_cells(pieces: Pieces) -> list[int]:
    """For each piece the place of its cell in its row, if the row is in the record or is it; else -1.

    Cells that reach down from earlier rows are not counted.
    """
    document, spans = pieces.document, pieces.spans
    low, high = min(first for first, _ in spans), max(stop for _, stop in spans)
    cells = np.flatnonzero(document.has_tag(["td", "th"], slice(low, high))) + low
    if not len(cells):
        return [-1] * len(pieces)
    owners = np.array(pieces.owners, dtype=np.int64)
    firsts = np.array(spans, dtype=np.int64)[pieces.records, 0]
    places = np.array(places_in_rows(document, cells), dtype=np.int64)
    last = np.maximum(np.searchsorted(cells, owners, side="right") - 1, 0)
    cell = cells[last]
    holds = (cell <= owners) & (owners < document.ends[cell]) & (document.parents[cell] >= firsts)
    found: list[int] = np.where(holds, places[last], -1).tolist()
    return found


def places_in_rows(document: Document, cells: NDArray[np.int64]) -> list[int]:
    """For each cell its place in its row, wide cells counted as often as they are wide."""
    filled: dict[int, int] = {}
    places = []
    for cell, row in zip(cells.tolist(), document.parents[cells].tolist(), strict=True):
        places.append(filled.get(row, 0))
        width = document.attributes[cell].get("colspan", "")
        wide = int(width) if width.isdecimal() and len(width) <= 4 else 1
        filled[row] = places[-1] + min(max(wide, 1), WIDEST_CELL)
    return places
