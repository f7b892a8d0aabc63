"""Numbers read from all pages of the fact book of 2011, beside the tables that the CIA made of them itself.

The pages go to Parquet through our own storing, and the file is read back.  The link beside a field on each page gives
the number of its table.  Tables are exact unless they round: then our number is rounded to as many decimals as theirs.
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
_SLACK = 1e-9  # of a number as a float, where both are written in decimals


@dataclass(frozen=True)
class RankTable:
    """A table of the CIA, and the section that it is made of."""

    number: int
    path: str
    decimals: int | None = None
    """How many it is rounded to; none when it is exact."""

    def agrees(self, number: float, ours: float) -> bool:
        """Whether its number is ours; halves may be rounded up or down."""
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
    """On the cells that both have."""

    table: RankTable
    true: int
    both: int
    wrong: tuple[str, ...]
    """The country with their number and ours."""
    absent: tuple[str, ...]
    """The countries of which ours has no number."""

    @property
    def equal(self) -> int:
        return self.both - len(self.wrong)

    def complaints(self) -> Iterator[str]:
        for each in self.wrong:
            yield f"number differs: {self.table.path}: {each}"
        if self.absent:
            yield f"numbers not read: {self.table.path}: {', '.join(self.absent)}"


def run_rankorder(root: Path, count: int | None = None) -> Finding | None:
    """All tables; None without the fact book of 2011.  `count` is that of pages."""
    book = next((book for book in find_books(root) if book.year == _YEAR), None)
    if book is None:
        return None
    codes = draw_evenly(book.codes(), count) if count else book.codes()
    rows = _read_back(book, codes)
    tables = [_compare(table, read_table(book, table), rows) for table in TABLES]
    equal, both = sum(each.equal for each in tables), sum(each.both for each in tables)
    return Finding(
        title="Numbers beside the CIA's own tables",
        note=f"{len(codes)} pages of {_YEAR} to Parquet and back; {equal:,} of {both:,} numbers that both have agree.",
        heads=("table", "section", "rounded to", "numbers in it", "ours too", "equal"),
        rows=[_row(each) for each in tables],
        figures={"rankorder, numbers that agree": equal / both} if both else {},
        complaints=[line for each in tables for line in each.complaints()],
    )


def _read_back(book: Book, codes: list[str]) -> dict[str, dict[str, Any]]:
    """By code what the Parquet file has of each page."""
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
    """By country the code that its page is named for."""
    with (book.folder / "index.csv").open(newline="", encoding="utf-8") as file:
        return {row["country"]: row["code"] for row in csv.DictReader(file)}


def read_table(book: Book, table: RankTable) -> dict[str, float]:
    """By code the numbers of a table; the country is the key of both."""
    codes = read_codes(book)
    text = (book.folder / "rankorder" / f"rawdata_{table.number}.txt").read_text("latin-1")
    return {codes[country]: number for country, number in _parse_table(text) if country in codes}


def _parse_table(text: str) -> Iterator[tuple[str, float]]:
    r"""The country and number of each line.

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
