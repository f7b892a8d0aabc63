"""Records into a table of a DuckDB file, in one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from webquarry.model.table_columns import beside, to_arrow
from webquarry.model.wrapper import TEXT
from webquarry.storing import schema_growth as databases
from webquarry.storing.extraction_table import Extracted
from webquarry.storing.results_table import Gathering
from webquarry.storing.schema_growth import Widening, fit, folded, quoted, shaping

if TYPE_CHECKING:
    import pyarrow as pa

# MERGED storing/nesting: How a DuckDB table with sections in sections must grow to take further records.
# MERGED
# MERGED As in `fitting.py` nothing is lost and nothing is guessed: sections that a STRUCT lacks are added to
# MERGED differ texts of the page take the place of values; but numbers stay numbers.  A section that had no
# MERGED some becomes a STRUCT with its text as `_text`.  What is a list on one side alone fits in no way.
# MERGED
# MERGED A type is the name of one, a mapping for a STRUCT, and a list of one type for a LIST.
Type = str | dict[str, "Type"] | list["Type"]
_TEXT = "VARCHAR"
_NOTHING = '"NULL"'  # the type of a column of NULLs that nobody gave one
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")  # each holds the values of those before
_UNSIGNED = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


class Misfit(Exception):  # noqa: N818 - it says what it is
    """A column is a list on one side alone."""


def type_of(given: Any) -> Type:
    """What a DuckDBPyType is, with names of fields as DuckDB compares them."""
    if given.id == "struct":
        return {folded(name): type_of(each) for name, each in given.children}
    if given.id == "list":
        return [type_of(given.children[0][1])]
    return str(given)


def join(old: Type, new: Type, column: str) -> Type:
    """The type that holds the values of both."""
    if old == new:
        return old
    if isinstance(old, list) and isinstance(new, list):
        return [join(old[0], new[0], column)]
    if isinstance(old, list) or isinstance(new, list):
        raise Misfit(f"column {column} is a list on one side alone")
    if isinstance(old, str) and isinstance(new, str):
        return _join_names(old, new)
    return join_fields(_as_fields(old), _as_fields(new), f"{column}.")


def _join_names(old: str, new: str) -> str:
    """The type of single values that holds those of both; as in all of SQL, fractions make floats of numbers."""
    if _NOTHING in (old, new):
        return new if old == _NOTHING else old
    if old in _INTEGERS and new in _INTEGERS:
        return max(old, new, key=_INTEGERS.index)
    if {old, new} <= {*_INTEGERS, *_UNSIGNED}:
        return _INTEGERS[-1]
    return "DOUBLE" if _is_number(old) and _is_number(new) else _TEXT


def _is_number(name: str) -> bool:
    return name in (*_INTEGERS, *_UNSIGNED, "FLOAT", "DOUBLE") or name.startswith("DECIMAL")


def join_fields(old: Mapping[str, Type], new: Mapping[str, Type], above: str = "") -> dict[str, Type]:
    """The fields of both, those of the old one first."""
    joined = {name: join(each, new[name], above + name) if name in new else each for name, each in old.items()}
    return {**joined, **{name: each for name, each in new.items() if name not in old}}


def changes(table: str, old: Mapping[str, Type], joined: Mapping[str, Type]) -> Iterator[str]:
    """The statements that give a table its further columns, and its columns their further sections."""
    for name, each in joined.items():
        if name not in old:
            yield f"ALTER TABLE {table} ADD COLUMN {quoted(name)} {_sql(each)}"
    widened = {name: converted(name, old, each) for name, each in joined.items() if name in old and old[name] != each}
    for name, expression in widened.items():
        yield f"ALTER TABLE {table} ALTER {quoted(name)} SET DATA TYPE {_sql(joined[name])} USING {expression}"


def converted(name: str, fields: Mapping[str, Type], target: Type, record: str = "") -> str:
    """The expression that gives a field of a record, or a column, the target's type."""
    if name not in fields:
        return f"CAST(NULL AS {_sql(target)})"
    given, value = fields[name], record + quoted(name)
    texts = beside(name)[1]
    text = record + quoted(texts) if fields.get(texts) == _TEXT else None
    return _converted(value, given, target, text)


def _converted(value: str, given: Type, target: Type, text: str | None = None) -> str:
    if given == target:
        return value
    if isinstance(target, list) and isinstance(given, list):
        return f"list_transform({value}, lambda each: {_converted('each', given[0], target[0])})"
    if isinstance(given, str) and isinstance(target, str) and target != _TEXT:
        return f"CAST({value} AS {target})"
    if isinstance(given, str):
        cast = value if given == _TEXT else f"CAST({value} AS {_TEXT})"
        written = f"coalesce({text}, {cast})" if text else cast
        return written if isinstance(target, str) else _packed(written, {TEXT: written}, target)
    fields = _as_fields(given)
    expressions = {name: converted(name, fields, each, f"({value}).") for name, each in _as_fields(target).items()}
    return _packed(value, expressions, target)


def _packed(value: str, expressions: Mapping[str, str], target: Type) -> str:
    """A STRUCT, absent where the value is."""
    fields = ", ".join(
        f"{quoted(name)} := {expressions.get(name) or f'CAST(NULL AS {_sql(each)})'}"
        for name, each in _as_fields(target).items()
    )
    return f"CASE WHEN {value} IS NULL THEN NULL ELSE struct_pack({fields}) END"


def _as_fields(given: Type) -> dict[str, Type]:
    """The fields of a STRUCT; a single value is one that has only its text."""
    return given if isinstance(given, dict) else {TEXT: _TEXT}


def _sql(given: Type) -> str:
    if isinstance(given, dict):
        return f"STRUCT({', '.join(f'{quoted(name)} {_sql(each)}' for name, each in given.items())})"
    if isinstance(given, list):
        return f"{_sql(given[0])}[]"
    return _TEXT if given == _NOTHING else given


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
    except Misfit as error:
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
    joined = join_fields(existing, incoming)
    for statement in changes(name, existing, joined):
        connection.execute(statement)
    columns = ", ".join(f"{converted(each, incoming, joined[each])} AS {quoted(each)}" for each in incoming)
    connection.execute(f"INSERT INTO {name} BY NAME SELECT {columns} FROM {_INCOMING}")  # noqa: S608 - quoted


def _types(connection: duckdb.DuckDBPyConnection, relation: str) -> dict[str, Type]:
    rows = connection.sql(f"SELECT * FROM {relation}")  # noqa: S608 - quoted
    return {folded(name): type_of(each) for name, each in zip(rows.columns, rows.types, strict=True)}


@contextmanager
def _connected(path: Path, table: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that is closed in the end, what was not committed undone."""

    try:
        with _opened(path) as connection:
            yield connection
    except duckdb.Error as error:
        raise databases.refusal(path, table, error) from error


def _opened(path: Path) -> duckdb.DuckDBPyConnection:

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
