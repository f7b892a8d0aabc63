"""Run the paper's queries on the fact book of 2011, in webquarry and shillelagh: pages, time and right answers.

A loopback server serves the book and counts pages; caches are empty at the start.  Answers are compared with the
pages as read by hand-written XPath, and their numbers with the CIA's own tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any

import lxml.html

from benchmarks.findings import Finding
from benchmarks.queries.catalogs import (
    GROUPS,
    Workplace,
    find_book,
    open_workplace,
    served_pages,
    wrap_book,
    wrap_groups,
)
from benchmarks.queries.reading import read_field, read_groups, read_items
from benchmarks.queries.server import PageServer, serve
from benchmarks.queries.timing import Cost, measure
from benchmarks.wrappers.books import Book
from benchmarks.wrappers.rankorder import RankTable, read_codes, read_table

DELAY = 0.02
"""Seconds that the slower server waits before each response."""
OURS, PEER = "webquarry", "shillelagh"

_PRODUCT = "f.economy.gdp_purchasing_power_parity"
_DEBT = "f.economy.debt_external"
_DEFENCE = "f.military.military_expenditures"
_TABLES = {"gdp": RankTable(2001, ""), "debt": RankTable(2079, ""), "defence": RankTable(2034, "")}
_NAMES = {"gdp": "GDP (purchasing power parity)", "debt": "Debt - external", "defence": "Military expenditures"}


@dataclass(frozen=True)
class PaperQuery:
    """A query of the paper in both dialects of SQL."""

    title: str
    ours: str
    peers: str
    group: str
    """The group of countries asked for; empty for France alone."""
    scans: bool = False
    """True if the query filters on a field of every page."""


QUERIES = (
    PaperQuery(
        "land boundaries and area of France",
        "SELECT country, geography.land_boundaries, geography.area FROM factbook WHERE country = 'France'",
        "SELECT country, land_boundaries, area FROM {factbook} WHERE country = 'France'",
        group="",
    ),
    PaperQuery(
        "national product and military expenditures of Europe, by the groups",
        f"SELECT f.country, {_PRODUCT} AS gdp, {_PRODUCT}_text AS gdp_text, {_DEFENCE} AS defence,"
        f" {_DEFENCE}_text AS defence_text FROM groups g JOIN factbook f ON f.country = g.country"
        " WHERE g.grouping = 'Europe'",
        "SELECT f.country, f.gdp, f.military_expenditures FROM {groups} g JOIN {factbook} f ON f.country = g.country"
        " WHERE g.grouping = 'Europe'",
        group="Europe",
    ),
    PaperQuery(
        "the same, by map references",
        f"SELECT f.country, {_PRODUCT} AS gdp, {_PRODUCT}_text AS gdp_text, {_DEFENCE} AS defence,"
        f" {_DEFENCE}_text AS defence_text FROM factbook f WHERE f.geography.map_references LIKE '%Europe%'",
        "SELECT f.country, f.gdp, f.military_expenditures FROM {factbook} f WHERE f.map_references LIKE '%Europe%'",
        group="Europe",
        scans=True,
    ),
    PaperQuery(
        "external debt and military expenditures of the EEC",
        f"SELECT f.country, {_DEBT} AS debt, {_DEBT}_text AS debt_text, {_DEFENCE} AS defence,"
        f" {_DEFENCE}_text AS defence_text FROM groups g JOIN factbook f ON f.country = g.country"
        " WHERE g.grouping = 'EEC'",
        "SELECT f.country, f.debt_external, f.military_expenditures FROM {groups} g"
        " JOIN {factbook} f ON f.country = g.country WHERE g.grouping = 'EEC'",
        group="EEC",
    ),
)


@dataclass(frozen=True)
class Judgement:
    """The comparison of our answer with the truth."""

    cells: int
    wrong: tuple[str, ...]
    """Cells that differ from those read by hand."""
    numbers: int
    """Numbers that a table of the CIA has too."""
    differing: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """The result and cost of a query."""

    query: PaperQuery
    judgement: Judgement
    least: int
    """Pages that any plan needs."""
    pages: Mapping[str, int]
    costs: Mapping[str, Cost]
    slow: Mapping[str, Cost]
    """Costs with the slower server."""


def run_queries(root: Path, count: int | None = None) -> Finding | None:
    """Run all queries; None without the fact book of 2011.  `count` limits the queries."""
    book = find_book(root)
    if book is None:
        return None
    runs = _run_all(book, QUERIES[:count])
    judgements = [run.judgement for run in runs]
    wrong = [line for each in judgements for line in each.wrong]
    differing = [line for each in judgements for line in each.differing]
    cells, numbers = sum(each.cells for each in judgements), sum(each.numbers for each in judgements)
    return Finding(
        title="The paper's queries",
        note=f"On the fact book of {book.year} and our page of country groups. Ratios are ours to {PEER}'s, which uses"
        f" hand-written tables. In the last column the server waits {DELAY * 1000:.0f} ms before each page.",
        heads=(
            "",
            "cells as read by hand",
            "least pages",
            "pages",
            f"pages, {PEER}",
            "CPU",
            "wall time",
            "wall time, slower server",
        ),
        rows=[_row(run) for run in runs],
        figures={
            "queries, pages beyond the least": max(run.pages[OURS] - run.least for run in runs),
            "queries, cells as read by hand": 1 - len(wrong) / cells,
            "queries, numbers as in the CIA's tables": 1 - len(differing) / numbers if numbers else 1.0,
        },
        complaints=[
            *(f"cell differs: {each}" for each in wrong),
            *(f"number differs: {each}" for each in differing),
        ],
    )


@dataclass(frozen=True)
class _Place:
    """A server of the book and the groups, with wrappers for it."""

    book: Book
    server: PageServer
    workplace: Workplace

    def ways(self, query: PaperQuery) -> dict[str, Callable[[], Any]]:
        """Return functions that answer the query: ours, and shillelagh's if it is installed."""
        ways: dict[str, Callable[[], Any]] = {OURS: partial(self.workplace.sql, query.ours)}
        if find_spec(PEER) is not None:
            from benchmarks.queries.peer import answer_by_shillelagh, table_names  # noqa: PLC0415 - optional

            tables = table_names(self.server.address, self.book)
            ways[PEER] = partial(answer_by_shillelagh, query.peers, tables)
        return ways


