"""Which format is above which."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from webquarry.wrapping.samples import Format
from webquarry.wrapping.tokens import Mark

SAME_SIZE = 0.5
"""Pixels: formats of sizes this near are of one size.  Sizes are to the half."""
CLEARLY = 2
"""Times more often must one format lead directly to another than the other way round."""
DEEPEST = 20
"""Levels; what ranks lower shares the last.  Books have six or so, and what reads sections goes down by recursion."""

Pair = tuple[Format, Format]
"""The first is above the second."""


def rank_formats(marked: Sequence[Sequence[Mark]]) -> dict[Format, int]:
    """For each format its level, 1 for the outermost.

    A heading directly below another, with no text between, is in its section: that tells formats of one size
    apart, and outweighs size where it speaks clearly.  Formats that nothing tells apart share a level.  What neither
    leads to others nor stands below any of its size is innermost, as labels are.
    """
    formats = list(dict.fromkeys(mark.format.style for marks in marked for mark in marks))
    order = _Order(formats)
    told = [pair for pair in _find_leading(marked) if order.add(*pair)]
    order.add_sizes()
    levels = _level_out(order.levels(), told)
    return {mark.format: min(levels[mark.format.style], DEEPEST) for marks in marked for mark in marks}


def _find_leading(marked: Sequence[Sequence[Mark]]) -> list[Pair]:
    """The pairs of which the first clearly leads to the second, the most frequent first."""
    leads: Counter[Pair] = Counter()
    for marks in marked:
        for mark, after in pairwise(marks):
            first, second = mark.format.style, after.format.style
            if not mark.following and not mark.is_bound_back and first != second:
                leads[first, second] += 1
    return [pair for pair, count in leads.most_common() if count > CLEARLY * leads[pair[::-1]]]


def _level_out(levels: Mapping[Format, int], told: Iterable[Pair]) -> dict[Format, int]:
    """The levels, formats that are told from none of their size being as low as any of it."""
    distinguished = {format_ for pair in told if _are_of_one_size(*pair) for format_ in pair}
    lowest: defaultdict[float, int] = defaultdict(int)
    for format_, level in levels.items():
        lowest[format_.look.size] = max(lowest[format_.look.size], level)
    found = dict(levels)
    for format_ in levels:
        if format_ not in distinguished:
            size = format_.look.size
            found[format_] = max(lowest[near] for near in (size - SAME_SIZE, size, size + SAME_SIZE))
            lowest[size] = max(lowest[size], found[format_])
    return found


def _are_of_one_size(first: Format, second: Format) -> bool:
    return abs(first.look.size - second.look.size) <= SAME_SIZE


class _Order:
    """Which formats are above which, without circles.

    What is below a format is kept as the bits of a number: a page may have thousands of formats, and millions of
    pairs of them differ in size.
    """

    def __init__(self, formats: Collection[Format]) -> None:
        self._formats = sorted(formats, key=lambda format_: format_.look.size)
        self._places = {format_: place for place, format_ in enumerate(self._formats)}
        self._below = [0] * len(self._formats)
        self._held: list[list[int]] = [[] for _ in self._formats]
        self._holders: list[list[int]] = [[] for _ in self._formats]

    def add(self, above: Format, below: Format) -> bool:
        """Put one format above another, unless that would close a circle; whether it was done."""
        return self._add(self._places[above], self._places[below])

    def add_sizes(self) -> None:
        """Put each format above all that are smaller, the nearest in size first."""
        sizes = [format_.look.size for format_ in self._formats]
        for above, size in enumerate(sizes):
            smaller = (1 << bisect_left(sizes, size - SAME_SIZE)) - 1
            while left := smaller & ~self._below[above]:
                below = left.bit_length() - 1
                self._add(above, below)
                smaller &= ~(1 << below)

    def levels(self) -> dict[Format, int]:
        """For each format how many at most are above each other above it, and itself."""
        levels = [1] * len(self._formats)
        waiting = [len(holders) for holders in self._holders]
        free = [place for place, holders in enumerate(waiting) if not holders]
        for place in free:  # it grows
            for held in self._held[place]:
                levels[held] = max(levels[held], levels[place] + 1)
                waiting[held] -= 1
                if not waiting[held]:
                    free.append(held)
        return {format_: levels[place] for format_, place in self._places.items()}

    def _add(self, above: int, below: int) -> bool:
        if above == below or self._below[below] >> above & 1:
            return False
        self._held[above].append(below)
        self._holders[below].append(above)
        more = self._below[below] | 1 << below
        growing = [above]
        while growing:
            place = growing.pop()
            if more & ~self._below[place]:
                self._below[place] |= more
                growing += self._holders[place]
        return True
