"""Answer a query: read the pages that it needs, then let DuckDB run it as the user wrote it.

Occurrences of sources are read one after the other, since the rows of one tell more about the keys of the others.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from typing import TYPE_CHECKING, cast

import pyarrow as pa
from sqlglot import exp

from webquarry.errors import QueryError, WebquarryError
from webquarry.model.names import PAGE, key_names, quote_name, show_key, split_key
from webquarry.model.wording import count, list_names
from webquarry.querying.block_builder import Builder
from webquarry.querying.condition_sql import ReadState
from webquarry.querying.engine import Engine, HeldRows, SourceStore, no_rows
from webquarry.querying.lineage_query import Reopen, ValueFinder
from webquarry.querying.name_resolution import schema_used
from webquarry.querying.needed_pages import (
    Choice,
    KeyFinder,
    Limit,
    Needed,
    describe_choice,
    describe_index,
    describe_unbound,
    find_limits,
    rank,
)
from webquarry.querying.query_blocks import ALL, SourceRelation, Tree
from webquarry.querying.query_nouns import Answer, Catalog, Plan, SourceTable, Unmatched
from webquarry.querying.restrictions import Contexts
from webquarry.querying.statement import DIALECT, Describe, Reach, ShowTables, find_reach, parse

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

_log = logging.getLogger(__name__)
MAX_FRUITLESS_READS = 8
"""Reads for a LIMIT that may give no new row; after them more pages are read at a time."""

NEAREST_KEYS = 3
"""Keys that are proposed for a value that no key equals."""
MAX_SUGGESTED = 5
"""Values for which keys are proposed: each is compared with the whole index."""
Progress = Callable[[int, int], None]
"""Called with the number of pages done, and of those planned so far."""
_TABLE_KEYWORD = re.compile(r"^TABLE\b", re.IGNORECASE)


def answer(
    catalog: Catalog,
    query: str,
    *,
    max_pages: int | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    reads_files: bool = True,
) -> Answer:
    """Answer a query from as few pages as it can need.

    Pages that fail make the answer partial, or with `strict` are an error.  Raises before fetching more than
    `max_pages`, and without `reads_files` for a query that names files.
    """
    query = _trim(query)
    statement = parse(query)
    if isinstance(statement, ShowTables):
        return Answer(_list_tables(catalog))
    if isinstance(statement, Describe):
        return Answer(_describe(catalog, statement))
    with _prepare(catalog, statement, query, reads_files=reads_files) as (engine, tree, reopen):
        given = Run(engine, tree, max_pages=max_pages, strict=strict, progress=progress)
        return given.answer(reopen)


def explain(catalog: Catalog, query: str) -> Plan:
    """Plan what a query would fetch and read; only indexes are fetched for it."""
    query = _trim(query)
    statement = parse(query)
    if isinstance(statement, (ShowTables, Describe)):
        return Plan(())
    with _prepare(catalog, statement, query) as (engine, tree, _):
        return Run(engine, tree).explain()


def _trim(query: str) -> str:
    """Strip the final semicolon; write TABLE, after which a table cannot have an alias, as FROM."""
    return _TABLE_KEYWORD.sub("FROM", query.strip().rstrip(";"))


@contextmanager
def _prepare(
    catalog: Catalog, statement: exp.Expr, query: str, *, reads_files: bool = True
) -> Iterator[tuple[Engine, Tree, Reopen]]:
    """Open DuckDB for what the query may read, build its blocks, and tell how to open DuckDB again."""
    try:
        reach = find_reach(statement, catalog)
        if not reads_files and (reach.paths or reach.folders):
            raise QueryError("the query names files, which are not read here")
        reopen = partial(_open, reach, {name: catalog.tables[name] for name in reach.tables})
        with closing(reopen()) as engine:
            yield engine, _build(catalog, engine, statement, query), reopen
    except RecursionError as error:
        raise QueryError(
            "the query is nested too deeply; replace many ORs by an IN with a list, and many UNIONs by a table"
        ) from error


def _open(reach: Reach, tables: Mapping[str, pa.Table]) -> Engine:
    engine = Engine(reach.databases, reach.files, reach.paths, reach.folders)
    for name, table in tables.items():
        engine.put(name, table)
    return engine


def _describe(catalog: Catalog, asked: Describe) -> pa.Table:
    statement = parse(asked.query)
    if not isinstance(statement, exp.Query):
        raise QueryError("DESCRIBE takes a table, or one SELECT")
    with _prepare(catalog, statement, asked.query) as (engine, tree, _):
        source = next((each.table for each in tree.sources if each.table.name.lower() == asked.name), None)
        return _list_columns(engine.columns(tree.named_text), source)


def _list_tables(catalog: Catalog) -> pa.Table:
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


def _list_columns(columns: Iterable[tuple[str, DuckDBPyType]], table: SourceTable | None) -> pa.Table:
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


def _build(catalog: Catalog, engine: Engine, statement: exp.Expr, query: str) -> Tree:
    builder = Builder(catalog, lambda node: _columns_of(node, engine, catalog))
    tree = builder.build(statement, query)
    try:
        tree.columns = _bind(tree, engine)
    except QueryError:  # a mistake, best explained over all columns; or a name that DuckDB knows and we do not
        for source in tree.sources:
            source.used.add(ALL)
        tree.columns = _bind(tree, engine)
    return tree


def _bind(tree: Tree, engine: Engine) -> list[str]:
    """Name the columns of the answer; raises for mistakes in the query, before a page is fetched."""
    for name, sources in tree.by_table().items():
        empty = no_rows(schema_used(sources))
        engine.show(name, empty)
        for source in sources:
            if source.is_in_view:
                engine.show(source.rows_name, empty)
    return [name for name, _ in engine.columns(tree.named_text)]


def _columns_of(node: exp.Expr, engine: Engine, catalog: Catalog) -> tuple[str, ...] | None:
    """Name the columns of what DuckDB has by itself; None when that is unknown."""
    alias = node.args.get("alias")
    renamed = [] if alias is None else [each.name.lower() for each in alias.args.get("columns") or ()]
    if not isinstance(node, (exp.Table, exp.Values)):
        return tuple(renamed) or None
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier) and not node.db:
        _check_table(node.name, engine, catalog)
    try:
        columns = engine.columns(f"SELECT * FROM {node.sql(dialect=DIALECT)}")
    except QueryError:
        return None  # it takes arguments from others, or DuckDB will report what is wrong
    return tuple(name.lower() for name, _ in columns)


def _check_table(name: str, engine: Engine, catalog: Catalog) -> None:
    try:
        engine.columns(f"SELECT * FROM {quote_name(name)}")
    except QueryError as error:
        if "does not exist" not in str(error):
            raise
        names = [*catalog.sources, *catalog.views, *catalog.tables, *catalog.files]
        near = get_close_matches(name, names, 3, 0.5) or names[:5]
        listed = f"the nearest are {list_names(near)} (SHOW TABLES lists all)" if near else ""
        advice = listed or "the catalog is empty; name a folder of wrappers with --catalog, or wq.connect"
        raise QueryError(f"there is no table {name}; {advice}") from error


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
        self._max_pages, self._progress = max_pages, progress
        self._contexts = Contexts(tree)
        self._limits = find_limits(tree, self._contexts)
        self._stores = {name: SourceStore(sources) for name, sources in tree.by_table().items()}
        self._state = ReadState()
        self._finder = KeyFinder(engine, self._contexts, self._state)
        self._held: dict[str, HeldRows] = {}
        self._done = 0

    def answer(self, reopen: Reopen) -> Answer:
        """Read what is needed, and answer; `reopen` is called when it is asked where a value comes from."""
        self._read_indexes()
        self._check_bindings()
        self._check_page_count()
        self._read_all(self._tree.sources)
        table = self._engine.answer(self._tree.text)
        if len(self._tree.columns) == table.num_columns:  # a PIVOT makes columns from values
            table = table.rename_columns(self._tree.columns)
        failures = tuple(failure for store in self._stores.values() for failure in store.failures)
        pages = {name: store.pages for name, store in self._stores.items() if store.pages}
        finder = cache(partial(ValueFinder, table, self._tree, self._stores, self._held, reopen))
        unmatched = tuple(self._find_unmatched())
        return Answer(table, failures, pages, lambda row, column: finder().find(row, column), unmatched)

    def _find_unmatched(self) -> Iterator[Unmatched]:
        """Find values that the query compares with keys and that no index has, with the nearest keys."""
        known: set[tuple[str, str, str]] = set()
        for source in self._tree.sources:
            if not (source.table.is_listed and source.key and self._contexts.of(source)):
                continue
            for place, column in enumerate(source.keys):
                keys = {split_key(key)[place] for key in self._store(source).index}
                for value in sorted(self._finder.find_values(source, column) - keys):
                    name = (source.table.name, column, value)
                    near = get_close_matches(value, keys, NEAREST_KEYS) if len(known) < MAX_SUGGESTED else ()
                    if name not in known:
                        known.add(name)
                        yield Unmatched(*name, tuple(near))

    def explain(self) -> Plan:
        """Plan the steps, as far as indexes tell them."""
        self._read_indexes()
        self._check_bindings()
        steps = [describe_index(source) for source in self._tree.sources if source in self._state.read]
        planned: dict[str, set[str]] = {}
        waiting = [source for source in self._tree.sources if source not in self._state.read]
        while waiting:
            choice = self._rank(waiting)[0][0]
            keys = planned.setdefault(choice.source.table.name, set())
            new = replace(choice, pages=len(set(choice.keys) - keys))
            steps.append(describe_choice(new, self._store(choice.source).columns))
            keys.update(choice.keys)
            if choice.source.key:
                self._show_keys(choice.source, choice.keys)
            waiting.remove(choice.source)
        counted: set[str] = set()  # the index of a source is fetched once
        for place, step in enumerate(steps):
            steps[place] = replace(step, index_pages=0 if step.source in counted else step.index_pages)
            counted.add(step.source)
        return Plan(tuple(steps))

    def _read_indexes(self) -> None:
        """Fetch the indexes, which are enough for occurrences that use only the key and `_page`."""
        sources = [source for source in self._tree.sources if source.table.is_listed and self._contexts.of(source)]
        tables = {source.table.name: source.table for source in sources}
        self._check_budget(sum(table.index_pages for table in tables.values()))
        for source in sources:
            store = self._store(source)
            keys = list(store.index)
            if not source.key:
                continue
            self._show_keys(source, keys)
            if source.table.is_row_a_page and source.used <= {*source.key_paths, (PAGE,)}:
                self._hold(source, HeldRows(keys, pa.array([], pa.int64())))

    def _show_keys(self, source: SourceRelation, keys: Sequence[str]) -> None:
        parts = [split_key(key) for key in keys]
        columns = {
            name: pa.array([each[place] for each in parts], pa.string()) for place, name in enumerate(source.keys)
        }
        self._engine.show(source.keys_name, pa.table(columns))
        self._state.keyed.add(source)

    def _check_bindings(self) -> None:
        """Raise when nothing names the keys of an occurrence, however much is read."""
        for source in self._tree.sources:
            is_needed = not source.table.is_listed and self._contexts.of(source)
            if is_needed and not self._finder.find(source).is_bindable:
                raise QueryError(describe_unbound(source))

    def _check_page_count(self) -> None:
        """Raise before the first page when it is known that there are too many."""
        if self._max_pages is None:
            return
        limited = {source for limit in self._limits for source in limit.block.sources}
        waiting = [source for source in self._tree.sources if source not in self._state.read | limited]
        keys: dict[str, set[str]] = {}
        for choice in self._rank(waiting)[0]:
            if choice.needed.is_bound and choice.needed.is_final:
                keys.setdefault(choice.source.table.name, set()).update(choice.keys)
        self._check_budget(sum(map(len, keys.values())))

    def _check_budget(self, more: int) -> None:
        """Raise QueryError if `more` pages would exceed `max_pages`."""
        fetched = sum(store.pages for store in self._stores.values())
        if self._max_pages is not None and fetched + more > self._max_pages:
            raise QueryError(
                f"the query needs at least {count(fetched + more, 'page')}, and the limit is {self._max_pages} "
                f"(fetched so far: {fetched}); restrict a key, add a LIMIT, or allow more (--max-pages)"
            )

    def _read_all(self, sources: Iterable[SourceRelation]) -> None:
        waiting = [source for source in sources if source not in self._state.read]
        while waiting:
            ranked, settled = self._rank(waiting)
            if not ranked[0].needed.is_bound:
                raise QueryError(describe_unbound(ranked[0].source))
            for choice in settled or ranked[:1]:
                if choice.limit is None:
                    self._read(choice.source, choice.keys)
                else:
                    self._fill(choice.limit, choice)
            waiting = [source for source in waiting if source not in self._state.read]

    def _rank(self, sources: Iterable[SourceRelation]) -> tuple[list[Choice], list[Choice]]:
        choices = []
        for source in sources:
            needed = self._finder.find(source)
            keys = self._keys(source, needed)
            limit = next((limit for limit in self._limits if source in limit.drivers), None)
            choices.append(Choice(source, needed, keys, len(self._store(source).missing(keys)), limit))
        return rank(choices, self._limits, self._state.read)

    def _keys(self, source: SourceRelation, needed: Needed) -> list[str]:
        if not needed.is_bound:
            return []
        if not source.table.is_listed:
            return sorted(needed.keys or ())
        index = self._store(source).index if self._contexts.of(source) else ()
        if not source.key:
            return list(index) if needed.keys is None else []
        return [key for key in index if needed.keys is None or key in needed.keys]

    def _read(self, source: SourceRelation, keys: Sequence[str], *, unread: Sequence[str] = ()) -> None:
        """Read the pages of an occurrence; `unread`, the first of the keys, only get a row from the index."""
        store = self._store(source)
        keys = keys[len(unread) :]
        missing = store.missing(keys)
        self._check_budget(len(missing))
        planned = self._done + len(missing)

        def report() -> None:
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, planned)

        if self._progress is not None:
            self._progress(self._done, planned)
        store.read(missing, report, strict=self._strict)
        self._hold(source, HeldRows(unread, store.find_rows(keys)))

    def _hold(self, source: SourceRelation, held: HeldRows) -> None:
        """Give DuckDB the rows of an occurrence."""
        self._held[source.rows_name] = held
        self._engine.put(source.rows_name, self._store(source).rows(held))
        self._state.read.add(source)

    def _store(self, source: SourceRelation) -> SourceStore:
        return self._stores[source.table.name]

    def _fill(self, limit: Limit, choice: Choice) -> None:
        """Read pages of a driver, and what other occurrences need with these, until there are enough rows."""
        driver, keys = choice.source, choice.keys
        if limit.order:
            keys = sorted(keys, reverse=limit.order == "descending")
        others = [source for source in limit.block.sources if source is not driver and source not in self._state.read]
        skipped = keys[: limit.skipped] if limit.counts_pages and choice.needed.is_exact else []
        batch = limit.rows + limit.skipped - len(skipped) if driver.table.is_row_a_page else 1
        taken, rows, fruitless = len(skipped), 0, 0
        while True:
            taken = min(taken + batch, len(keys))
            self._read(driver, keys[:taken], unread=skipped)
            self._state.read.difference_update(others)
            self._read_all(others)
            before, rows = rows, self._count_rows(limit)
            if taken == len(keys) or rows >= limit.rows:
                return
            fruitless = fruitless + 1 if rows == before else 0
            batch = limit.rows - rows if driver.table.is_row_a_page else 1
            batch <<= max(0, fruitless - MAX_FRUITLESS_READS)

    def _count_rows(self, limit: Limit) -> int:
        """Count the rows for a LIMIT so far; 0 when that is not possible, so that all pages are read."""
        statement = self._finder.with_ctes(f"SELECT count(*) FROM ({limit.block.node.sql(dialect=DIALECT)})")
        try:
            return int(self._engine.run(statement)[0][0])
        except QueryError:
            return 0
