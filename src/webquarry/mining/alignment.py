"""Alignment: which pieces of different records are values of one column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from webquarry.mining.pieces import Pieces
from webquarry.mining.slots import Column, fill_slots
from webquarry.mining.splitting import Group, split_group
from webquarry.model import Document


def align_pieces(
    document: Document,
    spans: Sequence[tuple[int, int]],
    pieces: Pieces,
    keys: Sequence[Hashable],
) -> list[Column]:
    """The columns, in the order of the page."""
    by_key: dict[Hashable, Group] = defaultdict(list)
    for piece, key in enumerate(keys):
        by_key[key].append(piece)
    groups = [part for group in by_key.values() for part in split_group(document, spans, pieces, group)]
    neighbours = _neighbours(pieces, groups)
    columns: list[Column] = []
    for group in groups:
        column: Column = {}
        for piece in group:
            column.setdefault(pieces.records[piece], []).append(piece)
        columns += fill_slots(pieces, column, neighbours)
    return _in_order(pieces, columns)


def _neighbours(pieces: Pieces, groups: list[Group]) -> list[tuple[int, int]]:
    """For each piece the groups of the ones before and after it in its record; -1 where it is the first or last."""
    group_of = [0] * len(pieces)
    for number, group in enumerate(groups):
        for piece in group:
            group_of[piece] = number
    records = [-1, *pieces.records, -1]
    around = [-1, *group_of, -1]
    return [
        (
            around[place - 1] if records[place - 1] == records[place] else -1,
            around[place + 1] if records[place + 1] == records[place] else -1,
        )
        for place in range(1, len(pieces) + 1)
    ]


def _in_order(pieces: Pieces, columns: list[Column]) -> list[Column]:
    """Columns as the longest records have them; what only others have stands after what precedes it there."""
    column_of = [0] * len(pieces)
    for number, column in enumerate(columns):
        for members in column.values():
            for piece in members:
                column_of[piece] = number
    sequences: dict[int, dict[int, None]] = defaultdict(dict)
    for piece, number in enumerate(column_of):
        sequences[pieces.records[piece]].setdefault(number)
    following: dict[int, int | None] = {-1: None}
    for sequence in sorted(sequences.values(), key=len, reverse=True):
        last = -1
        for number in sequence:
            if number not in following:
                following[number], following[last] = following[last], number
            last = number
    ordered = []
    number = following[-1]
    while number is not None:
        ordered.append(columns[number])
        number = following[number]
    return ordered
