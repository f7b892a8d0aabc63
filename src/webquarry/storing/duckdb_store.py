"""Store records in a table of a DuckDB file, in one transaction.

A table with sections in sections grows as a flat one does (`schema_growth`), without a loss or a guess.  Sections that
a STRUCT lacks are added; where types differ, values become the texts of the page, but numbers stay numbers.  A section
that had no sub-sections and now has some becomes a STRUCT with its text as `_text`.  A column that is a list on one
side only does not fit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from webquarry.model.names import quote_name
from webquarry.model.table_columns import companions, to_arrow
from webquarry.model.wrapper import TEXT
from webquarry.storing import schema_growth
from webquarry.storing.results_table import RecordTable, RegionTable
from webquarry.storing.schema_growth import folded, region_rows

if TYPE_CHECKING:
    import pyarrow as pa

Type = str | dict[str, "Type"] | list["Type"]
"""The name of a scalar type, a mapping for a STRUCT, or a list of one type for a LIST."""
_TEXT = "VARCHAR"
_NOTHING = '"NULL"'  # the type of a column that has only NULLs
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")  # each holds the values of those before it
_UNSIGNED = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
# TIMESTAMP has no zone and holds UTC: to read TIMESTAMPTZ in Python, DuckDB needs the package pytz
_KINDS = {"VARCHAR": "text", "DOUBLE": "number", "DATE": "date", "BOOLEAN": "boolean", "TIMESTAMP": "timestamp"}
_INCOMING = "webquarry_incoming"
_SECONDS_BETWEEN_ATTEMPTS = 0.1  # to open a locked database


def check(path: Path) -> None:
    """Raise if records could not be stored there."""
    path = schema_growth.resolve_file(path, "DuckDB")
    if path.exists():
        with _connected(path, path):
            pass


def append(path: Path, table: str, records: RecordTable) -> None:
    """Add all records or none to a table, which is created or grows as they need it."""
    if isinstance(records, RegionTable):
        _append(
            path,
            table,
            lambda connection: _insert(connection, table, region_rows(records, _columns(connection, table))),
        )
        return
    fetched = to_arrow([records.fetched_column()])
    append_table(path, table, records.to_arrow().append_column(fetched.schema[0], fetched.column(0)))


def append_table(path: Path, table: str, rows: pa.Table) -> None:
    """Add rows as they are, without the time of fetching."""
    _append(path, table, lambda connection: _insert(connection, table, rows))


def _append(path: Path, table: str, insert: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
    path = schema_growth.resolve_file(path, "DuckDB")

    def write(place: Path) -> None:
        with _connected(place, path, table) as connection:
            connection.execute("BEGIN")
            insert(connection)
            connection.execute("COMMIT")
            if place != path:
                connection.execute("CHECKPOINT")  # closing would do it too, but would not report a full disk

    try:
        schema_growth.write_database(path, write)
    except MisfitError as error:
        raise schema_growth.refused(path, table, error) from error


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.register(_INCOMING, rows)
    name = quote_name(table)
    if not _columns(connection, table):
        # a column that has only NULLs would never take anything else
        untyped = [quote_name(each.name) for each in rows.schema if str(each.type) == "null"]
        typed = ", ".join(f"CAST({each} AS VARCHAR) AS {each}" for each in untyped)
        chosen = f"* REPLACE ({typed})" if typed else "*"
        connection.execute(f"CREATE TABLE {name} AS SELECT {chosen} FROM {_INCOMING}")  # noqa: S608 - quoted
        return
    existing, incoming = _types(connection, name), _types(connection, _INCOMING)
    joined = _join_fields(existing, incoming)
    for statement in _nested_changes(name, existing, joined):
        connection.execute(statement)
    columns = ", ".join(f"{_convert_field(each, incoming, joined[each])} AS {quote_name(each)}" for each in incoming)
    connection.execute(f"INSERT INTO {name} BY NAME SELECT {columns} FROM {_INCOMING}")  # noqa: S608 - quoted


def _types(connection: duckdb.DuckDBPyConnection, relation: str) -> dict[str, Type]:
    rows = connection.sql(f"SELECT * FROM {relation}")  # noqa: S608 - quoted
    return {folded(name): _type_of(each) for name, each in zip(rows.columns, rows.types, strict=True)}


@contextmanager
def _connected(place: Path, shown: Path, table: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection; closing it rolls back what was not committed.  Errors name the file `shown`."""
    try:
        with _opened(place) as connection:
            yield connection
    except duckdb.Error as error:
        raise schema_growth.refused(shown, table, error) from error


def _opened(path: Path) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + schema_growth.LOCK_SECONDS
    while True:
        try:
            return duckdb.connect(str(path))
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise
            if time.monotonic() > deadline:
                raise schema_growth.locked(path) from error
        time.sleep(_SECONDS_BETWEEN_ATTEMPTS)


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "SELECT column_name, data_type FROM information_schema.columns WHERE lower(table_name) = lower(?)"
        " AND table_catalog = current_database() AND table_schema = current_schema() ORDER BY ordinal_position",
        [table],
    ).fetchall()
    return {folded(name): _KINDS.get(kind, kind) for name, kind in rows}


