"""Nested tables for what has no nesting: columns with dotted names, and lists as JSON."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

from webquarry.model.tabling import Column

if TYPE_CHECKING:
    import pyarrow as pa


def flatten(table: pa.Table) -> list[Column]:
    """The columns, those in another as `OUTER.INNER`."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    while any(pa.types.is_struct(each) for each in table.schema.types):
        table = table.flatten()
    return [_flat(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=date.isoformat)


def _flat(name: str, column: pa.ChunkedArray) -> Column:
    import pyarrow as pa  # noqa: PLC0415

    kinds = {pa.float64(): "number", pa.date32(): "date", pa.bool_(): "boolean"}
    values = column.to_pylist()
    if pa.types.is_list(column.type):
        values = [None if value is None else _json(value) for value in values]
    return Column(name, kinds.get(column.type, "text"), values)
