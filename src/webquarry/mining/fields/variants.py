"""Variants: columns of which no record has both, and which look and stand the same, are one column.

Some records of a page are built a little differently: a price is wrapped once more, a title is no link.  Fails on
two facts in the same format of which every record has one only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column
from webquarry.mining.fields.splitting import are_amounts

NEAR = 1.0
"""Pieces by which the places of variants may differ on average, from the start of records or from their end."""
MOST_COMPARED = 50
"""Columns of one look."""


def join_variants(pieces: Pieces, columns: Sequence[Column], look: Callable[[int], Hashable]) -> list[Column]:
    """The columns, variants joined with the larger of them; what is given tells the look of a piece."""
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        alike[look(_first(column))].append(number)
    if len(alike) == len(columns):
        return list(columns)
    joined, places = [dict(column) for column in columns], _places(pieces)
    for numbers in alike.values():
        if len(numbers) > 1:
            _join_alike(pieces, joined, sorted(numbers, key=lambda number: -len(columns[number])), places)
    return [column for column in joined if column]


def _join_alike(pieces: Pieces, columns: list[Column], numbers: list[int], places: Sequence[tuple[int, int]]) -> None:
    """Join each column with the first of the larger ones that shares no record with it and is near."""
    kept: list[int] = []
    for number in numbers:
        column = columns[number]
        larger = next((other for other in kept if _may_join(pieces, columns[other], column, places)), None)
        if larger is not None:
            columns[larger] |= column
            columns[number] = {}
        elif len(kept) < MOST_COMPARED:
            kept.append(number)


def _may_join(pieces: Pieces, one: Column, other: Column, places: Sequence[tuple[int, int]]) -> bool:
    if not one.keys().isdisjoint(other):
        return False
    if all(abs(_mean(one, places, side) - _mean(other, places, side)) > NEAR for side in (0, 1)):
        return False
    firsts = [[members[0] for members in column.values()] for column in (one, other)]
    kinds = {are_amounts(pieces, group) for group in firsts}
    if kinds == {True}:  # a duration is no date with words around it
        return _are_bare(pieces, firsts[0]) == _are_bare(pieces, firsts[1])
    return kinds != {True, False}


def _are_bare(pieces: Pieces, group: list[int]) -> bool:
    """Whether there are no letters in any text."""
    return not any(any(map(str.isalpha, pieces.texts[piece])) for piece in group)


def _places(pieces: Pieces) -> list[tuple[int, int]]:
    """For each piece how many of its record stand before it, and how many after."""
    bounds: dict[int, list[int]] = {}
    for piece, record in enumerate(pieces.records):
        bounds.setdefault(record, [piece, piece])[1] = piece
    return [(piece - bounds[record][0], bounds[record][1] - piece) for piece, record in enumerate(pieces.records)]


def _mean(column: Column, places: Sequence[tuple[int, int]], side: int) -> float:
    return sum(places[members[0]][side] for members in column.values()) / len(column)


def _first(column: Column) -> int:
    return next(iter(column.values()))[0]
