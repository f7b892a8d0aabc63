"""Run DuckDB, which reaches nothing but the tables it is given and the local files that the query names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from webquarry.errors import QueryError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from duckdb.sqltypes import DuckDBPyType

_SETTINGS = (
    "SET python_enable_replacements = false",  # or variables of the program would be tables
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
)
_LAST_SETTINGS = ("SET enable_external_access = false", "SET lock_configuration = true")
_GIVEN = "__given"
_INTERNAL_NAME = re.compile(r"__[cokr]\d")


class Engine:
    """A database in memory for one query."""

    def __init__(
        self,
        databases: Mapping[str, str],
        files: Mapping[str, str] = MappingProxyType({}),
        paths: Sequence[str] = (),
        folders: Sequence[str] = (),
    ) -> None:
        """Attach `databases` and make views of `files`, each by its name; allow to read `paths` and `folders`."""
        for path in (*databases.values(), *files.values(), *paths, *folders):
            _check_name(path)
        if databases or files or paths or folders:
            shown = [each for path in files.values() for each in _list_parts(path)]
            self._connection = _connect(databases, [*shown, *paths], folders)
        else:
            # A cursor has its own tables; opening a database for each query takes longer than the query.
            self._connection = _shared_database().cursor()
        self._shown: set[str] = set()
        for name, path in files.items():
            self._view(name, path)

    def _view(self, name: str, path: str) -> None:
        try:
            parts = _list_parts(path)
            place = quote_text(path) if parts == [path] else f"read_parquet([{', '.join(map(quote_text, parts))}])"
            self._connection.execute(f"CREATE VIEW {quote(name)} AS FROM {place}")
        except duckdb.Error as error:
            if "utf-8" in str(error).lower():
                raise QueryError(f"{path}: the file is not in UTF-8; save it in UTF-8") from error
            raise QueryError(f"{path}: {_describe(error)}") from error

    def show(self, name: str, table: pa.Table) -> None:
        """Name an Arrow table without copying it: faster than `put`, and good enough to find names and keys."""
        self._connection.register(name, table)
        self._shown.add(name)

    def put(self, name: str, table: pa.Table) -> None:
        """Copy a table into DuckDB under a name, replacing any before.

        Over Arrow tables that are not copied, DuckDB 2.0 loses conditions such as IS NULL of outer joins that it turns
        into anti-joins.
        """
        if name in self._shown:
            self._connection.unregister(name)
            self._shown.remove(name)
        self._connection.register(_GIVEN, table)
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote(name)} AS FROM {_GIVEN}")
        self._connection.unregister(_GIVEN)

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement and give its rows."""
        try:
            return self._connection.execute(sql).fetchall()
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error

    def answer(self, sql: str) -> pa.Table:
        """Run a statement and give its rows as a table."""
        try:
            return self._connection.sql(sql).to_arrow_table()
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error

    def columns(self, sql: str) -> list[tuple[str, DuckDBPyType]]:
        """Return the names and types of a statement's columns, without running it."""
        try:
            relation = self._connection.sql(sql)
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error
        return list(zip(relation.columns, relation.types, strict=True))

    def close(self) -> None:
        """Drop all tables."""
        self._connection.close()


def _list_parts(path: str) -> list[str]:
    """List the files of a table: the file itself, or the Parquet files of a folder."""
    if not Path(path).is_dir():
        return [path]
    parts = sorted(map(str, Path(path).glob("*.parquet")))
    if not parts:
        raise QueryError(f"{path}: there is no Parquet file in this folder yet")
    return parts


def _check_name(path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError as error:  # DuckDB takes names in UTF-8 only, and throws "std::bad_cast"
        raise QueryError(f"{path}: the name of the file is not in UTF-8; rename it") from error


def _describe(error: duckdb.Error) -> str:
    """Quote DuckDB's message, without the place in a statement that the user did not write."""
    said = str(error).strip()
    return said.partition("\n\nLINE ")[0] if _INTERNAL_NAME.search(said) else said.replace("Values list", "Table")


def _connect(databases: Mapping[str, str], paths: Iterable[str], folders: Iterable[str]) -> DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    for setting in _SETTINGS:
        connection.execute(setting)
    for name, path in databases.items():
        try:
            connection.execute(f"ATTACH {quote_text(path)} AS {quote(name)} (READ_ONLY)")
        except duckdb.Error as error:
            connection.close()
            raise QueryError(f"{path}: the database cannot be opened ({error})") from error
    connection.execute(f"SET allowed_paths = [{', '.join(map(quote_text, paths))}]")
    connection.execute(f"SET allowed_directories = [{', '.join(map(quote_text, folders))}]")
    for setting in _LAST_SETTINGS:
        connection.execute(setting)
    return connection


@cache
def _shared_database() -> DuckDBPyConnection:
    return _connect({}, (), ())


def no_rows(schema: pa.Schema) -> pa.Table:
    """Make an empty table, without empty columns: for wide sources these take longer than planning a query."""
    return pa.Table.from_batches([], schema=schema)


def quote(name: str) -> str:
    """Quote a name for SQL.

    >>> quote('land "area"')
    '"land ""area\"""'
    """
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """Quote a text for SQL.

    >>> quote_text("Côte d'Ivoire")
    "'Côte d''Ivoire'"
    """
    return "'" + text.replace("'", "''") + "'"
