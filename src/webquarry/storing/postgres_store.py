"""Store records in a table of a PostgreSQL database, in one transaction.

Sections in sections become `jsonb`, lists of plain values become arrays.  A table grows as one of DuckDB does: columns
that it lacks are added; where types differ, a column becomes text, but numbers stay numbers.  A column that was plain
and gets sub-sections becomes `jsonb` with its text as `_text`.  A column that is a list on one side only does not fit.

Records are copied into a temporary table first, so that the server converts them to the types that the table has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2s
from importlib import import_module
from types import ModuleType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from webquarry.errors import InputError
from webquarry.model.arrow_values import in_zone, without_structures
from webquarry.model.names import quote_name, snake_case
from webquarry.model.table_columns import companions, to_arrow
from webquarry.model.wrapper import TEXT
from webquarry.storing.result_files import PLAIN_ADDITION, Addition, Server
from webquarry.storing.results_table import ExtractionTable, RecordTable, RegionTable
from webquarry.storing.schema_growth import ANY, region_rows

INSTALL = "pip install 'webquarry[postgresql]'"
CONNECT_SECONDS = 10
"""The time to wait for a server; libpq alone waits for minutes."""
MAX_NAME_BYTES = 63
"""The limit of names (NAMEDATALEN); PostgreSQL silently truncates longer ones."""
_SUFFIX_BYTES = 5  # _unit, _text
_INCOMING, _PARTS = "webquarry_incoming", "webquarry_parts"
_LIST = "[]"
_KINDS = {
    "text": "text",
    "character varying": "text",
    "character": "text",
    "smallint": "integer",
    "integer": "integer",
    "bigint": "integer",
    "real": "number",
    "double precision": "number",
    "numeric": "number",
    "date": "date",
    "boolean": "boolean",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamp",
    "json": ANY,
    "jsonb": ANY,
}
"""Kinds of columns by PostgreSQL type, without length and precision; other types become text."""
_DECLARED: tuple[tuple[Callable[[pa.DataType], bool], str], ...] = (
    (pa.types.is_nested, "jsonb"),
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_integer, "bigint"),
    (pa.types.is_floating, "double precision"),
    (pa.types.is_decimal, "double precision"),
    (pa.types.is_date, "date"),
    (pa.types.is_timestamp, "timestamp without time zone"),
)
_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


def check(server: Server, table: str) -> None:
    """Raise if records could not be stored there."""
    with _transaction(server, table):
        pass


def append(server: Server, table: str, records: RecordTable, addition: Addition = PLAIN_ADDITION) -> None:
    """Add all records or none to a table, which is created or grows as they need it."""

    def to_rows(existing: Mapping[str, str]) -> pa.Table:
        if isinstance(records, RegionTable):
            kinds = {name: _KINDS.get(_plain(declared), declared) for name, declared in existing.items()}
            return region_rows(records, kinds, _short_name)
        rows = records.to_arrow()
        if addition.flat and isinstance(records, ExtractionTable):
            rows = without_structures(rows)
        fetched = to_arrow([records.fetched_column()])
        return rows.append_column(fetched.schema[0], fetched.column(0))

    _append(server, table, to_rows, addition)


def append_table(server: Server, table: str, rows: pa.Table, addition: Addition = PLAIN_ADDITION) -> None:
    """Add rows as they are, without the time of fetching."""
    _append(server, table, lambda _: without_structures(rows) if addition.flat else rows, addition)


def append_once(server: Server, table: str, rows: pa.Table, part: str, addition: Addition = PLAIN_ADDITION) -> bool:
    """Add rows unless a part of this name was added to the table before; tell whether they were added.

    The names of parts are kept in the same transaction, in the table `webquarry_parts`.
    """
    return _append(server, table, lambda _: without_structures(rows) if addition.flat else rows, addition, part)


def _short_name(name: str) -> str:
    """Spell the name of a field so that the server does not cut it off, with the suffix of a companion.

    >>> _short_name("Net price"), _short_name("a" * 70)
    ('net_price', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_b6474140')
    """
    return _cut(snake_case(name), MAX_NAME_BYTES - _SUFFIX_BYTES)


def _cut(name: str, most: int = MAX_NAME_BYTES) -> str:
    """Shorten a name to `most` bytes, with a digest that keeps it distinct from others with the same start."""
    written = name.encode()
    if len(written) <= most:
        return name
    digest = blake2s(written, digest_size=4).hexdigest()
    return f"{written[: most - len(digest) - 1].decode(errors='ignore')}_{digest}"


def _append(
    server: Server,
    table: str,
    to_rows: Callable[[Mapping[str, str]], pa.Table],
    addition: Addition,
    part: str = "",
) -> bool:
    name = _quoted_table(table)
    with _transaction(server, table) as cursor:
        cursor.execute("SET LOCAL TIME ZONE 'UTC'")
        # other runs that add to this table wait here, also while it does not exist yet
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('webquarry'), hashtext($1))", (name,))
        if part and not _take_part(cursor, name, part):
            return False
        existing = _columns(cursor, name)
        rows = to_rows(existing)
        rows = rows.rename_columns([_cut(each) for each in rows.column_names])
        incoming = {field.name: _declare(field.type) for field in rows.schema}
        _check_unique(addition, [*existing, *incoming])
        final = {**existing, **_join(existing, incoming, rows)}
        for statement in _changes(name, existing, final, addition.unique):
            cursor.execute(statement)
        cursor.adbc_ingest(_INCOMING, _prepare(rows), mode="create", temporary=True)
        cursor.execute(_insertion(name, incoming, final, addition))
        cursor.execute(f"DROP TABLE pg_temp.{_INCOMING}")
    return True


def _take_part(cursor: Any, name: str, part: str) -> bool:
    """Record a part as added; tell whether it is new."""
    cursor.execute("SELECT pg_advisory_xact_lock(hashtext($1))", (_PARTS,))  # two runs may try to create it
    columns = "added_to text, part text, at timestamptz DEFAULT now(), PRIMARY KEY (added_to, part)"
    cursor.execute(f"CREATE TABLE IF NOT EXISTS {_PARTS} ({columns})")
    cursor.execute(f"SELECT count(*) FROM {_PARTS} WHERE added_to = $1 AND part = $2", (name, part))  # noqa: S608
    if cursor.fetchone()[0]:
        return False
    cursor.execute(f"INSERT INTO {_PARTS} (added_to, part) VALUES ($1, $2)", (name, part))  # noqa: S608
    return True


def _check_unique(addition: Addition, names: Sequence[str]) -> None:
    for each in addition.unique:
        if each not in names:
            raise InputError(f"--unique {each}: the records have no such column; choose from {', '.join(names)}")


@contextmanager
def _transaction(server: Server, table: str) -> Iterator[Any]:
    """Open a cursor in a transaction, which is committed at the end or rolled back after an error."""
    driver = _load_driver()
    try:
        connection = driver.connect(_with_timeout(server.uri))
    except driver.Error as error:
        reason = _first_line(server, error)
        raise InputError(f"{server}: cannot connect: {reason}; check the address, and that the server runs") from error
    is_written = False
    try:
        cursor = connection.cursor()
        yield cursor
        is_written = True
        connection.commit()
    except driver.Error as error:
        reason = _first_line(server, error)
        if is_written:
            raise InputError(
                f"{server}: table {table} could not be completed: {reason}; check whether it has the records, and run "
                "this again if not"
            ) from error
        advice = "add --on-conflict skip or replace" if "duplicate key" in reason else "fix that"
        raise InputError(
            f"{server}: the database refused the records, so table {table} is unchanged: {reason}; {advice}, or name "
            "another --table"
        ) from error
    finally:
        _close(driver, connection)


def _close(driver: ModuleType, connection: Any) -> None:
    """Close a connection, which rolls back what is not committed; a lost one cannot be closed."""
    with suppress(driver.Error):
        connection.rollback()
    connection.close()


@cache
def _load_driver() -> ModuleType:
    try:
        return import_module("adbc_driver_postgresql.dbapi")
    except ImportError as error:
        raise InputError(f"PostgreSQL needs a driver that is not installed; get it with: {INSTALL}") from error


def _with_timeout(uri: str) -> str:
    """Limit the time to connect, unless the address does."""
    if "connect_timeout=" in uri:
        return uri
    return f"{uri}{'&' if '?' in uri else '?'}connect_timeout={CONNECT_SECONDS}"


def _first_line(server: Server, error: Exception) -> str:
    """Return the message of the server, without that of the driver."""
    said = str(error).partition("\n")[0]
    for before in ("ERROR:", "FATAL:", "Failed to connect:"):
        said = said.rpartition(before)[2]
    return server.hide_password(said).strip().rstrip(".")


def _quoted_table(table: str) -> str:
    """Quote the name of a table; a dot separates it from its schema."""
    return ".".join(quote_name(_cut(part)) for part in table.split(".", 1))


def _columns(cursor: Any, name: str) -> dict[str, str]:
    """Return the columns of a table with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (name,),
    )
    return dict(cursor.fetchall())


