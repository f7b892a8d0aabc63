"""Two halves of a corpus: one to tune on, and one to check that the tuning was not to its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

TUNE, CHECK, ALL = "tune", "check", "all"
HALVES = (TUNE, CHECK, ALL)

Anything = TypeVar("Anything")


def split(names: Iterable[str]) -> dict[str, str]:
    """The half of each name: of the sorted names every other is one to check on.

    >>> split(["b.org", "a.org", "c.org", "a.org"])
    {'a.org': 'tune', 'b.org': 'check', 'c.org': 'tune'}
    """
    return {name: (TUNE, CHECK)[place % 2] for place, name in enumerate(sorted(set(names)))}


def by_half(things: Iterable[Anything], half_of: Callable[[Anything], str]) -> dict[str, list[Anything]]:
    """The things of each half, and all of them."""
    known = list(things)
    return {half: [thing for thing in known if half in (ALL, half_of(thing))] for half in HALVES}
