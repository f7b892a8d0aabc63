"""Gather the records of all pages of a run in one table, and store them together at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from webquarry.model import table_columns
from webquarry.model.names import FETCHED, PAGE, count, whole
from webquarry.model.page import Failure
from webquarry.model.region import Field, PageRegions
from webquarry.model.table_columns import Column, kind_of, name_fields_apart, to_columns
from webquarry.values.text_value import Value

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.region import Storable


class RecordTable:
    """A sink that gathers the records of pages and stores them together."""

    def __init__(self, place: str, store: Callable[[RecordTable], None]) -> None:
        """`place` is where `store` puts the table, for the message in the end."""
        self._place, self._store = place, store
        self.pages = 0
        """Pages with and without records, but not failed ones."""
        self.records = 0

    def add(self, result: Storable) -> None:
        """Add the records of a page."""
        raise NotImplementedError

    def columns(self) -> list[Column]:
        """Make the table with flat columns."""
        raise NotImplementedError

    def to_arrow(self) -> pa.Table:
        """Make the table, nested as the records are."""
        raise NotImplementedError

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""
        raise NotImplementedError

    def finish(self) -> str:
        """Store the table; say what was stored."""
        if not self.records:
            return f"no records: nothing was written to {self._place}"
        self._store(self)
        return f"{count(self.records, 'record')} of {count(self.pages, 'page')} in {self._place}"

    def close(self) -> None:
        """Do nothing: before `finish` there is nothing to clean up."""


class _Part(NamedTuple):
    """The records of one page, without its document, which would keep the whole tree in memory."""

    page: str
    fetched: datetime
    length: int
    fields: Sequence[Field]


class RegionTable(RecordTable):
    """The records of the best region of each page."""

    def __init__(
        self,
        place: str,
        store: Callable[[RecordTable], None],
        *,
        values_only: bool = False,
        drop_constant: bool = False,
    ) -> None:
        super().__init__(place, store)
        self.values_only = values_only
        """Leave out the columns for units and texts beside typed values."""
        self._drop_constant = drop_constant
        self._parts: list[_Part] = []

    def add(self, result: Storable) -> None:
        """Add the best region of a page."""
        if isinstance(result, Failure):
            return
        if not isinstance(result, PageRegions):
            raise TypeError("extractions need a sink that was opened with their wrapper")
        self.pages += 1
        if result.regions and len(result.regions[0]):
            best = result.regions[0]
            self._parts.append(_Part(result.page, result.fetched, len(best), best.columns))
            self.records += len(best)

    def page_column(self) -> Column:
        """Make the column with the address of each record's page."""
        return Column(PAGE, "text", [whole(part.page) for part in self._parts for _ in range(part.length)])

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""
        return repeat_times((part.fetched, part.length) for part in self._parts)

    def columns(self) -> list[Column]:
        """Make the table with the names that pages use."""
        return [self.page_column(), *to_columns(self.fields(taken=[PAGE]), values_only=self.values_only)]

    def to_arrow(self) -> pa.Table:
        """Make the same table for Arrow."""
        return table_columns.to_arrow(self.columns())

    def fields(self, spell: Callable[[str], str] = str, taken: Collection[str] = ()) -> list[Field]:
        """Merge the fields of all pages, in order of appearance; text where pages disagree about a type.

        Leave out fields that are the same in all records if the table is to have none, unless all are.
        """
        merged: dict[str, _MergedField] = {}
        row = 0
        named = name_fields_apart([part.fields for part in self._parts], spell, taken)
        for part, fields in zip(self._parts, named, strict=True):
            for each in fields:
                if each.name not in merged:
                    merged[each.name] = _MergedField(self.records)
                merged[each.name].put(row, each)
            row += part.length
        fields = [each.to_field(name) for name, each in merged.items()]
        kept = [each for each in fields if not each.is_constant] if self._drop_constant else fields
        return kept or fields


class _MergedField:
    """A field over all pages."""

    def __init__(self, length: int) -> None:
        self._values: list[str | None] = [None] * length
        self._typed: list[Value | None] = []
        self._types: dict[str, str] = {}
        """The first type of each kind that occurs."""

    def put(self, row: int, part: Field) -> None:
        self._values[row : row + len(part.values)] = part.values
        kind = kind_of(part)
        if any(value is not None for value in part.values):  # a page without values does not affect the type
            self._types.setdefault(kind, part.type)
        if kind != "text":
            self._typed = self._typed or [None] * len(self._values)
            self._typed[row : row + len(part.typed)] = part.typed

    def to_field(self, name: str) -> Field:
        if len(self._types) != 1:
            return Field(name, "text", tuple(self._values), ())
        ((kind, first_type),) = self._types.items()
        return Field(name, first_type, tuple(self._values), (), () if kind == "text" else tuple(self._typed))


def repeat_times(fetched: Iterable[tuple[datetime, int]]) -> Column:
    """Make a column of times in UTC, each repeated for so many records."""
    plain = ((time.astimezone(UTC).replace(tzinfo=None), number) for time, number in fetched)
    return Column(FETCHED, "timestamp", [time for time, number in plain for _ in range(number)])
