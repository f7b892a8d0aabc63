"""Reproduce Table 2 of Ashish and Knoblock: the correction steps until a source is structured right.

The paper's user corrects one sample page.  Here steps are the median over all pages with a known truth: for a source
that we wrote, each page read by a wrapper learnt from the others; for a fact book, the twelve known pages.  On detail
pages a user needs only the attributes, so a step is an attribute that no field equals, to be added as a token.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.scoring.sections import Truth, score_sections, sum_of_sections
from benchmarks.wrappers.books import CHOSEN, RENDERED, Book, find_books, learn_book, render_pages, static_page
from benchmarks.wrappers.correcting import correct_page
from benchmarks.wrappers.outlines import PageTruth, Steps, read_record, steps_of_ashish, steps_of_ours
from benchmarks.wrappers.sections import ashish_steps, book_steps, score_book
from benchmarks.wrappers.sites import AttributeScore, Site, find_sites, score_site
from benchmarks.wrappers.swde import measure_site
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import snake_case
from webquarry.model.page import Page
from webquarry.model.wrapper import Source
from webquarry.rendering.browser import find_browser
from webquarry.wrapping.ashish import extract_ashish, wrap_ashish
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader

FOLDER = Path(__file__).parents[2] / "tests" / "pages-of-sources"


@dataclass(frozen=True)
class WrittenSource:
    """A source that we wrote: its pages, and the truth about each."""

    name: str
    pages: tuple[Page, ...]
    truths: tuple[PageTruth, ...]


def read_source(name: str) -> WrittenSource:
    """Read a source from `tests/pages-of-sources`."""
    folder = FOLDER / name
    expected = json.loads((folder / "expected-sections.json").read_text("utf-8"))
    paths = sorted(folder.glob("*.html"))
    return WrittenSource(
        name,
        tuple(Page(path.resolve().as_uri(), path.read_bytes()) for path in paths),
        tuple(_page_truth(expected, path.name, _free_labels(expected)) for path in paths),
    )


def _free_labels(expected: dict[str, Any]) -> frozenset[str]:
    """Return the labels that may occur in any section of any page."""
    sections = (section for page in expected["pages"].values() for section in page)
    return frozenset(snake_case(each["path"][-1]) for each in sections if each.get("any_section", False))


def _page_truth(expected: dict[str, Any], page: str, free: frozenset[str]) -> PageTruth:
    sections = expected["pages"][page]
    rows = [row for row in expected.get("rows", []) if row["page"] == page]
    told = [(tuple(each["path"]), each["value"]) for each in sections if not each.get("any_section", False)]
    return PageTruth(
        [*told, *(truth for row in rows for truth in _row_truths(row))],
        rows={snake_case(row["heading"]): len(row["under"]) for row in rows},
        free=free,
    )


def _row_truths(row: dict[str, Any]) -> list[Truth]:
    path = (*row["under"], row["heading"])
    if "values" in row:
        return [(path, " ".join(row["values"]))]
    return [((*path, name), value) for name, value in row["fields"].items()]


FIGURE_1 = "figure-1"
MULTIPLE = {
    FIGURE_1: "CIA World Fact Book: 0, 2 min",
    "factbook-plain": "CIA World Fact Book: 0, 2 min",
    "factbook-tables": "CIA World Fact Book: 0, 2 min",
    "filings-in-pre": "",
    "company-profiles": "Hoover Company Profiles: 2, 4 min",
    "lighthouses-in-divs": "",
    "films-h5-labels": "Internet Movie Database: 3, 6 min",
    "genes-numbered-capitals": "OMIM Genetics: 4, 4 min",
    "catalogue-items": "GSA On-line Shopping: 2, 5 min",
    "grants-database": "NSF database: 0, 5 min",
    "fact-sheets": "Air Force Library Fact Sheets: 0, 2 min",
}
"""Sources of several pages that we wrote, with the paper's steps and time for a source of the same kind."""
SINGLE = {
    "proceedings": "CoopIS 96 Proceedings: 1, 3 min",
    "conference-home": "AAAI-97 homepage: 3, 3 min",
    "universities-by-state": "US Universities by state: 6, 4 min",
    "fellows-by-year": "AAAI Fellows by year: 0, 1 min",
    "job-listings": "CS Job Listings: 6, 5 min",
    "journal-issue": "SIGMOD Record: 4, 3 min",
    "organisation": "US Air Force Organization: 0, 1 min",
}
_BOOK = "CIA World Fact Book: 0, 2 min"
_SITES = {"movie-imdb": "Internet Movie Database: 3, 6 min"}

Read = Callable[[Document], Extraction]


@dataclass(frozen=True)
class Line:
    """A row of the table: a source with the steps of both methods."""

    source: str
    paper: str
    ours: Sequence[Steps]
    ashish: Sequence[Steps]
    right: float
    right_ashish: float
    seconds: float
    corrected: Corrected | None = None
    """The paper's method to the end, for sources that we wrote."""


@dataclass(frozen=True)
class Corrected:
    """A wrapper of the paper's method after corrections on its first page."""

    actions: int
    right: float
    """Share of the sections that are right on all pages of the source."""


