"""Records into a table of a DuckDB file, in one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.model.tabling import to_arrow
from webquarry.storing import databases, nesting
from webquarry.storing.databases import folded, quoted, shaping
from webquarry.storing.fitting import Widening, fit
from webquarry.storing.gathering import Extracted, Gathering

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# TIMESTAMP is in UTC and has no zone: reading one with a zone from Python needs a package that DuckDB does not bring
_TYPES = {"text": "VARCHAR", "number": "DOUBLE", "date": "DATE", "boolean": "BOOLEAN", "timestamp": "TIMESTAMP"}
_KINDS = {name: kind for kind, name in _TYPES.items()}
_INCOMING = "webquarry_incoming"
_PAUSE = 0.1  # seconds between two attempts at a database that is locked


def check(path: Path) -> None:
    """Raise what would keep records from being stored, before any are there."""
    path = databases.prepare(path, "DuckDB")
    if path.exists():
        with _connected(path):
            pass


def append(path: Path, table: str, gathered: Gathering) -> None:
    """Add the records to a table, which is made or grows as they need it; all of them or none.

    Of a new file that gets none an empty database may remain: taking it away could take it from another program.
    """
    if not isinstance(gathered, Extracted):
        _append(path, table, lambda connection: _insert_flat(connection, table, gathered))
        return
    fetched = to_arrow([gathered.fetched_column()])
    append_table(path, table, gathered.to_arrow().append_column(fetched.schema[0], fetched.column(0)))


def append_table(path: Path, table: str, rows: pa.Table) -> None:
    """The same for rows that are all there is to store."""
    _append(path, table, lambda connection: _insert_nested(connection, table, rows))


def _append(path: Path, table: str, insert: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    path = databases.prepare(path, "DuckDB")
    databases.make_folder(path)
    try:
        with _connected(path, table) as connection:
            connection.execute("BEGIN")
            insert(connection)
            connection.execute("COMMIT")
    except nesting.Misfit as error:
        raise databases.refusal(path, table, error) from error


def _insert_flat(connection: duckdb.DuckDBPyConnection, table: str, gathered: Gathering) -> None:
    existing = _columns(connection, table)
    fitted = fit(gathered, existing)
    name = quoted(table)
    for statement in shaping(name, fitted, _TYPES, partial(_widen, name), is_new=not existing):
        connection.execute(statement)
    connection.register(_INCOMING, to_arrow(fitted.columns))
    connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM {_INCOMING}")  # noqa: S608 - quoted


def _insert_nested(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.register(_INCOMING, rows)
    name = quoted(table)
    if not _columns(connection, table):
        # a column of NULLs that nobody gave a type would never take anything else
        untyped = [quoted(each.name) for each in rows.schema if str(each.type) == "null"]
        typed = ", ".join(f"CAST({each} AS VARCHAR) AS {each}" for each in untyped)
        chosen = f"* REPLACE ({typed})" if typed else "*"
        connection.execute(f"CREATE TABLE {name} AS SELECT {chosen} FROM {_INCOMING}")  # noqa: S608 - quoted
        return
    existing, incoming = _types(connection, name), _types(connection, _INCOMING)
    joined = nesting.join_fields(existing, incoming)
    for statement in nesting.changes(name, existing, joined):
        connection.execute(statement)
    columns = ", ".join(f"{nesting.converted(each, incoming, joined[each])} AS {quoted(each)}" for each in incoming)
    connection.execute(f"INSERT INTO {name} BY NAME SELECT {columns} FROM {_INCOMING}")  # noqa: S608 - quoted


def _types(connection: duckdb.DuckDBPyConnection, relation: str) -> dict[str, nesting.Type]:
    rows = connection.sql(f"SELECT * FROM {relation}")  # noqa: S608 - quoted
    return {folded(name): nesting.type_of(each) for name, each in zip(rows.columns, rows.types, strict=True)}


@contextmanager
def _connected(path: Path, table: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that is closed in the end, what was not committed undone."""
    import duckdb  # noqa: PLC0415 - slow to import

    try:
        with _opened(path) as connection:
            yield connection
    except duckdb.Error as error:
        raise databases.refusal(path, table, error) from error


def _opened(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb  # noqa: PLC0415

    deadline = time.monotonic() + databases.WAIT
    while True:
        try:
            return duckdb.connect(str(path))
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise
            if time.monotonic() > deadline:
                raise databases.in_use(path) from error
        time.sleep(_PAUSE)


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE lower(table_name) = lower(?)"
        " AND table_catalog = current_database() AND table_schema = current_schema() ORDER BY ordinal_position",
        [table],
    ).fetchall()
    return {folded(name): _KINDS.get(kind, kind) for name, kind in rows}


def _widen(table: str, widening: Widening) -> Iterator[str]:
    yield f"ALTER TABLE {table} ALTER {quoted(widening.name)} SET DATA TYPE VARCHAR USING {_text(widening)}"


def _text(widening: Widening) -> str:
    cast = f"CAST({quoted(widening.name)} AS VARCHAR)"
    return f"coalesce({quoted(widening.texts)}, {cast})" if widening.texts else cast
