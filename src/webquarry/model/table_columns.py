"""The fields of regions as the columns of a table.

A typed field is up to three columns: its values, their units as `NAME_unit` and the texts as `NAME_text`.
Those names mean nothing else wherever a typed field is called NAME, so that a table can grow by further
pages: a field of the page that happens to be called so gets a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from webquarry.model.names import distinct
from webquarry.model.wording import whole

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.region import Field
    from webquarry.values.text_value import Value

_KINDS = {"number": "number", "money": "number", "date": "date", "boolean": "boolean"}


@dataclass(frozen=True)
class Column:
    """A column of plain values, for each record one or None."""

    name: str
    kind: str
    """text, number, date, boolean or timestamp."""
    values: Sequence[str | float | date | datetime | None]


def kind_of(field: Field) -> str:
    """What the column of a field holds: text, number, date or boolean."""
    return _KINDS.get(field.type, "text") if field.typed else "text"


def as_text(field: Field) -> Field:
    """The field with its texts alone."""
    return replace(field, type="text", typed=())


def beside(name: str) -> tuple[str, str]:
    """What the units and the texts of a typed field are called."""
    return f"{name}_unit", f"{name}_text"


def name_apart(
    pages: Sequence[Sequence[Field]], spell: Callable[[str], str] = str, taken: Collection[str] = ()
) -> list[list[Field]]:
    """The fields of each page under names that differ from each other, from those taken and from units and texts."""
    avoided = set(taken)
    while True:  # a field that gets a number moves the names beside it; numbers never end so, hence it ends
        named = [_named(fields, spell, avoided) for fields in pages]
        needed = {name for fields in named for each in fields if kind_of(each) != "text" for name in beside(each.name)}
        if needed <= avoided:
            return named
        avoided |= needed


def _named(fields: Sequence[Field], spell: Callable[[str], str], avoided: Collection[str]) -> list[Field]:
    names = distinct((spell(whole(each.name)) for each in fields), avoided)
    return [replace(each, name=name) for each, name in zip(fields, names, strict=True)]


def to_columns(fields: Iterable[Field]) -> Iterator[Column]:
    """The columns of fields whose names are apart."""
    for each in fields:
        texts = Column(each.name, "text", [value if value is None else whole(value) for value in each.values])
        kind = kind_of(each)
        if kind == "text":
            yield texts
            continue
        unit, text = beside(each.name)
        yield Column(each.name, kind, [_plain(value, kind) for value in each.typed])
        if any(value and value.unit for value in each.typed):
            units = [whole(value.unit) if value and value.unit else None for value in each.typed]
            yield Column(unit, "text", units)
        yield replace(texts, name=text)


def to_arrow(columns: Iterable[Column]) -> pa.Table:
    """The columns as an Arrow table."""
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
