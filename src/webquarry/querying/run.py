"""A query from its text to its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import TypeVar

import pyarrow as pa
from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.model.names import list_names
from webquarry.querying.answers import Answer, Plan, Step
from webquarry.querying.block_builder import Builder
from webquarry.querying.catalog import Catalog, ColumnPath, describe, show_tables
from webquarry.querying.engine import Engine, no_rows
from webquarry.querying.key_search import KeyFinder
from webquarry.querying.name_resolution import PAGE, columns_used, shape_used
from webquarry.querying.query_blocks import ALL, Condition, SourceRelation, Tree
from webquarry.querying.read_order import Choice, Chooser, Limit, find_limits
from webquarry.querying.restrictions import Contexts
from webquarry.querying.source_store import PageCount, Progress, SourceStore
from webquarry.querying.statement import DIALECT, Describe, ShowTables, find_name, find_reach, parse

# MERGED querying/executing: Reads the pages that a query needs, and lets DuckDB answer it.
# MERGED
# MERGED Occurrences of sources are read one after the other: what one holds tells more about the keys of the
PATIENCE = 8
"""How often pages that may fill a LIMIT are read in vain before more are read at a time than can be needed."""


class Run:
    """One query, from no page read to all that it needs."""

    def __init__(
        self,
        engine: Engine,
        tree: Tree,
        *,
        max_pages: int | None = None,
        strict: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self._engine, self._tree, self._strict = engine, tree, strict
        self._contexts = Contexts(tree)
        self._stores = _open_stores(tree)
        self._count = PageCount(self._stores.values(), max_pages, progress)
        self._limits = find_limits(tree, self._contexts)
        self._finder = KeyFinder(engine, tree, self._contexts, self)
        self.chooser = Chooser(self._finder, self._contexts, self._limits, self._stores, self)
        self._read: set[SourceRelation] = set()
        self._keyed: set[SourceRelation] = set()

    # -- what is at hand, as the translation asks

    def is_read(self, source: SourceRelation) -> bool:
        """Whether the rows are there."""
        return source in self._read

    def has_keys(self, source: SourceRelation) -> bool:
        """Whether at least the keys are there that it can have."""
        return source in self._keyed

    # -- what a plan tells

    @property
    def sources(self) -> list[SourceRelation]:
        """The occurrences of sources, in the order of the query."""
        return self._tree.sources

    def columns_of(self, source: SourceRelation) -> list[ColumnPath]:
        """What is read of the pages of a source."""
        return self._store(source).columns

    def narrow_keys(self, choice: Choice) -> None:
        """Let an occurrence have these keys at most, though they are not read."""
        if choice.source.key:
            self._put_keys(choice.source, choice.keys)

    # -- the run

    def answer(self) -> Answer:
        """Read what is needed, and answer."""
        self.take_indexes()
        self.chooser.check_bindings(self._tree.sources)
        self._check_beforehand()
        self._complete(self._tree.sources)
        table = self._engine.answer(self._tree.text)
        if len(self._tree.columns) == table.num_columns:  # a PIVOT makes columns of what is in the rows
            table = table.rename_columns(self._tree.columns)
        stores = self._stores.values()
        failures = tuple(failure for store in stores for failure in store.failures)
        return Answer(table, failures, {store.table.name: store.pages for store in stores if store.pages})

    def take_indexes(self) -> None:
        """Learn which pages sources have; some occurrences need no more than that."""
        listed = {source.table.name: source.table for source in self._tree.sources if self._contexts.of(source)}
        self._count.check(sum(table.index_pages for table in listed.values() if table.is_listed))
        for source in self._tree.sources:
            if not source.table.is_listed or not self._contexts.of(source):
                continue
            store = self._store(source)
            index = store.index()
            if not source.key:
                continue
            self._put_keys(source, list(index))
            if source.table.is_row_a_page and source.used <= {(source.key,), (PAGE,)}:
                self._engine.put(source.rows_name, store.index_rows(list(index)))
                self._read.add(source)

    def _put_keys(self, source: SourceRelation, keys: Sequence[str]) -> None:

        self._engine.show(source.keys_name, pa.table({source.key: pa.array(keys, pa.string())}))
        self._keyed.add(source)

    def _complete(self, sources: Iterable[SourceRelation]) -> None:
        """Read all of these occurrences."""
        waiting = [source for source in sources if source not in self._read]
        while waiting:
            for choice in self.chooser.choose(waiting):
                if choice.limit is None:
                    self._take(choice.source, choice.keys)
                else:
                    self._fill(choice.limit, choice)
            waiting = [source for source in waiting if source not in self._read]

    # -- reading

    def _take(self, source: SourceRelation, keys: Sequence[str], *, unread: Sequence[str] = ()) -> None:
        """Read the pages of an occurrence with these keys; of some it is enough that there is a row."""
        store = self._store(source)
        keys = keys[len(unread) :]
        self._count.begin(len(store.missing(keys)))
        store.read(keys, self._count.add, strict=self._strict)
        rows = store.rows(keys)
        if unread:
            rows = store.add_unread(unread, rows)
        self._engine.put(source.rows_name, rows)
        self._read.add(source)

    def _store(self, source: SourceRelation) -> SourceStore:
        return self._stores[source.table.name]

    def _check_beforehand(self) -> None:
        """Stop before the first page when it is known that there are too many."""
        if not self._count.is_bounded:
            return
        limited = {source for limit in self._limits for source in limit.block.sources}
        waiting = [source for source in self._tree.sources if source not in self._read and source not in limited]
        keys: dict[str, set[str]] = {}
        for choice in self.chooser.rank(waiting):
            if choice.needed.is_bound and choice.needed.is_final:
                keys.setdefault(choice.source.table.name, set()).update(choice.keys)
        self._count.check(sum(map(len, keys.values())))

    # -- limits

    def _fill(self, limit: Limit, choice: Choice) -> None:
        """Read pages of a driver, and what other occurrences need with these, until there are enough rows."""
        driver, keys = choice.source, choice.keys
        if limit.order:
            keys = sorted(keys, reverse=limit.order == "descending")
        others = [source for source in limit.block.sources if source is not driver and source not in self._read]
        wanted = limit.rows + limit.passed
        in_vain = 0
        passed = keys[: limit.passed] if limit.is_of_pages and choice.needed.is_exact else []
        batch = wanted - len(passed) if driver.table.is_row_a_page else 1
        taken, rows = len(passed), 0
        while True:
            taken = min(taken + batch, len(keys))
            self._take(driver, keys[:taken], unread=passed)
            self._read.difference_update(others)
            self._complete(others)
            before, rows = rows, self._rows_of(limit)
            if taken == len(keys) or rows >= limit.rows:
                return
            in_vain = in_vain + 1 if rows == before else 0
            batch = limit.rows - rows if driver.table.is_row_a_page else 1
            batch <<= max(0, in_vain - PATIENCE)

    def _rows_of(self, limit: Limit) -> int:
        """How many rows there are of those that a LIMIT wants; none when that cannot be told, by which all is read."""
        statement = self._finder.with_ctes(f"SELECT count(*) FROM ({limit.block.node.sql(dialect=DIALECT)})")
        try:
            return int(self._engine.run(statement)[0][0])
        except QueryError:
            return 0


def _open_stores(tree: Tree) -> dict[str, SourceStore]:
    return {
        name: SourceStore(sources[0].table, columns_used(sources), shape_used(sources))
        for name, sources in tree.by_table().items()
    }


# MERGED querying/planning/explaining: What a query would fetch: the steps of a run, as far as indexes tell t
def explain_run(run: Run) -> Plan:
    """The steps of a query; pages are not fetched for it, only indexes."""
    run.take_indexes()
    run.chooser.check_bindings(run.sources)
    steps = [_index_step(run, source) for source in run.sources if run.is_read(source)]
    waiting = [source for source in run.sources if not run.is_read(source)]
    planned: dict[str, set[str]] = {}
    while waiting:
        choice = run.chooser.rank(waiting)[0]
        keys = planned.setdefault(choice.source.table.name, set())
        steps.append(_step_of(run, replace(choice, pages=len(set(choice.keys) - keys))))
        keys.update(choice.keys)
        run.narrow_keys(choice)
        waiting.remove(choice.source)
    return Plan(tuple(_count_indexes_once(steps)))


def _count_indexes_once(steps: list[Step]) -> Iterator[Step]:
    seen: set[str] = set()
    for step in steps:
        yield replace(step, index_pages=0 if step.source in seen else step.index_pages)
        seen.add(step.source)


def _index_step(run: Run, source: SourceRelation) -> Step:
    return _step(run, source, "all of its index", 0, 0, reads=False)


def _step_of(run: Run, choice: Choice) -> Step:
    source, needed = choice.source, choice.needed
    told = [*needed.told, *(() if needed.is_final else needed.waiting)]
    binding = " and ".join(map(_written, told)) or ("all of its index" if source.key else "all of its pages")
    if not needed.is_bound:
        return _step(run, source, binding, None, None)
    limit = choice.limit
    if limit is None:
        return _step(run, source, binding, choice.pages if needed.is_final else None, choice.pages)
    enough = limit.rows + (0 if limit.is_of_pages else limit.passed)
    pages = min(choice.pages, enough) if needed.is_exact and source.table.is_row_a_page else None
    binding += f", until there are {limit.rows + limit.passed} rows"
    return _step(run, source, binding, pages, choice.pages)


def _step(
    run: Run, source: SourceRelation, binding: str, pages: int | None, at_most: int | None, *, reads: bool = True
) -> Step:
    table = source.table
    sections = tuple(table.sections(run.columns_of(source))) if reads else ()
    index_pages = table.index_pages if table.is_listed else 0
    return Step(table.name, source.alias, table.key, binding, pages, at_most, index_pages, sections, table.is_rendered)


def _written(condition: Condition) -> str:
    """A condition as the query has it."""
    text = condition.expression.sql(dialect=DIALECT)
    for relation in condition.relations:  # USING is written with names of our own
        text = text.replace(f'"{relation.name}"', relation.alias or "query")
    return text


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
