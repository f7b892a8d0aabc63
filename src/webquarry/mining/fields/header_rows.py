"""Header rows: what the header cells above the records call the cells below them."""

from __future__ import annotations

import numpy as np

from webquarry.mining.fields.keys import places_in_rows
from webquarry.mining.fields.pieces import Pieces
from webquarry.model import Document


def find_headers(pieces: Pieces) -> dict[int, str]:
    """The names of columns, by their places in rows; none unless the records are rows below a row of header cells."""
    document, first = pieces.document, pieces.spans[0][0]
    if document.tag(first) != "tr":
        return {}
    rows = _rows_above(document, first)
    header = next((row for row in reversed(rows) if _is_header(document, row)), None)
    if header is None:
        return {}
    cells = np.array([cell for cell in _children(document, header) if document.tag(cell) in ("td", "th")])
    texts = [" ".join(document.text(cell).split()) for cell in cells.tolist()]
    return {place: text for place, text in zip(places_in_rows(document, cells), texts, strict=True) if text}


def _rows_above(document: Document, row: int) -> list[int]:
    """The rows of the table of a row that stand before it."""
    table = row
    while table >= 0 and document.tag(table) != "table":
        table = int(document.parents[table])
    code = document.tag_names.index("tr")
    rows = np.flatnonzero(document.tags[max(table, 0) : row] == code) + max(table, 0)
    return [above for above in rows.tolist() if document.ends[above] <= row and table >= 0]


def _is_header(document: Document, row: int) -> bool:
    if document.tag(int(document.parents[row])) == "thead":
        return True
    cells = [document.tag(cell) for cell in _children(document, row) if document.tags[cell] >= 0]
    return len(cells) > 1 and all(tag == "th" for tag in cells)


def _children(document: Document, node: int) -> list[int]:
    found = []
    child, stop = node + 1, int(document.ends[node])
    while child < stop:
        found.append(child)
        child = int(document.ends[child])
    return found
