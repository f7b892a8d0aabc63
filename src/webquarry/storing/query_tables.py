"""Tables, such as answers to queries, in every format of results.

What SQL gives is kept: rows in their order, and columns too, of which a second one of the same name gets a number.
Nested values stay so where a format has them, and else are JSON or, on a terminal, written for a person.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.model.arrow_values import in_zone, list_values, to_flat_columns, to_plain
from webquarry.model.names import distinct
from webquarry.model.table_columns import Column
from webquarry.storing import duckdb_store as duckdb_files, sqlite_store as sqlite_files
from webquarry.storing.atomic_files import check_place, write_pieces
from webquarry.storing.formats import DATABASES
from webquarry.storing.result_files import to_csv, to_json, to_parquet
from webquarry.storing.schema_growth import check_table_name, folded
from webquarry.storing.terminal_tables import ROWS_SHOWN, to_rows

_AT_ONCE = 1_000  # rows of JSON that are written together


def check_table_place(name: str, output: Path | None, table_name: str | None = None) -> None:
    """Raise what would keep a table from being stored in the format of this name, before there is one."""
    if output is None:
        return
    check_place(output)
    if name in DATABASES:
        check_table_name(output, table_name)
        _DATABASES[name][0](output)


def store_table(
    table: pa.Table,
    name: str,
    output: Path | None = None,
    *,
    table_name: str | None = None,
    stream: BinaryIO | None = None,
) -> str:
    """Write a table in the format of this name to a file, or to a stream, by default standard output.

    A file is replaced whole, a table of a database is made or added to in one transaction.  Gives back what to say
    of it.  A terminal gets the first rows of many.
    """
    table = _with_distinct_names(table, is_folded=name in DATABASES) if name != "table" else table
    rows = f"{table.num_rows:,} row{'s' * (table.num_rows != 1)}"
    if name in DATABASES:
        if output is None:
            raise InputError("a database is a file; name one with -o")
        table_name = check_table_name(output, table_name)
        _DATABASES[name][1](output, table_name, table)
        return f"{rows} in table {table_name} of {output}"
    stream = stream or sys.stdout.buffer
    most = ROWS_SHOWN if output is None and stream.isatty() else None
    pieces = [to_rows(table, most=most).encode()] if name == "table" else _WRITERS[name](table)
    write_pieces(pieces, output, stream)
    return f"{rows} in {output or 'standard output'}"


def _with_distinct_names(table: pa.Table, *, is_folded: bool) -> pa.Table:
    """The table with columns whose names differ; to databases the case of A to Z is no difference."""
    names = [folded(name) if is_folded else name for name in table.column_names]
    apart = [
        given + found.removeprefix(name)
        for given, name, found in zip(table.column_names, names, distinct(names), strict=True)
    ]
    return table.rename_columns(apart)


def _json_lines(table: pa.Table, between: str = "") -> Iterator[bytes]:
    """A line for each row."""
    start, end = "", "\n"
    for batch in (table.slice(place, _AT_ONCE) for place in range(0, table.num_rows, _AT_ONCE)):
        values = [list_values(column) for column in batch.columns]
        rows = (dict(zip(table.column_names, row, strict=True)) for row in zip(*values, strict=True))
        texts = (to_json(to_plain(row)) for row in rows)
        yield f"{start}{f'{end}{between}'.join(texts)}{end}".encode()
        start = between


def _json_array(table: pa.Table) -> Iterator[bytes]:
    yield b"[\n"
    yield from _json_lines(table, ",")
    yield b"]\n"


def _csv(table: pa.Table) -> Iterator[bytes]:
    yield to_csv(to_flat_columns(table))


def _parquet(table: pa.Table) -> Iterator[bytes]:

    try:
        yield to_parquet(table)
    except pa.ArrowException as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"Parquet cannot hold the rows: {reason}; cast that column in the query to VARCHAR") from error


def _to_duckdb(path: Path, table_name: str, table: pa.Table) -> None:

    columns = [_as_integers(in_zone(column, None)) for column in table.columns]
    duckdb_files.append_table(path, table_name, pa.table(columns, names=table.column_names))


def _as_integers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Sums of integers as integers, where these are large enough: DuckDB gives them to Arrow as decimals."""

    if column.type != pa.decimal128(38, 0):
        return column
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column


def _to_sqlite(path: Path, table_name: str, table: pa.Table) -> None:
    sqlite_files.append_table(path, table_name, [_in_utc(each) for each in to_flat_columns(table)])


def _in_utc(column: Column) -> Column:
    """The column with times as texts, to the last digit; SQLite has no times of its own, and no zones."""
    if column.kind != "timestamp":
        return column
    naive = [
        value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value
        for value in column.values
    ]
    return replace(column, values=[None if value is None else str(value) for value in naive])


_WRITERS: dict[str, Callable[[pa.Table], Iterator[bytes]]] = {
    "json": _json_array,
    "jsonl": _json_lines,
    "csv": _csv,
    "parquet": _parquet,
}
_DATABASES: dict[str, tuple[Callable[[Path], None], Callable[[Path, str, pa.Table], None]]] = {
    "duckdb": (duckdb_files.check, _to_duckdb),
    "sqlite": (sqlite_files.check, _to_sqlite),
}
