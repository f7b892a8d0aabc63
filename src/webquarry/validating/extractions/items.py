"""A line of an extraction: the rows that it has, and what takes some of them out of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from webquarry.validating.addresses.rows import Row
from webquarry.validating.extractions.cutting import Edit
from webquarry.validating.extractions.json_places import JsonPath, cut_paths


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
