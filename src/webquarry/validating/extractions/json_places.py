"""Where values stand in the text of their JSON: what is taken out of it leaves every other byte as it was."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from webquarry.validating.extractions.cutting import Edit, cut_members

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
