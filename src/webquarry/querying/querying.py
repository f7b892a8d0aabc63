"""A query from its text to its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, TypeVar

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.model.naming import list_names
from webquarry.querying.answers import Answer, Plan
from webquarry.querying.catalog import Catalog
from webquarry.querying.counting import Progress
from webquarry.querying.describing import describe, show_tables
from webquarry.querying.engine import Engine, no_rows
from webquarry.querying.executing import Run
from webquarry.querying.parsing.blocks import ALL
from webquarry.querying.parsing.building import Builder
from webquarry.querying.parsing.guarding import find_name, find_reach
from webquarry.querying.parsing.statements import DIALECT, Describe, ShowTables, parse
from webquarry.querying.parsing.trees import Tree
from webquarry.querying.parsing.using import shape_used
from webquarry.querying.planning.explaining import explain_run

if TYPE_CHECKING:
    import pyarrow as pa

_TABLE = re.compile(r"^TABLE\b", re.IGNORECASE)
Thing = TypeVar("Thing")


def answer(
    catalog: Catalog,
    query: str,
    *,
    max_pages: int | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Answer:
    """The rows that a query gives, from as few pages as it can need.

    Pages that fail make the answer partial, or with `strict` are an error.  No more than `max_pages` are fetched.
    `progress` is called with the number of pages so far and of those that are planned.
    """
    query = _trim(query)
    statement = parse(query)
    if isinstance(statement, ShowTables):
        return Answer(show_tables(catalog))
    if isinstance(statement, Describe):
        return Answer(_describe(catalog, statement))
    with _not_too_deep(), closing(_open(catalog, statement)) as engine:
        tree = _build(catalog, engine, statement, query)
        return Run(engine, tree, max_pages=max_pages, strict=strict, progress=progress).answer()


def explain(catalog: Catalog, query: str) -> Plan:
    """What a query would fetch and read; only indexes are fetched for it."""
    query = _trim(query)
    statement = parse(query)
    if isinstance(statement, (ShowTables, Describe)):
        return Plan(())
    with _not_too_deep(), closing(_open(catalog, statement)) as engine:
        tree = _build(catalog, engine, statement, query)
        return explain_run(Run(engine, tree))


@contextmanager
def _not_too_deep() -> Iterator[None]:
    """Tell of queries that are nested deeper than can be followed."""
    try:
        yield
    except RecursionError as error:
        raise QueryError(
            "the query is nested too deeply; an IN with a list can stand for many ORs, a table for many UNIONs"
        ) from error


def _trim(query: str) -> str:
    """The query without what ends it; TABLE, after which a table can have no alias, is a short FROM."""
    return _TABLE.sub("FROM", query.strip().rstrip(";"))


def _describe(catalog: Catalog, asked: Describe) -> pa.Table:
    statement = parse(asked.query)
    if not isinstance(statement, exp.Query):
        raise QueryError("DESCRIBE describes a table, or what one SELECT gives")
    with closing(_open(catalog, statement)) as engine:
        tree = _build(catalog, engine, statement, asked.query)
        source = next((each.table for each in tree.sources if each.table.name.lower() == asked.name), None)
        return describe(engine.columns(tree.named_text), source)


def _open(catalog: Catalog, statement: exp.Expr) -> Engine:
    reach = find_reach(statement, catalog)
    engine = Engine(databases=reach.databases, files=reach.files, paths=reach.paths, folders=reach.folders)
    for name in reach.tables:
        engine.put(name, catalog.tables[name])
    return engine


def _build(catalog: Catalog, engine: Engine, statement: exp.Expr, query: str) -> Tree:
    def columns_of(node: exp.Expr) -> tuple[str, ...] | None:
        return _columns_of(node, engine, catalog)

    builder = Builder(_Folded(catalog.sources), _Folded(catalog.views), columns_of)
    tree = builder.build(statement, query)
    try:
        tree.columns = _bind(tree, engine)
    except QueryError:  # a mistake, which is told by all columns; or a name that we have not seen, and DuckDB has
        for source in tree.sources:
            source.used.add(ALL)
        tree.columns = _bind(tree, engine)
    return tree


def _bind(tree: Tree, engine: Engine) -> list[str]:
    """The columns of the answer; what is wrong with the query is told here, before a page is fetched."""
    for name, sources in tree.by_table().items():
        empty = no_rows(shape_used(sources))
        engine.show(name, empty)
        for source in sources:
            if source.is_in_view:
                engine.show(source.rows_name, empty)
    return [name for name, _ in engine.columns(tree.named_text)]


def _columns_of(node: exp.Expr, engine: Engine, catalog: Catalog) -> tuple[str, ...] | None:
    alias = node.args.get("alias")
    renamed = [] if alias is None else [each.name.lower() for each in alias.args.get("columns") or ()]
    if not isinstance(node, (exp.Table, exp.Values)):
        return tuple(renamed) or None
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier) and not node.db:
        _check_table(node.name, engine, catalog)
    try:
        columns = engine.columns(f"SELECT * FROM {node.sql(dialect=DIALECT)}")
    except QueryError:
        return None  # it takes arguments from others, or DuckDB will tell what is wrong
    return tuple(name.lower() for name, _ in columns)


def _check_table(name: str, engine: Engine, catalog: Catalog) -> None:
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import

    try:
        engine.columns(f'SELECT * FROM "{name}"')
    except QueryError as error:
        if "does not exist" not in str(error):
            raise
        names = [*catalog.sources, *catalog.views, *catalog.tables, *catalog.files]
        near = get_close_matches(name, names, 3, 0.5) or names[:5]
        there = f"there are {list_names(near)}" if near else "the catalog is empty"
        raise QueryError(f"there is no table {name}; {there} (SHOW TABLES lists all)") from error


class _Folded(Mapping[str, Thing]):
    """A mapping by folded names."""

    def __init__(self, things: Mapping[str, Thing]) -> None:
        self._things = things

    def __getitem__(self, name: str) -> Thing:
        found = find_name(self._things, name)
        if found is None:
            raise KeyError(name)
        return self._things[found]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and find_name(self._things, name) is not None

    def __iter__(self) -> Iterator[str]:
        return (name.lower() for name in self._things)

    def __len__(self) -> int:
        return len(self._things)
