"""The hierarchy of a page's sections: Figure 2 of the paper, with its loop set right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.wrapping.samples import Format
from webquarry.wrapping.tokens import Mark

SMALLEST_INDENT = 3.0
"""Pixels."""
LARGEST_INDENT = 80.0
"""Pixels; what stands farther to the right is in another column of the page."""


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


def nest(marks: Sequence[Mark], levels: Mapping[Format, int]) -> Part:
    """The page with its sections.

    A new section climbs out of the current one while that one's heading is of a lower level, or of the same and not
    less indented; the page itself is never left.
    """
    root = current = Part(None, 0, None)
    for mark in marks:
        level = levels[mark.format]
        while current.parent is not None and not _holds(current, mark, level):
            current = current.parent
        new = Part(mark, level, current)
        current.children.append(new)
        current = new
    return root


def _holds(part: Part, mark: Mark, level: int) -> bool:
    if part.level != level or part.mark is None:
        return part.level < level
    step = mark.indent - part.mark.indent
    return SMALLEST_INDENT <= step <= LARGEST_INDENT and part.mark.format == mark.format
