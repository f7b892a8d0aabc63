"""Compare reading without a browser with reading rendered pages: the values, and the cost per page.

Costs are CPU times relative to lxml's parse of the same pages, each the shortest of three runs, starting from the
bytes of a page.  Rendering is not included, except in the wall time with the browser.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import lxml.html

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.mining_speed import fresh
from benchmarks.pool import show_progress
from benchmarks.wrappers.books import RENDERED, Book, find_books, learn_book, render_pages
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.page import Page
from webquarry.model.wrapper import Wrapper
from webquarry.rendering.browser import find_browser
from webquarry.wrapping.section_reader import Reader

PAGES = 30
NUMBERS = (10, 50, 250)
"""Numbers of pages, to check that the cost per page stays the same."""
ONE_SECTION = "geography.area"
ROUNDS = 3


@dataclass(frozen=True)
class Costs:
    """The costs of a book, relative to lxml's parse."""

    static: float
    one_section: float
    rendered: float
    with_browser: float
    by_number: dict[int, float]


def run_extraction(root: Path, count: int | None = None) -> Finding | None:
    """Measure both books; None without them or a browser.  `count` limits the pages."""
    books = find_books(root)
    if not books or find_browser() is None:
        return None
    rows: list[list[str]] = []
    figures: dict[str, float] = {}
    complaints: list[str] = []
    for book in books:
        pages = [book.page(code) for code in draw_evenly(book.codes(), min(PAGES, count or PAGES))]
        wrapper = learn_book(book, RENDERED)
        start = time.monotonic()
        documents = render_pages(pages, book.folder, f"rendering {book.year} to read it")
        seconds = time.monotonic() - start
        same, differences = _compare(wrapper, pages, documents)
        costs = _measure(book, wrapper, pages, documents, seconds)
        rows.append(_row(book, same, costs))
        figures |= _figures(book, same, costs)
        complaints += [f"value differs: {book.year}: {each}" for each in differences]
    return Finding(
        title="Reading without a browser",
        note=f"{PAGES} pages of each book. Times are relative to lxml's parse of the same pages.",
        heads=(
            "",
            "values as rendered",
            "static",
            f"static, only {ONE_SECTION}",
            "rendered document",
            "with the browser, wall time",
            *(f"static, {number} pages" for number in NUMBERS),
        ),
        rows=rows,
        figures=figures,
        complaints=complaints,
    )


def _compare(wrapper: Wrapper, pages: Sequence[Page], documents: Sequence[Document]) -> tuple[float, list[str]]:
    """Return the share of equal values among those that either way reads, and the differences."""
    reader = Reader(wrapper)
    equal = total = 0
    differences: list[str] = []
    for page, document in zip(pages, documents, strict=True):
        static, rendered = _texts(reader.read(wq.clean(page))), _texts(reader.read(document))
        paths = static.keys() | rendered.keys()
        different = sorted(path for path in paths if static.get(path) != rendered.get(path))
        total += len(paths)
        equal += len(paths) - len(different)
        differences += (f"{Path(page.url).stem} {path}" for path in different)
    return equal / total, differences


def _texts(extraction: Extraction) -> dict[str, str]:
    return {".".join(map(str, value.path)): value.text for value in extraction.values}


def _measure(
    book: Book, wrapper: Wrapper, pages: Sequence[Page], documents: Sequence[Document], seconds: float
) -> Costs:
    every, one = Reader(wrapper), Reader(wrapper, only=[ONE_SECTION])
    times = {way: [math.inf] * len(pages) for way in ("parse", "static", "one", "rendered")}
    gc.collect()
    gc.freeze()  # makes collecting before each page quick
    for _ in show_progress(range(ROUNDS), ROUNDS, f"cost of reading {book.year}"):
        for place, (page, document) in enumerate(zip(pages, documents, strict=True)):
            given = fresh(document)
            runs: dict[str, Callable[[], object]] = {
                "parse": partial(lxml.html.fromstring, page.body),
                "static": partial(_read, every, page),
                "one": partial(_read, one, page),
                "rendered": partial(every.read, given),
            }
            for way, run in runs.items():
                times[way][place] = min(times[way][place], _time(run))
    by_number = _costs_by_number(book, wrapper)
    gc.unfreeze()
    totals = {way: math.fsum(each) for way, each in times.items()}
    parsing = totals["parse"]
    return Costs(
        static=totals["static"] / parsing,
        one_section=totals["one"] / parsing,
        rendered=totals["rendered"] / parsing,
        with_browser=(seconds + totals["rendered"]) / parsing,
        by_number=by_number,
    )


def _read(reader: Reader, page: Page) -> Extraction:
    return reader.read(wq.clean(page))


def _time(run: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def _costs_by_number(book: Book, wrapper: Wrapper) -> dict[int, float]:
    """Read many pages in a row, and return the cost relative to lxml's parse after each of `NUMBERS` pages."""
    reader = Reader(wrapper)
    codes = book.codes()[: max(NUMBERS)]
    reading = parsing = 0.0
    costs: dict[int, float] = {}
    for number, code in enumerate(show_progress(codes, len(codes), f"reading many pages of {book.year}"), start=1):
        page = book.page(code)
        parsing += _time(partial(lxml.html.fromstring, page.body))
        reading += _time(partial(_read, reader, page))
        if number in NUMBERS:
            costs[number] = reading / parsing
    return costs


def _figures(book: Book, same: float, costs: Costs) -> dict[str, float]:
    return {
        f"extraction, values as rendered: {book.year}": same,
        f"extraction, static, CPU to lxml's parse: {book.year}": costs.static,
        f"extraction, one section to all: {book.year}": costs.one_section / costs.static,
        f"extraction, cost of a page, {NUMBERS[-1]} to {NUMBERS[0]}: {book.year}": costs.by_number[NUMBERS[-1]]
        / costs.by_number[NUMBERS[0]],
    }


def _row(book: Book, same: float, costs: Costs) -> list[str]:
    ratios = (costs.static, costs.one_section, costs.rendered, costs.with_browser, *costs.by_number.values())
    return [book.year, f"{same:.2%}", *(f"{ratio:.2f}" for ratio in ratios)]
