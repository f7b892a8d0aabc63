"""Keep the rows of a source that were read for a query, and where on their pages the values are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.errors import QueryError
from webquarry.model.names import KEY_SEPARATOR, PAGE, key_names, split_key
from webquarry.model.page import Failure
from webquarry.querying.answers import Place
from webquarry.querying.catalog import ColumnPath, Reading
from webquarry.querying.engine import no_rows
from webquarry.querying.name_resolution import columns_used, schema_used
from webquarry.querying.query_blocks import SourceRelation


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