class MisfitError(Exception):
    """A column is a list on one side only."""


def _type_of(given: Any) -> Type:
    """Convert a DuckDBPyType, with names of fields folded as DuckDB compares them."""
    if given.id == "struct":
        return {folded(name): _type_of(each) for name, each in given.children}
    if given.id == "list":
        return [_type_of(given.children[0][1])]
    return str(given)


def _join(old: Type, new: Type, column: str) -> Type:
    """Find the type that holds the values of both."""
    if old == new:
        return old
    if isinstance(old, list) and isinstance(new, list):
        return [_join(old[0], new[0], column)]
    if isinstance(old, list) or isinstance(new, list):
        raise MisfitError(f"column {column} is a list on one side only")
    if isinstance(old, str) and isinstance(new, str):
        return _join_names(old, new)
    return _join_fields(_as_fields(old), _as_fields(new), f"{column}.")


def _join_names(old: str, new: str) -> str:
    """Find the scalar type that holds the values of both; as elsewhere in SQL, fractions turn numbers into floats."""
    if _NOTHING in (old, new):
        return new if old == _NOTHING else old
    if old in _INTEGERS and new in _INTEGERS:
        return max(old, new, key=_INTEGERS.index)
    if {old, new} <= {*_INTEGERS, *_UNSIGNED}:
        return _INTEGERS[-1]
    return "DOUBLE" if _is_number(old) and _is_number(new) else _TEXT


def _is_number(name: str) -> bool:
    return name in (*_INTEGERS, *_UNSIGNED, "FLOAT", "DOUBLE") or name.startswith("DECIMAL")


def _join_fields(old: Mapping[str, Type], new: Mapping[str, Type], above: str = "") -> dict[str, Type]:
    """Join the fields of both, the old ones first."""
    joined = {name: _join(each, new[name], above + name) if name in new else each for name, each in old.items()}
    return {**joined, **{name: each for name, each in new.items() if name not in old}}


def _nested_changes(table: str, old: Mapping[str, Type], joined: Mapping[str, Type]) -> Iterator[str]:
    """Write the SQL that adds columns to a table, and sections to its columns."""
    for name, each in joined.items():
        if name not in old:
            yield f"ALTER TABLE {table} ADD COLUMN {quote_name(name)} {_sql(each)}"
    widened = {
        name: _convert_field(name, old, each) for name, each in joined.items() if name in old and old[name] != each
    }
    for name, expression in widened.items():
        yield f"ALTER TABLE {table} ALTER {quote_name(name)} SET DATA TYPE {_sql(joined[name])} USING {expression}"


def _convert_field(name: str, fields: Mapping[str, Type], target: Type, record: str = "") -> str:
    """Write the expression that converts a column, or a field of a record, to the target's type."""
    if name not in fields:
        return f"CAST(NULL AS {_sql(target)})"
    given, value = fields[name], record + quote_name(name)
    texts = companions(name)[1]
    text = record + quote_name(texts) if fields.get(texts) == _TEXT else None
    return _convert(value, given, target, text)


def _convert(value: str, given: Type, target: Type, text: str | None = None) -> str:
    if given == target:
        return value
    if isinstance(target, list) and isinstance(given, list):
        return f"list_transform({value}, lambda each: {_convert('each', given[0], target[0])})"
    if isinstance(given, str) and isinstance(target, str) and target != _TEXT:
        return f"CAST({value} AS {target})"
    if isinstance(given, str):
        cast = value if given == _TEXT else f"CAST({value} AS {_TEXT})"
        written = f"coalesce({text}, {cast})" if text else cast
        return written if isinstance(target, str) else _pack(written, {TEXT: written}, target)
    fields = _as_fields(given)
    expressions = {name: _convert_field(name, fields, each, f"({value}).") for name, each in _as_fields(target).items()}
    return _pack(value, expressions, target)


def _pack(value: str, expressions: Mapping[str, str], target: Type) -> str:
    """Write a STRUCT that is NULL where the value is."""
    fields = ", ".join(
        f"{quote_name(name)} := {expressions.get(name) or f'CAST(NULL AS {_sql(each)})'}"
        for name, each in _as_fields(target).items()
    )
    return f"CASE WHEN {value} IS NULL THEN NULL ELSE struct_pack({fields}) END"


def _as_fields(given: Type) -> dict[str, Type]:
    """Return the fields of a STRUCT; a scalar becomes one with only its text."""
    return given if isinstance(given, dict) else {TEXT: _TEXT}


def _sql(given: Type) -> str:
    if isinstance(given, dict):
        return f"STRUCT({', '.join(f'{quote_name(name)} {_sql(each)}' for name, each in given.items())})"
    if isinstance(given, list):
        return f"{_sql(given[0])}[]"
    return _TEXT if given == _NOTHING else given