def _run_all(book: Book, queries: Sequence[PaperQuery]) -> list[Run]:
    with ExitStack() as stack:
        quick, slow = (stack.enter_context(_open_place(book, delay)) for delay in (0.0, DELAY))
        return [_run(quick, slow, query) for query in queries]


@contextmanager
def _open_place(book: Book, delay: float) -> Iterator[_Place]:
    with serve(served_pages(book), delay=delay) as server, open_workplace() as workplace:
        workplace.add(wrap_book(book, server.address))
        workplace.add(wrap_groups(server.address))
        yield _Place(book, server, workplace)


def _run(quick: _Place, slow: _Place, query: PaperQuery) -> Run:
    ways = quick.ways(query)
    answers, pages = {}, {}
    quick.server.take_counts()  # resets the counts of the previous query
    for name, way in ways.items():
        answers[name] = way()
        pages[name] = quick.server.take_counts().total()
    truths = list(_read_by_hand(quick.book, query))
    return Run(
        query,
        _judge(quick.book, truths, answers[OURS].table.to_pylist()),
        least=len(quick.book.codes()) if query.scans else len(truths) + bool(query.group),
        pages=pages,
        costs=measure(ways, query.title),
        slow=measure(slow.ways(query), f"{query.title}, with a wait"),
    )


def _judge(book: Book, truths: Sequence[_Truth], rows: list[dict[str, Any]]) -> Judgement:
    known = {truth.country for truth in truths}
    wrong = [line for truth in truths for line in _compare(truth, rows)]
    wrong += [f"{row['country']}: unexpected row" for row in rows if row["country"] not in known]
    numbers = list(_find_numbers(book, rows))
    differing = [shown for shown, is_equal in numbers if not is_equal]
    return Judgement(sum(len(truth.cells) for truth in truths), tuple(wrong), len(numbers), tuple(differing))


@dataclass(frozen=True)
class _Truth:
    country: str
    cells: Mapping[str, tuple[str, ...]]
    """The texts of each column; for sections with parts, the texts of the parts."""


def _read_by_hand(book: Book, query: PaperQuery) -> Iterator[_Truth]:
    codes = read_codes(book)
    groups = read_groups(lxml.html.fromstring(GROUPS.read_bytes()))
    for country in [country for group, country in groups if group == query.group] or ["France"]:
        tree = lxml.html.fromstring(book.page(codes[country]).body)
        if query.group:
            fields = {name: read_field(tree, _NAMES[name]) for name in _NAMES if f"AS {name}," in query.ours}
            yield _Truth(country, {f"{name}_text": (text,) if text else () for name, text in fields.items()})
        else:
            sections = {"land_boundaries": "Land boundaries", "area": "Area"}
            yield _Truth(country, {name: tuple(read_items(tree, title)) for name, title in sections.items()})


def _compare(truth: _Truth, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each column that differs from the truth."""
    row = next((row for row in rows if row["country"] == truth.country), {})
    for column, texts in truth.cells.items():
        lines = list(_lines(row.get(column)))
        has_parts = isinstance(row.get(column), Mapping) and bool(texts)
        is_right = all(text in lines for text in texts) if has_parts else " ".join(lines) == " ".join(texts)
        if not is_right:
            yield f"{truth.country} {column}: {' | '.join(lines)}; by hand {' | '.join(texts)}"


def _lines(cell: object) -> Iterator[str]:
    """Yield the lines of all texts in a cell, with spaces normalised."""
    if isinstance(cell, str):
        yield from (" ".join(line.split()) for line in cell.splitlines())
    elif isinstance(cell, Mapping):
        for part in cell.values():
            yield from _lines(part)


def _find_numbers(book: Book, rows: list[dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Yield a line for each number that ours and a table of the CIA have, and True if they agree."""
    codes = read_codes(book)
    for name, table in _TABLES.items():
        true = read_table(book, table)
        for row in rows:
            ours, theirs = row.get(name), true.get(codes[row["country"]])
            if ours is not None and theirs is not None:
                yield f"{row['country']} {name} {ours:,g}, theirs {theirs:,g}", table.agrees(theirs, ours)


def _row(run: Run) -> list[str]:
    judgement = run.judgement
    return [
        run.query.title,
        f"{judgement.cells - len(judgement.wrong)} of {judgement.cells}",
        str(run.least),
        str(run.pages[OURS]),
        str(run.pages.get(PEER, "-")),
        _ratio(run.costs, attrgetter("cpu")),
        _ratio(run.costs, attrgetter("wall")),
        _ratio(run.slow, attrgetter("wall")),
    ]


def _ratio(costs: Mapping[str, Cost], seconds: Callable[[Cost], float]) -> str:
    return f"{seconds(costs[OURS]) / seconds(costs[PEER]):.2f}" if PEER in costs else "-"
