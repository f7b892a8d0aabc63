"""The fields of regions as the columns of a table.

A typed field is up to three columns: its values, their units as `NAME_unit` and the texts as `NAME_text`.
Those names mean nothing else wherever a typed field is called NAME, so that a table can grow by further
pages: a field of the page that happens to be called so gets a number.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from webquarry.errors import InputError
from webquarry.model.names import distinct

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
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    types = {
        "text": pa.string(),
        "number": pa.float64(),
        "date": pa.date32(),
        "boolean": pa.bool_(),
        "timestamp": pa.timestamp("us"),
    }
    return pa.table({each.name: pa.array(each.values, types[each.kind]) for each in columns})


def whole(text: str) -> str:
    """The text with halves of surrogate pairs, which scripts can make and no file can hold, joined or replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _plain(value: Value | None, kind: str) -> Any:
    if value is None:
        return None
    return float(value.value) if kind == "number" and not isinstance(value.value, date) else value.value


# MERGED model/plain_values: Values of Arrow tables as plain ones: fit for JSON, for a line of text, or for c
# MERGED
# MERGED Times with a zone are told in UTC.  No number is rounded: one that is no float stands as its text.
_INTEGERS = range(-(2**63), 2**63)  # what databases call an integer


def to_plain(value: Any) -> Any:
    """The value as JSON has it; what is not a finite number is absent there.

    >>> to_plain({"area": Decimal("12.50"), "on": [date(2026, 1, 2)], "for": timedelta(days=1, seconds=90)})
    {'area': 12.5, 'on': ['2026-01-02'], 'for': 'P1DT90S'}
    """
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(to_plain(name)): to_plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [to_plain(each) for each in value]
    return _scalar(value)


def _scalar(value: Any) -> str | float:
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, timedelta):
        return _duration(0, value.days, value.seconds + value.microseconds / 1e6)
    if isinstance(value, tuple):  # months, days and nanoseconds
        return _duration(value[0], value[1], value[2] / 1e9)
    return str(value)


def to_line(value: Any) -> str:
    """The value for a person, on one line; absent parts of what is nested are left out.

    >>> to_line({"total": 551500.0, "land": None, "seas": ["Channel", "Biscay"]}), to_line(None)
    ('{total: 551500, seas: [Channel, Biscay]}', '')
    """
    if isinstance(value, dict):
        parts = (f"{name}: {to_line(each)}" for name, each in value.items() if each is not None)
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(to_line, value))}]"
    return "" if value is None else _scalar_line(value)


def _scalar_line(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else str(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value if isinstance(value, str | int | date | datetime | time) else _scalar(value))


def list_values(column: pa.ChunkedArray) -> list[Any]:
    """The values for Python; maps are dictionaries, times with a zone are in UTC."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":  # finer than times of Python are
        return _texts(column)
    try:
        values: list[Any] = in_zone(column, "UTC").to_pylist(maps_as_pydicts="lossy")
    except (ValueError, OverflowError) as error:  # a date before the year 1, or for ever
        if pa.types.is_nested(column.type):
            raise InputError(f"a nested value cannot be told: {error}; cast it in the query to VARCHAR") from error
        return _texts(column)
    return values


def in_zone(column: pa.ChunkedArray, zone: str | None) -> pa.ChunkedArray:
    """The column with all times that have a zone in another; with those of UTC alone when it is None."""
    wanted = _zoned(column.type, zone)
    return column if wanted == column.type else column.cast(wanted)


def _texts(column: pa.ChunkedArray) -> list[Any]:
    import pyarrow as pa  # noqa: PLC0415

    texts: list[Any] = column.cast(pa.string()).to_pylist()
    return texts


def _zoned(kind: pa.DataType, zone: str | None) -> pa.DataType:
    import pyarrow as pa  # noqa: PLC0415

    if pa.types.is_timestamp(kind) and kind.tz is not None:
        return pa.timestamp(kind.unit, zone)
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(_zoned(each.type, zone)) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_zoned(kind.value_type, zone)))
    return kind


def to_flat_columns(table: pa.Table) -> list[Column]:
    """The columns, what is nested in them as JSON."""
    return [_flat(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]


def is_number(kind: pa.DataType) -> bool:
    """Whether values of the type are numbers."""
    import pyarrow as pa  # noqa: PLC0415

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _flat(name: str, column: pa.ChunkedArray) -> Column:
    import pyarrow as pa  # noqa: PLC0415

    types, values = pa.types, list_values(column)
    if types.is_nested(column.type):
        return Column(name, "text", [None if value is None else _json(value) for value in values])
    if types.is_integer(column.type) or types.is_decimal(column.type):
        return _numbers(name, values)
    kinds = {
        "number": (types.is_floating, float),
        "boolean": (types.is_boolean, bool),
        "date": (types.is_date, date),
        "timestamp": (types.is_timestamp, datetime),
    }
    for kind, (is_kind, python) in kinds.items():
        if is_kind(column.type) and all(value is None or isinstance(value, python) for value in values):
            return Column(name, kind, values)
    return Column(name, "text", [None if value is None else to_line(value) for value in values])


def _numbers(name: str, values: Sequence[int | Decimal | None]) -> Column:
    plain = [_number(value) if isinstance(value, Decimal) else value for value in values]
    if any(isinstance(value, str) or (isinstance(value, int) and value not in _INTEGERS) for value in plain):
        return Column(name, "text", [None if value is None else to_line(value) for value in values])
    return Column(name, "number" if any(isinstance(value, float) for value in plain) else "integer", plain)


def _number(value: Decimal) -> str | float:
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if Decimal(repr(nearest)) == value else f"{value:f}"


def _json(value: Any) -> str:
    return json.dumps(to_plain(value), ensure_ascii=False)


def _duration(months: int, days: int, seconds: float) -> str:
    """As ISO 8601 writes it.

    >>> _duration(2, 0, 1.5), _duration(0, 0, 0)
    ('P2MT1.5S', 'PT0S')
    """
    parts = (f"{months}M" if months else "") + (f"{days}D" if days else "")
    return f"P{parts}T{seconds:.15g}S" if seconds or not parts else f"P{parts}"
