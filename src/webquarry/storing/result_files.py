"""JSON: for each page an object, with the error in that of a page that failed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from webquarry.model.page import Failure
from webquarry.model.region import Storable
from webquarry.model.table_columns import Column
from webquarry.model.wording import whole
from webquarry.storing.atomic_files import Pieces

if TYPE_CHECKING:
    import pyarrow as pa

# MERGED storing/json_texts: Plain values as JSON on one line, whatever a reader takes for the end of a line.
_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Marks that JSON allows in a text, and that Unicode, and with it many a program, takes for the end of a line."""


def to_json(plain: Any) -> str:
    """The value as JSON, without an end of a line in it.

    >>> to_json({"text": "one\\u2028two"})
    '{"text": "one\\\\u2028two"}'
    """
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() else whole(text).translate(_ENDS)


class JsonLines:
    """A line a page; on a stream each as soon as it is there."""

    opening, between, closing = "", "", ""

    def __init__(self, output: Path | None, stream: BinaryIO) -> None:
        self._pieces = Pieces(output, stream)
        self._any = False
        self._write(self.opening)

    def add(self, result: Storable) -> None:
        """Write the result of a page."""
        plain = {"page": result.page, "error": result.error} if isinstance(result, Failure) else result.to_dict()
        text = to_json(plain)
        self._write((self.between if self._any else "") + text + "\n")
        self._any = True

    def finish(self) -> str | None:
        """Let the file be seen."""
        self._write(self.closing)
        self._pieces.finish()
        return None

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        self._pieces.close()

    def _write(self, text: str) -> None:
        self._pieces.write(text.encode())


class JsonArray(JsonLines):
    """One array, with an element a page, each on a line of its own."""

    opening, between, closing = "[\n", ",", "]\n"


# MERGED storing/csv_files: CSV as RFC 4180 has it, in UTF-8.
# MERGED
# MERGED Values that a spreadsheet would take for a formula (`=`, `+`, `@`, `-`) are left as they are: this i
# MERGED too, a telephone number begins with `+` and a number with `-`, and a value that we changed could not
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


# MERGED storing/parquet_files: Parquet, by Arrow.
def to_parquet(table: pa.Table) -> bytes:
    """The table as a Parquet file."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()
