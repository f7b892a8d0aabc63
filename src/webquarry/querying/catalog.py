"""What there is to query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

import pyarrow as pa

from webquarry.model.page import Failure
from webquarry.querying.engine import Engine

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

ColumnPath = tuple[str, ...]
"""A column and the way into it, such as `("geography", "area", "total")`; it stands for all below it too."""


@dataclass(frozen=True)
class Reading:
    """What some pages of a source hold."""

    rows: pa.Table
    """With all columns of the source, in the order in which pages were asked for."""
    failures: tuple[Failure, ...] = ()
    """The pages that could not be had, or that are not of the source's kind."""


class SourceTable(Protocol):
    """A source as a table, whose rows are read from pages."""

    name: str
    schema: pa.Schema
    """The key first, if there is one; `_page` and `_fetched` last."""
    key: str
    """The column that tells pages apart; nothing when all pages are read together."""
    is_listed: bool
    """Whether the pages are known beforehand; if not, keys are required."""
    index_pages: int
    """How many pages are fetched to learn which there are."""
    is_row_a_page: bool
    """Whether each page gives just one row."""
    is_rendered: bool
    """Whether pages are read in a browser."""

    @property
    def example(self) -> str:
        """What a key looks like; nothing when only the web could tell."""

    def index(self) -> Mapping[str, str]:
        """The addresses of the pages that the source has, by their keys and in order; without keys by themselves.

        It is called once a query, and only when the source is listed.
        """

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """The rows of the pages with these keys; columns that are not asked for may be empty.

        Keys of a source that is listed are those of its index.  `progress` is called when a page is done.
        """

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """What is read of a page for these columns, in the words of the source: dotted paths of sections."""


@dataclass(frozen=True)
class Catalog:
    """All that a query can name, by the names of tables; names are told apart whatever their case."""

    sources: Mapping[str, SourceTable]
    views: Mapping[str, str] = field(default_factory=dict)
    """Names for SELECTs."""
    files: Mapping[str, str] = field(default_factory=dict)
    """CSV, Parquet and JSON files."""
    databases: Mapping[str, str] = field(default_factory=dict)
    """DuckDB files; their tables are named as `database.table`."""
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    """Tables at hand."""


# MERGED querying/describing: What there is to query, as tables.
def show_tables(catalog: Catalog) -> pa.Table:
    """A row for each table: what it is, and how its pages are found."""

    rows = [_describe_source(name, table) for name, table in catalog.sources.items()]
    others = {"view": catalog.views, "file": catalog.files, "table": [*catalog.tables, *_list_databases(catalog)]}
    rows += [{"name": name, "kind": kind} for kind, names in others.items() for name in names]
    names = ("name", "kind", "key", "key_required", "key_like", "columns")
    types = (pa.string(), pa.string(), pa.string(), pa.bool_(), pa.string(), pa.int64())
    return pa.Table.from_pylist(rows, schema=pa.schema(list(zip(names, types, strict=True))))


def _list_databases(catalog: Catalog) -> list[str]:
    """The tables of all databases, as a query names them."""
    if not catalog.databases:
        return []
    with closing(Engine(databases=catalog.databases)) as engine:
        names = engine.run(
            "SELECT table_catalog, table_schema, table_name FROM information_schema.tables "
            "WHERE table_catalog NOT IN ('memory', 'temp', 'system') ORDER BY ALL"
        )
    return [".".join(part for part in name if part != "main") for name in names]


def _describe_source(name: str, table: SourceTable) -> dict[str, object]:
    return {
        "name": name,
        "kind": "source",
        "key": table.key or None,
        "key_required": bool(table.key) and not table.is_listed,
        "key_like": table.example or None,
        "columns": len(table.schema.names),
    }


def describe(columns: Iterable[tuple[str, DuckDBPyType]], table: SourceTable | None) -> pa.Table:
    """A row for each column, and for each in it; of the key of a source how it is told."""

    notes = {table.key: _describe_key(table)} if table is not None and table.key else {}
    rows = [
        {"column": path, "type": kind, "note": notes.get(path)}
        for name, column in columns
        for path, kind in _walk(name, column)
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema([(each, pa.string()) for each in ("column", "type", "note")]))


def _walk(path: str, column: DuckDBPyType) -> Iterator[tuple[str, str]]:
    """A column and all in it, by their paths."""
    if column.id != "struct":
        yield path, str(column)
        return
    yield path, "STRUCT"
    for name, inner in column.children:
        yield from _walk(f"{path}.{name}", cast("DuckDBPyType", inner))  # of other types they may be numbers


def _describe_key(table: SourceTable) -> str:
    said = "key" if table.is_listed else "key, required"
    example = table.example or (next(iter(table.index()), "") if table.is_listed else "")
    return f"{said}, such as {example}" if example else said
