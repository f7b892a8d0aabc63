"""Score the main texts of our readers and the peers by kind of page and by half, and time them.

Readers take turns, some pages each, so that other load on the machine affects all alike.  Times are CPU times from
bytes to text.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

from benchmarks.articles.truths import CLEANEVAL, MADE, SCRAPINGHUB, WCXB, TrueArticle, read_truths
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE
from benchmarks.pool import show_progress
from benchmarks.scoring.articles import PageScore, Score, score_page, sum_up
from webquarry.html.parsing import decode

Read = Callable[[bytes], str]

OURS = ("webquarry", "webquarry boilerpipe")
TRAFILATURA = "trafilatura"


def load_readers() -> dict[str, Read]:
    """Return the installed readers, ours first."""
    return {name: reader for name, (module, reader) in _READERS.items() if find_spec(module) is not None}


def _read_ours(body: bytes, method: str) -> str:
    import webquarry as wq  # noqa: PLC0415 - readers are imported on first use

    return wq.read(wq.clean(wq.Page(url="https://example.org/", body=body)), method=method).text


def _read_trafilatura(body: bytes, *, fast: bool) -> str:
    import trafilatura  # noqa: PLC0415

    return trafilatura.extract(body, include_comments=False, fast=fast) or ""


def _read_readability(body: bytes) -> str:
    import lxml.html  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415

    summary = Document(decode(body)).summary(html_partial=True)  # it fails on bytes
    return "\n".join(lxml.html.fromstring(summary).itertext())


def _read_resiliparse(body: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding  # noqa: PLC0415

    text: str = extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)
    return text


def _read_boilerpy3(body: bytes) -> str:
    from boilerpy3.extractors import ArticleExtractor  # noqa: PLC0415

    text: str = ArticleExtractor(raise_on_failure=False).get_content(decode(body))
    return text


def _read_turbohtml(body: bytes) -> str:
    import turbohtml  # noqa: PLC0415

    return turbohtml.parse(body).main_text()


_READERS: dict[str, tuple[str, Read]] = {
    "webquarry": ("webquarry", lambda body: _read_ours(body, "vote")),
    "webquarry boilerpipe": ("webquarry", lambda body: _read_ours(body, "boilerpipe")),
    TRAFILATURA: ("trafilatura", lambda body: _read_trafilatura(body, fast=False)),
    "trafilatura, fast": ("trafilatura", lambda body: _read_trafilatura(body, fast=True)),
    "readability-lxml": ("readability", _read_readability),
    "resiliparse": ("resiliparse", _read_resiliparse),
    "boilerpy3": ("boilerpy3", _read_boilerpy3),
    "turbohtml's main_text": ("turbohtml", _read_turbohtml),
}


PUBLISHED = {"precision": 0.850, "recall": 0.870, "F1": 0.860}
"""Published scores of Boilerpipe's ArticleExtractor on articles-scrapinghub."""
PAPER = (0.9485, 0.7643, 0.8041)
"""Precision, recall and F1 of Boilerpipe on CleanEval, as cited by Potvin and Villemaire."""

TURN = 20
"""Pages that a reader reads in a row; with fewer, it would suffer from caches filled by the others."""


@dataclass(frozen=True)
class Reading:
    """The score and time of a reader on a page."""

    page: TrueArticle
    score: PageScore
    seconds: float
    error: str = ""


Readings = dict[str, list[Reading]]
"""By reader."""


def run_articles(root: Path, count: int | None = None) -> Finding | None:
    """Compare all readers on articles; `count` limits the pages."""
    return _compare(root, SCRAPINGHUB, count, "Main texts of articles", by_kind=False)


def run_page_kinds(root: Path, count: int | None = None) -> Finding | None:
    """Compare all readers on pages of every kind; `count` limits the pages."""
    return _compare(root, WCXB, count, "Main texts of pages of every kind", by_kind=True)


def run_made_pages(root: Path, count: int | None = None) -> Finding | None:
    """Compare all readers on pages that are made as common publishing systems write them."""
    return _compare(root, MADE, count, "Main texts of pages of common publishing systems", by_kind=True)


def run_cleaneval(root: Path, count: int | None = None) -> Finding | None:
    """Score our readers on CleanEval, and show the published figures of Boilerpipe."""
    truths = _draw(root, CLEANEVAL, count)
    if not truths:
        return None
    readings = _read_all(truths, {name: read for name, read in load_readers().items() if name in OURS})
    return Finding(
        title="CleanEval",
        note="Development set. The published figures of Boilerpipe are for the evaluation set and another measure, so "
        "they are not directly comparable.",
        heads=("reader", "precision", "recall", "F1", "words F1"),
        rows=[
            *(_row(name, _score(readings[name])) for name in readings),
            ["Boilerpipe, published", *(f"{figure:.4f}" for figure in PAPER), "-"],
        ],
        complaints=_complaints(readings),
    )


