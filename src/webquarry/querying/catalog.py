"""The tables that a query can name: sources, views, files, databases and tables in memory."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

import pyarrow as pa

from webquarry.errors import WebquarryError
from webquarry.model.names import key_names, show_key, split_key
from webquarry.model.page import Failure
from webquarry.querying.engine import Engine

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

ColumnPath = tuple[str, ...]
"""A column and the path into it, such as `("geography", "area", "total")`; it includes all that is below."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reading:
    """Rows that were read from pages of a source."""

    rows: pa.Table
    """With all columns of the source, in the order in which pages were asked for."""
    failures: tuple[Failure, ...] = ()
    """Pages that could not be fetched or read, or that do not match the wrapper."""
    find_nodes: Callable[[int, ColumnPath], Sequence[str]] = lambda _row, _column: ()
    """Gives the XPaths of what a row has in a column, or with an empty path of its record."""


class SourceTable(Protocol):
    """A source as a table, whose rows are read from pages."""

    name: str
    schema: pa.Schema
    """The key first, if there is one; `_page` and `_fetched` last."""
    key: str
    """The column that tells pages apart, or several with commas between; empty when all pages are read together.

    A key of several columns has their values with `KEY_SEPARATOR` between."""
    is_listed: bool
    """Whether the source can list its pages; if not, keys are required."""
    index_pages: int
    """How many pages are fetched to list the others."""
    is_row_a_page: bool
    """Whether each page gives exactly one row."""
    is_rendered: bool
    """Whether pages are read in a browser."""

    @property
    def example(self) -> str:
        """A key, if one is known without fetching from the web; else empty."""

    def index(self) -> Mapping[str, str]:
        """List the addresses of the source's pages by their keys and in order; without keys by themselves.

        It is called once a query, and only when the source is listed.
        """

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these keys; columns that are not asked for may be empty.

        Keys of a listed source are those of its index.  `progress` is called after each page.
        """

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the sections that are read for these columns, as dotted paths."""


@dataclass(frozen=True)
class Catalog:
    """All that a query can name, by the names of tables, which are in lower case (those of `tables` in any case)."""

    sources: Mapping[str, SourceTable]
    views: Mapping[str, str] = field(default_factory=dict)
    """Texts of SELECTs."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Paths of CSV, Parquet and JSON files."""
    databases: Mapping[str, str] = field(default_factory=dict)
    """Paths of DuckDB files; their tables are named `database.table`."""
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    """Tables in memory."""


def show_tables(catalog: Catalog) -> pa.Table:
    """Return a row for each table, with its kind and its key; sources that cannot be loaded are left out."""
    rows: list[dict[str, object]] = []
    for name in catalog.sources:
        try:
            table = catalog.sources[name]
        except WebquarryError as error:
            first, *others = str(error).splitlines()
            _log.warning("%s is left out: %s%s", name, first, f" and {len(others)} more" if others else "")
            continue
        rows.append(
            {
                "name": name,
                "kind": "source",
                "key": table.key or None,
                "key_required": bool(table.key) and not table.is_listed,
                "key_like": show_key(table.example) or None,
                "columns": len(table.schema.names),
            }
        )
    plain = {"view": catalog.views, "file": catalog.files, "table": [*catalog.tables, *_list_databases(catalog)]}
    rows += [{"name": name, "kind": kind} for kind, tables in plain.items() for name in tables]
    names = ("name", "kind", "key", "key_required", "key_like", "columns")
    types = (pa.string(), pa.string(), pa.string(), pa.bool_(), pa.string(), pa.int64())
    return pa.Table.from_pylist(rows, schema=pa.schema(list(zip(names, types, strict=True))))


def _list_databases(catalog: Catalog) -> list[str]:
    """List the tables of all databases, as a query names them; one that cannot be opened is left out."""
    found: list[str] = []
    for name, path in catalog.databases.items():
        try:
            with closing(Engine({name: path})) as engine:
                tables = engine.run(
                    "SELECT table_catalog, table_schema, table_name FROM information_schema.tables "
                    "WHERE table_catalog NOT IN ('memory', 'temp', 'system') ORDER BY ALL"
                )
        except WebquarryError as error:
            _log.warning("%s is left out: %s", name, error)
            continue
        found += [".".join(part for part in table if part != "main") for table in tables]
    return found


def describe(columns: Iterable[tuple[str, DuckDBPyType]], table: SourceTable | None) -> pa.Table:
    """Return a row for each column and each field nested in it, with a note on the key of a source."""
    notes = {}
    if table is not None and table.key:
        example = table.example or (next(iter(table.index()), "") if table.is_listed else "")
        kind = "key" if table.is_listed else "key, required"
        names = key_names(table.key)
        for name, part in zip(names, split_key(example) if example else [""] * len(names), strict=True):
            notes[name] = kind + (f", such as {part}" if part else "")
    rows = [
        {"column": path, "type": kind, "note": notes.get(path)}
        for name, column in columns
        for path, kind in _list_fields(name, column)
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema([(each, pa.string()) for each in ("column", "type", "note")]))


def _list_fields(path: str, column: DuckDBPyType) -> Iterator[tuple[str, str]]:
    if column.id != "struct":
        yield path, str(column)
        return
    yield path, "STRUCT"
    for name, inner in column.children:
        yield from _list_fields(f"{path}.{name}", cast("DuckDBPyType", inner))  # children of other types may be numbers
