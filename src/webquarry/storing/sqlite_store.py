"""Store records in a table of an SQLite file, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path

from webquarry.model.names import quote_name
from webquarry.model.table_columns import Column
from webquarry.storing import schema_growth
from webquarry.storing.results_table import RecordTable
from webquarry.storing.schema_growth import ANY, Fit, Widening, fit, fit_columns, folded, without_empty

_TYPES = {
    "text": "TEXT",
    "number": "REAL",
    "integer": "INTEGER",
    "date": "DATE",
    "boolean": "BOOLEAN",
    "timestamp": "TIMESTAMP",
}
_KINDS = {"DATE": "date", "BOOLEAN": "boolean", "TIMESTAMP": "timestamp", "DATETIME": "timestamp", "": ANY}
_LIMIT_COLUMN = 2  # SQLITE_LIMIT_COLUMN: the maximum number of columns in a table
_SPARE_COLUMN = "webquarry_widened"


def check(path: Path) -> None:
    """Raise if records could not be stored there."""
    path = schema_growth.resolve_file(path, "SQLite")
    if path.exists():
        with _transaction(path, path):
            pass


def append(path: Path, table: str, records: RecordTable) -> None:
    """Add all records or none to a table, which is created or grows as they need it."""
    _append(path, table, partial(fit, records))


def append_table(path: Path, table: str, columns: Sequence[Column]) -> None:
    """Add columns as they are, without the time of fetching."""

    def fit_into(existing: Mapping[str, str]) -> Fit:
        return fit_columns([_as_existing(each, existing) for each in columns], existing)

    _append(path, table, fit_into)


def _as_existing(column: Column, existing: Mapping[str, str]) -> Column:
    """Name a column as the table does; without values it takes the kind of the table's column."""
    kind = existing.get(folded(column.name))
    if kind is None:
        return column
    has_values = any(value is not None for value in column.values)
    return replace(column, name=folded(column.name), kind=column.kind if has_values else kind)


def _append(path: Path, table: str, fit_into: Callable[[Mapping[str, str]], Fit]) -> None:
    path = schema_growth.resolve_file(path, "SQLite")

    def write(place: Path) -> None:
        with _transaction(place, path, table) as connection:
            _insert(connection, table, fit_into)

    schema_growth.write_database(path, write)


def _insert(connection: sqlite3.Connection, table: str, fit_into: Callable[[Mapping[str, str]], Fit]) -> None:
    existing = _columns(connection, table)
    fitted = fit_into(existing)
    if len(existing) + len(fitted.added) > connection.getlimit(_LIMIT_COLUMN):
        fitted = without_empty(fitted)  # a wrapper may have more sections than SQLite has columns
    widen = partial(_widen, quote_name(table))
    for statement in schema_growth.write_changes(quote_name(table), fitted, _TYPES, widen, is_new=not existing):
        connection.execute(statement)
    names = ", ".join(quote_name(each.name) for each in fitted.columns)
    marks = ", ".join("?" for _ in fitted.columns)
    rows = zip(*(_stored(each) for each in fitted.columns), strict=True)
    connection.executemany(f"INSERT INTO {quote_name(table)} ({names}) VALUES ({marks})", rows)  # noqa: S608 - quoted


@contextmanager
def _transaction(place: Path, shown: Path, table: str | None = None) -> Iterator[sqlite3.Connection]:
    """Open a connection in a transaction, which is committed at the end or rolled back after an error.

    Errors name the file `shown`.
    """
    try:
        with closing(sqlite3.connect(place, isolation_level=None, timeout=schema_growth.LOCK_SECONDS)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise schema_growth.locked(shown) from error
        raise schema_growth.refused(shown, table, error) from error


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    rows = connection.execute("SELECT name, type FROM pragma_table_info(?)", [table]).fetchall()
    return {folded(name): _kind(declared.upper()) for name, declared in rows}


def _kind(declared: str) -> str:
    """Tell the kind of a column by its declared type: section 3.1 (affinity) of SQLite's page on datatypes."""
    if declared in _KINDS:
        return _KINDS[declared]
    if "INT" in declared:
        return "integer"
    if any(part in declared for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    return ANY if "BLOB" in declared else "number"


def _widen(table: str, widening: Widening) -> Iterator[str]:
    """Turn a column into text; SQLite would store "007" as 7 in a column of numbers."""
    name = quote_name(widening.name)
    yield f"ALTER TABLE {table} ADD COLUMN {_SPARE_COLUMN} TEXT"
    yield f"UPDATE {table} SET {_SPARE_COLUMN} = {_text(widening)}"  # noqa: S608 - quoted
    yield f"ALTER TABLE {table} DROP COLUMN {name}"
    yield f"ALTER TABLE {table} RENAME COLUMN {_SPARE_COLUMN} TO {name}"


def _text(widening: Widening) -> str:
    name = quote_name(widening.name)
    cast = f"CAST({name} AS TEXT)"
    # a cast writes 15 digits, and a number may need 17
    is_short = f"typeof({name}) = 'real' AND CAST({cast} AS REAL) <> {name}"
    exact = f"CASE WHEN {is_short} THEN printf('%!.17g', {name}) ELSE {cast} END"
    return f"coalesce({quote_name(widening.texts)}, {exact})" if widening.texts else exact


def _stored(column: Column) -> Sequence[object]:
    """Convert dates and times to text, as SQLite has no types for them."""
    if column.kind == "date":
        return [value.isoformat() if isinstance(value, date) else value for value in column.values]
    if column.kind == "timestamp":
        return [value.isoformat(" ", "seconds") if isinstance(value, datetime) else value for value in column.values]
    return column.values
