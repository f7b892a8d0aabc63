"""What was read of the sources of a query: each page once, whatever asks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import pyarrow as pa

from webquarry.errors import QueryError
from webquarry.model.page import Failure
from webquarry.querying.catalog import ColumnPath, SourceTable
from webquarry.querying.engine import no_rows


class SourceStore:
    """The pages of one source that were read."""

    def __init__(self, table: SourceTable, columns: list[ColumnPath], shape: pa.Schema) -> None:
        """`columns` are read of pages; rows have those of `shape`."""
        self.table = table
        self.columns = columns
        self._shape = shape
        self._index: Mapping[str, str] | None = None
        self._read: set[str] = set()
        self._parts: list[pa.Table] = []
        self.failures: list[Failure] = []

    @property
    def pages(self) -> int:
        """How many pages were fetched."""
        return len(self._read) + (0 if self._index is None else self.table.index_pages)

    def index(self) -> Mapping[str, str]:
        """The addresses of the pages that the source has, by their keys."""
        if self._index is None:
            self._index = self.table.index()
        return self._index

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Those keys whose pages were not read."""
        return [key for key in keys if key not in self._read]

    def read(self, keys: Sequence[str], progress: Callable[[], None], *, strict: bool) -> None:
        """Read the pages that were not."""
        wanted = self.missing(keys)
        if not wanted:
            return
        self._read.update(wanted)
        reading = self.table.read(wanted, self.columns, progress)
        if reading.failures and strict:
            failure = reading.failures[0]
            raise QueryError(f"{failure.error} (a page of {self.table.name}; without --strict the others answer)")
        self.failures += reading.failures
        self._parts.append(reading.rows.select(self._shape.names))

    def rows(self, keys: Sequence[str] | None) -> pa.Table:
        """The rows of the pages with these keys, in the order of the keys; of a source without a key all."""

        if not self._parts:
            return no_rows(self._shape)
        rows = pa.concat_tables(self._parts)
        self._parts = [rows]
        if keys is None or not self.table.key:
            return rows
        order = pa.table({"key": pa.array(keys, pa.string()), "place": pa.array(range(len(keys)), pa.int64())})
        places = pa.table({"key": rows[self.table.key], "row": pa.array(range(len(rows)), pa.int64())})
        joined = places.join(order, "key", join_type="inner").sort_by([("place", "ascending"), ("row", "ascending")])
        return rows.take(joined["row"])

    def index_rows(self, keys: Sequence[str]) -> pa.Table:
        """A row for each key, with what the index tells: the key and the address."""

        addresses = self.index()
        known = {self.table.key: keys, "_page": [addresses[key] for key in keys]}
        columns = [
            pa.array(known[field.name], field.type) if field.name in known else pa.nulls(len(keys), field.type)
            for field in self._shape
        ]
        return pa.table(columns, schema=self._shape)

    def add_unread(self, keys: Sequence[str], rows: pa.Table) -> pa.Table:
        """The rows after those of pages of which no more is needed than that they are there."""

        return pa.concat_tables([self.index_rows(keys), rows])


# MERGED querying/counting: How many pages a query fetches, and may.
Progress = Callable[[int, int], None]
"""Told how many pages are done, and how many are planned so far."""


class PageCount:
    """Counts the pages of a query, and stops it before there are too many."""

    def __init__(self, stores: Collection[SourceStore], max_pages: int | None, progress: Progress | None) -> None:
        self._stores, self._max_pages, self._progress = stores, max_pages, progress
        self._done = self._planned = 0

    @property
    def is_bounded(self) -> bool:
        """Whether there can be too many."""
        return self._max_pages is not None

    def check(self, more: int) -> None:
        """Raise when so many pages more are too many."""
        fetched = sum(store.pages for store in self._stores)
        if self._max_pages is not None and fetched + more > self._max_pages:
            raise QueryError(
                f"the query needs {fetched + more} pages or more, and {self._max_pages} are allowed (fetched so far: "
                f"{fetched}); restrict a key, add a LIMIT, or allow more (--max-pages)"
            )

    def begin(self, more: int) -> None:
        """Let so many pages more be fetched; raise when that are too many."""
        self.check(more)
        self._planned = self._done + more
        self._tell()

    def add(self) -> None:
        """Count a page."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._done, self._planned)
