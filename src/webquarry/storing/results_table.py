"""The records of all pages, in one table: those of the best region of each, or those that a wrapper finds.

Columns are flat or nested, as the format can have them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from webquarry.model import table_columns as tabling
from webquarry.model.names import FETCHED, PAGE
from webquarry.model.page import Failure
from webquarry.model.region import Field, PageRegions, Storable
from webquarry.model.table_columns import Column, kind_of, name_apart, to_columns
from webquarry.model.wording import whole
from webquarry.values.text_value import Value

if TYPE_CHECKING:
    import pyarrow as pa


class Gathering(Protocol):
    """The records of a run."""

    pages: int
    """With and without records; failed ones do not count."""
    records: int

    def add(self, result: Storable) -> None:
        """Add the records of a page."""

    def columns(self) -> list[Column]:
        """The table, flat."""

    def to_arrow(self) -> pa.Table:
        """The table, nested as the records are."""

    def fetched_column(self) -> Column:
        """For each record when its page was had, in UTC."""


@dataclass(frozen=True)
class _Part:
    """The records of one page, without the document that they came from: that would hold its tree in memory."""

    page: str
    fetched: datetime
    length: int
    fields: Sequence[Field]


@dataclass
class Gathered:
    """The records of the best region of each page."""

    pages: int = 0
    records: int = 0
    _parts: list[_Part] = field(default_factory=list)

    def add(self, result: Storable) -> None:
        """Add the best region of a page."""
        if isinstance(result, Failure):
            return
        if not isinstance(result, PageRegions):
            raise TypeError("extractions go to a sink that was opened with their wrapper")
        self.pages += 1
        if result.regions and len(result.regions[0]):
            best = result.regions[0]
            self._parts.append(_Part(result.page, result.fetched, len(best), best.columns))
            self.records += len(best)

    def page_column(self) -> Column:
        """For each record the address of its page."""
        return Column(PAGE, "text", [whole(part.page) for part in self._parts for _ in range(part.length)])

    def fetched_column(self) -> Column:
        """For each record when its page was had, in UTC."""
        return fetch_times((part.fetched, part.length) for part in self._parts)

    def columns(self) -> list[Column]:
        """The table with the names that pages use."""
        return [self.page_column(), *to_columns(self.fields(taken=[PAGE]))]

    def to_arrow(self) -> pa.Table:
        """The same for Arrow."""
        return tabling.to_arrow(self.columns())

    def fields(self, spell: Callable[[str], str] = str, taken: Collection[str] = ()) -> list[Field]:
        """The fields of all pages, in the order in which they appear; text where pages disagree about a type."""
        merged: dict[str, _Merged] = {}
        place = 0
        named = name_apart([part.fields for part in self._parts], spell, taken)
        for part, fields in zip(self._parts, named, strict=True):
            for each in fields:
                if each.name not in merged:
                    merged[each.name] = _Merged(self.records)
                merged[each.name].put(place, each)
            place += part.length
        return [each.to_field(name) for name, each in merged.items()]


def fetch_times(fetched: Iterable[tuple[datetime, int]]) -> Column:
    """The times, each for so many records."""
    plain = ((time.astimezone(UTC).replace(tzinfo=None), count) for time, count in fetched)
    return Column(FETCHED, "timestamp", [time for time, count in plain for _ in range(count)])


class _Merged:
    """A field over all pages."""

    def __init__(self, length: int) -> None:
        self._values: list[str | None] = [None] * length
        self._typed: list[Value | None] = []
        self._types: dict[str, str] = {}
        """For each kind that occurs, the type that it has first."""

    def put(self, place: int, part: Field) -> None:
        self._values[place : place + len(part.values)] = part.values
        kind = kind_of(part)
        if any(value is not None for value in part.values):  # a page that has none has no say in the type
            self._types.setdefault(kind, part.type)
        if kind != "text":
            self._typed = self._typed or [None] * len(self._values)
            self._typed[place : place + len(part.typed)] = part.typed

    def to_field(self, name: str) -> Field:
        if len(self._types) != 1:
            return Field(name, "text", tuple(self._values), ())
        ((kind, first_type),) = self._types.items()
        return Field(name, first_type, tuple(self._values), (), () if kind == "text" else tuple(self._typed))
