"""Alternatives: the few kinds of nodes that the values of a column stand in, and what each kind is called."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webquarry.wrapping.listings.owners import Owner, is_text
from webquarry.wrapping.listings.samples import Column, Key
from webquarry.wrapping.listings.signatures import RUN, Path, share_path, tags_of

MOST_ALTERNATIVES = 4
"""Of a signature; cells that stand elsewhere are accidents."""


@dataclass
class Alternative:
    """Owners of values of one column, all of the same tags."""

    owners: dict[Key, Owner]
    path: Path
    """What tells them, as far as it is the same for all."""

    @property
    def is_attribute(self) -> bool:
        """Whether the values are attributes."""
        return any(owner.attribute for owner in self.owners.values())

    @property
    def names(self) -> int:
        """How many class names tell them."""
        return sum(len(step.classes) for step in self.path)


def find_alternatives(columns: Sequence[Column]) -> list[list[Alternative]]:
    """For each column its alternatives, the most frequent first."""
    found = []
    for column in columns:
        cover = [Alternative(group, _share(group)) for group in _cover(column)]
        found.append(cover + [Alternative(group, _share(group)) for group in _without_links(column, cover)])
    _settle([each for alternatives in found for each in alternatives])
    return found


def _share(group: dict[Key, Owner]) -> Path:
    return share_path([owner.path for owner in group.values()])


def _cover(column: Column) -> Iterator[dict[Key, Owner]]:
    """Owners of the same tags, for as many cells as can be with as few kinds of them."""
    left = {key: owners for key, owners in column.owners.items() if owners}
    for _ in range(MOST_ALTERNATIVES):
        kinds: dict[tuple[object, ...], dict[Key, Owner]] = defaultdict(dict)
        for key, owners in left.items():
            for owner in owners:
                kinds[_kind(owner)].setdefault(key, owner)
        if kinds:
            chosen = max(kinds.values(), key=_worth)
            left = {key: owners for key, owners in left.items() if key not in chosen}
            yield chosen


def _kind(owner: Owner) -> tuple[object, ...]:
    return tags_of(owner.path), tuple(step.place for step in owner.path)


def _worth(group: dict[Key, Owner]) -> tuple[int, bool, bool, int]:
    """How good a kind is: that of most cells, then elements before texts, and the innermost."""
    first = next(iter(group.values()))
    is_run = bool(first.path) and first.path[-1].tag == RUN
    return len(group), not is_text(first), not is_run, len(first.path)


def _without_links(column: Column, cover: Sequence[Alternative]) -> Iterator[dict[Key, Owner]]:
    """For texts that are links on all samples what holds the links: on some other page one is no link."""
    known = {_kind(owner) for each in cover for owner in each.owners.values()}
    for each in cover:
        if len(each.path) < 2 or each.path[-1].tag != "a" or each.is_attribute:
            continue
        outer = tags_of(each.path)[:-1]
        around = {
            key: owner
            for key in each.owners
            for owner in column.owners[key]
            if tags_of(owner.path) == outer and _kind(owner) not in known
        }
        if len(around) == len(each.owners):
            yield around


def _settle(alternatives: Sequence[Alternative]) -> None:
    """Take from each alternative the class names by which it would claim what is of another column.

    Of two that name a node the one with more class names has it, as it should when they tell the columns apart.
    They may also be there by chance: in a column of few values, all values stand on one sample.
    """
    kinds: dict[tuple[object, ...], list[Alternative]] = defaultdict(list)
    for each in alternatives:
        kinds[tags_of(each.path), each.is_attribute].append(each)
    for group in kinds.values():
        is_settled = False
        while not is_settled:  # each round takes names away
            is_settled = True
            for one in group:
                for other in group:
                    if _steals(one, other):
                        one.path = share_path([one.path, other.path])
                        is_settled = False


def _steals(one: Alternative, other: Alternative) -> bool:
    return one.names > other.names and any(_fits(one.path, owner.path) for owner in other.owners.values())


def _fits(path: Path, whole: Path) -> bool:
    """Whether what a path says holds for the whole path of a node of the same tags."""
    return all(
        step.classes <= own.classes and step.place in (0, own.place) for step, own in zip(path, whole, strict=True)
    )
