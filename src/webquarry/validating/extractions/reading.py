"""The text of an extraction to its rows, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from webquarry.errors import InputError
from webquarry.validating.addresses.rows import Row
from webquarry.validating.extractions.checking import show
from webquarry.validating.extractions.cutting import Edit, apply_edits, cut_members
from webquarry.validating.extractions.delimited import read_delimited
from webquarry.validating.extractions.foreign_lines import read_foreign
from webquarry.validating.extractions.items import Item
from webquarry.validating.extractions.json_places import decode, members, skip_space
from webquarry.validating.extractions.names import ADDRESSES, LISTS, find_name
from webquarry.validating.extractions.own_lines import read_own


@dataclass(frozen=True)
class ExtractionFile:
    """The rows of an extraction, in its order, and the text that they were read from."""

    text: str = field(repr=False)
    items: tuple[tuple[int, int, Item], ...] = field(repr=False)
    """Each with where it begins and ends in the text."""
    failures: int = 0
    """Pages that the extraction itself says it failed on; there is nothing of them to validate."""
    is_array: bool = False
    """Whether the items are members of one array of JSON."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows; a row is known by its place among them."""
        return tuple(row for _, _, item in self.items for row in item.rows)

    @cached_property
    def pages(self) -> dict[str, list[int]]:
        """For each page the places of its rows, in the order in which pages come."""
        pages: defaultdict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            pages[row.page].append(place)
        return dict(pages)

    def without(self, dropped: Collection[int]) -> str:
        """The text of the file without some rows, which are given by their places; all else is as it was."""
        places = set(dropped)
        edits: list[Edit] = []
        gone, first = set(), 0
        for number, (_, _, item) in enumerate(self.items):
            own = {place - first for place in range(first, first + len(item.rows)) if place in places}
            cuts = item.drop(self.text, own) if own else []
            first += len(item.rows)
            if cuts is None:
                gone.add(number)
            else:
                edits += cuts
        return apply_edits(self.text, [*edits, *self._cut_items(gone)])

    def _cut_items(self, gone: set[int]) -> list[Edit]:
        spans = [(start, stop) for start, stop, _ in self.items]
        if self.is_array:
            return cut_members(spans, gone)
        return [(spans[number][0], _line_end(self.text, spans[number][1]), "") for number in gone]


def read_extraction(text: str, name: str = "extraction") -> ExtractionFile:
    """The rows of an extraction: of ours, or of another system as JSON, JSON lines, CSV or TSV.

    `name` is the file's, for the text of errors.  Raises InputError with the line that cannot be read.
    """
    start = skip_space(text, 1 if text.startswith("\ufeff") else 0)
    if not text[start:]:
        raise InputError(f"{name}: the file is empty; give JSON lines or CSV of pages and XPaths")
    if text[start] not in "[{":
        return ExtractionFile(text, tuple(read_delimited(text, name)))
    is_array = text[start] == "["
    items, failures = [], 0
    for value, begin, end, place in _values(text, start, name, is_array=is_array):
        if not isinstance(value, dict):
            raise InputError(f"{place}: looked for an object with a page and XPaths, found {show(value)}")
        if "error" in value and find_name(value, (*ADDRESSES, *LISTS)) is None:
            failures += 1
            continue
        items.append((begin, end, read_own(value, begin, place) or read_foreign(value, begin, place)))
    return ExtractionFile(text, tuple(items), failures, is_array)


def _values(text: str, start: int, name: str, *, is_array: bool) -> Iterator[tuple[Any, int, int, str]]:
    """The objects of an array, or of one line after the other, each with its place in the text and the file."""
    line, place = 1 + text.count("\n", 0, start), start
    try:
        if is_array:
            for each in members(text, start):
                line, place = line + text.count("\n", place, each.value), each.value
                yield decode(text, place)[0], place, each.stop, f"{name}:{line}"
            return
        while place < len(text):
            value, stop = decode(text, place)
            yield value, place, stop, f"{name}:{line}"
            following = skip_space(text, stop)
            line += text.count("\n", place, following)
            place = following
    except (ValueError, RecursionError, IndexError) as error:
        at = line + text.count("\n", place, getattr(error, "pos", place))
        what = getattr(error, "msg", error)
        raise InputError(f"{name}:{at}: this is not JSON ({what}); mend the line, or leave it out") from error


def _line_end(text: str, place: int) -> int:
    """Where the next line begins, if nothing else stands on this one."""
    after = place
    while after < len(text) and text[after] in " \t\r":
        after += 1
    return after + 1 if text[after : after + 1] == "\n" else place
