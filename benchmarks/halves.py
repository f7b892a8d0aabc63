"""Split a corpus into one half to tune on and one to check that the tuning generalises."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

TUNE, CHECK, ALL = "tune", "check", "all"
HALVES = (TUNE, CHECK, ALL)

Anything = TypeVar("Anything")


def split(names: Iterable[str]) -> dict[str, str]:
    """Assign sorted names alternately to the two halves.

    >>> split(["b.org", "a.org", "c.org", "a.org"])
    {'a.org': 'tune', 'b.org': 'check', 'c.org': 'tune'}
    """
    return {name: (TUNE, CHECK)[place % 2] for place, name in enumerate(sorted(set(names)))}


def by_half(things: Iterable[Anything], half_of: Callable[[Anything], str]) -> dict[str, list[Anything]]:
    """Group things by half, and add a group of all of them."""
    known = list(things)
    return {half: [thing for thing in known if half in (ALL, half_of(thing))] for half in HALVES}
