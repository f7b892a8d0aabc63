"""What there is to query, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webquarry.errors import QueryError
from webquarry.querying.catalog import Catalog, SourceTable
from webquarry.querying.engine import Engine
from webquarry.querying.guarding import find_name

if TYPE_CHECKING:
    import pyarrow as pa


def show_tables(catalog: Catalog) -> pa.Table:
    """A row for each table: what it is, and how its pages are found."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    rows = [_describe_source(name, catalog.sources[name]) for name in catalog.sources]
    rows += [{"name": name, "kind": "view"} for name in catalog.views]
    rows += [{"name": name, "kind": "file"} for name in catalog.files]
    rows += [{"name": name, "kind": "database"} for name in catalog.databases]
    rows += [{"name": name, "kind": "table"} for name in catalog.tables]
    names = ("name", "kind", "key", "key_required", "key_like", "columns")
    types = (pa.string(), pa.string(), pa.string(), pa.bool_(), pa.string(), pa.int64())
    return pa.Table.from_pylist(rows, schema=pa.schema(list(zip(names, types, strict=True))))


def _describe_source(name: str, table: SourceTable) -> dict[str, object]:
    return {
        "name": name,
        "kind": "source",
        "key": table.key or None,
        "key_required": bool(table.key) and not table.is_listed,
        "key_like": table.example or None,
        "columns": len(table.schema.names),
    }


def describe(catalog: Catalog, name: str) -> pa.Table:
    """A row for each column of a table, and of sources for each column in these: its path and type."""
    import pyarrow as pa  # noqa: PLC0415

    source = find_name(catalog.sources, name)
    if source is None:
        raise QueryError(f"there is no source {name}; SHOW TABLES lists what there is")
    table = catalog.sources[source]
    engine = Engine(databases={}, files={})
    engine.put("described", table.schema.empty_table())
    columns = engine.columns("FROM described")
    engine.close()
    notes = {table.key: _describe_key(table)} if table.key else {}
    rows = [
        {"column": path, "type": kind, "note": notes.get(path)}
        for column, kind in columns
        for path, kind in [(column, kind)]
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema([(each, pa.string()) for each in ("column", "type", "note")]))


def _describe_key(table: SourceTable) -> str:
    said = "key" if table.is_listed else "key, required"
    return f"{said}, such as {table.example}" if table.example else said