def _compare(root: Path, corpus: str, count: int | None, title: str, *, by_kind: bool) -> Finding | None:
    truths = _draw(root, corpus, count)
    readers = load_readers()
    if not truths or TRAFILATURA not in readers:
        return None
    readings = _read_all(truths, readers)
    kinds = sorted({page.kind for page in truths}) if by_kind else []
    return Finding(
        title=title,
        note=f"{len(truths)} pages of {corpus}. Shingles of four words, and words, counted like the scorers of the "
        "corpora. Our reader was tuned on the first half and checked on the second. CPU time is from bytes to text.",
        heads=(
            "reader",
            "precision",
            "recall",
            "F1",
            "to tune on",
            "to check on",
            "words F1",
            *kinds,
            "CPU ms per page",
        ),
        rows=[_compared(name, readings[name], kinds) for name in readings],
        figures=_figures(corpus, readings, kinds),
        complaints=_complaints(readings),
    )


def _draw(root: Path, corpus: str, count: int | None) -> list[TrueArticle]:
    truths = read_truths(root, corpus)
    return draw_evenly(truths, count) if count else truths


def _read_all(truths: Sequence[TrueArticle], readers: dict[str, Read]) -> Readings:
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    logging.getLogger("readability").setLevel(logging.CRITICAL)
    for read in readers.values():
        read(truths[0].body)  # imports its library before timing starts
    readings: Readings = defaultdict(list)
    turns = [truths[start : start + TURN] for start in range(0, len(truths), TURN)]
    for pages in show_progress(turns, len(turns), "main texts"):
        for name, read in readers.items():
            readings[name] += [_read(page, read) for page in pages]
    return readings


def _read(page: TrueArticle, read: Read) -> Reading:
    start, text, error = time.process_time(), "", ""
    try:
        text = read(page.body)
    except Exception as fault:  # noqa: BLE001 - a peer may raise anything; its text is then empty
        error = f"{page.name}: {type(fault).__name__}: {fault}"
    seconds = time.process_time() - start
    return Reading(page, score_page(page.text, text), seconds, error)


def _score(readings: Iterable[Reading], half: str = ALL) -> Score:
    return sum_up([each.score for each in readings if half in (ALL, each.page.half)])


def _row(name: str, score: Score) -> list[str]:
    return [name, f"{score.precision:.4f}", f"{score.recall:.4f}", f"{score.shingles:.4f}", f"{score.words:.4f}"]


def _compared(name: str, readings: list[Reading], kinds: Sequence[str]) -> list[str]:
    *figures, words = _row(name, _score(readings))
    halves = [f"{_main(readings, half, words=bool(kinds)):.4f}" for half in (TUNE, CHECK)]
    return [*figures, *halves, words, *(f"{_of_kind(readings, kind):.3f}" for kind in kinds), f"{_cost(readings):.1f}"]


def _main(readings: list[Reading], half: str, *, words: bool) -> float:
    """Return the main score of a corpus: F1 of words or of shingles."""
    score = _score(readings, half)
    return score.words if words else score.shingles


def _of_kind(readings: list[Reading], kind: str) -> float:
    return _score([each for each in readings if each.page.kind == kind]).words


def _cost(readings: list[Reading]) -> float:
    """Return the mean CPU time per page in milliseconds."""
    return 1000 * mean(each.seconds for each in readings)


def _figures(corpus: str, readings: Readings, kinds: Sequence[str]) -> dict[str, float]:
    ours, theirs = readings[OURS[0]], readings[TRAFILATURA]
    words = bool(kinds)
    figures = {
        f"{corpus}, F1: to tune on": _main(ours, TUNE, words=words),
        f"{corpus}, F1: to check on": _main(ours, CHECK, words=words),
        f"{corpus}, F1 ahead of trafilatura": _main(ours, ALL, words=words) - _main(theirs, ALL, words=words),
        f"{corpus}, speed to trafilatura": _cost(theirs) / _cost(ours),
    }
    peers = [name for name in readings if name not in OURS]
    for kind in kinds:
        best = max(_of_kind(readings[name], kind) for name in peers)
        figures[f"{corpus}, F1 ahead of the best peer: {kind}"] = _of_kind(ours, kind) - best
    if not kinds:
        score = _score(readings[OURS[1]])
        said = {"precision": score.precision, "recall": score.recall, "F1": score.shingles}
        figures["boilerpipe, furthest from the published figures"] = max(
            abs(said[name] - PUBLISHED[name]) for name in said
        )
    return figures


def _complaints(readings: Readings) -> list[str]:
    return [f"reading failed: {name}: {each.error}" for name in OURS for each in readings[name] if each.error]
