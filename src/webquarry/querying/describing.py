"""What there is to query, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, cast

from webquarry.querying.catalog import Catalog, SourceTable
from webquarry.querying.engine import Engine

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb.sqltypes import DuckDBPyType


def show_tables(catalog: Catalog) -> pa.Table:
    """A row for each table: what it is, and how its pages are found."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

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
    import pyarrow as pa  # noqa: PLC0415

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
