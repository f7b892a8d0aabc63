"""Fields of regions, and the columns of a table that they become.

A typed field becomes up to four columns: its values, the upper ends of ranges as `NAME_to`, the units as `NAME_unit`
and the texts as `NAME_text`.  The names for units and texts are reserved wherever a typed field is called NAME, so that
a table can grow by further pages, `NAME_to` only where the field has a range: pages have columns such as `valid_to` of
their own.  A field of the page that happens to have a reserved name gets a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from webquarry.model.names import distinct
from webquarry.model.wording import whole

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.values.text_value import Value

DATA = "data."
"""Begins the names of fields that a page states about its records but does not show."""
_KINDS = {"number": "number", "money": "number", "date": "date", "boolean": "boolean"}


@dataclass(frozen=True)
class Field:
    """A column of a region: for each record a value or None, and its node."""

    name: str
    type: str
    """text, number, money, date, boolean, link or image."""
    values: tuple[str | None, ...]
    """Texts as on the page; for links and images absolute addresses."""
    nodes: tuple[int | None, ...]
    typed: tuple[Value | None, ...] = ()
    """The parsed texts of numbers, money, dates and booleans; empty for other types."""
    pointers: tuple[str | None, ...] = ()
    """The JSON pointers of values in the texts of their nodes; empty for values that are nodes."""

    def __repr__(self) -> str:
        return f"<Field {self.name!r}: {self.type}, {len(self.values)} values>"

    @property
    def is_constant(self) -> bool:
        """True if all records have the same value."""
        return len(self.values) > 1 and self.values[0] is not None and len(set(self.values)) == 1


@dataclass(frozen=True)
class Column:
    """A column of plain values, one or None for each record."""

    name: str
    kind: str
    """text, number, integer, date, boolean or timestamp."""
    values: Sequence[str | float | date | datetime | None]


def kind_of(field: Field) -> str:
    """Return the kind of a field's column: text, number, date or boolean."""
    return _KINDS.get(field.type, "text") if field.typed else "text"


def as_text(field: Field) -> Field:
    """Reduce a field to its texts."""
    return replace(field, type="text", typed=())


def companions(name: str) -> tuple[str, str]:
    """Name the columns for the units and the texts of a typed field."""
    return f"{name}_unit", f"{name}_text"


def upper_end(name: str) -> str:
    """Name the column for the upper ends of ranges."""
    return f"{name}_to"


def has_ranges(field: Field) -> bool:
    """Tell whether a typed field has a range among its values."""
    return any(value is not None and value.to is not None for value in field.typed)


def _companions_of(field: Field) -> Iterator[str]:
    if kind_of(field) != "text":
        yield from companions(field.name)
        if has_ranges(field):
            yield upper_end(field.name)


def name_fields_apart(
    pages: Sequence[Sequence[Field]], spell: Callable[[str], str] = str, taken: Collection[str] = ()
) -> list[list[Field]]:
    """Rename the fields of each page so that they differ from each other, from names taken, and from companions."""
    avoided = set(taken)
    while True:  # a renamed field has new companions; ends, as a name with a number is never that of a companion
        named = [_rename(fields, spell, avoided) for fields in pages]
        needed = {name for fields in named for each in fields for name in _companions_of(each)}
        if needed <= avoided:
            return named
        avoided |= needed


def _rename(fields: Sequence[Field], spell: Callable[[str], str], avoided: Collection[str]) -> list[Field]:
    names = distinct((spell(whole(each.name)) for each in fields), avoided)
    return [replace(each, name=name) for each, name in zip(fields, names, strict=True)]


def to_columns(fields: Iterable[Field], *, values_only: bool = False) -> Iterator[Column]:
    """Make the columns of fields that `name_fields_apart` has named; `values_only` without units and texts."""
    for each in fields:
        texts = Column(each.name, "text", [value if value is None else whole(value) for value in each.values])
        kind = kind_of(each)
        if kind == "text":
            yield texts
            continue
        unit, text = companions(each.name)
        yield Column(each.name, kind, [None if value is None else _plain(value.value, kind) for value in each.typed])
        if has_ranges(each):
            ends = [None if value is None or value.to is None else _plain(value.to, kind) for value in each.typed]
            yield Column(upper_end(each.name), kind, ends)
        if values_only:
            continue
        if any(value and value.unit for value in each.typed):
            units = [whole(value.unit) if value and value.unit else None for value in each.typed]
            yield Column(unit, "text", units)
        yield replace(texts, name=text)


def to_arrow(columns: Iterable[Column]) -> pa.Table:
    """Make an Arrow table of the columns."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and most formats need none

    types = {
        "text": pa.string(),
        "number": pa.float64(),
        "date": pa.date32(),
        "boolean": pa.bool_(),
        "timestamp": pa.timestamp("us"),
    }
    return pa.table({each.name: pa.array(each.values, types[each.kind]) for each in columns})


def nest_data(table: pa.Table) -> pa.Table:
    """Put the columns of what pages state but do not show in one column of structures, `data`, the last."""
    stated = [name for name in table.column_names if name.startswith(DATA)]
    if not stated:
        return table
    flat = table.drop_columns(stated)
    columns = {name.removeprefix(DATA): table.column(name) for name in stated}
    return flat.append_column(distinct([DATA.rstrip(".")], flat.column_names)[0], to_structures(columns))


def to_structures(columns: Mapping[str, pa.ChunkedArray]) -> pa.StructArray:
    """Make structures of columns; they are null where all columns are."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    arrays = {name: column.combine_chunks() for name, column in columns.items()}
    absent = [
        not any(cells) for cells in zip(*(array.is_valid().to_pylist() for array in arrays.values()), strict=True)
    ]
    return pa.StructArray.from_arrays([*arrays.values()], [*arrays], mask=pa.array(absent, pa.bool_()))


def _plain(said: float | date | bool, kind: str) -> float | date | bool:
    return float(said) if kind == "number" and not isinstance(said, date) else said
