"""Measure what pages cost a pool that crash their worker, never end, or fill its memory."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence

import webquarry as wq
from benchmarks.batches_runs import cpu_of_children, reap
from webquarry.model.document import Document
from webquarry.pipeline.fetch_pages import Cleaning
from webquarry.pipeline.page_guard import attempt
from webquarry.pipeline.page_limits import PageLimits, use_limits
from webquarry.pipeline.page_work import PageWork
from webquarry.pipeline.read_pages import make_reading
from webquarry.pipeline.worker_pool import Pool, Workers
from webquarry.pipeline.worker_process import GivenPages
from webquarry.storing.article_files import to_article_rows

HOSTILE_EVERY = 100
"""The number of pages for which there is one hostile page."""
MEASURED_EVERY = {"crash": 5, "hang.": 50, "bomb.": 50}
"""The same where the cost of one is measured, so that it is more than noise: a crash costs little."""
PAGE_SECONDS, PAGE_BYTES = 0.5, 300 * 2**20
"""The limits of a page."""
PAGES_PER_JOB = 8
RUNS = 3
"""Runs of which the median counts."""


def read_hostile(document: Document) -> object:
    """Read a page; pages that say so end the process, never end, or fill memory."""
    _FATES.get(document.markup[:5], _do_nothing)()
    return to_article_rows(make_reading("blocks", with_metadata=True).each(document))


def _do_nothing() -> None:
    pass


def _crash() -> None:
    ctypes.string_at(0)


def _hang() -> None:
    while True:
        pass


def _fill() -> None:
    held = []
    while True:
        held.append(b"x" * 2**20)


_FATES: dict[str, Callable[[], None]] = {"crash": _crash, "hang.": _hang, "bomb.": _fill}
_NAMES = {"crash": "pages that crash", "hang.": "pages that hang", "bomb.": "pages that fill memory"}


def measure_hostile(markups: Sequence[str], total: int) -> dict[str, float]:
    """Measure each kind: the CPU time of one page beyond its own, as a share of that of a hundred good pages."""
    good = [_make_page(number, markups[number % len(markups)]) for number in range(total)]
    start = _cost_of_pages(good[:PAGES_PER_JOB])
    shares = {}
    for fate, name in _NAMES.items():
        every = MEASURED_EVERY[fate]
        bad = [_make_page(total + number, f"{fate}<p>") for number in range(total // every)]
        mixed = list(good)
        for number, page in enumerate(bad):
            mixed.insert(number * (every + 1) + every // 2, page)
        own = _own_cost(fate)
        found = []
        for _ in range(RUNS):
            plain, hostile = _cost_of_pages(good), _cost_of_pages(mixed)
            each = (plain - start) / (len(good) - PAGES_PER_JOB)
            found.append(((hostile - plain) / len(bad) - own) / (HOSTILE_EVERY * each))
        shares[name] = sorted(found)[RUNS // 2]
    shares["hostile pages"] = sum(shares.values()) / len(_NAMES)
    return shares


def _make_page(number: int, markup: str) -> wq.Page:
    return wq.Page(url=f"https://site.example/{number}", body=markup.encode("utf-8", "replace"))


def _own_cost(fate: str) -> float:
    """Measure the CPU time of a page until it is given up, without a pool."""

    def work() -> None:
        use_limits(PageLimits(PAGE_SECONDS, PAGE_BYTES))
        attempt("page", _FATES[fate])

    return 0.0 if fate == "crash" else _cost_apart(work) - _cost_apart(_do_nothing)


def _cost_of_pages(pages: Sequence[wq.Page]) -> float:
    """Measure the CPU time of reading pages by two workers."""

    def work() -> None:
        crew = Workers(2, page_timeout=PAGE_SECONDS, page_memory=PAGE_BYTES)
        pool = Pool(PageWork(read_hostile, Cleaning()), crew, preloaded=[__name__])
        jobs = (GivenPages(pages[start : start + PAGES_PER_JOB]) for start in range(0, len(pages), PAGES_PER_JOB))
        for _ in pool.run(jobs):
            pass

    return _cost_apart(work)


def _cost_apart(work: Callable[[], None]) -> float:
    """Measure the CPU time of work in a process of its own, with those that it starts."""
    before = cpu_of_children()
    process = os.fork()
    if not process:
        work()
        os._exit(0)
    os.waitpid(process, 0)
    reap()
    return cpu_of_children() - before
