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
    if len(column) == 1:
        return False
    text = pieces.texts[next(iter(column.values()))[0]]
    for members in column.values():
        for piece in members:
            if pieces.texts[piece] != text:  # most columns tell at once
                return False
    return True


def _follows(pieces: Pieces, column: Column, after: Column, links: Sequence[int]) -> bool:
    if column.keys() != after.keys() or not is_fixed(pieces, column) or not is_fixed(pieces, after):
        return False
    return all(_is_next(pieces, column[record], members, links) for record, members in after.items())


def _is_next(pieces: Pieces, members: list[int], after: list[int], links: Sequence[int]) -> bool:
    last, first = members[-1], after[0]
    return last + 1 == first and pieces.lines[last] == pieces.lines[first] and min(links[last], links[first]) >= 0
