"""Read the fact books of the corpora, with the true sections of twelve pages each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import webquarry as wq
from benchmarks.pool import show_progress
from benchmarks.scoring.sections import Truth
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import Source, Wrapper
from webquarry.wrapping.section_learner import learn_sections

SAMPLES = 5
CHOSEN = ("au", "ch", "eg", "pe", "nz")
"""Codes of five countries of five continents, large and small, none among the twelve with known sections."""
DRAWS = 4
_SEED = 4
RENDERED, UNSTYLED, STATIC = "rendered", "rendered, without style sheets", "static"
WAYS = (RENDERED, UNSTYLED, STATIC)
"""Ways to load samples."""


@dataclass(frozen=True)
class Book:
    """A fact book and its folder."""

    year: str
    folder: Path

    def page(self, code: str) -> Page:
        path = self.folder / "geos" / f"{code}.html"
        return Page(path.resolve().as_uri(), path.read_bytes())

    def codes(self) -> list[str]:
        """List the codes of all pages."""
        return sorted(path.stem for path in (self.folder / "geos").glob("*.html"))

    def truths(self) -> dict[str, list[Truth]]:
        """Read the true sections of each known page, in page order, by code."""
        lines = (self.folder / "truth.jsonl").read_text("utf-8").splitlines()
        pages = [json.loads(line) for line in lines if line.strip()]
        return {
            page["page"].removesuffix(".html"): [(tuple(each["path"]), each["value"]) for each in page["sections"]]
            for page in pages
        }


def find_books(root: Path) -> list[Book]:
    """List the fact books that the corpora have."""
    books = [Book(year, root / f"factbook-{year}") for year in ("2011", "2020")]
    return [book for book in books if (book.folder / "truth.jsonl").is_file()]


@cache
def draw_samples(book: Book) -> list[tuple[str, ...]]:
    """Return sets of samples: the chosen one, then random ones from the longer half of the other pages.

    The shorter half are oceans, islands and territories that lack most sections, and make poor samples.
    """
    known = book.truths()
    others = [code for code in book.codes() if code not in known]
    longest = sorted(others, key=lambda code: -len(book.page(code).body))[: len(others) // 2]
    lot = random.Random(_SEED)
    return [CHOSEN, *(tuple(lot.sample(sorted(longest), SAMPLES)) for _ in range(DRAWS))]


@cache
def static_page(book: Book, code: str) -> Document:
    return wq.clean(book.page(code))


def read_samples(book: Book, way: str, codes: Sequence[str]) -> list[Document]:
    """Load pages as documents to learn from, each once per run."""
    if way == STATIC:
        return [static_page(book, code) for code in codes]
    known = _rendered.setdefault((book, way), {})
    missing = [code for code in dict.fromkeys(codes) if code not in known]
    pages = [book.page(code) for code in missing]
    folder = book.folder / "geos" if way == UNSTYLED else book.folder  # style sheets are in the folder above
    known |= zip(missing, render_pages(pages, folder, f"rendering {book.year}, {way}"), strict=True)
    return [known[code] for code in codes]


_rendered: dict[tuple[Book, str], dict[str, Document]] = {}


def render_pages(
    pages: Sequence[Page], root: Path, label: str, timing: Callable[[str, float], None] | None = None
) -> list[Document]:
    """Render the pages in one browser, with style sheets found below `root`.

    `timing` is called with the address of each page and its seconds.
    """
    if not pages:
        return []
    results = list(show_progress(wq.render_all(pages, roots=[root], timing=timing, offline=True), len(pages), label))
    for result in results:
        if isinstance(result, Failure):
            raise RuntimeError(f"cannot render a page of the corpus: {result.error}")
    return [result for result in results if isinstance(result, Document)]


@cache
def learn_book(book: Book, way: str, draw: int = 0) -> Wrapper:
    """Learn a wrapper from the samples of a draw."""
    return learn_sections(read_samples(book, way, draw_samples(book)[draw]), Source(name="factbook"))
