"""Compare numbers read from all pages of the fact book of 2011 with the CIA's own tables of them.

The values are stored as Parquet and read back.  On each page, the link beside a field gives the number of its table.
Numbers must be equal, except in tables that round: there ours is rounded to the same decimals.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.wrappers.books import STATIC, Book, find_books, learn_book, static_page
from webquarry.storing.formats import open_sink
from webquarry.wrapping.section_reader import Reader

_YEAR = "2011"
_SLACK = 1e-9  # relative difference allowed between floats


@dataclass(frozen=True)
class RankTable:
    """A table of the CIA, and the section it is made of."""

    number: int
    path: str
    decimals: int | None = None
    """Decimals that it is rounded to, or None if it is exact."""

    def agrees(self, number: float, ours: float) -> bool:
        """True if the numbers are equal after rounding; halves may go up or down."""
        slack = _SLACK * max(1.0, abs(number))
        if self.decimals is not None:
            slack += 0.5 * 10.0**-self.decimals
        return abs(number - ours) <= slack


TABLES = (
    RankTable(2147, "geography.area.total", decimals=0),
    RankTable(2119, "people.population"),
    RankTable(2002, "people.population_growth_rate", decimals=2),
    RankTable(2054, "people.birth_rate"),
    RankTable(2066, "people.death_rate"),
    RankTable(2112, "people.net_migration_rate"),
    RankTable(2091, "people.infant_mortality_rate.total"),
    RankTable(2102, "people.life_expectancy_at_birth.total_population"),
    RankTable(2127, "people.total_fertility_rate"),
    RankTable(2001, "economy.gdp_purchasing_power_parity"),
    RankTable(2003, "economy.gdp_real_growth_rate"),
    RankTable(2004, "economy.gdp_per_capita_ppp"),
    RankTable(2095, "economy.labor_force"),
    RankTable(2129, "economy.unemployment_rate"),
    RankTable(2092, "economy.inflation_rate_consumer_prices"),
    RankTable(2186, "economy.public_debt"),
    RankTable(2079, "economy.debt_external"),
    RankTable(2173, "economy.oil_production", decimals=0),
    RankTable(2153, "communications.internet_users"),
    RankTable(2053, "transportation.airports"),
    RankTable(2085, "transportation.roadways.total"),
)


@dataclass(frozen=True)
class Agreement:
    """The comparison of a table with ours, on the cells that both have."""

    table: RankTable
    true: int
    both: int
    wrong: tuple[str, ...]
    """Each country with their number and ours."""
    absent: tuple[str, ...]
    """The countries without a number of ours."""

    @property
    def equal(self) -> int:
        return self.both - len(self.wrong)

    def complaints(self) -> Iterator[str]:
        for each in self.wrong:
            yield f"number differs: {self.table.path}: {each}"
        if self.absent:
            yield f"numbers not read: {self.table.path}: {', '.join(self.absent)}"


def run_rankorder(root: Path, count: int | None = None) -> Finding | None:
    """Compare all tables; None without the fact book of 2011.  `count` limits the pages."""
    book = next((book for book in find_books(root) if book.year == _YEAR), None)
    if book is None:
        return None
    codes = draw_evenly(book.codes(), count) if count else book.codes()
    rows = _read_back(book, codes)
    tables = [_compare(table, read_table(book, table), rows) for table in TABLES]
    equal, both = sum(each.equal for each in tables), sum(each.both for each in tables)
    return Finding(
        title="Numbers beside the CIA's own tables",
        note=f"{len(codes)} pages of {_YEAR}, stored as Parquet; {equal:,} of the {both:,} numbers in both agree.",
        heads=("table", "section", "rounded to", "numbers", "also in ours", "equal"),
        rows=[_row(each) for each in tables],
        figures={"rankorder, numbers that agree": equal / both} if both else {},
        complaints=[line for each in tables for line in each.complaints()],
    )


def _read_back(book: Book, codes: list[str]) -> dict[str, dict[str, Any]]:
    """Store the pages as Parquet and return the rows of the file by code."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import

    wrapper = learn_book(book, STATIC)
    reader = Reader(wrapper)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "factbook.parquet"
        with closing(open_sink("parquet", file, wrapper=wrapper)) as sink:
            for code in show_progress(codes, len(codes), f"reading {book.year}"):
                sink.add(reader.read(static_page(book, code)))
            sink.finish()
        rows: list[dict[str, Any]] = pq.read_table(file).to_pylist()
    return {Path(row["_page"]).stem: row for row in rows}


def read_codes(book: Book) -> dict[str, str]:
    """Read the code in the name of each country's page, by country."""
    with (book.folder / "index.csv").open(newline="", encoding="utf-8") as file:
        return {row["country"]: row["code"] for row in csv.DictReader(file)}


def read_table(book: Book, table: RankTable) -> dict[str, float]:
    """Read the numbers of a table by code."""
    codes = read_codes(book)
    text = (book.folder / "rankorder" / f"rawdata_{table.number}.txt").read_text("latin-1")
    return {codes[country]: number for country, number in _parse_table(text) if country in codes}


def _parse_table(text: str) -> Iterator[tuple[str, float]]:
    r"""Parse the country and number of each line.

    >>> list(_parse_table("1\tQatar\t$ 1,200.50\r2\tPeru\t-3.0\r\n"))
    [('Qatar', 1200.5), ('Peru', -3.0)]
    """
    for line in text.splitlines():
        _, country, number, *_ = [*line.split("\t"), "", "", ""]
        if country and number:
            yield country.strip(), float(number.replace("$", "").replace(",", "").replace("%", ""))


def _compare(table: RankTable, numbers: Mapping[str, float], rows: Mapping[str, Mapping[str, Any]]) -> Agreement:
    both = {
        code: (number, ours)
        for code, number in numbers.items()
        if code in rows and (ours := _find(rows[code], table.path)) is not None
    }
    wrong = [
        f"{code} {number:,g}, ours {ours:,g}" for code, (number, ours) in both.items() if not table.agrees(number, ours)
    ]
    absent = [code for code in numbers if code in rows and code not in both]
    return Agreement(table, len(numbers), len(both), tuple(wrong), tuple(absent))


def _find(row: Mapping[str, Any], path: str) -> float | None:
    here: Any = row
    for name in path.split("."):
        here = here.get(name) if isinstance(here, Mapping) else None
    return here if isinstance(here, float) else None


def _row(agreement: Agreement) -> list[str]:
    table = agreement.table
    return [
        str(table.number),
        table.path,
        "-" if table.decimals is None else f"{table.decimals} decimals",
        str(agreement.true),
        str(agreement.both),
        f"{agreement.equal / agreement.both:.2%}" if agreement.both else "-",
    ]
