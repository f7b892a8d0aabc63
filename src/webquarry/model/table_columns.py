"""Fields of regions, and the columns of a table that they become.

A typed field becomes up to three columns: its values, their units as `NAME_unit` and the texts as `NAME_text`.  These
names are reserved wherever a typed field is called NAME, so that a table can grow by further pages: a field of the page
that happens to have such a name gets a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from webquarry.model.names import distinct, whole

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.values.text_value import Value

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


def name_fields_apart(
    pages: Sequence[Sequence[Field]], spell: Callable[[str], str] = str, taken: Collection[str] = ()
) -> list[list[Field]]:
    """Rename the fields of each page so that they differ from each other, from names taken, and from companions."""
    avoided = set(taken)
    while True:  # a renamed field has new companions; ends, as a name with a number never ends in _unit or _text
        named = [_rename(fields, spell, avoided) for fields in pages]
        needed = {
            name for fields in named for each in fields if kind_of(each) != "text" for name in companions(each.name)
        }
        if needed <= avoided:
            return named
        avoided |= needed


def _rename(fields: Sequence[Field], spell: Callable[[str], str], avoided: Collection[str]) -> list[Field]:
    names = distinct((spell(whole(each.name)) for each in fields), avoided)
    return [replace(each, name=name) for each, name in zip(fields, names, strict=True)]


def to_columns(fields: Iterable[Field]) -> Iterator[Column]:
    """Make the columns of fields that `name_fields_apart` has named."""
    for each in fields:
        texts = Column(each.name, "text", [value if value is None else whole(value) for value in each.values])
        kind = kind_of(each)
        if kind == "text":
            yield texts
            continue
        unit, text = companions(each.name)
        yield Column(each.name, kind, [_plain(value, kind) for value in each.typed])
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


def _plain(value: Value | None, kind: str) -> Any:
    if value is None:
        return None
    return float(value.value) if kind == "number" and not isinstance(value.value, date) else value.value
