"""Gather the records of all pages of a run in one table, and store them together at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webquarry.model import table_columns
from webquarry.model.extraction import Extraction
from webquarry.model.names import FETCHED, PAGE
from webquarry.model.page import Failure
from webquarry.model.region import PageRegions, Region
from webquarry.model.table_columns import DATA, Column, Field, kind_of, name_fields_apart, nest_data, to_columns
from webquarry.model.wording import count, whole
from webquarry.values.text_value import Value

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.region import Storable
    from webquarry.model.wrapper import Wrapper


class RecordTable(Protocol):
    """The records of the pages of a run."""

    pages: int
    """Pages with and without records, but not failed ones."""
    records: int

    def add(self, result: Storable) -> None:
        """Add the records of a page."""

    def columns(self) -> list[Column]:
        """Make the table with flat columns."""

    def to_arrow(self) -> pa.Table:
        """Make the table, nested as the records are."""

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""


class TableSink:
    """A sink that gathers the records of pages in a table and stores them together."""

    def __init__(self, table: RecordTable, place: str, store: Callable[[RecordTable], None]) -> None:
        """Store the table by `store`; `place` names the destination in the last message."""
        self._table, self._place, self._store = table, place, store
        self.add = table.add

    def finish(self) -> str:
        """Store the table; say what was stored."""
        if not self._table.records:
            return f"no records: nothing was written to {self._place}"
        self._store(self._table)
        return f"{count(self._table.records, 'record')} of {count(self._table.pages, 'page')} in {self._place}"

    def close(self) -> None:
        """Do nothing: before `finish` there is nothing to clean up."""


class RegionPart(NamedTuple):
    """The records of one page, without its document, which would keep the whole tree in memory."""

    page: str
    fetched: datetime
    length: int
    fields: Sequence[Field]


def part_of(result: PageRegions) -> RegionPart:
    """Take the records of the best region of a page."""
    best = result.regions[0] if result.regions else ()
    return RegionPart(result.page, result.fetched, len(best), best.columns if isinstance(best, Region) else ())


class RegionTable:
    """The records of the best region of each page."""

    def __init__(self, *, values_only: bool = False, drop_constant: bool = False) -> None:
        self.pages = self.records = 0
        self.values_only = values_only
        """Leave out the columns for units and texts beside typed values."""
        self._drop_constant = drop_constant
        self._parts: list[RegionPart] = []

    def add(self, result: Storable) -> None:
        """Add the best region of a page."""
        if isinstance(result, Failure):
            return
        if not isinstance(result, PageRegions):
            raise TypeError("extractions need a sink that was opened with their wrapper")
        self.add_part(part_of(result))

    def add_part(self, part: RegionPart) -> None:
        """Add the records of a page."""
        self.pages += 1
        if part.length:
            self._parts.append(part)
            self.records += part.length

    def page_column(self) -> Column:
        """Make the column with the address of each record's page."""
        return Column(PAGE, "text", [whole(part.page) for part in self._parts for _ in range(part.length)])

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""
        return _repeat_times((part.fetched, part.length) for part in self._parts)

    def columns(self) -> list[Column]:
        """Make the table with the names that pages use."""
        return [self.page_column(), *to_columns(self.fields(taken=[PAGE]), values_only=self.values_only)]

    def to_arrow(self) -> pa.Table:
        """Make the same table for Arrow, with what pages state but do not show as structures."""
        return nest_data(table_columns.to_arrow(self.columns()))

    def data_columns(self, spell: Callable[[str], str]) -> list[Column]:
        """Make the columns of what pages state but do not show, named without the prefix."""
        return list(to_columns(self.fields(lambda name: spell(name.removeprefix(DATA)), keep=_is_stated)))

    def fields(
        self,
        spell: Callable[[str], str] = str,
        taken: Collection[str] = (),
        keep: Callable[[Field], bool] = lambda _: True,
    ) -> list[Field]:
        """Merge the fields of all pages, in order of appearance; text where pages disagree about a type.

        Leave out fields that are the same in all records if the table is to have none, unless all are.
        """
        merged: dict[str, _MergedField] = {}
        row = 0
        kept = [[each for each in part.fields if keep(each)] for part in self._parts]
        named = name_fields_apart(kept, spell, taken)
        for part, fields in zip(self._parts, named, strict=True):
            for each in fields:
                if each.name not in merged:
                    merged[each.name] = _MergedField(self.records)
                merged[each.name].put(row, each)
            row += part.length
        fields = [each.to_field(name) for name, each in merged.items()]
        varying = [each for each in fields if not each.is_constant] if self._drop_constant else fields
        return varying or fields


def _is_stated(field: Field) -> bool:
    return field.name.startswith(DATA)


def is_shown(field: Field) -> bool:
    """Tell whether a field is of the page itself."""
    return not _is_stated(field)


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


class ExtractionTable:
    """The records that a wrapper finds, in the columns that it says its pages have."""

    def __init__(self, wrapper: Wrapper) -> None:
        # Arrow is slow to import, and tables of regions need none
        from webquarry.model import arrow_values, section_columns  # noqa: PLC0415

        self.pages = self.records = 0
        self._wrapper, self._arrow, self._sections = wrapper, arrow_values, section_columns
        self._extractions: list[Extraction] = []
        self._fetched: list[tuple[datetime, int]] = []

    def add(self, result: Storable) -> None:
        """Add the records of a page."""
        if isinstance(result, Failure):
            return
        if not isinstance(result, Extraction):
            raise TypeError("regions need a sink that was opened without a wrapper")
        self.pages += 1
        number = self._sections.count_records(self._wrapper, result)
        if number:
            self.records += number
            self._extractions.append(result)
            self._fetched.append((datetime.now(UTC), number))

    def columns(self) -> list[Column]:
        """Make the table with dotted names, such as `geography.area.total`; lists become JSON."""
        return self._arrow.to_flat_columns(self._arrow.without_structures(self.to_arrow()))

    def to_arrow(self) -> pa.Table:
        """Make the table with sections in sections."""
        return self._sections.to_arrow(self._wrapper, self._extractions)

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""
        return _repeat_times(self._fetched)


def _repeat_times(fetched: Iterable[tuple[datetime, int]]) -> Column:
    """Make a column of times in UTC, each repeated once per record of its page."""
    plain = ((time.astimezone(UTC).replace(tzinfo=None), number) for time, number in fetched)
    return Column(FETCHED, "timestamp", [time for time, number in plain for _ in range(number)])
