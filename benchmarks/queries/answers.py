"""Time queries over all pages of the fact book of 2011, relative to extraction alone and to lxml's parse.

Costs are CPU times of one process, the shortest of three runs, starting from files.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path

import lxml.html

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.queries.catalogs import Workplace, find_book, open_workplace, wrap_book
from benchmarks.queries.timing import Cost, measure
from benchmarks.wrappers.books import Book
from webquarry.model.wrapper import Wrapper

SHARE = 10
"""Use a tenth of the pages as well, to check that the cost per page stays the same."""
SECTION = "geography.area.total"
QUERIES = {
    "a row a page": f"SELECT country, {SECTION} FROM factbook",
    "an aggregate": f"SELECT count(*), sum({SECTION}), max({SECTION}) FROM factbook",
}
_EXTRACTION, _PARSE = "extraction", "parse"


def run_answers(root: Path, count: int | None = None) -> Finding | None:
    """Measure both queries; None without the fact book of 2011.  `count` limits the pages."""
    book = find_book(root)
    if book is None:
        return None
    rows = _read_index(book)[:count]
    many, few = (_measure(book, some) for some in (rows, rows[:: max(1, SHARE)]))
    growth = {name: _growth(many[name], len(rows), few[name], len(rows[::SHARE])) for name in QUERIES}
    return Finding(
        title="Pages to an answer",
        note=f"{len(rows)} pages of {book.year} in files; the queries read {SECTION}. Ratios of CPU time.",
        heads=("", "to extraction alone", "to lxml's parse", f"cost per page, {len(rows)} to {len(rows[::SHARE])}"),
        rows=[
            *(
                [
                    name,
                    f"{many[name].cpu / many[_EXTRACTION].cpu:.2f}",
                    f"{many[name].cpu / many[_PARSE].cpu:.2f}",
                    f"{growth[name]:.2f}",
                ]
                for name in QUERIES
            ),
            ["extraction alone", "1.00", f"{many[_EXTRACTION].cpu / many[_PARSE].cpu:.2f}", ""],
        ],
        figures={
            "answers, CPU to extraction alone": max(many[name].cpu / many[_EXTRACTION].cpu for name in QUERIES),
            "answers, cost of a page, all to a tenth": max(growth.values()),
        },
    )


def _read_index(book: Book) -> list[dict[str, str]]:
    with (book.folder / "index.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _measure(book: Book, rows: list[dict[str, str]]) -> dict[str, Cost]:
    paths = [book.folder / "geos" / f"{row['code']}.html" for row in rows]
    with open_workplace() as workplace:
        index = workplace.catalog.parent / "index.csv"
        with index.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        wrapper = wrap_book(book, f"{book.folder.resolve().as_uri()}/", index)
        workplace.add(wrapper)
        _check(workplace, len(rows))
        runs: dict[str, Callable[[], object]] = {
            _PARSE: partial(_parse, paths),
            _EXTRACTION: partial(_extract, wrapper, paths),
            **{name: partial(workplace.sql, query) for name, query in QUERIES.items()},
        }
        return measure(runs, f"{len(rows)} pages to an answer")


def _check(workplace: Workplace, count: int) -> None:
    """Raise if the answer lacks pages, because its time would be meaningless."""
    answer = workplace.sql(QUERIES["a row a page"])
    if answer.table.num_rows != count or answer.is_partial:
        raise RuntimeError(f"{count} pages gave {answer.table.num_rows} rows and {len(answer.failures)} failures")


def _parse(paths: list[Path]) -> None:
    for path in paths:
        lxml.html.fromstring(path.read_bytes())


def _extract(wrapper: Wrapper, paths: list[Path]) -> None:
    for _ in wq.extract_all(wrapper, wq.fetch_all(paths), only=[SECTION]):
        pass


def _growth(many: Cost, pages: int, few: Cost, some: int) -> float:
    return (many.cpu / pages) / (few.cpu / some)