def _plain(declared: str) -> str:
    """Remove length and precision from a type.

    >>> _plain("character varying(20)"), _plain("timestamp(3) without time zone")
    ('character varying', 'timestamp without time zone')
    """
    return re.sub(r"\(.*?\)", "", declared)


def _declare(given: pa.DataType) -> str:
    """Choose the PostgreSQL type for an Arrow type."""
    if pa.types.is_list(given) or pa.types.is_large_list(given):
        inner = _declare(given.value_type)
        return "jsonb" if inner == "jsonb" or inner.endswith(_LIST) else inner + _LIST
    return next((declared for is_such, declared in _DECLARED if is_such(given)), "text")


def _join(existing: Mapping[str, str], incoming: Mapping[str, str], rows: pa.Table) -> dict[str, str]:
    """Find the types that hold what the table has and what is added; a column of NULLs decides nothing."""
    return {
        name: declared
        if name not in existing
        else existing[name]
        if rows.column(name).null_count == len(rows)
        else _join_types(name, existing[name], declared, rows.column(name))
        for name, declared in incoming.items()
    }


def _join_types(name: str, old: str, new: str, values: pa.ChunkedArray) -> str:
    if old.endswith(_LIST) or new.endswith(_LIST):
        if not (old.endswith(_LIST) and new.endswith(_LIST)):
            raise InputError(f"column {name} is a list on one side only; name another --table")
        return old if _plain(old) == new else f"text{_LIST}"
    if "jsonb" in (old, new) or old == "json":
        return "json" if old == "json" else "jsonb"
    kind, incoming = _KINDS.get(_plain(old)), _KINDS[new]
    if kind == incoming == "integer" or (kind == "number" and incoming in ("integer", "number")):
        return old
    if (kind, incoming) == ("integer", "number"):
        return old if _is_whole(values) else "double precision"
    return old if kind in (incoming, ANY) else "text"


