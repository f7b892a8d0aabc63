"""Run DuckDB over what a query may read, and keep the rows that were read from pages for it.

DuckDB reaches nothing but the tables that it is given and the local files that the query names.
"""

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
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

import pyarrow.compute as pc

from webquarry.model.names import KEY_SEPARATOR, PAGE, key_names, quote_name, split_key
from webquarry.model.page import Failure
from webquarry.querying.name_resolution import columns_used, schema_used
from webquarry.querying.query_blocks import SourceRelation
from webquarry.querying.query_nouns import ColumnPath, Place, Reading

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
            self._connection.execute(f"CREATE VIEW {quote_name(name)} AS FROM {place}")
        except duckdb.Error as error:
            if "utf-8" in str(error).lower():
                raise QueryError(f"{path}: the file is not in UTF-8; save it in UTF-8") from error
            raise QueryError(f"{path}: {_describe(error)}") from error

    def show(self, name: str, table: pa.Table) -> None:
        """Name an Arrow table without copying it: faster than `put`, and enough to find names and keys."""
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
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote_name(name)} AS FROM {_GIVEN}")
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
            connection.execute(f"ATTACH {quote_text(path)} AS {quote_name(name)} (READ_ONLY)")
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


def quote_text(text: str) -> str:
    """Quote a text for SQL.

    >>> quote_text("Côte d'Ivoire")
    "'Côte d''Ivoire'"
    """
    return "'" + text.replace("'", "''") + "'"


class HeldRows(NamedTuple):
    """The rows of an occurrence of a source: first those that only the index gives, then rows of pages."""

    unread: Sequence[str]
    """Keys of pages that were not read."""
    numbers: pa.Array
    """Numbers of rows in the store."""


class SourceStore:
    """The pages of one source that were read, each once whatever occurrences need it."""

    def __init__(self, sources: Sequence[SourceRelation]) -> None:
        """`sources` are all occurrences of the source."""
        self._table = sources[0].table
        self.columns = columns_used(sources)
        self.failures: list[Failure] = []
        self._schema = schema_used(sources)
        self._index: Mapping[str, str] | None = None
        self._keys_read: set[str] = set()
        self._parts: list[pa.Table] = []
        self._readings: list[Reading] = []
        self._starts: list[int] = []
        """The number of the first row of each reading."""

    @property
    def pages(self) -> int:
        """Number of pages fetched."""
        return len(self._keys_read) + (0 if self._index is None else self._table.index_pages)

    @property
    def index(self) -> Mapping[str, str]:
        """The addresses of the source's pages by their keys."""
        if self._index is None:
            self._index = self._table.index()
        return self._index

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys whose pages were not read."""
        return [key for key in keys if key not in self._keys_read]

    def read(self, keys: Sequence[str], progress: Callable[[], None], *, strict: bool) -> None:
        """Read pages that were not read before."""
        if not keys:
            return
        self._keys_read.update(keys)
        reading = self._table.read(keys, self.columns, progress)
        if reading.failures and strict:
            failure = reading.failures[0]
            raise QueryError(f"{failure.error} (a page of {self._table.name}; without --strict the others answer)")
        self.failures += reading.failures
        self._starts.append(sum(len(each.rows) for each in self._readings))
        self._readings.append(Reading(reading.rows.select([PAGE]), find_nodes=reading.find_nodes))
        self._parts.append(reading.rows.select(self._schema.names))

    def find_rows(self, keys: Sequence[str]) -> pa.Array:
        """Return the numbers of the rows of pages with these keys, in their order; without a key column of all rows."""
        rows = self._rows
        numbers = pa.array(range(len(rows)), pa.int64())
        if not self._table.key or not len(rows):
            return numbers
        order = pa.table({"key": pa.array(keys, pa.string()), "place": pa.array(range(len(keys)), pa.int64())})
        parts = [rows[name] for name in key_names(self._table.key)]
        joined_parts = parts[0] if len(parts) == 1 else pc.binary_join_element_wise(*parts, KEY_SEPARATOR)
        places = pa.table({"key": joined_parts, "row": numbers})
        joined = places.join(order, "key", join_type="inner").sort_by([("place", "ascending"), ("row", "ascending")])
        return joined["row"].combine_chunks()

    def rows(self, held: HeldRows) -> pa.Table:
        """Return the rows of an occurrence."""
        rows = self._rows
        if self._table.key and len(rows):  # else all rows are held
            rows = rows.take(held.numbers)
        return pa.concat_tables([self._index_rows(held.unread), rows]) if held.unread else rows

    def find_places(self, held: HeldRows, row: int, path: ColumnPath) -> list[Place] | None:
        """Find where on its page a value of an occurrence is; None when no page was read for its row.

        A value that has no node, such as a key, has the page as its place.
        """
        if row < len(held.unread):
            return None
        number = held.numbers[row - len(held.unread)].as_py()
        at = bisect_right(self._starts, number) - 1
        reading, row = self._readings[at], number - self._starts[at]
        page = reading.rows[PAGE][row].as_py()
        nodes = dict.fromkeys(reading.find_nodes(row, path))
        return [Place(page, node) for node in nodes] or [Place(page)]

    @property
    def _rows(self) -> pa.Table:
        if not self._parts:
            return no_rows(self._schema)
        rows = pa.concat_tables(self._parts)
        self._parts = [rows]
        return rows

    def _index_rows(self, keys: Sequence[str]) -> pa.Table:
        """Make a row for each key from the index alone: the key and the address."""
        names, parts = key_names(self._table.key), [split_key(key) for key in keys]
        known = {name: [each[place] for each in parts] for place, name in enumerate(names)}
        known[PAGE] = [self.index[key] for key in keys]
        columns = [
            pa.array(known[field.name], field.type) if field.name in known else pa.nulls(len(keys), field.type)
            for field in self._schema
        ]
        return pa.table(columns, schema=self._schema)
