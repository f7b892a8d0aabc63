"""DuckDB, which reaches nothing but what it is handed and the local files that the query names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from webquarry.errors import QueryError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from duckdb.sqltypes import DuckDBPyType

_SETTINGS = (
    "SET python_enable_replacements = false",  # a table is no variable of the program by chance
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
)
_GIVEN = "__given"
_OURS = re.compile(r"__[cokr]\d")
_LAST_SETTINGS = ("SET enable_external_access = false", "SET lock_configuration = true")


class Engine:
    """A database in memory for one query."""

    def __init__(
        self,
        *,
        databases: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
        paths: Sequence[str] = (),
        folders: Sequence[str] = (),
    ) -> None:
        """`databases` are attached and `files` are views, each by its name; `paths` may be read besides."""
        if databases or files or paths or folders:
            self._connection = _connect(databases or {}, [*(files or {}).values(), *paths], folders)
        else:
            self._connection = _share()
        self._shown: set[str] = set()
        for name, path in (files or {}).items():
            self.run(f"CREATE VIEW {quote(name)} AS FROM {quote_text(path)}")

    def show(self, name: str, table: pa.Table) -> None:
        """Let a table be known by this name as it is: quicker than `put`, and good enough to find names and keys."""
        self._connection.register(name, table)
        self._shown.add(name)

    def put(self, name: str, table: pa.Table) -> None:
        """Let a table be known by this name, in the place of one that was.

        DuckDB makes a table of its own of it: over Arrow as it is, DuckDB 2.0 loses conditions such as IS NULL of
        outer joins that it makes anti-joins of.
        """
        if name in self._shown:
            self._connection.unregister(name)
            self._shown.remove(name)
        self._connection.register(_GIVEN, table)
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote(name)} AS FROM {_GIVEN}")
        self._connection.unregister(_GIVEN)

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        try:
            return self._connection.execute(sql).fetchall()
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error

    def answer(self, sql: str) -> pa.Table:
        """The rows that a statement gives, as a table."""
        try:
            return self._connection.sql(sql).to_arrow_table()
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error

    def columns(self, sql: str) -> list[tuple[str, DuckDBPyType]]:
        """The names and types of what a statement would give."""
        try:
            relation = self._connection.sql(sql)
        except duckdb.Error as error:
            raise QueryError(_describe(error)) from error
        return list(zip(relation.columns, relation.types, strict=True))

    def close(self) -> None:
        """Forget all."""
        self._connection.close()


def _describe(error: duckdb.Error) -> str:
    """What DuckDB says, without the place in a statement that the user did not write."""
    said = str(error).strip()
    return said.partition("\n\nLINE ")[0] if _OURS.search(said) else said.replace("Values list", "Table")


def _connect(databases: Mapping[str, str], paths: Sequence[str], folders: Sequence[str]) -> DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    for setting in _SETTINGS:
        connection.execute(setting)
    for name, path in databases.items():
        try:
            connection.execute(f"ATTACH {quote_text(path)} AS {quote(name)} (READ_ONLY)")
        except duckdb.Error as error:
            raise QueryError(f"{path}: the database cannot be opened ({error})") from error
    connection.execute(f"SET allowed_paths = {_list(paths)}")
    connection.execute(f"SET allowed_directories = {_list(folders)}")
    for setting in _LAST_SETTINGS:
        connection.execute(setting)
    return connection


def _share() -> DuckDBPyConnection:
    """A connection of its own, with no tables, to a database that is opened once: that takes longer than a query."""
    return _opened().cursor()


@cache
def _opened() -> DuckDBPyConnection:
    return _connect({}, (), ())


def no_rows(schema: pa.Schema) -> pa.Table:
    """A table of this shape; made without empty columns, which for wide sources takes longer than planning a query."""

    return pa.Table.from_batches([], schema=schema)


def quote(name: str) -> str:
    """The name as SQL has it.

    >>> quote('land "area"')
    '"land ""area\"""'
    """
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """The text as SQL has it.

    >>> quote_text("Côte d'Ivoire")
    "'Côte d''Ivoire'"
    """
    return "'" + text.replace("'", "''") + "'"


def _list(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(quote_text, texts)) + "]"
