"""Folders of wrappers to query."""

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
    from webquarry.querying.answers import Answer

GROUPS = Path(__file__).with_name("groups.html")
PAGES, KEY = "geos/{code}.html", "country"
YEAR = "2011"


class Workplace:
    """A catalog in a folder that goes away, and fresh caches beside it."""

    def __init__(self, folder: Path) -> None:
        self.catalog = folder / "catalog"
        self.catalog.mkdir()
        self._folder = folder
        self._numbers = count()

    def add(self, wrapper: Wrapper) -> None:
        wq.save_wrapper(self.catalog / f"{wrapper.source.name}.toml", wrapper)

    def sql(self, query: str) -> Answer:
        """The answer of a fresh connection with an empty cache, without politeness, which would only wait."""
        cache = self._folder / f"cache-{next(self._numbers)}"
        connection = wq.connect(self.catalog, cache=cache, allow_private=True, requests_per_second=math.inf)
        return connection.sql(query)


@contextmanager
def open_workplace() -> Iterator[Workplace]:
    with TemporaryDirectory() as folder:
        yield Workplace(Path(folder))


def find_book(root: Path) -> Book | None:
    """The fact book of 2011, if the corpora have it."""
    return next((book for book in find_books(root) if book.year == YEAR), None)


def wrap_book(book: Book, base: str, index: Path | None = None) -> Wrapper:
    """The wrapper that five pages give, for the pages below a folder or address; the index is a file of the book."""
    wrapper = learn_book(book, STATIC)
    index = index or book.folder / "index.csv"
    source = replace(wrapper.source, base=base, pages=PAGES, key=KEY, index_file=index.resolve().as_uri())
    return replace(wrapper, source=source)


def wrap_groups(address: str) -> Wrapper:
    """The wrapper of the page of country groups below an address."""
    page = Page(f"{address}{GROUPS.name}", GROUPS.read_bytes())
    return wq.wrap(wq.clean(page), name="groups", kind="tables")


def served_pages(book: Book) -> Served:
    """The pages of the book and that of the groups, as a server has them."""
    pages = {f"/geos/{code}.html": book.folder / "geos" / f"{code}.html" for code in book.codes()}
    return {**pages, f"/{GROUPS.name}": GROUPS}
