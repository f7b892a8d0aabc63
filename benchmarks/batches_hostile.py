"""Measure what pages cost a pool that crash their worker, never end, or fill its memory."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.batches_runs import SHARD_PAGES, cpu_of_children, reap, write_archive
from webquarry.batching.shards import ShardPages, plan_shards
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.pipeline.fetch_pages import Cleaning
from webquarry.pipeline.page_guard import PageLimits, attempt, use_limits
from webquarry.pipeline.read_pages import make_reading
from webquarry.pipeline.worker_pool import Pool, Workers
from webquarry.storing.article_files import to_article_rows

HOSTILE_EVERY = 100
"""The number of pages for which there is one hostile page."""
MEASURED_EVERY = {"crash": 5, "hang.": 50, "bomb.": 50}
"""The same where the cost of one is measured, so that it is more than noise: a crash costs little."""
PAGE_SECONDS, PAGE_BYTES = 0.5, 300 * 2**20
"""The limits of a page."""
MAX_BYTES = 10 * 2**20
"""The limit of a page's size, which none of these reaches."""
FEW = 20
"""Pages of the run that shows what it costs to start."""
RUNS = 3
"""Runs of which the median counts."""


def read_hostile(method: str, document: Document) -> Article:
    """Read a page; pages that say so end the process, never end, or fill memory."""
    _FATES.get(document.markup[:5], _do_nothing)()
    article: Article = make_reading(method, with_metadata=True).each(document)
    return article


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


def measure_hostile(markups: Sequence[str], total: int, folder: Path) -> dict[str, float]:
    """Measure each kind: the CPU time of one page beyond its own, as a share of that of a hundred good pages."""
    good = [markups[number % len(markups)] for number in range(total)]
    shares = {name: _measure(good, fate, MEASURED_EVERY[fate], "blocks", folder) for fate, name in _NAMES.items()}
    shares["hostile pages"] = sum(shares.values()) / len(_NAMES)
    # at the real rate, since a crash costs less the fewer pages were read since the last one
    shares["pages that crash among pages that vote"] = _measure(good * 2, "crash", HOSTILE_EVERY, "vote", folder)
    return shares


def _measure(good: Sequence[str], fate: str, every: int, method: str, folder: Path) -> float:
    mixed = list(good)
    bad = len(good) // every
    for number in range(bad):
        mixed.insert(number * (every + 1) + every // 2, f"{fate}<p>")
    few, plain, hostile = (
        _write(folder / name, each) for name, each in (("few", good[:FEW]), ("plain", good), ("hostile", mixed))
    )
    start, own = _cost_of_reading(few, method), _own_cost(fate)
    found = []
    for _ in range(RUNS):
        cost = _cost_of_reading(plain, method)
        each = (cost - start) / (len(good) - FEW)
        found.append(((_cost_of_reading(hostile, method) - cost) / bad - own) / (HOSTILE_EVERY * each))
    return sorted(found)[RUNS // 2]


def _write(path: Path, markups: Sequence[str]) -> list[str]:
    """Write pages into two archives, one page in turn."""
    path.mkdir(parents=True, exist_ok=True)
    halves = [markups[half::2] for half in range(2)]
    return [str(write_archive(path / f"{half}.warc.gz", pages, len(pages), half)) for half, pages in enumerate(halves)]


def _own_cost(fate: str) -> float:
    """Measure the CPU time of a page until it is given up, without a pool."""

    def work() -> None:
        use_limits(PageLimits(PAGE_SECONDS, PAGE_BYTES))
        attempt("page", _FATES[fate])

    return 0.0 if fate == "crash" else _cost_apart(work) - _cost_apart(_do_nothing)


def _cost_of_reading(archives: Sequence[str], method: str) -> float:
    """Measure the CPU time of two workers that read the pages of archives."""

    def work() -> None:
        crew = Workers(2, page_timeout=PAGE_SECONDS, page_memory=PAGE_BYTES)
        reading = make_reading(method, with_metadata=True)
        each = partial(read_hostile, method)
        pool = Pool(replace(reading, each=each, opening=Cleaning(), then=to_article_rows), crew, preloaded=[__name__])
        for _ in pool.run(ShardPages(shard, MAX_BYTES) for shard in plan_shards(archives, pages=SHARD_PAGES)):
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
