"""Alignment: which pieces of different records are values of one column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column, fill_slots
from webquarry.mining.fields.splitting import Group, find_classes, split_group

MOST_COLUMNS = 100
"""What is in none of the commonest is joined in one more: so that a table has some bound on any page."""


def align_pieces(pieces: Pieces, keys: Sequence[Hashable], styles: Sequence[Hashable]) -> list[Column]:
    """The columns, in the order of the page."""
    by_key: dict[Hashable, Group] = defaultdict(list)
    for piece, key in enumerate(keys):
        by_key[key].append(piece)
    classes = find_classes(pieces)
    groups = [part for group in by_key.values() for part in split_group(pieces, group, keys, styles, classes)]
    neighbours = _neighbours(pieces, groups)
    columns: list[Column] = []
    for group in groups:
        column: Column = {}
        for piece in group:
            column.setdefault(pieces.records[piece], []).append(piece)
        columns += fill_slots(pieces, column, neighbours)
    return _in_order(pieces, _bound(columns))


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


def _bound(columns: list[Column]) -> list[Column]:
    if len(columns) <= MOST_COLUMNS:
        return columns
    by_size = sorted(columns, key=len, reverse=True)
    rest: Column = {}
    for column in by_size[MOST_COLUMNS:]:
        for record, members in column.items():
            rest.setdefault(record, []).extend(members)
    return [*by_size[:MOST_COLUMNS], {record: sorted(members) for record, members in rest.items()}]


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
        for each in sequence:
            if each not in following:
                following[each], following[last] = following[last], each
            last = each
    ordered = []
    place = following[-1]
    while place is not None:
        ordered.append(columns[place])
        place = following[place]
    return ordered
