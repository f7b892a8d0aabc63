"""What mining costs: CPU time of `wq.mine` to that of lxml's parse of the same page, and growth on long pages.

The columns of a document, and its layout if it has one, are there before the time begins; nothing else is.  It ends
with the columns of the best region.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean, median, quantiles

import lxml.html

import webquarry as wq
from benchmarks.corpora import draw_from_each_corpus, page_of
from benchmarks.findings import Finding
from benchmarks.listings import listings
from benchmarks.long_pages import SIZES
from benchmarks.mining_growth import MiningGrowth, measure_mining_growth, mine_best, time_mining
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings
from webquarry.model.document import Document

ROUNDS = 3
OTHERS = 64  # pages, evenly from all corpora
RECORDS, RECORDS_STATIC, ALL_STATIC = "records, rendered", "records, static", "all corpora, static"

Pair = tuple[bytes, Document]
Times = tuple[float, float]
"""CPU seconds of mining, and of lxml's parse."""


def run_mining_speed(root: Path, count: int | None = None) -> Finding | None:
    """Ratios page by page, and the growth of the default method."""
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
    """For each page the shortest times."""
    gc.collect()
    gc.freeze()  # what is loaded stays: collecting before each run is quick then
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
    with suppress(ValueError, lxml.etree.LxmlError):  # it refuses some pages, after the work
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
        heads=("", "median", "mean", "nine of ten pages below", "all pages together", ""),
        rows=rows,
        figures=figures | {"mining, growth exponent, worst": max(growth.exponent for growth in growths)},
    )


def _row(group: str, times: Sequence[Times], ratios: Sequence[float]) -> list[str]:
    mining, parsing = (math.fsum(each) for each in zip(*times, strict=True))
    shown = (median(ratios), fmean(ratios), _ninth(ratios), mining / parsing)
    return [f"time to lxml's parse: {group}", *(f"{ratio:.2f}" for ratio in shown), f"{len(ratios)} pages"]


def _ninth(ratios: Sequence[float]) -> float:
    """What nine of ten pages stay below."""
    return quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
