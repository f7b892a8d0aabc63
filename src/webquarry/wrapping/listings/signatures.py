"""Signatures: where a node stands, in tags and class names, written as a person writes a selector.

`div.offer > td[2] > a, h3` is a list of alternatives, each a path of steps from the outside inwards.  A number in
brackets is the place among siblings of the same tag, from 1; of a cell that of its column.  `text()` is a text, and
`run()` texts with what is highlighted in them, up to a block, a link or what another field stands in.  `.` is the
record itself and `..` the link that holds it.  Class names with other marks than letters, digits, `-` and `_` are left
out: they mostly say how a thing looks, not what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

TEXT = "text()"
RUN = "run()"
SELF = "."
HOLDER = ".."

_NAME = re.compile(r"[\w-]+")
_TAG = r"[^\s.#\[\]>,]+"
_STEP = re.compile(rf"({_TAG})(?:#([\w-]+))?((?:\.[\w-]+)*)(?:\[(\d+)\])?")


@dataclass(frozen=True)
class Step:
    """An element on the way: what it is, and what it is called."""

    tag: str
    classes: frozenset[str] = frozenset()
    name: str = ""
    """Its `id`."""
    place: int = 0
    """Among siblings of its tag, from 1; 0 when any will do."""

    def __str__(self) -> str:
        name = f"#{self.name}" if self.name else ""
        place = f"[{self.place}]" if self.place else ""
        return self.tag + name + "".join(f".{each}" for each in sorted(self.classes)) + place


Path = tuple[Step, ...]


@lru_cache(maxsize=10_000)
def read_signature(signature: str) -> tuple[Path, ...]:
    """The alternatives that a signature tells; what is no step is passed over.

    >>> [str(step) for step in read_signature("div.b.a > td[2]")[0]]
    ['div.a.b', 'td[2]']
    >>> read_signature(".")
    ((),)
    """
    return tuple(_read_path(each.strip()) for each in signature.split(",") if each.strip())


def _read_path(path: str) -> Path:
    if path == SELF:
        return ()
    if path == HOLDER:
        return (Step(HOLDER),)
    matches = (_STEP.fullmatch(step.strip()) for step in path.split(">"))
    return tuple(
        Step(match[1], frozenset(filter(None, match[3].split("."))), match[2] or "", int(match[4] or 0))
        for match in matches
        if match
    )


def write_signature(paths: Iterable[Path]) -> str:
    """The signature of alternatives.

    >>> write_signature([(Step("h3"), Step("a", frozenset(["title"]))), ()])
    'h3 > a.title, .'
    """
    return ", ".join(" > ".join(map(str, path)) or SELF for path in paths)


def plain_names(written: str) -> frozenset[str]:
    """The class names of an attribute that a signature can hold.

    >>> sorted(plain_names("card md:flex odd"))
    ['card', 'odd']
    """
    return frozenset(name for name in written.split() if _NAME.fullmatch(name))


def is_plain(tag: str) -> bool:
    """Whether a signature can hold a tag."""
    return re.fullmatch(_TAG, tag) is not None


def is_name(text: str) -> bool:
    """Whether a signature can hold an `id`."""
    return _NAME.fullmatch(text) is not None


def tags_of(path: Path) -> tuple[str, ...]:
    """The tags of a path."""
    return tuple(step.tag for step in path)


def share_path(paths: Sequence[Path]) -> Path:
    """What paths of the same tags have in common.

    >>> str(share_path([(Step("li", frozenset(["item", "odd"])),), (Step("li", frozenset(["item"])),)])[0])
    'li.item'
    """
    shared = []
    for steps in zip(*paths, strict=True):
        first = steps[0]
        classes = frozenset[str].intersection(*(step.classes for step in steps))
        is_same_place = all(step.place == first.place for step in steps)
        name = first.name if all(step.name == first.name for step in steps) else ""
        shared.append(replace(first, classes=classes, name=name, place=first.place if is_same_place else 0))
    return tuple(shared)
