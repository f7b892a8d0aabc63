"""Reads the pages that a query needs, and lets DuckDB answer it.

Occurrences of sources are read one after the other: what one holds tells more about the keys of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webquarry.errors import QueryError
from webquarry.querying.answers import Answer
from webquarry.querying.catalog import ColumnPath
from webquarry.querying.counting import PageCount, Progress
from webquarry.querying.engine import Engine
from webquarry.querying.parsing.blocks import SourceRelation
from webquarry.querying.parsing.statements import DIALECT
from webquarry.querying.parsing.trees import Tree
from webquarry.querying.parsing.using import PAGE, columns_used, shape_used
from webquarry.querying.planning.choosing import Choice, Chooser
from webquarry.querying.planning.contexts import Contexts
from webquarry.querying.planning.keys import KeyFinder
from webquarry.querying.planning.limits import Limit, find_limits
from webquarry.querying.store import SourceStore

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
        import pyarrow as pa  # noqa: PLC0415 - slow to import

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
