"""Measure the CPU time of `wq.mine` relative to lxml's parse of the same page, and its growth on long pages.

Timing starts with the columns of a document and its layout, if it has one, and ends with the columns of the best
region.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean, median, quantiles

import lxml.html

import webquarry as wq
from benchmarks.corpora import draw_from_each_corpus, page_of
from benchmarks.findings import Finding
from benchmarks.listings import listings
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings
from webquarry.model.document import Document
from webquarry.model.page import Failure

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
"""Approximate numbers of nodes."""
_RENDER_TIMEOUT = 300.0  # seconds a page; the longest page takes about ten on an idle machine


def _item(number: int) -> str:
    picture = f'<img width="40" height="40" alt="picture {number}">' if number % 3 else ""
    return (
        f'<li class="item">{picture}<h3><a href="/{number}">Thing number {number}</a></h3>'
        f"<p>It has {number % 7} parts and <em>lasts</em> {number % 11} years.</p><span>EUR {number}.50</span></li>"
    )


def _table_row(number: int) -> str:
    return f'<tr><td>{number}</td><td><a href="/{number}">Town {number}</a></td><td>{number * 7}</td><td>yes</td></tr>'


def _entry(number: int) -> str:
    return f'<h3><a href="/{number}">Entry {number}</a></h3><p>Said on day {number % 31} by <b>someone</b>.</p>'


KINDS: dict[str, tuple[str, Callable[[int], str], str, int]] = {
    "list": ("<ul>", _item, "</ul>", 12),
    "table": ("<table>", _table_row, "</table>", 10),
    "headings": ("<div>", _entry, "</div>", 8),
}
"""By kind: the start tag of the listing, a function that writes a record, the end tag, and nodes per record."""


def make_markup(kind: str, nodes: int) -> str:
    """Generate a page with one listing of about `nodes` nodes."""
    opened, make, closed, size = KINDS[kind]
    records = "".join(make(number) for number in range(max(1, nodes // size)))
    return f"<!DOCTYPE html><title>Long</title><h1>Long</h1>{opened}{records}{closed}"


@cache
def rendered_long_pages(most: int) -> dict[tuple[str, int], Document]:
    """Render pages of each kind and size up to `most` nodes, leaving out those that fail."""
    wanted = [(kind, size) for kind in KINDS for size in SIZES if size <= most]
    pages = [page_of("https://long.example/", make_markup(kind, size)) for kind, size in wanted]
    results = show_progress(
        wq.render_all(pages, timeout=_RENDER_TIMEOUT, offline=True), len(pages), "rendering long pages"
    )
    return {key: result for key, result in zip(wanted, results, strict=True) if not isinstance(result, Failure)}


MIN_NODES = 2_000  # on shorter pages constant costs dominate
_TOO_LONG = 30.0  # seconds; a method that takes longer gets no longer pages
_TRIES = 3
_BRIEF = 2.0  # seconds; shorter runs are repeated, because other load on the machine only adds time

Run = Callable[[Document], object]


@dataclass(frozen=True)
class MiningGrowth:
    """CPU seconds of a method on pages of one kind, by number of nodes."""

    method: str
    kind: str
    seconds: Mapping[int, float]

    @property
    def exponent(self) -> float:
        """Fit a power law by least squares on logarithms: 1 is linear, 2 is quadratic.

        >>> round(MiningGrowth("", "", {3_000: 1.0, 30_000: 100.0}).exponent, 2)
        2.0
        """
        times = {nodes: each for nodes, each in self.seconds.items() if nodes >= MIN_NODES}
        if len(times) < 2 or math.inf in times.values():
            return math.inf  # it failed, or took too long on the first page
        points = [(math.log(nodes), math.log(each)) for nodes, each in times.items()]
        middle = tuple(sum(axis) / len(points) for axis in zip(*points, strict=True))
        slope = math.fsum((x - middle[0]) * (y - middle[1]) for x, y in points)
        return slope / math.fsum((x - middle[0]) ** 2 for x, _ in points)


def measure_mining_growth(runs: Mapping[str, Run], most: int = SIZES[-1]) -> list[MiningGrowth]:
    """Measure each function on each kind of page."""
    pages = rendered_long_pages(most)
    pairs = [(name, kind) for name in runs for kind in KINDS]
    shown = show_progress(pairs, len(pairs), "growth of mining")
    return [MiningGrowth(name, kind, _time_sizes(runs[name], kind, pages)) for name, kind in shown]


def fresh(document: Document) -> Document:
    """Copy a document with its tree and layout, without cached values."""
    return replace(document, tree=document._columns)


def mine_best(document: Document) -> object:
    """Mine by the default method and compute the columns of the best region."""
    return [region.fields for region in wq.mine(document)[:1]]


def time_mining(document: Document, run: Run) -> float:
    """Return the CPU seconds to mine a document, or infinity if it fails."""
    given = fresh(document)
    gc.collect()
    start = time.process_time()
    try:
        run(given)
    except Exception:  # noqa: BLE001 - the part `safety` reports it
        return math.inf
    return time.process_time() - start


def _time_sizes(run: Run, kind: str, pages: Mapping[tuple[str, int], Document]) -> dict[int, float]:
    seconds: dict[int, float] = {}
    for (each, _), document in pages.items():
        if each == kind:
            best = time_mining(document, run)
            for _ in range(_TRIES - 1):
                if best < _BRIEF:
                    best = min(best, time_mining(document, run))
            seconds[len(document)] = best
            if best > _TOO_LONG:
                break
    return seconds


ROUNDS = 3
OTHERS = 64  # pages drawn evenly from all corpora
RECORDS, RECORDS_STATIC, ALL_STATIC = "records, rendered", "records, static", "all corpora, static"

Pair = tuple[bytes, Document]
Times = tuple[float, float]
"""CPU seconds of mining and of lxml's parse."""


