"""Query the fact book of 2011 with shillelagh, through hand-written tables that use XPath on lxml's trees.

The tables use what shillelagh offers: the key is a filter, which SQLite binds for each row of a join; the cost model
makes SQLite start with the other table; only requested columns are read; connections stay open; pages are cached; a
scan fetches as many pages at a time as ours does.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import lxml.html
import requests
from requests.adapters import HTTPAdapter
from shillelagh.adapters.base import Adapter
from shillelagh.adapters.registry import registry
from shillelagh.backends.apsw.db import connect
from shillelagh.fields import Field, String
from shillelagh.filters import Equal, Filter, Like, Operator

from benchmarks.queries.reading import read_field, read_groups
from benchmarks.wrappers.books import Book
from webquarry.fetching.policy import DEFAULT_POLICY

FIELDS = {
    "land_boundaries": "Land boundaries",
    "area": "Area",
    "map_references": "Map references",
    "gdp": "GDP (purchasing power parity)",
    "debt_external": "Debt - external",
    "military_expenditures": "Military expenditures",
}
"""The names of fields in the book, by column."""
_SCAN, _LOOKUP, _ONE_PAGE = 1e6, 1e3, 10.0  # in units of SQLite's planner: the cost of a row in memory


class FactbookTable(Adapter):
    """A table with a row for each country, read from its page."""

    supports_requested_columns = True

    @staticmethod
    def supports(uri: str, fast: bool = True, **_: Any) -> bool | None:  # noqa: ARG004 - as all adapters
        return uri.startswith("factbook|")

    @staticmethod
    def parse_uri(uri: str) -> tuple[str, str]:
        _, address, index = uri.split("|")
        return address, index

    def __init__(self, address: str, index: str) -> None:
        super().__init__()
        with Path(index).open(newline="", encoding="utf-8") as file:
            self._addresses = {row["country"]: f"{address}geos/{row['code']}.html" for row in csv.DictReader(file)}
        self._numbers = {key: number for number, key in enumerate(self._addresses)}
        self._session = requests.Session()
        self._session.mount("http://", HTTPAdapter(pool_maxsize=DEFAULT_POLICY.connections_per_host))
        self._trees: dict[str, lxml.html.HtmlElement] = {}

    def get_columns(self) -> dict[str, Field[Any, Any]]:
        return {"country": String(filters=[Equal, Like]), **{name: String() for name in FIELDS}}

    def get_cost(self, filtered_columns: list[tuple[str, Operator]], order: object) -> float:  # noqa: ARG002
        return _LOOKUP if ("country", Operator.EQ) in filtered_columns else _SCAN

    def get_data(
        self, bounds: dict[str, Filter], order: object, requested_columns: Iterable[str] = tuple(FIELDS), **_: Any
    ) -> Iterator[dict[str, Any]]:
        del order  # we promise none
        wanted = bounds.get("country")
        keys = [key for key in self._addresses if wanted is None or wanted.check(key)]
        fields = [name for name in requested_columns if name in FIELDS]
        for key, tree in zip(keys, self._read_trees(keys), strict=True):
            row = {name: read_field(tree, FIELDS[name]) for name in fields}
            yield {"rowid": self._numbers[key], "country": key, **row}

    def close(self) -> None:
        self._session.close()

    def _read_trees(self, keys: Sequence[str]) -> Iterator[lxml.html.HtmlElement]:
        """Parse the pages one by one, while the next ones are fetched."""
        missing = [key for key in keys if key not in self._trees]
        bodies: Iterator[bytes] = map(self._fetch, missing)
        if len(missing) > 1:  # each row of a join needs one page, for which a pool costs more than it saves
            pool = ThreadPoolExecutor(DEFAULT_POLICY.connections_per_host)
            bodies = pool.map(self._fetch, missing)
            pool.shutdown(wait=False)  # its threads end when all pages are fetched
        for key in keys:
            if key not in self._trees:
                self._trees[key] = lxml.html.fromstring(next(bodies))
            yield self._trees[key]

    def _fetch(self, key: str) -> bytes:
        return _get(self._session, self._addresses[key])


class GroupsTable(Adapter):
    """The table of country groups, read from one page."""

    @staticmethod
    def supports(uri: str, fast: bool = True, **_: Any) -> bool | None:  # noqa: ARG004 - as all adapters
        return uri.startswith("groups|")

    @staticmethod
    def parse_uri(uri: str) -> tuple[str]:
        return (uri.partition("|")[2],)

    def __init__(self, address: str) -> None:
        super().__init__()
        with requests.Session() as session:
            self._rows = list(read_groups(lxml.html.fromstring(_get(session, f"{address}groups.html"))))

    def get_columns(self) -> dict[str, Field[Any, Any]]:
        return {"grouping": String(filters=[Equal]), "country": String(filters=[Equal])}

    def get_cost(self, filtered_columns: object, order: object) -> float:  # noqa: ARG002 - as all adapters
        return _ONE_PAGE

    def get_data(self, bounds: dict[str, Filter], order: object, **_: Any) -> Iterator[dict[str, Any]]:
        del order
        for number, (grouping, country) in enumerate(self._rows):
            row = {"rowid": number, "grouping": grouping, "country": country}
            if all(bound.check(row[name]) for name, bound in bounds.items()):
                yield row


def answer_by_shillelagh(query: str, tables: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """Run a query on a new connection; `{name}` in the query stands for a table."""
    for name, adapter in (("factbook", FactbookTable), ("groups", GroupsTable)):
        if name not in registry.loaders:
            registry.add(name, adapter)
    connection = connect(":memory:", adapters=["factbook", "groups"])
    try:
        cursor = connection.cursor()
        return list(cursor.execute(query.format(**{name: f'"{uri}"' for name, uri in tables.items()})))
    finally:
        connection.close()


def table_names(address: str, book: Book) -> dict[str, str]:
    """Return the names of the two tables in a connection, for pages below an address."""
    return {"factbook": f"factbook|{address}|{book.folder / 'index.csv'}", "groups": f"groups|{address}"}


def _get(session: requests.Session, address: str) -> bytes:
    answer = session.get(address, timeout=30)
    answer.raise_for_status()
    return answer.content
