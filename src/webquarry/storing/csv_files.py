"""CSV as RFC 4180 has it, in UTF-8.

Values that a spreadsheet would take for a formula (`=`, `+`, `@`, `-`) are left as they are: this is data for programs
too, a telephone number begins with `+` and a number with `-`, and a value that we changed could not be trusted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from webquarry.model.tabling import Column


def to_csv(columns: Sequence[Column]) -> bytes:
    """A line with the names, then a line a record; what is absent is empty."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)  # the dialect excel is RFC 4180: quotes where needed, lines end with CRLF
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*(_texts(column) for column in columns), strict=True))
    return file.getvalue().encode()


def _texts(column: Column) -> Sequence[object]:
    if column.kind == "number":
        return [_number(value) for value in column.values]
    if column.kind == "boolean":
        return [None if value is None else str(value).lower() for value in column.values]
    return column.values


def _number(value: object) -> object:
    """Whole numbers without a point, as long as they are exact."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
