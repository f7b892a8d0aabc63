"""Which section of a grammar each heading of a page is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webquarry.model import Section
from webquarry.model.naming import snake_case
from webquarry.model.wrapper import OTHER
from webquarry.wrapping.ashish.numbering import Numbering

NOWHERE = 0
"""The slot of what is no section: those of sections are numbered from 1, in the order of the grammar."""


@dataclass
class Filled:
    """A section that a heading of the page has begun."""

    slot: int
    path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    outer: Filled | None = None
    has_inner: bool = False
    """Whether a section in it was begun."""


def fill(grammar: Section, texts: Iterable[str]) -> list[Filled]:
    """For each heading, in page order, its section, or one under `_other`."""
    free = _free_slots(grammar)
    taken: set[int] = set()
    numbering = Numbering()
    current = Filled(NOWHERE)
    filled = []
    for text in texts:
        name = snake_case(text)
        outer, slot = _find_slot(free, taken, current, name)
        if outer is None:
            other = numbering.distinct(-1, name)
            filled.append(Filled(NOWHERE, (OTHER, other), (OTHER, other)))
            continue
        taken.add(slot)
        outer.has_inner = True
        shown = name if not text or text.startswith("_") else text  # the underscore is for names of ours
        heading = numbering.distinct(outer.slot, shown)
        current = Filled(slot, (*outer.path, free.names[slot]), (*outer.headings, heading), outer)
        filled.append(current)
    return filled


def unfilled(grammar: Section, filled: Sequence[Filled]) -> tuple[str, ...]:
    """The dotted paths of the sections that every sample has and that no heading has begun."""
    taken = {each.slot for each in filled}
    return tuple(
        ".".join(path)
        for slot, (path, section) in enumerate(grammar.walk(), start=1)
        if slot not in taken and not section.is_optional
    )


@dataclass
class _Free:
    names: list[str]
    """Of each slot its section's name."""
    slots: dict[tuple[int, str], deque[int]]
    """By the slot of the parent and the name of a heading, the slots that it may fill."""


def _free_slots(grammar: Section) -> _Free:
    numbers: dict[tuple[str, ...], int] = {(): NOWHERE}
    free = _Free([grammar.name], {})
    for slot, (path, section) in enumerate(grammar.walk(), start=1):
        numbers[path] = slot
        free.names.append(section.name)
        for name in dict.fromkeys(map(snake_case, section.headings)) or [section.name]:
            free.slots.setdefault((numbers[path[:-1]], name), deque()).append(slot)
    return free


def _find_slot(free: _Free, taken: set[int], current: Filled, name: str) -> tuple[Filled | None, int]:
    """The innermost open section that has one of the name to fill, and its slot."""
    outer: Filled | None = current
    while outer is not None:
        waiting = free.slots.get((outer.slot, name))
        while waiting:
            slot = waiting.popleft()
            if slot not in taken:
                return outer, slot
        outer = outer.outer
    return None, NOWHERE
