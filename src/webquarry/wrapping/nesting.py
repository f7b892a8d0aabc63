"""The hierarchy of a page's sections: Figure 2 of the paper, with its loop set right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.wrapping.samples import Format
from webquarry.wrapping.tokens import Mark

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
