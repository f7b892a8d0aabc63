"""How many pages a query fetches, and may."""

from __future__ import annotations

from collections.abc import Callable, Collection

from webquarry.errors import QueryError
from webquarry.querying.store import SourceStore

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