def run_table2(root: Path, count: int | None = None) -> Finding | None:
    """Measure all sources; None without a browser.  `count` limits the sources of each kind."""
    if find_browser() is None:
        return None
    jobs: list[Callable[[], Line]] = [
        *(partial(_measure_book, book) for book in find_books(root)[:count]),
        *(partial(_measure_site, site) for site in find_sites(root)[:count]),
        *_written_jobs({**dict([*MULTIPLE.items()][:count]), **dict([*SINGLE.items()][:count])}),
    ]
    lines = [job() for job in show_progress(jobs, len(jobs), "sources of Table 2")]
    figure_1 = next(line for line in lines if line.source == FIGURE_1)
    return Finding(
        title="The paper's Table 2",
        note="Correction steps counted like the paper (tokens and rules) and by us (actions); medians over pages."
        " For the sources that we wrote, the wrapper of the paper's method is corrected on its first page by a script"
        " that knows the sections of that page, and then reads all pages.",
        heads=(
            "",
            "the paper: steps, time",
            "steps",
            "actions",
            "steps, ashish",
            "actions, ashish",
            "sections right",
            "sections right, ashish",
            "ashish corrected: actions",
            "sections right",
            "seconds to learn",
        ),
        rows=list(map(_row, lines)),
        figures={
            "table2, steps on the page of Figure 1": float(figure_1.ours[0].tokens),
            "table2, steps of ashish on the page of Figure 1": float(figure_1.ashish[0].tokens),
        },
        complaints=[f"sections wrong: {line.source}: {1 - line.right:.1%}" for line in lines if line.right < 1],
    )


def _measure_book(book: Book) -> Line:
    start = time.monotonic()
    documents = render_pages([book.page(code) for code in CHOSEN], book.folder, f"rendering {book.year}")
    learn_sections(documents, Source(name="factbook"))
    seconds = time.monotonic() - start
    wrapper = learn_book(book, RENDERED)
    ashish = wrap_ashish([static_page(book, code) for code in CHOSEN], name="factbook")
    return Line(
        source=f"fact book of {book.year}",
        paper=_BOOK,
        ours=book_steps(book, wrapper),
        ashish=ashish_steps(book),
        right=score_book(book, Reader(wrapper).read).share_right,
        right_ashish=score_book(book, partial(extract_ashish, ashish)).share_right,
        seconds=seconds,
    )


def _measure_site(site: Site) -> Line:
    start = time.monotonic()
    scores = measure_site(site)
    seconds = time.monotonic() - start
    wrapper = wrap_ashish(site.samples, name=site.name)
    others = score_site(site, [extract_ashish(wrapper, document) for document in site.others])
    return Line(
        source=site.name,
        paper=_SITES.get(site.name, ""),
        ours=[_steps_of_site(scores)],
        ashish=[_steps_of_site(others)],
        right=_share_of_site(scores),
        right_ashish=_share_of_site(others),
        seconds=seconds,
    )


def _steps_of_site(scores: Sequence[AttributeScore]) -> Steps:
    missing = sum(not score.is_found for score in scores)
    return Steps(missing, missing)


def _share_of_site(scores: Sequence[AttributeScore]) -> float:
    return sum(score.equal for score in scores) / sum(score.pages for score in scores)


def _written_jobs(papers: Mapping[str, str]) -> Iterator[Callable[[], Line]]:
    """Render the sources that we wrote in one browser, and yield a job for each."""
    sources = [read_source(name) for name in papers]
    seconds: dict[str, float] = {}
    pages = [page for source in sources for page in source.pages]
    rendered = iter(render_pages(pages, FOLDER, "rendering our own sources", seconds.__setitem__))
    for source in sources:
        documents = list(islice(rendered, len(source.pages)))
        taken = sum(seconds[page.url] for page in source.pages)
        yield partial(_measure_written, source, papers[source.name], documents, taken)


def _measure_written(source: WrittenSource, paper: str, rendered: Sequence[Document], seconds: float) -> Line:
    start = time.monotonic()
    learn_sections(rendered, Source(name=source.name))
    seconds += time.monotonic() - start
    static = [wq.clean(page) for page in source.pages]
    ours = [read(document) for document, read in zip(static, _readers(source.name, rendered), strict=True)]
    theirs = [
        extract_ashish(wrap_ashish(samples, name=source.name), document)
        for document, samples in zip(static, _others(static), strict=True)
    ]
    return Line(
        source=source.name,
        paper=paper,
        ours=[steps_of_ours(each, truth) for each, truth in zip(ours, source.truths, strict=True)],
        ashish=[steps_of_ashish(each, truth) for each, truth in zip(static, source.truths, strict=True)],
        right=_share_right(source, ours),
        right_ashish=_share_right(source, theirs),
        seconds=seconds,
        corrected=_correct_ashish(source, static),
    )


def _correct_ashish(source: WrittenSource, documents: Sequence[Document]) -> Corrected:
    """Correct the paper's wrapper of the first page, and read all pages by it."""
    wrapper = correct_page(wrap_ashish(documents, name=source.name), documents[0], source.truths[0])
    right = _share_right(source, [extract_ashish(wrapper, document) for document in documents])
    return Corrected(wrapper.steps[1], right)


def _readers(name: str, documents: Sequence[Document]) -> Iterator[Read]:
    """Yield for each page a reader learnt from the others."""
    for samples in _others(documents):
        yield Reader(learn_sections(samples, Source(name=name))).read


def _others(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Yield for each page the others, or itself if there are none."""
    for place in range(len(documents)):
        yield [*documents[:place], *documents[place + 1 :]] or list(documents)


def _share_right(source: WrittenSource, extractions: Sequence[Extraction]) -> float:
    scores = (
        score_sections(truth.scored, read_record(extraction))
        for truth, extraction in zip(source.truths, extractions, strict=True)
    )
    return sum_of_sections(scores).share_right


def _row(line: Line) -> list[str]:
    return [
        line.source,
        line.paper or "-",
        *(
            f"{median(getattr(each, name) for each in steps):g}"
            for steps in (line.ours, line.ashish)
            for name in ("tokens", "actions")
        ),
        f"{line.right:.3f}",
        f"{line.right_ashish:.3f}",
        *((str(line.corrected.actions), f"{line.corrected.right:.3f}") if line.corrected else ("-", "-")),
        f"{line.seconds:.1f}",
    ]