def run_mining_speed(root: Path, count: int | None = None) -> Finding | None:
    """Measure the ratio for each page, and the growth of the default method."""
    pages = listings(root, count)
    bodies = [listing.page.body for listing in pages]
    groups = {
        RECORDS: _pairs(bodies, rendered_listings(root, count)),
        RECORDS_STATIC: _pairs(bodies, static_listings(root, count)),
        ALL_STATIC: _others(root, min(OTHERS, count or OTHERS)),
    }
    times = {group: _measure(group, pairs) for group, pairs in groups.items() if pairs}
    if not times:
        return None
    growths = measure_mining_growth({"visual": mine_best}, SIZES[-1] if count is None else SIZES[2])
    return _report(times, growths)


def _pairs(bodies: Sequence[bytes], documents: Sequence[Document | None]) -> list[Pair]:
    return [(body, document) for body, document in zip(bodies, documents, strict=True) if document is not None]


def _others(root: Path, count: int) -> list[Pair]:
    pages = [page_of("https://page.example/", each.markup()) for each in draw_from_each_corpus(root, count)]
    return [(page.body, wq.clean(page)) for page in pages if page.body.strip()]


def _measure(group: str, pairs: Sequence[Pair]) -> list[Times]:
    """Measure the shortest times of each page."""
    gc.collect()
    gc.freeze()  # makes collecting before each run quick
    mining, parsing = [math.inf] * len(pairs), [math.inf] * len(pairs)
    for _ in show_progress(range(ROUNDS), ROUNDS, f"speed of mining, {group}"):
        for place, (body, document) in enumerate(pairs):
            mining[place] = min(mining[place], time_mining(document, mine_best))
            parsing[place] = min(parsing[place], _time_parse(body))
    gc.unfreeze()
    return list(zip(mining, parsing, strict=True))


def _time_parse(body: bytes) -> float:
    gc.collect()
    start = time.process_time()
    with suppress(ValueError, lxml.etree.LxmlError):  # lxml rejects some pages after parsing them
        lxml.html.fromstring(body)
    return time.process_time() - start


def _report(times: dict[str, list[Times]], growths: Sequence[MiningGrowth]) -> Finding:
    ratios = {group: [mining / parsing for mining, parsing in each] for group, each in times.items()}
    rows = [_row(group, times[group], each) for group, each in ratios.items()]
    rows += [
        [
            f"growth exponent: {growth.kind}",
            f"{growth.exponent:.2f}",
            "",
            "",
            "",
            f"up to {max(growth.seconds):,} nodes",
        ]
        for growth in growths
    ]
    figures = {f"mining, CPU to lxml's parse: {group}": fmean(each) for group, each in ratios.items()}
    return Finding(
        title="Speed of mining",
        heads=("", "median", "mean", "90th percentile", "all pages together", ""),
        rows=rows,
        figures=figures | {"mining, growth exponent, worst": max(growth.exponent for growth in growths)},
    )


def _row(group: str, times: Sequence[Times], ratios: Sequence[float]) -> list[str]:
    mining, parsing = (math.fsum(each) for each in zip(*times, strict=True))
    shown = (median(ratios), fmean(ratios), _ninth(ratios), mining / parsing)
    return [f"time to lxml's parse: {group}", *(f"{ratio:.2f}" for ratio in shown), f"{len(ratios)} pages"]


def _ninth(ratios: Sequence[float]) -> float:
    """Return the 90th percentile."""
    return quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
