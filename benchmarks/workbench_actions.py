"""Count the actions of a scripted user of the workbench until the table or the sections of a source are right.

The user tries what a person could click next, and does what brings the result closest to the truth.  Every try is a
call of `WrapperWork.act`, as a click is.  A page counts as never right if no single action improves it any more.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import webquarry as wq
from benchmarks.column_examples import find_on_page, list_texts, mean_scores, score_examples
from benchmarks.findings import Finding
from benchmarks.halves import CHECK
from benchmarks.listings import Listing, listings
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings
from benchmarks.scoring.columns import ALIKE, alike, find_captions
from benchmarks.scoring.records import match, words_of
from benchmarks.scoring.sections import SectionScore, score_sections, sum_of_sections
from benchmarks.wrappers.books import CHOSEN, Book, find_books, render_pages
from benchmarks.wrappers.outlines import PageTruth, read_record
from benchmarks.wrappers.sections import CORRECTIONS, score_book
from benchmarks.wrappers.table2 import FOLDER, MULTIPLE, SINGLE, read_source
from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.names import snake_case
from webquarry.model.page import Page
from webquarry.model.wrapper import Wrapper
from webquarry.rendering.browser import find_browser
from webquarry.rendering.requests import ShownPage
from webquarry.workbench.opened_pages import OpenedPage
from webquarry.workbench.opened_work import make_empty
from webquarry.workbench.wrapper_work import WrapperWork
from webquarry.wrapping.field_values import ADDRESSES
from webquarry.wrapping.listing_reader import read_records
from webquarry.wrapping.section_reader import Reader

MAX_ACTIONS = 10
NEVER = MAX_ACTIONS + 1
WANTED_COLUMNS = 3
MIN_SHARE_OF_COLUMN = 0.9  # of the right records, in which a field must have the cell of a true column
PLAIN_NAMES = ("text", "column", "value")  # of columns that nothing named, with a number behind them
_CELLS_TRIED = 2  # cells of a record that the user clicks
_MAX_TRIED = 4  # true records, false records or fields that the user thinks of for each kind of action

Action = tuple[str, dict[str, Any]]
Score = tuple[float, ...]


@dataclass
class Session:
    """A wrapper on the workbench, and the actions of the user so far."""

    work: WrapperWork
    done: list[Action] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """CPU time from each action to the description of the page on screen."""

    def correct(self, list_actions: Callable[[], Iterator[Action]], rate: Callable[[], Score], aim: Score) -> bool:
        """Do the best action again and again until the score is that aimed at; tell whether it is."""
        score = rate()
        while score < aim:
            tried = [(self._try(action, rate), place, action) for place, action in enumerate(list_actions())]
            best = max(tried, key=lambda each: (each[0], -each[1]), default=None)
            if best is None or best[0] <= score or len(self.done) == MAX_ACTIONS:
                return False
            score = best[0]
            self.do(*best[2])
        return True

    def _try(self, action: Action, rate: Callable[[], Score]) -> Score:
        """Rate the result of an action, and take the action back."""
        try:
            self.work.act(0, action[0], action[1])
        except WebquarryError:
            return ()
        score = rate()
        self.work.act(0, "undo", {})
        return score

    def do(self, action: str, given: dict[str, Any]) -> None:
        """Do an action, and describe the page on screen, as for the browser."""
        start = time.process_time()
        self.work.act(0, action, given)
        json.dumps(self.work.show(0))
        self.seconds.append(time.process_time() - start)
        self.done.append((action, given))


def open_session(wrapper: Wrapper, pages: Sequence[Page], documents: Sequence[Document]) -> Session:
    """Open a wrapper on its sample pages."""
    opened = [
        OpenedPage(page, document, ShownPage(page.url, document.markup, {}), "")
        for page, document in zip(pages, documents, strict=True)
    ]
    work = WrapperWork(wrapper, opened, Path("bench.toml"), lambda page: page)
    for number in range(len(opened)):
        work.find_gaps(number)  # as the browser asks when it has shown the first page
    return Session(work)


def run_workbench(root: Path, count: int | None = None) -> Finding | None:
    """Measure listings, the sources of Table 2 and a fact book; None without a browser or the corpus."""
    pages = [
        (page, document)
        for page, document in zip(listings(root, count), rendered_listings(root, count), strict=True)
        if page.half == CHECK
    ]
    if find_browser() is None or not pages:
        return None
    shops = [_correct_listing(page, document) for page, document in show_progress(pages, len(pages), "listings")]
    drawn = [(page, document) for page, document in show_progress(pages, len(pages), "columns by example") if document]
    one, two = mean_scores(score_examples(drawn))
    names = [*MULTIPLE, *SINGLE][:count]
    sources = [_correct_source(name) for name in show_progress(names, len(names), "sources of Table 2")]
    books = [_correct_book(book) for book in find_books(root) if book.year in CORRECTED_BOOKS]
    seconds = [each for line in (*shops, *sources, *books) for each in line.action_seconds]
    return Finding(
        title="Actions on the workbench",
        note="A scripted user corrects as by clicks. Listings are the pages of `records` to check on: actions until all"
        f" true records are there, no others, and {WANTED_COLUMNS} of their columns with names. Sources of Table 2:"
        " until all sections are right. Seconds are from opening to the last action, rendering included.",
        heads=("", "actions", "right", "seconds"),
        rows=[
            _sum_row("listings", shops),
            ["columns by one example, F1", "1", f"{one:.3f}", ""],
            ["columns by two examples, F1", "2", f"{two:.3f}", ""],
            *map(_row, sources),
            *map(_row, books),
        ],
        figures={
            "workbench, actions on listings: median": median(line.count for line in shops),
            "workbench, listings right with at most 3 actions": sum(line.count <= 3 for line in shops) / len(shops),
            "columns by example, F1 with 1 example": one,
            "columns by example, F1 with 2 examples": two,
            "workbench, sources of Table 2 right": sum(line.is_right for line in sources) / len(sources),
            "workbench, CPU seconds from an action to its page: 95 %": float(np.quantile(seconds or [0.0], 0.95)),
            **{f"workbench, actions: {line.name}": line.actions for line in books},
            **{f"workbench, right: {line.name}": line.share for line in books},
        },
        complaints=[f"never right: {line.name}" for line in (*shops, *sources) if not line.is_right],
    )


@dataclass(frozen=True)
class Line:
    """What a user needed for one page or source."""

    name: str
    actions: int
    is_right: bool
    seconds: float
    """From opening to the last action."""
    action_seconds: Sequence[float]
    share: float = 1.0
    """Of the true sections or records."""

    @property
    def count(self) -> int:
        """The actions; one more than a user makes if they did not suffice."""
        return self.actions if self.is_right else NEVER


def _row(line: Line) -> list[str]:
    return [line.name, str(line.actions), f"{line.share:.3f}", f"{line.seconds:.1f}"]


def _sum_row(name: str, lines: Sequence[Line]) -> list[str]:
    counts = [line.count for line in lines]
    return [
        f"{len(lines)} {name}",
        f"median {median(counts):g}, nine of ten {np.quantile(counts, 0.9):g}",
        f"{sum(line.is_right for line in lines) / len(lines):.3f}",
        f"{median(line.seconds for line in lines):.1f}",
    ]


def _correct_listing(page: Listing, document: Document | None) -> Line:
    start = time.perf_counter()
    document = document or wq.clean(page.page)
    try:
        wrapper = wq.wrap([document], name="listing", kind="records")
    except WebquarryError:
        wrapper = make_empty("listing", "records", (document.url,))  # as the workbench opens it
    session = open_session(wrapper, [page.page], [document])
    user = ListingUser(page, session.work)
    is_right = session.correct(user.list_actions, user.rate, (1.0, WANTED_COLUMNS))
    return Line(page.name, len(session.done), is_right, time.perf_counter() - start, session.seconds, user.rate()[0])


class ListingUser:
    """Wants the true records of a page, and some of their columns."""

    def __init__(self, page: Listing, work: WrapperWork) -> None:
        self._truths = page.truths
        self._words = [words_of(" ".join(row)) for row in page.truths]
        self._work = work
        captions = find_captions(page.truths)
        width = max(map(len, page.truths))
        cells = {
            column: [(place, row[column]) for place, row in enumerate(page.truths) if column < len(row)]
            for column in range(width)
        }
        self._columns = {
            column: {place: cell for place, cell in each if words_of(cell) and (column, cell) not in captions}
            for column, each in cells.items()
        }
        varied = [column for column, each in self._columns.items() if 2 * len(each) > len(page.truths)]
        self._texts = list_texts(work.pages[0].document)
        self._wanted = min(WANTED_COLUMNS, len(varied))
        self._varied = varied

    def rate(self) -> Score:
        """Give the F1 of the records, how many wanted columns there are, each with a name, and the shares of cells."""
        rows = self._rows()
        pairs = self._match(rows)
        f1 = 2 * len(pairs) / (len(rows) + len(self._truths)) if rows else 0.0
        found = [name for column in self._varied if (name := self._find_field(column, rows, pairs))]
        named = sum(not _is_plain(name) for name in set(found))
        # a column without a name is half of one, so that finding it is progress
        columns = min(self._wanted, named + 0.5 * (len(set(found)) - named))
        cells = sum(max(self._shares(column, rows, pairs).values(), default=0.0) for column in self._varied)
        return round(f1, 4), WANTED_COLUMNS - self._wanted + columns, round(cells, 4)

    def list_actions(self) -> Iterator[Action]:
        """List what to try: first for the records, then for the columns."""
        rows = self._rows()
        pairs = self._match(rows)
        if len(pairs) < max(len(rows), len(self._truths)):
            yield from self._list_record_actions(rows, pairs)
            return
        found = {column: self._find_field(column, rows, pairs) for column in self._varied}
        names = [each.name for each in self._work.wrapper.fields]
        for column, name in found.items():
            if name and _is_plain(name):
                yield "rename", {"example": name, "name": f"wanted {column}"}
        for column in [column for column, name in found.items() if not name]:
            examples = [self._on_page(cell) for cell in list(self._columns[column].values())[:2]]
            for example in examples:
                yield "add", {"example": example, "name": f"wanted {column}"}
            yield from self._list_lessons(column, rows, pairs)
            for name, example in ((name, example) for name in names for example in examples):
                yield "split", {"example": name, "part": example, "name": f"wanted {column}"}
        for one, other in pairwise(names):
            yield "merge", {"example": one, "to": other}

    def _list_lessons(
        self, column: int, rows: Sequence[dict[str, str]], pairs: Sequence[tuple[int, int]]
    ) -> Iterator[Action]:
        """Teach the field that has most cells of a true column one that it lacks."""
        shares = self._shares(column, rows, pairs)
        name = max(shares, key=shares.__getitem__, default="")
        if shares.get(name):
            cells = [(self._columns[column][true], rows[said]) for true, said in pairs if true in self._columns[column]]
            lacking = [cell for cell, row in cells if alike(words_of(cell), words_of(row.get(name, ""))) < ALIKE]
            yield from (("add", {"example": self._on_page(cell), "name": name}) for cell in lacking[:2])

    def _list_record_actions(self, rows: list[dict[str, str]], pairs: list[tuple[int, int]]) -> Iterator[Action]:
        yield "next_list", {}
        true = {place for place, _ in pairs}
        missing = [row for place, row in enumerate(self._truths) if place not in true]
        for row in [self._truths[0], *missing][:_MAX_TRIED]:
            for cell in sorted(row, key=len, reverse=True)[:_CELLS_TRIED]:
                yield "choose", {"example": self._on_page(cell)}
                yield "add", {"example": self._on_page(cell), "record": True}
        said = {place for _, place in pairs}
        for place in [place for place in range(len(rows)) if place not in said][:_MAX_TRIED]:
            others = {text for at, row in enumerate(rows) if at != place for text in row.values()}
            own = [text for text in rows[place].values() if text not in others]
            yield "drop", {"example": next(iter(own or rows[place].values())), "record": True}

    def _on_page(self, cell: str) -> str:
        return find_on_page(self._texts, cell)

    def _rows(self) -> list[dict[str, str]]:
        rows: dict[int, dict[str, str]] = {}
        shown = self._work.show(0)
        names = {each["path"]: each["name"] for each in shown["fields"]}
        for value in shown["values"]:
            _, number, name = value["path"][:3]
            rows.setdefault(number, {})[names[name]] = value["text"]
        return [rows[number] for number in sorted(rows)]

    def _match(self, rows: Sequence[dict[str, str]]) -> list[tuple[int, int]]:
        """Pair true records with those that the wrapper reads: by their values, or by all text in them.

        Values lack what is in no column; markup alone does not tell all of what style sheets hide.
        """
        addresses = {each.name for each in self._work.wrapper.fields if each.type in ADDRESSES}
        values = [[text for name, text in row.items() if name not in addresses] for row in rows]
        page = self._work.pages[0]
        document = page.document if self._work.wrapper.source.render else page.static
        spans = [row.span for row in read_records(self._work.wrapper, document)]
        texts = [[document.texts[node] for node in range(*span) if not document.hidden[node]] for span in spans]
        ways = [[words_of(" ".join(filter(None, each))) for each in way] for way in (values, texts)]
        return max((match(self._words, way) for way in ways), key=len)

    def _find_field(self, column: int, rows: Sequence[dict[str, str]], pairs: Sequence[tuple[int, int]]) -> str:
        """Find the field that has the cells of a true column in nearly all records."""
        shares = self._shares(column, rows, pairs)
        return next((name for name, share in shares.items() if share >= MIN_SHARE_OF_COLUMN), "")

    def _shares(
        self, column: int, rows: Sequence[dict[str, str]], pairs: Sequence[tuple[int, int]]
    ) -> dict[str, float]:
        """Give for each field the share of the cells of a true column that it has."""
        cells = [
            (words_of(self._columns[column][true]), rows[said]) for true, said in pairs if true in self._columns[column]
        ]
        return {
            each.name: sum(alike(cell, words_of(row.get(each.name, ""))) >= ALIKE for cell, row in cells) / len(cells)
            for each in self._work.wrapper.fields
            if cells
        }


def _is_plain(name: str) -> bool:
    return name.rstrip("0123456789_ ") in PLAIN_NAMES


def _correct_source(name: str) -> Line:
    source = read_source(name)
    start = time.perf_counter()
    documents = render_pages(source.pages, FOLDER, f"rendering {name}")
    session = open_session(wq.wrap(documents, name=name, kind="sections"), source.pages, documents)
    opened = time.perf_counter() - start
    user = SectionUser(source.truths, [wq.clean(page) for page in source.pages], session.work)
    is_right = session.correct(user.list_actions, user.rate, (1.0, 0.0))
    return Line(name, len(session.done), is_right, opened + sum(session.seconds), session.seconds, user.rate()[0])


class SectionUser:
    """Wants the true sections of the pages of a source."""

    def __init__(self, truths: Sequence[PageTruth], documents: Sequence[Document], work: WrapperWork) -> None:
        self._truths, self._documents, self._work = truths, documents, work

    def rate(self) -> Score:
        """Give the share of the true sections that are right, and less than 0 for false ones."""
        score = self._score()
        return round(score.share_right, 4), -round(score.share_spurious, 4)

    def _score(self) -> SectionScore:
        reader = Reader(self._work.wrapper)
        return sum_of_sections(
            _score_page(truth, read_record(reader.read(document)))
            for truth, document in zip(self._truths, self._documents, strict=True)
        )

    def list_actions(self) -> Iterator[Action]:
        """List what to try: headings to add, to drop, to move and to join."""
        paths = [".".join(path) for path, _ in self._work.wrapper.grammar.walk()]
        missed = [path for path, _ in Counter(self._score().missed).most_common(_MAX_TRIED)]
        for path in missed:
            around = ".".join(map(snake_case, path[:-1]))
            yield "add", {"example": path[-1]}
            yield "add", {"example": path[-1], "to": around}
            for known in [known for known in paths if known.rpartition(".")[2] == snake_case(path[-1])][:_MAX_TRIED]:
                yield "move", {"example": known, "to": around or self._work.wrapper.source.name}
        for line in self._list_surplus(set(missed))[:_MAX_TRIED]:
            yield "add", {"example": line, "to": self._work.wrapper.source.name}
        true = {
            ".".join(map(snake_case, path[:size]))
            for truth in self._truths
            for path, _ in truth.sections
            for size in range(1, len(path) + 1)
        }
        for path in [path for path in paths if path not in true][:_MAX_TRIED]:
            yield "drop", {"example": path}
            yield "drop", {"example": path, "whole_format": True}

    def _list_surplus(self, missed: Collection[tuple[str, ...]]) -> list[str]:
        """List the lines that sections have beside their true texts, such as an advertisement at the end of a page."""
        reader = Reader(self._work.wrapper)
        lines: dict[str, None] = {}
        for truth, document in zip(self._truths, self._documents, strict=True):
            wanted = {path: text for path, text in truth.sections if path in missed}
            for value in reader.read(document).values:
                names = tuple(map(str, value.headings))
                true = next((text for path, text in wanted.items() if path[-1] in names), "")
                lines |= dict.fromkeys(line for line in value.text.splitlines() if true and line not in true)
        return list(lines)


def _score_page(truth: PageTruth, record: Mapping[str, Any]) -> SectionScore:
    """Score a page; what is beside the own text of a section is not spurious, such as a note."""
    spurious = score_sections(truth.sections, record).spurious
    return replace(score_sections(truth.scored, record), spurious=spurious)


CORRECTED_BOOKS = ("2020",)


def _correct_book(book: Book) -> Line:
    """Apply the corrections chosen for the book, and score pages that are not samples."""
    start = time.perf_counter()
    pages = [book.page(code) for code in CHOSEN]
    documents = render_pages(pages, book.folder, f"rendering {book.year}")
    session = open_session(wq.wrap(documents, name="factbook", kind="sections"), pages, documents)
    for action in CORRECTIONS[book.year]:
        session.do(type(action).__name__.lower(), asdict(action))
    share = score_book(book, Reader(session.work.wrapper).read).share_right
    seconds = time.perf_counter() - start
    return Line(f"fact book of {book.year}", len(session.done), True, seconds, session.seconds, share)