def _is_whole(values: pa.ChunkedArray) -> bool:
    return bool(pc.all(pc.equal(pc.floor(values), values)).as_py())


def _changes(name: str, existing: Mapping[str, str], final: Mapping[str, str], unique: Sequence[str]) -> Iterator[str]:
    """Write the SQL that makes or changes a table."""
    if not existing:
        columns = ", ".join(f"{quote_name(each)} {declared}" for each, declared in final.items())
        yield f"CREATE TABLE {name} ({columns})"
    else:
        for each, declared in final.items():
            if each not in existing:
                yield f"ALTER TABLE {name} ADD COLUMN {quote_name(each)} {declared}"
            elif existing[each] != declared:
                converted = _convert(each, existing, declared)
                yield f"ALTER TABLE {name} ALTER COLUMN {quote_name(each)} TYPE {declared} USING {converted}"
    if unique:
        index = quote_name(_cut(f"{name.replace(chr(34), '')}_unique_{'_'.join(unique)}"))
        yield f"CREATE UNIQUE INDEX IF NOT EXISTS {index} ON {name} ({', '.join(map(quote_name, unique))})"


def _convert(name: str, types: Mapping[str, str], target: str) -> str:
    """Write the expression that converts a column to another type; texts are those of the page, if there are any."""
    value, given = quote_name(name), types[name]
    if given in (target, "jsonb") or target not in ("text", "jsonb", "json"):
        return f"{value}::{target}"
    texts = companions(name)[1]
    text = f"coalesce({quote_name(texts)}, {value}::text)" if types.get(texts) == "text" else f"{value}::text"
    if target == "text":
        return text
    return f"CASE WHEN {value} IS NOT NULL THEN jsonb_build_object('{TEXT}', {text})::{target} END"


def _prepare(rows: pa.Table) -> pa.Table:
    """Make columns that can be copied: structures as JSON, times in UTC, sums as floats, the rest as text."""
    columns = [_copyable(rows.column(name), _declare(rows.schema.field(name).type)) for name in rows.column_names]
    return pa.table(columns, names=rows.column_names)


def _copyable(column: pa.ChunkedArray, declared: str) -> pa.ChunkedArray:
    if declared == "jsonb":
        return _to_json(column)
    if declared.startswith("timestamp"):
        return in_zone(column, None).cast(pa.timestamp("us"))
    if declared == "double precision":
        return column.cast(pa.float64())
    if declared == "bigint" and column.type != pa.int64():
        return column.cast(pa.int64())
    if declared == "text":
        return pc.replace_substring(column.cast(pa.string()), "\0", "\ufffd")  # PostgreSQL has no NUL in texts
    return column


def _to_json(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Write nested values as JSON, which DuckDB does for whole columns."""
    with duckdb.connect() as connection:
        connection.register("given", pa.table({"nested": column}))
        texts = connection.sql("SELECT CAST(to_json(nested) AS VARCHAR) AS written FROM given").to_arrow_table()[0]
    if not pc.any(pc.match_substring(texts, "\\u0000")).as_py():
        return texts
    return pa.chunked_array([[text and _ESCAPED_NUL.sub(r"\1\\ufffd", text) for text in texts.to_pylist()]])


def _insertion(name: str, incoming: Mapping[str, str], final: Mapping[str, str], addition: Addition) -> str:
    """Write the SQL that moves the copied records into the table."""
    columns = ", ".join(map(quote_name, incoming))
    values = ", ".join(_convert(each, incoming, final[each]) for each in incoming)
    source = f"pg_temp.{_INCOMING}"
    unique = ", ".join(map(quote_name, addition.unique))
    if addition.on_conflict == "replace" and unique:  # the last of several with one key
        source = f"(SELECT DISTINCT ON ({unique}) * FROM {source} ORDER BY {unique}, ctid DESC) AS latest"  # noqa: S608 - quoted
    insertion = f"INSERT INTO {name} ({columns}) SELECT {values} FROM {source}"  # noqa: S608 - quoted
    if not unique or addition.on_conflict == "fail":
        return insertion
    if addition.on_conflict == "skip":
        return f"{insertion} ON CONFLICT ({unique}) DO NOTHING"
    replaced = ", ".join(f"{quote_name(each)} = EXCLUDED.{quote_name(each)}" for each in incoming)
    return f"{insertion} ON CONFLICT ({unique}) DO UPDATE SET {replaced}"
