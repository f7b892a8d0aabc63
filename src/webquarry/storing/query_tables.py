"""Store tables, such as answers to queries and reports, in every format of results.

The order of rows and columns is kept; a second column of the same name gets a number.  Nested values stay nested where
a format allows it; elsewhere they become JSON, and on a terminal text for a person.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from os.path import commonprefix
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webquarry.errors import InputError
from webquarry.model.arrow_values import in_zone, list_values, to_flat_columns, to_plain
from webquarry.model.names import PAGE, distinct
from webquarry.model.report import Report
from webquarry.model.table_columns import Column
from webquarry.model.wording import count
from webquarry.storing import duckdb_store, postgres_store, sqlite_store
from webquarry.storing.formats import DATABASES, SAFE_CSV, to_csv, to_json, to_parquet, to_xlsx
from webquarry.storing.result_files import PLAIN_ADDITION, Addition, Server, Target, check_place, write_pieces
from webquarry.storing.schema_growth import check_table_name, folded
from webquarry.storing.terminal_tables import ROWS_SHOWN, to_rows

ROWS_PER_PIECE = 1_000
"""Rows of JSON that are written together."""
DIGITS_OF_SCORES = 4
"""On a terminal, where people only compare scores."""
_REPORT_COLUMNS = ("page", "column", "text", "score", "reason")


def check_table_place(name: str, output: Target | None, table_name: str | None = None) -> None:
    """Raise if a table could not be stored there in this format."""
    if output is None:
        return
    if isinstance(output, Server):
        postgres_store.check(output, check_table_name(output, table_name))
        return
    check_place(output)
    if name in DATABASES:
        check_table_name(output, table_name)
        (duckdb_store if name == "duckdb" else sqlite_store).check(output)


def store_table(
    table: pa.Table,
    name: str,
    output: Target | None = None,
    *,
    table_name: str | None = None,
    addition: Addition = PLAIN_ADDITION,
    stream: BinaryIO | None = None,
) -> str:
    """Write a table in this format to a file, or to a stream, by default standard output; return a message about it.

    A file is replaced; a table of a database is created or added to in one transaction.  A terminal gets few rows.
    `addition` is for PostgreSQL.
    """
    table = _with_distinct_names(table, is_folded=name in DATABASES) if name != "table" else table
    rows = count(table.num_rows, "row")
    if isinstance(output, Server):
        table_name = check_table_name(output, table_name)
        postgres_store.append_table(output, table_name, table, addition)
        return f"{rows} in table {table_name} of {output}"
    if name in DATABASES:
        if output is None:
            raise InputError("a database is a file; name one with -o")
        table_name = check_table_name(output, table_name)
        (_to_duckdb if name == "duckdb" else _to_sqlite)(output, table_name, table)
        return f"{rows} in table {table_name} of {output}"
    stream = stream or sys.stdout.buffer
    limit = ROWS_SHOWN if output is None and stream.isatty() else None
    write_pieces(_to_pieces(table, name, limit), output, stream)
    return f"{rows} in {output or 'standard output'}"


def store_report(
    report: Report,
    name: str,
    output: Target | None = None,
    *,
    table_name: str | None = None,
    stream: BinaryIO | None = None,
) -> str:
    """Write a report in this format to a file, or to a stream, by default standard output; return a message about it.

    JSON has an object for each page, a `table` the nodes to drop, oddest first (and nothing is written if there are
    none); the other formats have a row for each node.
    """
    if name in ("json", "jsonl"):
        failed = ({"page": failure.page, "error": failure.error} for failure in report.failures)
        pages = [*(page.to_dict() for page in report.pages), *failed]
        target = output if isinstance(output, Path) else None
        write_pieces(_json_pieces([pages], is_array=name == "json"), target, stream or sys.stdout.buffer)
        return f"{count(len(pages), 'page')} in {output or 'standard output'}"
    table = _select_drops(report.to_arrow()) if name == "table" else report.to_arrow()
    if name == "table" and output is None and not len(table):
        return ""
    return store_table(table, name, output, table_name=table_name, stream=stream)


def _select_drops(table: pa.Table) -> pa.Table:
    """Select the nodes to drop, with the columns that a person looks at; pages without their common folder."""
    folder = _find_folder(table[PAGE].unique().to_pylist())
    dropped = table.filter(table["drop"]).sort_by([("score", "descending")])
    pages = pa.array([page.removeprefix(folder) for page in dropped[PAGE].to_pylist()], pa.string())
    shown = dropped.append_column("page", pages)
    shown = shown.set_column(shown.column_names.index("score"), "score", pc.round(shown["score"], DIGITS_OF_SCORES))
    empty = {"column"} if shown["column"].null_count == len(shown) else set()
    return shown.select([name for name in _REPORT_COLUMNS if name not in empty])


def _find_folder(addresses: Sequence[str]) -> str:
    """Find the beginning that addresses have in common, up to a slash.

    >>> _find_folder(["https://example.org/news/a.html", "https://example.org/news/about.html"])
    'https://example.org/news/'
    """
    return f"{commonprefix(addresses).rpartition('/')[0]}/"  # noqa: RUF071 - characters, because addresses are not paths


def _with_distinct_names(table: pa.Table, *, is_folded: bool) -> pa.Table:
    """Make the names of columns distinct; databases ignore the case of A to Z."""
    names = [folded(name) if is_folded else name for name in table.column_names]
    apart = [
        given + found.removeprefix(name)
        for given, name, found in zip(table.column_names, names, distinct(names), strict=True)
    ]
    return table.rename_columns(apart)


def _to_pieces(table: pa.Table, name: str, limit: int | None) -> Iterator[bytes]:
    if name == "table":
        yield to_rows(table, limit=limit).encode()
    elif name in ("csv", SAFE_CSV):
        yield to_csv(to_flat_columns(table), safe=name == SAFE_CSV)
    elif name == "xlsx":
        yield to_xlsx(to_flat_columns(table))
    elif name == "parquet":
        try:
            yield to_parquet(table)
        except pa.ArrowException as error:
            reason = str(error).partition("\n")[0]
            raise InputError(
                f"Parquet cannot hold the rows: {reason}; cast that column to VARCHAR in the query"
            ) from error
    else:
        yield from _json_pieces(plain_rows(table), is_array=name == "json")


def plain_rows(table: pa.Table) -> Iterator[Iterable[Any]]:
    """Yield the rows as plain values, some at once."""
    for start in range(0, table.num_rows, ROWS_PER_PIECE):
        values = [list_values(column) for column in table.slice(start, ROWS_PER_PIECE).columns]
        yield (to_plain(dict(zip(table.column_names, row, strict=True))) for row in zip(*values, strict=True))


def _json_pieces(batches: Iterable[Iterable[Any]], *, is_array: bool) -> Iterator[bytes]:
    """Write a line for each value, for an array with a comma between."""
    between, comma = ("," if is_array else ""), ""
    if is_array:
        yield b"[\n"
    for batch in batches:
        lines = f"\n{between}".join(map(to_json, batch))
        if lines:
            yield f"{comma}{lines}\n".encode()
            comma = between
    if is_array:
        yield b"]\n"


def _to_duckdb(path: Path, table_name: str, table: pa.Table) -> None:
    columns = [_as_integers(in_zone(column, None)) for column in table.columns]
    duckdb_store.append_table(path, table_name, pa.table(columns, names=table.column_names))


def _as_integers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert sums of integers back, if they fit: DuckDB gives them to Arrow as decimals."""
    if column.type != pa.decimal128(38, 0):
        return column
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column


def _to_sqlite(path: Path, table_name: str, table: pa.Table) -> None:
    sqlite_store.append_table(path, table_name, [_times_to_text(each) for each in to_flat_columns(table)])


def _times_to_text(column: Column) -> Column:
    """Write times in UTC as text, to the last digit; SQLite has neither times nor zones."""
    if column.kind != "timestamp":
        return column
    naive = [
        value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value
        for value in column.values
    ]
    return replace(column, values=[None if value is None else str(value) for value in naive])


def read_parquet(path: Path) -> str:
    """Read a Parquet file as CSV; columns of structures and lists are left out."""
    try:
        table = pq.read_table(path)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path") from error
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({error})") from error
    plain = table.select([field.name for field in table.schema if not pa.types.is_nested(field.type)])
    written = StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(plain.column_names)
    rows.writerows(("" if value is None else value for value in row.values()) for row in plain.to_pylist())
    return written.getvalue()
