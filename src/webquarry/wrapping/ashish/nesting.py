"""Figure 2: which section each heading's section is in.

The root guard is the one repair that the procedure needs to run: its loop asks for the size, the indentation and the
parent of the root, which has none.  Climbing ends there.

As printed (`or`), a section is put below another only if its heading is both smaller and further in.  Headings that
are told apart by size alone all climb to the root, and so do those told apart by indentation alone: every rule of a
page in the form of Figure 1 is wrong.  `with_and` is the least change that gives the rules of Figure 3; it puts a
large heading below a small one that is less indented.  `by_size_then_indentation` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

ROOT = -1
"""The number of the page among the sections."""
MAX_DEPTH = 100
"""Sections in each other; deeper ones are put into the last that is allowed.  Real pages have five or so."""


@dataclass(frozen=True)
class Heading:
    """A heading as Figure 2 sees it, and where it stands in the markup."""

    text: str
    expression: str
    size: int
    indentation: int
    start: int = 0
    end: int = 0


Climbs = Callable[[Heading, Heading], bool]
"""Whether the new heading's section (the second) is outside of the current one's (the first)."""


def as_printed(current: Heading, new: Heading) -> bool:
    """The condition of Figure 2."""
    return current.size <= new.size or current.indentation >= new.indentation


def with_and(current: Heading, new: Heading) -> bool:
    """The condition of Figure 2 with `and` for `or`."""
    return current.size <= new.size and current.indentation >= new.indentation


def by_size_then_indentation(current: Heading, new: Heading) -> bool:
    """The current heading is smaller, or as large and not less indented."""
    return (current.size, -current.indentation) <= (new.size, -new.indentation)


def nest(headings: Sequence[Heading], *, climbs: Climbs = as_printed) -> list[int]:
    """For each heading the number of the one whose section its own is in, or `ROOT`."""
    parents: list[int] = []
    depths: list[int] = []
    current = ROOT
    for number, heading in enumerate(headings):
        while current != ROOT and (depths[current] >= MAX_DEPTH or climbs(headings[current], heading)):
            current = parents[current]
        parents.append(current)
        depths.append(1 if current == ROOT else depths[current] + 1)
        current = number
    return parents


def paths(headings: Sequence[Heading], *, climbs: Climbs = as_printed) -> list[tuple[str, ...]]:
    """For each heading the texts of those above it and its own: the outline of the page."""
    found: list[tuple[str, ...]] = []
    for heading, parent in zip(headings, nest(headings, climbs=climbs), strict=True):
        found.append((*(() if parent == ROOT else found[parent]), heading.text))
    return found
