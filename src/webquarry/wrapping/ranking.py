"""Which format is above which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from webquarry.wrapping.samples import Format
from webquarry.wrapping.tokens import Mark

SAME_SIZE = 0.5
"""Pixels: formats of sizes this near are of one size."""
CLEARLY = 2
"""Times more often must one format lead directly to another than the other way round."""


def rank_formats(marked: Sequence[Sequence[Mark]]) -> dict[Format, int]:
    """For each format its level, 1 for the outermost.

    A heading directly below another, with no text between, is in its section: that tells formats of one size
    apart, and outweighs size where it speaks clearly.  Formats that nothing tells apart share a level.  What neither
    leads to others nor stands below any of its size is of the level of what looks the same, or else innermost, as
    labels are; it is below the others when its names recur on a page, as notes do.
    """
    counts: Counter[Format] = Counter(mark.format.style for marks in marked for mark in marks)
    leads: Counter[tuple[Format, Format]] = Counter()
    for marks in marked:
        for mark, after in pairwise(marks):
            first, second = mark.format.style, after.format.style
            if not mark.following and not mark.is_bound_back and first != second:
                leads[first, second] += 1
    above = _relate(list(counts), leads)
    layers = _layer(counts, above)
    levels = dict(layers)
    for format_ in counts:
        alike = [other for other in counts if abs(other.look.size - format_.look.size) <= SAME_SIZE]
        if not _is_told(format_, alike, leads, above):
            same = [other for other in alike if other.look == format_.look and _is_told(other, alike, leads, above)]
            levels[format_] = max(layers[other] for other in same or alike) + _recurs(format_, marked)
    return {mark.format: levels[mark.format.style] for marks in marked for mark in marks}


def _is_told(
    format_: Format,
    alike: Collection[Format],
    leads: Collection[tuple[Format, Format]],
    above: Collection[tuple[Format, Format]],
) -> bool:
    """Whether a format leads to others, or is below one of its size."""
    return any((pair[0] == format_ and pair in leads) or (pair[1] == format_ and pair[0] in alike) for pair in above)


def _recurs(format_: Format, marked: Sequence[Sequence[Mark]]) -> bool:
    """Whether most names of a format stand several times on a page: then they are in different sections."""
    names = Counter(
        (page, mark.name) for page, marks in enumerate(marked) for mark in marks if mark.format.style == format_
    )
    return names.total() >= CLEARLY * len(names)


def _layer(formats: Collection[Format], above: Collection[tuple[Format, Format]]) -> dict[Format, int]:
    levels: dict[Format, int] = {}
    for format_ in _outermost_first(formats, above):
        levels[format_] = max((levels[holder] for holder, held in above if held == format_), default=0) + 1
    return levels


def _relate(formats: Sequence[Format], leads: Counter[tuple[Format, Format]]) -> set[tuple[Format, Format]]:
    """Pairs of formats, the first above the second, without circles."""
    above: set[tuple[Format, Format]] = set()
    for (first, second), count in leads.most_common():
        if count >= CLEARLY * leads[second, first] + 1 and not _is_above(second, first, above):
            above.add((first, second))
    for first in formats:
        for second in formats:
            larger = first.look.size > second.look.size + SAME_SIZE
            if larger and not _is_above(second, first, above):
                above.add((first, second))
    return above


def _is_above(first: Format, second: Format, above: Collection[tuple[Format, Format]]) -> bool:
    reached, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        for holder, held in above:
            if holder == here and held not in reached:
                if held == second:
                    return True
                reached.add(held)
                waiting.append(held)
    return first == second


def _outermost_first(formats: Collection[Format], above: Collection[tuple[Format, Format]]) -> list[Format]:
    left = list(formats)
    ordered: list[Format] = []
    while left:
        free = [format_ for format_ in left if not any(held == format_ and holder in left for holder, held in above)]
        ordered += free
        left = [format_ for format_ in left if format_ not in free]
    return ordered
