"""Convert values of Arrow tables for JSON, for a line of text, or for flat columns.

Times with a zone become UTC.  No number is rounded: one that no float can hold becomes text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.model.table_columns import Column

_INTEGERS = range(-(2**63), 2**63)  # of databases


def to_plain(value: Any) -> Any:
    """Convert a value for JSON, which has neither infinity nor NaN: they become None.

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
    """Write a value on one line for a person, leaving out absent parts of nested values.

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
    """List the values as Python objects; maps become dictionaries, times with a zone UTC."""
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":  # Python has microseconds
        return list(column.cast(pa.string()).to_pylist())
    # plain columns take half the time without the option for maps
    options = {"maps_as_pydicts": "lossy"} if pa.types.is_nested(column.type) else {}
    try:
        values: list[Any] = in_zone(column, "UTC").to_pylist(**options)
    except (ValueError, OverflowError) as error:  # a date before the year 1, or infinity
        if pa.types.is_nested(column.type):
            raise InputError(f"cannot convert a nested value: {error}; cast it to VARCHAR in the query") from error
        return list(column.cast(pa.string()).to_pylist())
    return values


def in_zone(column: pa.ChunkedArray, zone: str | None) -> pa.ChunkedArray:
    """Convert all times that have a zone to another zone; None takes the zone away from UTC times."""
    wanted = _zoned(column.type, zone)
    return column if wanted == column.type else column.cast(wanted)


def _zoned(kind: pa.DataType, zone: str | None) -> pa.DataType:
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        return pa.timestamp(kind.unit, zone)
    if pa.types.is_struct(kind):
        return pa.struct([each.with_type(_zoned(each.type, zone)) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_zoned(kind.value_type, zone)))
    return kind


def without_structures(table: pa.Table) -> pa.Table:
    """Replace structures by a column for each field, with dotted names such as `geography.area.total`."""
    while any(map(pa.types.is_struct, table.schema.types)):
        table = table.flatten()
    return table


def to_flat_columns(table: pa.Table) -> list[Column]:
    """Flatten a table into plain columns; nested values become JSON."""
    return [_flat(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]


def is_number(kind: pa.DataType) -> bool:
    """Tell whether values of the type are numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _flat(name: str, column: pa.ChunkedArray) -> Column:
    types, values = pa.types, list_values(column)
    kinds = {"text": types.is_string, "number": types.is_floating, "boolean": types.is_boolean}
    for kind, is_kind in kinds.items():
        if is_kind(column.type):
            return Column(name, kind, values)
    if types.is_integer(column.type) or types.is_decimal(column.type):
        return _numbers(name, values)
    is_time = types.is_date(column.type) or types.is_timestamp(column.type)
    if is_time and all(value is None or isinstance(value, date) for value in values):  # a datetime is a date too
        return Column(name, "date" if types.is_date(column.type) else "timestamp", values)
    if types.is_nested(column.type):
        values = [None if value is None else json.dumps(to_plain(value), ensure_ascii=False) for value in values]
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


def _duration(months: int, days: int, seconds: float) -> str:
    """Write a duration as in ISO 8601.

    >>> _duration(2, 0, 1.5), _duration(0, 0, 0)
    ('P2MT1.5S', 'PT0S')
    """
    parts = (f"{months}M" if months else "") + (f"{days}D" if days else "")
    return f"P{parts}T{seconds:.15g}S" if seconds or not parts else f"P{parts}"
