"""Set up catalogs of wrappers to query."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import webquarry as wq
from benchmarks.queries.server import Served
from benchmarks.wrappers.books import STATIC, Book, find_books, learn_book
from webquarry.model.page import Page
from webquarry.model.wrapper import Wrapper

if TYPE_CHECKING:
    from webquarry.querying.query_nouns import Answer

GROUPS = Path(__file__).with_name("groups.html")
PAGES, KEY = "geos/{code}.html", "country"
YEAR = "2011"


class Workplace:
    """A catalog in a temporary folder, with fresh caches."""

    def __init__(self, folder: Path) -> None:
        self.catalog = folder / "catalog"
        self.catalog.mkdir()
        self._folder = folder
        self._numbers = count()

    def add(self, wrapper: Wrapper) -> None:
        wq.save_wrapper(self.catalog / f"{wrapper.source.name}.toml", wrapper)

    def sql(self, query: str) -> Answer:
        """Run a query on a new connection with an empty cache and no limit on requests per second."""
        cache = self._folder / f"cache-{next(self._numbers)}"
        connection = wq.connect(self.catalog, cache=cache, allow_private=True, requests_per_second=math.inf)
        return connection.sql(query)


@contextmanager
def open_workplace() -> Iterator[Workplace]:
    with TemporaryDirectory() as folder:
        yield Workplace(Path(folder))


def find_book(root: Path) -> Book | None:
    """Return the fact book of 2011, or None if the corpora lack it."""
    return next((book for book in find_books(root) if book.year == YEAR), None)


def wrap_book(book: Book, base: str, index: Path | None = None) -> Wrapper:
    """Learn a wrapper from five pages, for pages below the address `base`; the index defaults to the book's."""
    wrapper = learn_book(book, STATIC)
    index = index or book.folder / "index.csv"
    source = replace(wrapper.source, base=base, pages=PAGES, key=KEY, index_file=index.resolve().as_uri())
    return replace(wrapper, source=source)


def wrap_groups(address: str) -> Wrapper:
    """Learn a wrapper for the page of country groups below an address."""
    page = Page(f"{address}{GROUPS.name}", GROUPS.read_bytes())
    return wq.wrap(wq.clean(page), name="groups", kind="tables")


def served_pages(book: Book) -> Served:
    """List the pages of the book and the page of groups by their path on the server."""
    pages = {f"/geos/{code}.html": book.folder / "geos" / f"{code}.html" for code in book.codes()}
    return {**pages, f"/{GROUPS.name}": GROUPS}
