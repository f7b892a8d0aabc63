"""A small web to query: sources whose pages are counted, with what DuckDB has by itself; and the truth about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from webquarry.model.names import join_key, key_names, show_key, split_key
from webquarry.model.page import Failure
from webquarry.pipeline.open_catalogs import RenamedTable
from webquarry.querying.query_nouns import Catalog, ColumnPath, Reading

FETCHED = datetime(2026, 11, 15, 12, 30, 45, tzinfo=UTC)
ENDING = (("_page", pa.string()), ("_fetched", pa.timestamp("us", "UTC")))
Row = dict[str, Any]


@dataclass(frozen=True)
class Site:
    """What there is on the web: rows by key, in the order of the index."""

    name: str
    key: str
    columns: tuple[tuple[str, pa.DataType], ...]
    pages: Mapping[str, Sequence[Row]]
    is_listed: bool = True
    is_row_a_page: bool = True
    index_pages: int = 0

    @property
    def keys(self) -> tuple[str, ...]:
        return key_names(self.key)

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([*((name, pa.string()) for name in self.keys), *self.columns, *ENDING])

    def address(self, key: str) -> str:
        return f"https://{self.name}.example/{list(self.pages).index(key)}" if self.key else key

    def rows(self, key: str) -> list[Row]:
        ends = {"_page": self.address(key), "_fetched": FETCHED}
        named = dict(zip(self.keys, split_key(key), strict=True)) if self.key else {}
        return [{**named, **row, **ends} for row in self.pages[key]]

    def to_arrow(self) -> pa.Table:
        """The rows of all pages."""
        return pa.Table.from_pylist([row for key in self.pages for row in self.rows(key)], self.schema)


@dataclass
class Pages:
    """A source that keeps count of the pages that are read, and holds its reader to the contract."""

    site: Site
    failing: frozenset[str] = frozenset()
    name: str = ""
    schema: pa.Schema = None
    key: str = ""
    is_listed: bool = True
    is_row_a_page: bool = True
    is_rendered: bool = False
    index_pages: int = 0
    example: str = ""
    keys_read: list[str] = field(default_factory=list)
    columns_read: set[ColumnPath] = field(default_factory=set)
    times_listed: int = 0

    def __post_init__(self) -> None:
        site = self.site
        self.name, self.schema, self.key = site.name, site.schema, site.key
        self.index_pages = site.index_pages
        self.is_listed, self.is_row_a_page, self.example = site.is_listed, site.is_row_a_page, next(iter(site.pages))

    def index(self) -> dict[str, str]:
        assert self.is_listed, f"{self.name} has no index"
        self.times_listed += 1
        assert self.times_listed == 1, f"the index of {self.name} is read a second time"
        return {key: self.site.address(key) for key in self.site.pages}

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        again = [key for key, times in Counter([*self.keys_read, *keys]).items() if times > 1]
        assert not again, f"pages of {self.name} are read a second time: {again}"
        unknown = [key for key in keys if self.is_listed and key not in self.site.pages]
        assert not unknown, f"pages that the index of {self.name} does not have: {unknown}"
        self.keys_read += keys
        self.columns_read |= set(columns)
        rows: list[Row] = []
        whole: list[Row] = []
        failures = []
        for key in keys:
            if key in self.site.pages and key not in self.failing:
                rows += [self._narrow(row, columns) for row in self.site.rows(key)]
                whole += self.site.rows(key)
            else:
                address = f"https://{self.name}.example/{show_key(key)}"
                failures.append(Failure(address, f"{address}: 404 Not Found"))
            progress()

        def find_nodes(row: int, column: ColumnPath) -> list[str]:
            """Write what the site has there in place of an XPath, so that a test sees whether it is the right one."""
            cell: Any = whole[row]
            for name in column:
                cell = cell and cell.get(name)
            has_node = column and column[0] not in (*self.site.keys, "_page", "_fetched") and cell is not None
            return [f"{'/'.join(column)} {row} {cell!r}"] if has_node else []

        return Reading(pa.Table.from_pylist(rows, self.schema), tuple(failures), find_nodes)

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        return [".".join(path) for path in columns if path[0] not in (*self.site.keys, "_page", "_fetched")]

    def _narrow(self, row: Row, columns: Sequence[ColumnPath]) -> Row:
        """The row without what was not asked for: who asks for too little is found out."""
        always = {*((name,) for name in self.site.keys), ("_page",), ("_fetched",)}
        return {name: narrow(cell, (name,), {*columns, *always}) for name, cell in row.items()}


def narrow(cell: Any, path: ColumnPath, asked: set[ColumnPath]) -> Any:
    if any(path[:depth] in asked for depth in range(1, len(path) + 1)):
        return cell
    if isinstance(cell, dict):
        return {name: narrow(inner, (*path, name), asked) for name, inner in cell.items()}
    return None


def struct(**fields: pa.DataType) -> pa.DataType:
    return pa.struct(list(fields.items()))


TEXT, NUMBER = pa.string(), pa.float64()
BOOK_COLUMNS = (
    (
        "geography",
        struct(area=struct(total=NUMBER, total_text=TEXT, land=NUMBER), location=TEXT, neighbour=TEXT),
    ),
    ("people", struct(population=pa.int64(), religions=TEXT)),
    ("government", struct(capital=TEXT, kind=TEXT)),
)


def area(total: float | None, land: float | None = None) -> Row:
    return {"total": total, "total_text": f"{total:,} sq km" if total else None, "land": land}


def country(
    land: Row | None, location: str | None, neighbour: str | None, people: int | None, capital: str | None
) -> list[Row]:
    geography = {"area": land, "location": location, "neighbour": neighbour}
    government = {"capital": capital, "kind": "republic" if people else None}
    return [{"geography": geography, "people": {"population": people, "religions": None}, "government": government}]


BOOK = Site(
    name="book",
    key="country",
    columns=BOOK_COLUMNS,
    pages={
        "Finland": country(area(338145.0, 303815.0), "Europe", "Åland", 5259250, "Helsinki"),
        "日本": country(area(377915.0), "Asia", None, 126475664, "東京"),
        "france": country(None, None, "France", None, "paris"),
        "Côte d'Ivoire": country(area(322463.0, 318003.0), "Africa", None, 21504162, "Yamoussoukro"),
        "France": country(area(643801.0, 640427.0), "Europe", "Andorra", 65312249, "Paris"),
        'Say "Hi"': [{"geography": None, "people": None, "government": {"capital": None, "kind": ""}}],
        "Andorra": country(area(468.0, 468.0), "Europe", "France", 84825, "Andorra la Vella"),
        "NULL": [
            {"geography": {"area": None, "location": "", "neighbour": "NULL"}, "people": None, "government": None}
        ],
        "Åland": country(area(None), "Europe", "Finland", 28007, "Paris"),
        "Fiji": country(area(18274.0, 18274.0), "Oceania", "Atlantis", 883125, "Suva"),
    },
    index_pages=1,
)
CITIES = Site(
    name="cities",
    key="city",
    columns=(("country", TEXT), ("site", struct(river=TEXT, elevation=NUMBER)), ("twin", TEXT)),
    pages={
        "Paris": [{"country": "France", "site": {"river": "Seine", "elevation": 35.0}, "twin": "東京"}],
        "Suva": [{"country": "Fiji", "site": {"river": None, "elevation": 0.5}, "twin": None}],
        "東京": [{"country": "日本", "site": {"river": "隅田川", "elevation": 40.0}, "twin": "Paris"}],
        "Helsinki": [{"country": "Finland", "site": None, "twin": "Suva"}],
        "O'Higgins": [{"country": "Atlantis", "site": {"river": "", "elevation": None}, "twin": "Nowhere"}],
        "Andorra la Vella": [{"country": "Andorra", "site": {"river": "Valira", "elevation": 1023.0}, "twin": None}],
    },
    is_listed=False,
)
GROUPS = Site(
    name="groups",
    key="",
    columns=(("grp", TEXT), ("country", TEXT), ("since", pa.int64())),
    pages={
        "https://groups.example/all": [
            {"grp": "EU", "country": "France", "since": 1957},
            {"grp": "EU", "country": "Finland", "since": 1995},
            {"grp": "EU", "country": "Atlantis", "since": None},
            {"grp": "G7", "country": "France", "since": 1975},
            {"grp": "G7", "country": "日本", "since": 1975},
            {"grp": "UN", "country": "Fiji", "since": 1970},
            {"grp": "UN", "country": None, "since": 1945},
            {"grp": "UN", "country": "France", "since": 1945},
            {"grp": "UN", "country": "France", "since": 1945},
            {"grp": None, "country": "Andorra", "since": 1993},
            {"grp": "", "country": "Côte d'Ivoire", "since": 1960},
        ]
    },
    is_row_a_page=False,
)
PRICES = Site(
    name="prices",
    key="market",
    columns=(("item", TEXT), ("cost", struct(amount=NUMBER, currency=TEXT)), ("country", TEXT)),
    pages={
        "Suva": [{"item": "yam", "cost": {"amount": 2.5, "currency": "FJD"}, "country": "Fiji"}],
        "Closed": [],
        "Paris": [
            {"item": "bread", "cost": {"amount": 1.25, "currency": "EUR"}, "country": "France"},
            {"item": "cheese", "cost": {"amount": 7.5, "currency": "EUR"}, "country": "France"},
            {"item": "cheese", "cost": {"amount": 7.5, "currency": "EUR"}, "country": "France"},
        ],
        "O'Higgins": [{"item": "fish", "cost": None, "country": None}, {"item": None, "cost": None, "country": "Fiji"}],
        "Helsinki": [
            {"item": "bread", "cost": {"amount": 3.0, "currency": "EUR"}, "country": "Finland"},
            {"item": "fish", "cost": {"amount": None, "currency": "EUR"}, "country": "Finland"},
        ],
        "France": [{"item": "wine", "cost": {"amount": 9.0, "currency": None}, "country": "france"}],
    },
    is_row_a_page=False,
)
CENSUS = Site(
    name="census",
    key="year,country",
    columns=(("heads", pa.int64()), ("note", TEXT)),
    pages={
        join_key((year, country)): [{"heads": heads, "note": note}]
        for year, country, heads, note in (
            ("1990", "France", 56, "EU"),
            ("1990", "Fiji", None, ""),
            ("1990", "日本", 123, None),
            ("2000", "France", 59, "UN"),
            ("2000", "Côte d'Ivoire", 16, "bread"),
            ("2000", "NULL", 0, "Seine"),
        )
    },
    index_pages=1,
)
FARES = Site(
    name="fares",
    key="origin,target",
    columns=(("price", NUMBER), ("carrier", TEXT)),
    pages={
        join_key((origin, target)): [{"price": price, "carrier": carrier}]
        for origin, target, price, carrier in (
            ("Paris", "Suva", 910.0, "France"),
            ("Suva", "Paris", 905.5, "Fiji"),
            ("Paris", "東京", None, "日本"),
            ("Helsinki", "Suva", 35.0, None),
        )
    },
    is_listed=False,
)
SITES = {site.name: site for site in (BOOK, CITIES, GROUPS, PRICES, CENSUS, FARES)}
RATES = pa.table(
    {
        "country": pa.array(["France", "Atlantis", None, "Fiji", "Fiji"]),
        "rate": pa.array([1.5, 2.0, 0.5, None, 4.0]),
    }
)
CODES = "country,code\nFrance,FR\nFinland,FI\nAtlantis,\n日本,JP\n"
VIEWS = {
    "members": "SELECT g.grp, b.country, b.geography.area.total AS area FROM groups g JOIN book b USING (country)",
    "europe": "SELECT * FROM book WHERE geography.location = 'Europe'",
    "capitals": "SELECT country, government.capital AS city FROM europe",
}


@dataclass(frozen=True)
class Web:
    """A catalog over sources; none of their pages has been read yet."""

    catalog: Catalog
    sources: Mapping[str, Pages]

    @property
    def pages_read(self) -> dict[str, int]:
        """By source; index pages are counted."""
        counts = {
            name: len(source.keys_read) + source.times_listed * source.site.index_pages
            for name, source in self.sources.items()
        }
        return {name: count for name, count in counts.items() if count}


@pytest.fixture(scope="session")
def codes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("files") / "codes.csv"
    path.write_text(CODES, "utf-8")
    return path


@pytest.fixture(scope="session")
def web(codes: Path) -> Callable[..., Web]:
    """A fresh web; keys that are named by source are those of pages that fail."""

    def make_web(**failing: Sequence[str]) -> Web:
        sources = {name: Pages(site, frozenset(failing.get(name, ()))) for name, site in SITES.items()}
        catalog = Catalog(sources=sources, views=VIEWS, files={"codes": str(codes)}, tables={"rates": RATES})
        return Web(catalog, sources)

    return make_web


def rename(site: Site) -> tuple[Site, dict[str, dict[str, str]]]:
    """The same site under names of its own, and what they mean: of its keys, or without a key of its countries."""
    names: dict[str, dict[str, str]] = {}

    def own(column: str, text: str | None) -> str | None:
        if text is None:
            return None
        names.setdefault(column, {})[f"{site.name}'s {text}"] = text
        return f"{site.name}'s {text}"

    pages = {}
    for key, found in site.pages.items():
        parts = zip(site.keys, split_key(key), strict=True) if site.key else ()
        named = join_key([own(column, part) for column, part in parts]) if site.key else key
        pages[named] = found if site.key else [{**row, "country": own("country", row["country"])} for row in found]
    return replace(site, pages=pages), names


@pytest.fixture(scope="session")
def renamed_web(codes: Path) -> Callable[[], Web]:
    """A fresh web of sources that call things by other names, with the names that they have in the truth."""

    def make_web() -> Web:
        renamed = {name: rename(site) for name, site in SITES.items()}
        sources = {name: Pages(site) for name, (site, _) in renamed.items()}
        tables = {name: RenamedTable(sources[name], names) for name, (_, names) in renamed.items()}
        return Web(Catalog(sources=tables, views=VIEWS, files={"codes": str(codes)}, tables={"rates": RATES}), sources)

    return make_web


@pytest.fixture(scope="session")
def truth(codes: Path) -> Iterator[Callable[[str], pa.Table]]:
    """What DuckDB answers when all pages are read beforehand."""
    with closing(duckdb.connect(config={"threads": 1})) as connection:
        for name, site in SITES.items():
            connection.register(f"all of {name}", site.to_arrow())
            connection.execute(f'CREATE TABLE {name} AS FROM "all of {name}"')
        connection.register("rates", RATES)
        connection.execute(f"CREATE VIEW codes AS FROM '{codes}'")
        for name, query in VIEWS.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        yield lambda query: connection.sql(query).to_arrow_table()


@pytest.fixture(scope="session")
def rows() -> Callable[[pa.Table], Counter[str]]:
    """The rows of a table in no order; its columns may have one name."""
    return lambda table: Counter(map(str, zip(*(column.to_pylist() for column in table.columns), strict=True)))
