"""Slots: pieces that only their order tells apart, given to columns so that a missing one does not shift the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence

from webquarry.mining.fields.pieces import Pieces

MOST_SLOTS = 24
"""Columns; a record with more pieces of one kind holds a list."""
SMALLEST_LIST = 3
"""Pieces of the longest list; where records have at most two, the second is an optional part."""
REGULAR = 0.6
"""Of the pieces in a place, those that look like most there: in a list every place looks alike, or none is regular."""
APART = 0.2
"""Of the records, those in which other pieces may stand between pieces of a list."""
_EARLIER = 0.01
"""How little the earlier of two slots is preferred when nothing else tells."""

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]+[^\W\d_]+)*\.?")

Column = dict[int, list[int]]
"""For each record that has a value the pieces of it."""


def fill_slots(pieces: Pieces, column: Column, neighbours: Sequence[tuple[int, int]]) -> list[Column]:
    """The columns that pieces of one kind fall into: one when they are a list, else one a slot.

    Records with all slots filled show what stands in each; pieces of others go, in order, where they fit best by
    their neighbours and their look.
    """
    sizes = set(map(len, column.values()))
    size = max(sizes)
    if size == 1 or size > MOST_SLOTS:
        return [column]
    if len(sizes) == 1:
        return [{record: [members[place]] for record, members in column.items()} for place in range(size)]
    if _is_list(pieces, column, size):
        return [column]
    slots: list[Column] = [{} for _ in range(size)]
    known = [Counter[Hashable]() for _ in range(size)]
    for members in column.values():
        if len(members) == size:
            for counts, piece in zip(known, members, strict=True):
                counts.update(_looks(pieces, piece, neighbours))
    for record, members in column.items():
        places: Sequence[int] = range(size)
        if len(members) < size:
            fits = [
                [sum(counts[look] for look in _looks(pieces, piece, neighbours)) for counts in known]
                for piece in members
            ]
            places = _best_places(fits)
        for place, piece in zip(places, members, strict=True):
            slots[place][record] = [piece]
    return slots


def _is_list(pieces: Pieces, column: Column, size: int) -> bool:
    counts = Counter(map(len, column.values()))
    if size < SMALLEST_LIST:
        return False
    apart = sum(members[-1] - members[0] >= len(members) for members in column.values())
    return apart <= APART * (len(column) - counts[1]) and not _is_regular(pieces, column, size)


def _is_regular(pieces: Pieces, column: Column, size: int) -> bool:
    """Whether places differ from each other more than records do: `38 KB - 2017-02-06 - Cached`."""
    seen = [Counter[str]() for _ in range(size)]
    for members in column.values():
        for counts, piece in zip(seen, members, strict=False):
            counts[_skeleton(pieces.texts[piece])] += 1
    seen = [counts for counts in seen if counts.total() > 1]
    tops = [counts.most_common(1)[0] for counts in seen]
    regular = sum(count for _, count in tops) >= REGULAR * sum(counts.total() for counts in seen)
    return regular and len({look for look, _ in tops}) > 1


def _skeleton(text: str) -> str:
    """A text without what differs between values of a kind: `12 May 2017` and `3 July 2016` are both `0 a 0`."""
    return _WORDS.sub("a", _DIGITS.sub("0", text))


def _looks(pieces: Pieces, piece: int, neighbours: Sequence[tuple[int, int]]) -> tuple[Hashable, ...]:
    before, after = neighbours[piece]
    text = pieces.texts[piece]
    return ("before", before), ("after", after), _skeleton(text), ("text", text)


def _best_places(fits: list[list[int]]) -> list[int]:
    """An ever higher place for each row, so that what they fit there adds up to the most.

    >>> _best_places([[0, 3, 0], [0, 1, 1]])
    [1, 2]
    """
    size, many = len(fits[0]), len(fits)
    best = [[0.0] * (size + 1)]
    for row, scores in enumerate(fits):
        line = [float("-inf")] * (size + 1)
        for place in range(row, size - (many - row - 1)):
            here = best[row][place] + scores[place] - _EARLIER * place
            line[place + 1] = max(line[place], here)
        best.append(line)
    places, place = [], size
    for row in range(many, 0, -1):
        while best[row][place] == best[row][place - 1]:
            place -= 1
        place -= 1
        places.append(place)
    return places[::-1]
