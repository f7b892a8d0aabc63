"""Captions: links side by side that say the same in every record, as a row of buttons does."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column


def join_captions(pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> list[list[Column]]:
    """The columns, each alone or together with the captions on its line that follow it in all records."""
    joined: list[list[Column]] = []
    for column in columns:
        if joined and _follows(pieces, joined[-1][-1], column, links):
            joined[-1].append(column)
        else:
            joined.append([column])
    return joined


def is_fixed(pieces: Pieces, column: Column) -> bool:
    """Whether a column has the same text in all of several records."""
    return len(column) > 1 and len({pieces.texts[piece] for members in column.values() for piece in members}) == 1


def _follows(pieces: Pieces, column: Column, after: Column, links: Sequence[int]) -> bool:
    if column.keys() != after.keys():
        return False
    if not all(_is_next(pieces, column[record], members, links) for record, members in after.items()):
        return False
    return is_fixed(pieces, column) and is_fixed(pieces, after)


def _is_next(pieces: Pieces, members: list[int], after: list[int], links: Sequence[int]) -> bool:
    last, first = members[-1], after[0]
    return last + 1 == first and pieces.lines[last] == pieces.lines[first] and min(links[last], links[first]) >= 0
