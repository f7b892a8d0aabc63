"""Find the places on pages that the values of an answer come from.

The query runs a second time over the rows that were read, with the numbers of these rows (`lineage_query`).  Rows of
the answer are found again by their values, so that what changes from run to run is not taken for another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.errors import QueryError
from webquarry.model.names import count, list_names
from webquarry.querying.answers import Place, Whereabouts
from webquarry.querying.engine import Engine
from webquarry.querying.lineage_query import NUMBERS, LineageQuery, UntraceableError
from webquarry.querying.query_blocks import Tree
from webquarry.querying.source_store import HeldRows, SourceStore

MAX_PLACES = 1_000
"""Places that are given for one value: more than anybody opens."""
Reopen = Callable[[], Engine]
"""Opens DuckDB for what a query reads besides sources."""


class ValueFinder:
    """Finds the places of the values of one answer; it keeps the rows that were read."""

    def __init__(
        self,
        table: pa.Table,
        tree: Tree,
        stores: Mapping[str, SourceStore],
        held: Mapping[str, HeldRows],
        reopen: Reopen,
    ) -> None:
        self._table, self._tree, self._stores, self._held, self._reopen = table, tree, stores, held, reopen
        self._query = LineageQuery(tree)
        self._traced: dict[int, pa.Table | str] = {}
        """The rows with their numbers by the column asked for, or why there are none."""

    def find(self, row: int, column: int) -> Whereabouts:
        """Find the places of one value."""
        if column not in self._traced:
            self._traced[column] = self._trace(column)
        traced = self._traced[column]
        if isinstance(traced, str):
            return Whereabouts(note=f"no place is known: {traced}")
        rows = find_equal_rows(self._table, row, traced.drop_columns([NUMBERS]))
        if not rows:
            return Whereabouts(note="no place is known: the query gives another row when it runs again")
        if self._query.keeps_order and row in rows:
            rows = [row]
        numbers = traced[NUMBERS].take(pa.array(rows, pa.int64())).to_pylist()
        found = dict.fromkeys(number for each in numbers for number in each or () if number is not None)
        is_one_of = len(rows) > 1 and not self._query.merges_rows
        return self._describe(list(found), is_one_of=is_one_of)

    def _trace(self, column: int) -> pa.Table | str:
        try:
            written = self._query.write(column)
            with closing(self._reopen()) as engine:
                for source in self._tree.sources:
                    if source.rows_name in self._held:
                        rows = self._stores[source.table.name].rows(self._held[source.rows_name])
                        engine.put(source.rows_name, rows)
                traced = engine.answer(written)
        except UntraceableError as error:
            return str(error)
        except (QueryError, RecursionError):
            return "the query is of a form that is not followed"
        return traced

    def _describe(self, numbers: Sequence[int], *, is_one_of: bool) -> Whereabouts:
        if not numbers:
            return Whereabouts(note="no place is known: it is not made of values of pages")
        places: dict[Place, None] = {}
        unread = set()
        for number in numbers:
            source, path, row = self._query.find(number)
            store = self._stores[source.table.name]
            found = store.find_places(self._held[source.rows_name], row, path)
            if found is None:
                unread.add(source.table.name)
            places.update(dict.fromkeys(found or ()))
        if any(place.node for place in places):  # rows without the value add nothing to those that have it
            places = {place: None for place in places if place.node}
        if not places:
            indexes = list_names(sorted(unread))
            return Whereabouts(note=f"no place is known: the index of {indexes} has it; no page was read")
        note = _note(list(places), is_one_of=is_one_of)
        return Whereabouts(tuple(places)[:MAX_PLACES], note, is_one_of=is_one_of and len(places) > 1)


def _note(places: Sequence[Place], *, is_one_of: bool) -> str:
    if len(places) == 1:
        return "" if places[0].node else "the page as a whole"
    said = "one of" if is_one_of else "made of values at"
    shown = f", of which {MAX_PLACES:,} are given" if len(places) > MAX_PLACES else ""
    return f"{said} {count(len(places), 'place')}{shown}"


def find_equal_rows(table: pa.Table, row: int, traced: pa.Table) -> list[int]:
    """Find the rows of a second table that have the values of a row of the first."""
    if traced.num_columns != table.num_columns:
        return []
    numbers = pa.array(range(traced.num_rows), pa.int64())
    others = []
    for place, column in enumerate(table.columns):
        value, candidates = column[row], traced.column(place)
        if pa.types.is_nested(column.type) or pa.types.is_floating(column.type) or candidates.type != column.type:
            others.append(place)
            continue
        candidates = candidates.take(numbers)
        is_equal = pc.equal(candidates, value) if value.is_valid else pc.is_null(candidates)
        numbers = numbers.filter(is_equal.combine_chunks())
    for place in others:  # Arrow does not compare nested values, nor NaN with itself
        value = repr(table.column(place)[row].as_py())
        candidates = traced.column(place).take(numbers).to_pylist()
        numbers = numbers.filter(pa.array([repr(each) == value for each in candidates], pa.bool_()))
    found: list[int] = numbers.to_pylist()
    return found
