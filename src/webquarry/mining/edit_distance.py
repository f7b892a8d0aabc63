"""The edit distance of two strings, counted in whole columns of bits."""

from __future__ import annotations

from collections import Counter


def edit_distance(one: str, other: str) -> int:
    """The fewest characters to insert, delete or replace that make one string the other.

    A column of the table of distances is kept as the bits of two integers, those where it rises and those where it
    falls, so that a step costs a few operations however long the column is (Myers 1999, as Hyyrö 2003 writes it).

    >>> edit_distance("kitten", "sitting")
    3
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    full, last = (1 << len(one)) - 1, 1 << len(one) - 1
    rises, falls, distance = full, 0, len(one)
    for character in other:
        same = places.get(character, 0)
        diagonal = (((same & rises) + rises) ^ rises) | same | falls
        up = falls | ~(diagonal | rises) & full
        down = rises & diagonal
        if up & last:
            distance += 1
        elif down & last:
            distance -= 1
        up = up << 1 | 1
        rises = (down << 1 | ~(diagonal | up)) & full
        falls = up & diagonal
    return distance


def is_within(one: str, other: str, share: float) -> bool:
    """Whether the edit distance is at most a share of the strings' mean length; the cheap answers first.

    >>> is_within("abcdefghij", "abcdefghxy", 0.3), is_within("abcd", "abxy", 0.3)
    (True, False)
    """
    if one == other:
        return True
    limit = share * (len(one) + len(other)) / 2
    if abs(len(one) - len(other)) > limit:
        return False
    mine, theirs = Counter(one), Counter(other)
    if max((mine - theirs).total(), (theirs - mine).total()) > limit:  # so many must change wherever they stand
        return False
    return edit_distance(one, other) <= limit
