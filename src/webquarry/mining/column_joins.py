"""Join columns that are one to a reader: variants of a fact, notes that few records have, badges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence

from webquarry.mining.column_labels import Labels
from webquarry.mining.column_names import name_by_attributes
from webquarry.mining.column_splits import Column, are_amounts, first_piece, is_fixed
from webquarry.mining.record_pieces import Pieces

MAX_DISTANCE = 1.0  # pieces by which the mean places of variants may differ, from the start or the end of records
MAX_SHARE_OF_RARE = 0.25  # of the records, for texts that are no column of their own beside others that rare
MIN_RARE_COLUMNS = 3
MAX_COMPARED = 50  # columns of one look that variants are compared with


def join_variants(pieces: Pieces, columns: Sequence[Column], look: Callable[[int], Hashable]) -> list[Column]:
    """Join columns that never occur together in a record, look alike and are in about the same place.

    Some records are built a little differently: a price is wrapped once more, a title is not a link.  Fails on
    two facts in the same format if every record has only one of them.
    """
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        alike[look(first_piece(column))].append(number)
    if len(alike) == len(columns):
        return list(columns)
    joined, places = [dict(column) for column in columns], _places(pieces)
    for numbers in alike.values():
        kept: list[int] = []
        for number in sorted(numbers, key=lambda number: -len(columns[number])):
            larger = next((other for other in kept if _may_join(pieces, joined[other], joined[number], places)), None)
            if larger is not None:
                joined[larger] |= joined[number]
                joined[number] = {}
            elif len(kept) < MAX_COMPARED:
                kept.append(number)
    return [column for column in joined if column]


def join_rare(pieces: Pieces, columns: Sequence[Column], labels: Labels) -> list[Column]:
    """Join texts that only a few of many records have to one column: they are notes, each of its own kind."""
    rare = [
        place
        for place in _places_of_texts(pieces, columns, labels)
        if len(columns[place]) < MAX_SHARE_OF_RARE * len(pieces.spans)
        and not pieces.is_money[first_piece(columns[place])]
        and not name_by_attributes(pieces, [columns[place]])[0]
    ]
    return _join_places(columns, rare) if len(rare) >= MIN_RARE_COLUMNS else list(columns)


def join_badges(pieces: Pieces, columns: Sequence[Column], labels: Labels, links: Sequence[int]) -> list[Column]:
    """Join fixed texts that some records have and others lack to one column: they are badges."""
    badges = [
        place
        for place in _places_of_texts(pieces, columns, labels)
        if len(columns[place]) < len(pieces.spans)
        and is_fixed(pieces, columns[place])
        and not pieces.has_digits[first_piece(columns[place])]
        and links[first_piece(columns[place])] < 0
    ]
    return _join_places(columns, badges) if len(badges) > 1 else list(columns)


def _places_of_texts(pieces: Pieces, columns: Sequence[Column], labels: Labels) -> list[int]:
    """List the places of columns of texts without a label."""
    firsts = [first_piece(column) for column in columns]
    return [place for place, first in enumerate(firsts) if not pieces.is_image[first] and not labels.names[first]]


def _join_places(columns: Sequence[Column], places: Sequence[int]) -> list[Column]:
    """Join the columns at the given places at the first of them."""
    joined: Column = {}
    for place in places:
        for record, members in columns[place].items():
            joined[record] = sorted([*joined.get(record, []), *members])
    others = set(places[1:])
    return [joined if place == places[0] else each for place, each in enumerate(columns) if place not in others]


def _may_join(pieces: Pieces, one: Column, other: Column, places: Sequence[tuple[int, int]]) -> bool:
    if not one.keys().isdisjoint(other):
        return False
    firsts = [[members[0] for members in column.values()] for column in (one, other)]
    if all(pieces.is_money[group[0]] for group in firsts):  # an amount and a range; one with an old price before it
        return True
    means = [[sum(places[piece][side] for piece in group) / len(group) for group in firsts] for side in (0, 1)]
    if all(abs(mean - other_mean) > MAX_DISTANCE for mean, other_mean in means):
        return False
    kinds = {are_amounts(pieces, group) for group in firsts}
    if kinds == {True}:  # a duration is not a date with words around it
        return _has_letters(pieces, firsts[0]) == _has_letters(pieces, firsts[1])
    return kinds != {True, False}


def _has_letters(pieces: Pieces, group: list[int]) -> bool:
    return any(any(map(str.isalpha, pieces.texts[piece])) for piece in group)


def _places(pieces: Pieces) -> list[tuple[int, int]]:
    """Count for each piece the pieces of its record before it and after it."""
    bounds: dict[int, list[int]] = {}
    for piece, record in enumerate(pieces.records):
        bounds.setdefault(record, [piece, piece])[1] = piece
    return [(piece - bounds[record][0], bounds[record][1] - piece) for piece, record in enumerate(pieces.records)]
