"""A line of an extraction: the rows that it has, and what takes some of them out of it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from webquarry.errors import InputError
from webquarry.validating.foreign_xpaths import Row

# MERGED validating/extractions/cutting: Changes to a text by places, all told in places of the text as it wa
Edit = tuple[int, int, str]
"""From where to where, and what stands there instead."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all changes; none of them may overlap.

    >>> apply_edits("one two three", [(4, 8, ""), (0, 1, "O")])
    'One three'
    """
    parts, place = [], 0
    for start, stop, instead in sorted(edits):
        parts += [text[place:start], instead]
        place = stop
    return "".join([*parts, text[place:]])


def cut_members(spans: Sequence[tuple[int, int]], gone: Collection[int]) -> list[Edit]:
    """What takes some members out of a list that has a separator between every two, and one separator with each.

    >>> apply_edits("[1, 2, 3]", cut_members([(1, 2), (4, 5), (7, 8)], {1, 2}))
    '[1]'
    >>> apply_edits("[1, 2, 3]", cut_members([(1, 2), (4, 5), (7, 8)], {0}))
    '[2, 3]'
    """
    kept = [place for place in range(len(spans)) if place not in gone]
    if not kept:
        return [(spans[0][0], spans[-1][1], "")] if spans else []
    last = kept[-1]
    edits = [(spans[place][0], spans[place + 1][0], "") for place in gone if place < last]
    return edits if last == len(spans) - 1 else [*edits, (spans[last][1], spans[-1][1], "")]


# MERGED validating/extractions/json_places: Where values stand in the text of their JSON: what is taken out
JsonPath = tuple[str | int, ...]
"""The way to a value: names of members, and places in arrays."""

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


class Member(NamedTuple):
    """A value in an array or object."""

    key: str | int
    start: int
    """Of the name where it has one."""
    value: int
    stop: int


def skip_space(text: str, place: int) -> int:
    """The next place that is no white space."""
    match = _SPACE.match(text, place)
    return match.end() if match else place


def decode(text: str, place: int) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends."""
    return _DECODER.raw_decode(text, place)


def members(text: str, start: int) -> Iterator[Member]:
    """The members of the array or object that begins at a place; none of another value.

    >>> [text[each.start:each.stop] for text in ['{"a": [1], "b": 2}'] for each in members(text, 0)]
    ['"a": [1]', '"b": 2']
    """
    if text[start] not in "[{":
        return
    is_object = text[start] == "{"
    place = skip_space(text, start + 1)
    number = 0
    while text[place] not in "]}":
        key, value = number, place
        if is_object:
            key, after = decode(text, place)
            value = skip_space(text, skip_space(text, after) + 1)
        _, stop = decode(text, value)
        yield Member(key, place, value, stop)
        number += 1
        place = skip_space(text, stop)
        if text[place] == ",":
            place = skip_space(text, place + 1)


def find(text: str, start: int, path: JsonPath) -> Member | None:
    """Where the value at a path stands; of a name that stands there twice the last, as readers of JSON have it."""
    found = Member("", start, start, start)
    for key in path:
        inside = [each for each in members(text, found.value) if each.key == key]
        if not inside:
            return None
        found = inside[-1]
    return found


def cut_paths(text: str, start: int, paths: Iterable[JsonPath]) -> list[Edit]:
    """What takes the values at some paths out of the value that begins at a place."""
    below: defaultdict[str | int, list[JsonPath]] = defaultdict(list)
    for key, *rest in paths:
        below[key].append(tuple(rest))
    inside = list(members(text, start))
    gone = {place for place, each in enumerate(inside) if () in below.get(each.key, ())}
    edits = cut_members([(each.start, each.stop) for each in inside], gone)
    for place, each in enumerate(inside):
        if place not in gone and each.key in below:
            edits += cut_paths(text, each.value, below[each.key])
    return edits


class Item(Protocol):
    """A line, row or element of a file."""

    @property
    def rows(self) -> Sequence[Row]:
        """What was extracted, in order."""

    def drop(self, text: str, dropped: Collection[int]) -> list[Edit] | None:
        """What takes some of its rows, by their places in it, out of the text of the file; None when all of it goes."""


@dataclass(frozen=True)
class WholeItem:
    """One row, which goes with all that stands beside it."""

    rows: tuple[Row]

    def drop(self, text: str, dropped: Collection[int]) -> list[Edit] | None:  # noqa: ARG002 - as of all items
        """Nothing is left of it."""
        return None if dropped else []


@dataclass(frozen=True)
class JsonItem:
    """An object of JSON with the rows of a page."""

    start: int
    """Where it begins in the text."""
    rows: tuple[Row, ...]
    paths: tuple[tuple[JsonPath, ...], ...]
    """For each row the values that are of it alone."""

    def drop(self, text: str, dropped: Collection[int]) -> list[Edit] | None:
        """Take out what is of these rows alone."""
        return cut_paths(text, self.start, {path for place in dropped for path in self.paths[place]})


# MERGED validating/extractions/checking: What a row of an extraction cannot do without: a page, and the XPat
_SHOWN = 80
"""Characters of a value that are told."""


def check_page(page: Any, name: str, place: str) -> str:
    """The page that stands under a name; raises with its place in the file when it is none."""
    if isinstance(page, str) and page.strip():
        return page
    raise InputError(f"{place}: the page is missing, {name} is {show(page)}; name the page of each row")


def check_address(address: Any, name: str, place: str) -> str:
    """The XPath that stands under a name; raises with its place in the file when it is none."""
    if isinstance(address, str):
        return address
    raise refuse_address(address, name, place)


def refuse_address(found: Any, name: str, place: str) -> InputError:
    """What to raise of a value that stands where an XPath should."""
    return InputError(f"{place}: looked for an XPath under {name}, found {show(found)}; mend the line, or leave it out")


def show(value: Any) -> str:
    """The beginning of a value as JSON has it."""
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]
