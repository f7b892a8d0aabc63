"""Records into a table of an SQLite file, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path

from webquarry.model.table_columns import Column
from webquarry.storing import schema_growth as databases
from webquarry.storing.results_table import Gathering
from webquarry.storing.schema_growth import ANY, Fit, Widening, fit, fit_columns, folded, quoted, shaping, without_empty

_TYPES = {
    "text": "TEXT",
    "number": "REAL",
    "integer": "INTEGER",
    "date": "DATE",
    "boolean": "BOOLEAN",
    "timestamp": "TIMESTAMP",
}
_KINDS = {"DATE": "date", "BOOLEAN": "boolean", "TIMESTAMP": "timestamp", "DATETIME": "timestamp", "": ANY}
_LIMIT_COLUMN = 2  # SQLITE_LIMIT_COLUMN, the number of columns that a table may have
_SPARE = "webquarry_widened"


def check(path: Path) -> None:
    """Raise what would keep records from being stored, before any are there."""
    path = databases.prepare(path, "SQLite")
    if path.exists():
        with _transaction(path):
            pass


def append(path: Path, table: str, gathered: Gathering) -> None:
    """Add the records to a table, which is made or grows as they need it; all of them or none.

    Of a new file that gets none an empty database may remain: taking it away could take it from another program.
    """
    _append(path, table, partial(fit, gathered))


def append_table(path: Path, table: str, columns: Sequence[Column]) -> None:
    """The same for columns that are all there is to store."""

    def fit_into(existing: Mapping[str, str]) -> Fit:
        return fit_columns([_as_existing(each, existing) for each in columns], existing)

    _append(path, table, fit_into)


def _as_existing(column: Column, existing: Mapping[str, str]) -> Column:
    """The column as the table calls it; without values it is of whatever kind the table's is."""
    kind = existing.get(folded(column.name))
    if kind is None:
        return column
    has_values = any(value is not None for value in column.values)
    return replace(column, name=folded(column.name), kind=column.kind if has_values else kind)


def _append(path: Path, table: str, fit_into: Callable[[Mapping[str, str]], Fit]) -> None:
    path = databases.prepare(path, "SQLite")
    databases.make_folder(path)
    with _transaction(path, table) as connection:
        existing = _columns(connection, table)
        fitted = fit_into(existing)
        if len(existing) + len(fitted.added) > connection.getlimit(_LIMIT_COLUMN):
            fitted = without_empty(fitted)  # a wrapper may have more sections than SQLite has columns
        for statement in shaping(quoted(table), fitted, _TYPES, partial(_widen, quoted(table)), is_new=not existing):
            connection.execute(statement)
        names = ", ".join(quoted(each.name) for each in fitted.columns)
        marks = ", ".join("?" for _ in fitted.columns)
        rows = zip(*(_stored(each) for each in fitted.columns), strict=True)
        connection.executemany(f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})", rows)  # noqa: S608 - quoted


@contextmanager
def _transaction(path: Path, table: str | None = None) -> Iterator[sqlite3.Connection]:
    """A connection in a transaction that is committed in the end, or undone when it ends in an error."""

    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=databases.WAIT)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise databases.in_use(path) from error
        raise databases.refusal(path, table, error) from error


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    rows = connection.execute("SELECT name, type FROM pragma_table_info(?)", [table]).fetchall()
    return {folded(name): _kind(declared.upper()) for name, declared in rows}


def _kind(declared: str) -> str:
    """What a column takes, by its declared type: the rules of affinity, section 3.1 of SQLite's page on types."""
    if declared in _KINDS:
        return _KINDS[declared]
    if "INT" in declared:
        return "integer"
    if any(part in declared for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    return ANY if "BLOB" in declared else "number"


def _widen(table: str, widening: Widening) -> Iterator[str]:
    """Make a column text; in one of numbers SQLite would take "007" for 7."""
    name = quoted(widening.name)
    yield f"ALTER TABLE {table} ADD COLUMN {_SPARE} TEXT"
    yield f"UPDATE {table} SET {_SPARE} = {_text(widening)}"  # noqa: S608 - quoted
    yield f"ALTER TABLE {table} DROP COLUMN {name}"
    yield f"ALTER TABLE {table} RENAME COLUMN {_SPARE} TO {name}"


def _text(widening: Widening) -> str:
    name = quoted(widening.name)
    cast = f"CAST({name} AS TEXT)"
    # a cast writes 15 digits, and a number may need 17
    is_short = f"typeof({name}) = 'real' AND CAST({cast} AS REAL) <> {name}"
    exact = f"CASE WHEN {is_short} THEN printf('%!.17g', {name}) ELSE {cast} END"
    return f"coalesce({quoted(widening.texts)}, {exact})" if widening.texts else exact


def _stored(column: Column) -> Sequence[object]:
    """Values as SQLite has them: it has no dates and times of its own, and compares them as texts."""
    if column.kind == "date":
        return [value.isoformat() if isinstance(value, date) else value for value in column.values]
    if column.kind == "timestamp":
        return [value.isoformat(" ", "seconds") if isinstance(value, datetime) else value for value in column.values]
    return column.values
