"""Read pages of the fact books by stand-alone parsers, and compare their texts with those of `extract`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.wrappers.books import STATIC, Book, draw_samples, find_books, learn_book, static_page
from webquarry.model.document import Document
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.parser_module import write_parser
from webquarry.wrapping.ashish import wrap_ashish

PAGES = 40
"""Pages of each book, drawn evenly."""


def load_parser(wrapper: Wrapper) -> Callable[[str], dict[str, Any]]:
    """Give the function `read` of a parser."""
    names: dict[str, Any] = {"__name__": "parser"}
    exec(compile(write_parser(wrapper), "parser.py", "exec", dont_inherit=True), names)
    read: Callable[[str], dict[str, Any]] = names["read"]
    return read


def run_parsers(root: Path, count: int | None = None) -> Finding | None:
    """Compare parsers of both methods on both books; None without the corpus.  `count` limits the pages."""
    books = find_books(root)
    if not books:
        return None
    rows, figures = [], {}
    for book in books:
        codes = draw_evenly(sorted(path.stem for path in (book.folder / "geos").glob("??.html")), count or PAGES)
        documents = [static_page(book, code) for code in codes]
        for method, wrapper in _wrappers(book).items():
            equal, ours, theirs = _compare(wrapper, documents, f"parser of {book.year}, {method}")
            rows.append([f"{book.year}, {method}", f"{equal} of {len(documents)}", f"{theirs / ours:.1f}"])
            figures[f"parsers, pages as extracted: {book.year}, {method}"] = equal / len(documents)
    return Finding(
        title="Stand-alone parsers",
        note="Pages whose record by a parser that needs the standard library only equals that of extract.",
        heads=("", "pages with equal records", "time, to that of extract"),
        rows=rows,
        figures=figures,
    )


def _wrappers(book: Book) -> dict[str, Wrapper]:
    samples = [static_page(book, code) for code in draw_samples(book)[0]]
    return {"format": learn_book(book, STATIC), "ashish": wrap_ashish(samples, name="factbook")}


def _compare(wrapper: Wrapper, documents: Sequence[Document], title: str) -> tuple[int, float, float]:
    """Count the pages with equal records; give the seconds of extract and of the parser."""
    read = load_parser(wrapper)
    equal, ours, theirs = 0, 0.0, 0.0
    for document in show_progress(documents, len(documents), title):
        start = time.process_time()
        record = wq.extract(wrapper, document).record
        middle = time.process_time()
        equal += read(document.markup) == record
        ours, theirs = ours + middle - start, theirs + time.process_time() - middle
    return equal, ours, theirs
