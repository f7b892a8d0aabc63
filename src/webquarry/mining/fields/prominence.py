"""Prominence: which column of a region is its title."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column
from webquarry.model import Document

COMMON = 0.5
"""Of the records, those that must have a title."""
SHORTEST = 3
"""Characters of a title on average: less is a rank, or a letter of the alphabet."""
DISTINCT = 0.5
"""Of the titles, those that are not the same as another."""
WITNESSES = 3
"""Records that are looked at."""
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def find_title(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """The most prominent of the candidates: of the largest letters, then in a heading, then a link, then the first."""
    best, title = None, None
    for place in candidates:
        column = columns[place]
        if len(column) < COMMON * len(pieces.spans) or not _may_be_title(pieces, column):
            continue
        rank = max(_rank(pieces, members[0], links) for members in islice(column.values(), WITNESSES))
        if best is None or rank > best:
            best, title = rank, place
    return title


def _may_be_title(pieces: Pieces, column: Column) -> bool:
    texts = [pieces.texts[members[0]] for members in column.values()]
    return len(set(texts)) >= DISTINCT * len(texts) and sum(map(len, texts)) >= SHORTEST * len(texts)


def _rank(pieces: Pieces, piece: int, links: Sequence[int]) -> tuple[float, bool, bool]:
    return _letters(pieces.document, pieces.owners[piece]), _in_heading(pieces, piece), links[piece] >= 0


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
