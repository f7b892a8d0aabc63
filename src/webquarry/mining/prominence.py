"""Prominence: which column of a region is its title."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.mining.captions import is_fixed
from webquarry.mining.pieces import Pieces
from webquarry.mining.slots import Column
from webquarry.model import Document

COMMON = 0.5
"""Of the records, those that must have a title."""
SHORTEST = 3
"""Characters of a title on average: less is a rank, or a letter of the alphabet."""
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def find_title(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """The most prominent of the candidates: of the largest letters, then in a heading, then a link, then the first."""
    best, title = None, None
    for place in candidates:
        column = columns[place]
        if len(column) < COMMON * len(pieces.spans) or is_fixed(pieces, column):
            continue
        if sum(len(pieces.texts[members[0]]) for members in column.values()) < SHORTEST * len(column):
            continue
        piece = next(iter(column.values()))[0]
        rank = (_letters(pieces.document, pieces.owners[piece]), _in_heading(pieces, piece), links[piece] >= 0)
        if best is None or rank > best:
            best, title = rank, place
    return title


def _letters(document: Document, node: int) -> float:
    """The size of letters in pixels."""
    size = document.layout.style(node, "font-size") if document.layout is not None else ""
    try:
        return float(size.removesuffix("px"))
    except ValueError:
        return 0.0


def _in_heading(pieces: Pieces, piece: int) -> bool:
    node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
    while node >= first:
        if pieces.document.tag(node) in _HEADINGS:
            return True
        node = int(pieces.document.parents[node])
    return False
