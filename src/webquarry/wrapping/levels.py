"""Which format is above which."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from webquarry.page.looks import Look
from webquarry.wrapping.sample_pages import Format
from webquarry.wrapping.section_headings import Mark

SAME_SIZE = 0.5
"""Pixels: formats of sizes this near are of one size.  Sizes are to the half."""
CLEARLY = 2
"""Times more often must one format lead directly to another than the other way round."""
DEEPEST = 20
"""Levels; what ranks lower shares the last.  Books have six or so, and what reads sections goes down by recursion."""

Pair = tuple[Format, Format]
"""The first is above the second."""
MOSTLY = 0.5
"""Share of the headings of a smaller format that lead to a larger one, when it is above that."""


def rank_formats(marked: Sequence[Sequence[Mark]]) -> dict[Format, int]:
    """For each format its level, 1 for the outermost.

    A heading directly below another, with no text between, is in its section: that tells formats of one size
    apart, and outweighs size where it speaks clearly.  Formats that nothing tells apart share a level.  What neither
    leads to others nor stands below any of its size is of the level of what looks the same, or else innermost, as
    labels are; it is below the others when its names recur on a page, as notes do.
    """
    order = _Order(dict.fromkeys(mark.format.style for marks in marked for mark in marks))
    leads = _count_leads(marked)
    counts = Counter(mark.format.style for marks in marked for mark in marks)
    clear = [pair for pair, _ in leads.most_common() if _is_clear(pair, leads, counts) and order.add(*pair)]
    order.add_sizes()
    told = _find_told(leads, clear, order)
    levels = _level_out(order.levels(), told, _find_recurring(marked))
    above = min(levels.values(), default=1) - 1  # where all names recur nothing is of the first level
    return {mark.format: min(levels[mark.format.style] - above, DEEPEST) for marks in marked for mark in marks}


def _is_clear(pair: Pair, leads: Counter[Pair], counts: Counter[Format]) -> bool:
    """Whether one format is above another by what its headings lead to; a smaller one must lead there mostly."""
    first, second = pair
    least: float = CLEARLY * leads[second, first]
    if first.look.size < second.look.size - SAME_SIZE:
        least = max(least, MOSTLY * counts[first])
    return leads[pair] > least


def _count_leads(marked: Sequence[Sequence[Mark]]) -> Counter[Pair]:
    """How often a heading of the first format stands directly above one of the second."""
    leads: Counter[Pair] = Counter()
    for marks in marked:
        for mark, after in pairwise(marks):
            first, second = mark.format.style, after.format.style
            if not mark.following and not mark.is_bound_back and first != second:
                leads[first, second] += 1
    return leads


def _find_told(leads: Iterable[Pair], clear: Collection[Pair], order: _Order) -> set[Format]:
    """The formats that lead to others, or are below one of their size."""
    below = {second for first, second in clear if abs(first.look.size - second.look.size) <= SAME_SIZE}
    smaller = {pair for pair in leads if pair[0].look.size > pair[1].look.size + SAME_SIZE and order.is_above(*pair)}
    return below | {first for first, _ in smaller.union(clear)}


def _find_recurring(marked: Sequence[Sequence[Mark]]) -> set[Format]:
    """The formats of which most names stand several times on a page: then they are in different sections."""
    counts = Counter(mark.format.style for marks in marked for mark in marks)
    names = Counter(style for marks in marked for style, _ in {(mark.format.style, mark.name) for mark in marks})
    return {format_ for format_, count in counts.items() if count >= CLEARLY * names[format_]}


def _level_out(
    layers: Mapping[Format, int], told: Collection[Format], recurring: Collection[Format]
) -> dict[Format, int]:
    """The levels, formats that nothing tells being as low as those that look the same, or as any of their size."""
    by_look: dict[Look, int] = {}
    by_size: dict[float, int] = {}
    for format_, layer in layers.items():
        look = format_.look
        by_size[look.size] = max(by_size.get(look.size, 0), layer)
        if format_ in told:
            by_look[look] = max(by_look.get(look, 0), layer)
    levels = dict(layers)
    for format_ in layers:
        if format_ not in told:
            size = format_.look.size
            innermost = max(by_size.get(near, 0) for near in (size - SAME_SIZE, size, size + SAME_SIZE))
            levels[format_] = by_look.get(format_.look, innermost) + (format_ in recurring)
    return levels


class _Order:
    """Which formats are above which, without circles.

    What is below a format is kept as the bits of a number: a page may have thousands of formats, and millions of
    pairs of them differ in size.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        self._formats = sorted(formats, key=lambda format_: format_.look.size)
        self._places = {format_: place for place, format_ in enumerate(self._formats)}
        self._below = [0] * len(self._formats)
        self._held: list[list[int]] = [[] for _ in self._formats]
        self._holders: list[list[int]] = [[] for _ in self._formats]

    def add(self, above: Format, below: Format) -> bool:
        """Put one format above another, unless that would close a circle; whether it was done."""
        return self._add(self._places[above], self._places[below])

    def is_above(self, first: Format, second: Format) -> bool:
        """Whether one format is above another, directly or by others between them."""
        return bool(self._below[self._places[first]] >> self._places[second] & 1)

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


# MERGED wrapping/nesting: The hierarchy of a page's sections: Figure 2 of the paper, with its loop set right
SMALLEST_INDENT = 3.0
"""Pixels."""
LARGEST_INDENT = 80.0
"""Pixels; what stands farther to the right is in another column of the page."""
MOST_INDENTS = 5
"""Of the headings of a format, over all pages; those at more places are aligned to the right, or stand in lines."""


@dataclass(eq=False)
class Part:
    """A section of a page."""

    mark: Mark | None
    level: int
    parent: Part | None
    children: list[Part] = field(default_factory=list)

    @property
    def name(self) -> str:
        """In snake case; nothing for the page itself."""
        return self.mark.name if self.mark else ""

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to this one."""
        return (*self.parent.path, self.name) if self.parent else ()

    def walk(self) -> Iterator[Part]:
        """All parts below this one, in their order."""
        for child in self.children:
            yield child
            yield from child.walk()


def find_set_in(marked: Sequence[Sequence[Mark]]) -> set[Format]:
    """The formats whose headings tell by their indent in which section they are."""
    lefts: dict[Format, set[int]] = defaultdict(set)
    for marks in marked:
        for mark in marks:
            lefts[mark.format.style].add(round(mark.indent / SMALLEST_INDENT))
    return {format_ for format_, places in lefts.items() if len(places) <= MOST_INDENTS}


def nest(marks: Sequence[Mark], levels: Mapping[Format, int], set_in: Collection[Format]) -> Part:
    """The page with its sections.

    A new section climbs out of the current one while that one's heading is of a lower level, or of the same and not
    less indented; the page itself is never left.
    """
    root = current = Part(None, 0, None)
    for mark in marks:
        level = levels[mark.format]
        while current.parent is not None and not _holds(current, mark, level, set_in):
            current = current.parent
        new = Part(mark, level, current)
        current.children.append(new)
        current = new
    return root


def _holds(part: Part, mark: Mark, level: int, set_in: Collection[Format]) -> bool:
    if part.level != level or part.mark is None:
        return part.level < level
    if mark.format.style not in set_in or part.mark.format.style != mark.format.style:
        return False
    return is_set_in(part.mark.indent, mark.indent)


def is_set_in(outer: float, inner: float) -> bool:
    """Whether a heading is indented below another, and not in another column of the page."""
    return SMALLEST_INDENT <= inner - outer <= LARGEST_INDENT
