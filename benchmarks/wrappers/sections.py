"""Score wrappers learnt from five pages of a fact book on twelve others, before and after corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean, median

from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.scoring.sections import SectionScore, score_sections, sum_of_sections
from benchmarks.wrappers.books import (
    RENDERED,
    STATIC,
    WAYS,
    Book,
    draw_samples,
    find_books,
    learn_book,
    read_samples,
    static_page,
)
from benchmarks.wrappers.outlines import PageTruth, Steps, steps_of_ashish, steps_of_ours
from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Wrapper
from webquarry.rendering.browser import find_browser
from webquarry.wrapping.ashish import extract_ashish, raw_text, scan, wrap_ashish
from webquarry.wrapping.corrections import Correction, correct
from webquarry.wrapping.heading_names import heading_name
from webquarry.wrapping.section_reader import Reader

CORRECTIONS: dict[str, Sequence[Correction]] = {
    "2011": (),
    "2020": (
        Correction("drop", "improved:", whole_format=True),
        Correction("move", "arable land", "land_use"),
        Correction("drop", "agricultural_land.permanent_crops", whole_format=True),
    ),
}


def correct_book(book: Book, draw: int = 0) -> Wrapper:
    """Learn a wrapper from the rendered samples of a draw, and apply the corrections.

    The corrections were chosen for the first draw; for other draws, those that do not apply are skipped.
    """
    wrapper = learn_book(book, RENDERED, draw)
    samples = read_samples(book, RENDERED, draw_samples(book)[draw])
    for action in CORRECTIONS[book.year]:
        with suppress(*([InputError] if draw else [])):
            wrapper = correct(wrapper, action, samples)
    return wrapper


_MAX_MISSED = 5  # paths missed most often that are reported for each book

Read = Callable[[Document], Extraction]
Row = list[str]


def run_sections(root: Path, count: int | None = None) -> Finding | None:
    """Score both books, learnt in all ways; None without the corpus or a browser.  `count` limits the draws."""
    books = find_books(root)
    if not books or find_browser() is None:
        return None
    rows: list[Row] = []
    figures: dict[str, float] = {}
    complaints: list[str] = []
    headings: list[str] = []
    for book in books:
        headings.append(_describe_ashish_headings(book))
        scores = {way: list(_score_draws(book, way, count)) for way in WAYS}
        rows += [
            _row(f"{book.year}, {way}", each, book_steps(book, learn_book(book, way))) for way, each in scores.items()
        ]
        corrected, actions = scores[RENDERED], len(CORRECTIONS[book.year])
        if actions:
            corrected = list(_score_corrected(book, count))
            steps = book_steps(book, correct_book(book))
            rows.append(_row(f"{book.year}, corrected by {actions} actions", corrected, steps))
        rows.append(_ashish_row(book))
        figures |= _figures(book, scores[RENDERED], corrected[0])
        complaints += _missed(book, scores[RENDERED][0])
    return Finding(
        title="Sections of fact books",
        note="Learnt from five pages, read without a browser on twelve others. Means over five draws of samples, the"
        " worst in brackets. Steps are medians over the twelve pages for the first draw. Corrections were chosen for"
        " the first draw and applied to all. " + " ".join(headings),
        heads=("", "right", "placed", "spurious leaves", "steps, tokens and rules", "steps, actions"),
        rows=rows,
        figures=figures,
        complaints=complaints,
    )


def _score_draws(book: Book, way: str, count: int | None) -> Iterator[SectionScore]:
    codes = draw_samples(book)[:count]
    read_samples(book, way, [code for draw in codes for code in draw])  # renders all in one browser
    draws = range(len(codes))
    for draw in show_progress(draws, len(draws), f"sections of {book.year}, {way}"):
        yield score_book(book, Reader(learn_book(book, way, draw)).read)


def _score_corrected(book: Book, count: int | None) -> Iterator[SectionScore]:
    """Score all draws after the corrections chosen for the first."""
    draws = range(len(draw_samples(book)[:count]))
    for draw in show_progress(draws, len(draws), f"sections of {book.year}, corrected"):
        yield score_book(book, Reader(correct_book(book, draw)).read)


def score_book(book: Book, read: Read) -> SectionScore:
    """Score the known pages, read without a browser."""
    truths = book.truths()
    return sum_of_sections(score_sections(each, read(static_page(book, code)).record) for code, each in truths.items())


def book_steps(book: Book, wrapper: Wrapper) -> list[Steps]:
    """Count the steps left on each known page."""
    reader = Reader(wrapper)
    return [steps_of_ours(reader.read(static_page(book, code)), truth) for code, truth in _truths(book).items()]


def ashish_steps(book: Book) -> list[Steps]:
    """Count the steps on each known page by the paper's method."""
    return [steps_of_ashish(static_page(book, code), truth) for code, truth in _truths(book).items()]


def _truths(book: Book) -> dict[str, PageTruth]:
    free = learn_book(book, STATIC).other
    return {code: PageTruth(sections, free=free) for code, sections in book.truths().items()}


def _describe_ashish_headings(book: Book) -> str:
    """Count the headings of each level that the expressions of the paper's Table 1 find on the known pages."""
    wanted: Counter[int] = Counter()
    found: Counter[int] = Counter()
    tokens = right = 0
    for code, truth in book.truths().items():
        names = [heading_name(match.text) for match in scan(raw_text(static_page(book, code)))]
        true = {tuple(path[:level]) for path, *_ in truth for level in range(1, len(path) + 1)}
        wanted.update(len(path) for path in true)
        found.update(len(path) for path in true if heading_name(path[-1]) in names)
        tokens += len(names)
        right += sum(name in {heading_name(path[-1]) for path in true} for name in names)
    levels = ", ".join(f"{found[level]:,} of {wanted[level]:,} of level {level}" for level in sorted(wanted))
    return f"Headings of {book.year} that Table 1 finds: {levels}; of its {tokens:,} tokens {right:,} are headings."


def _ashish_row(book: Book) -> Row:
    wrapper = wrap_ashish([static_page(book, code) for code in draw_samples(book)[0]], name="factbook")
    score = score_book(book, lambda document: extract_ashish(wrapper, document))
    return _row(f"{book.year}, ashish", [score], ashish_steps(book))


def _figures(book: Book, scores: Sequence[SectionScore], corrected: SectionScore) -> dict[str, float]:
    return {
        f"sections, right: {book.year}": fmean(score.share_right for score in scores),
        f"sections, spurious leaves: {book.year}": fmean(score.share_spurious for score in scores),
        f"sections, right, corrected: {book.year}": corrected.share_right,
        f"sections, actions: {book.year}": len(CORRECTIONS[book.year]),
    }


def _missed(book: Book, score: SectionScore) -> Iterator[str]:
    for path, number in Counter(score.missed).most_common(_MAX_MISSED):
        yield f"sections missed: {book.year}: {' > '.join(path)}, on {number} pages"


def _row(title: str, scores: Sequence[SectionScore], steps: Sequence[Steps]) -> Row:
    return [
        title,
        _mean_and_worst((score.share_right for score in scores), min),
        _mean_and_worst((score.share_placed for score in scores), min),
        _mean_and_worst((score.share_spurious for score in scores), max),
        f"{median(each.tokens for each in steps):g}",
        f"{median(each.actions for each in steps):g}",
    ]


def _mean_and_worst(shares: Iterable[float], worst: Callable[[Sequence[float]], float]) -> str:
    known = list(shares)
    shown = f"{fmean(known):.3f}"
    return f"{shown} ({worst(known):.3f})" if len(known) > 1 else shown
