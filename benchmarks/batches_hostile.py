"""Measure what pages cost a pool that crash their worker, never end, or fill its memory."""

from __future__ import annotations

import ctypes
import math
import os
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.batches_runs import SHARD_PAGES, reap, write_archive
from benchmarks.workers import adopt_orphans
from webquarry.batching.shards import ShardPages, plan_shards
from webquarry.model.document import Document
from webquarry.pipeline.fetch_pages import Cleaning
from webquarry.pipeline.read_pages import make_reading
from webquarry.pipeline.worker_pool import Pool, Workers
from webquarry.storing.article_files import to_article_rows

HOSTILE_EVERY = 100
"""The number of pages for which there is one hostile page."""
MEASURED_EVERY = {"crash": 5, "hang.": 25, "bomb.": 25}
"""The same where the cost of one is measured, so that it is more than noise: a crash costs little."""
PAGE_SECONDS, PAGE_BYTES = 0.5, 300 * 2**20
"""The limits of a page."""
MAX_BYTES = 10 * 2**20
"""The limit of a page's size, which none of these reaches."""
FEW = 20
"""Pages of the run that shows what it costs to start."""
RUNS = 3
"""Runs of which the median counts."""


def read_hostile(method: str, notes: str, document: Document) -> Any:
    """Read a page; pages that say so end the process, never end, or fill memory."""
    fate = _FATES.get(document.markup[:5])
    if fate is not None:
        with tempfile.NamedTemporaryFile(dir=notes, delete=False, buffering=0) as file:
            fate(partial(_note, file.fileno(), time.thread_time()))
    return make_reading(method, with_metadata=True).each(document)


def _note(file: int, started: float) -> None:
    """Note the CPU time that a page has taken so far: it does not know when it will be stopped."""
    os.pwrite(file, struct.pack("d", time.thread_time() - started), 0)


Note = Callable[[], None]


def _crash(_note: Note) -> None:
    ctypes.string_at(0)


def _hang(note: Note) -> None:
    while True:
        note()


def _fill(note: Note) -> None:
    held: list[bytes] = []
    try:
        while True:
            held.append(b"x" * 2**20)
            note()
    finally:
        held.clear()  # which takes as long as filling it
        note()


_FATES: dict[str, Callable[[Note], None]] = {"crash": _crash, "hang.": _hang, "bomb.": _fill}
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
    [start] = _costs_of_reading([few], method)
    found = []
    for _ in range(RUNS):
        without, with_hostile = _costs_of_reading([plain, hostile], method)
        each = (without - start) / (len(good) - FEW)
        found.append((with_hostile - without) / bad / (HOSTILE_EVERY * each))
    return sorted(found)[RUNS // 2]


def _write(path: Path, markups: Sequence[str]) -> list[str]:
    """Write pages into two archives, one page in turn."""
    path.mkdir(parents=True, exist_ok=True)
    halves = [markups[half::2] for half in range(2)]
    return [str(write_archive(path / f"{half}.warc.gz", pages, len(pages), half)) for half, pages in enumerate(halves)]


def _costs_of_reading(several: Sequence[Sequence[str]], method: str) -> list[float]:
    """Measure the CPU time of two workers that read the pages of archives, without what hostile pages took.

    Several such pairs work at once: other programs add up to a sixth to the CPU time of a run, but the same to both,
    and the difference that is looked for is a twentieth of it.
    """
    with tempfile.TemporaryDirectory() as folder:
        notes = [Path(folder, str(number)) for number in range(len(several))]
        for each in notes:
            each.mkdir()
        works = [
            partial(_read_by_two, archives, method, str(each)) for archives, each in zip(several, notes, strict=True)
        ]
        costs = _costs_apart(works)
        return [cost - _own_cost(each) for cost, each in zip(costs, notes, strict=True)]


def _own_cost(notes: Path) -> float:
    return math.fsum(struct.unpack("d", said)[0] for each in notes.iterdir() if (said := each.read_bytes()))


def _read_by_two(archives: Sequence[str], method: str, notes: str) -> None:
    crew = Workers(2, page_timeout=PAGE_SECONDS, page_memory=PAGE_BYTES)
    each = partial(read_hostile, method, notes)
    reading = replace(make_reading(method, with_metadata=True), each=each, opening=Cleaning(), then=to_article_rows)
    pool = Pool(reading, crew, preloaded=[__name__])
    for _ in pool.run(ShardPages(shard, MAX_BYTES) for shard in plan_shards(archives, pages=SHARD_PAGES)):
        pass


def _costs_apart(works: Sequence[Callable[[], None]]) -> list[float]:
    """Measure the CPU time of each work, all at once, in a process of its own with those that it starts."""
    costs = []
    for process in [_fork(partial(_work_to_the_end, work)) for work in works]:
        _, _, used = os.wait4(process, 0)
        costs.append(used.ru_utime + used.ru_stime)
    return costs


def _work_to_the_end(work: Callable[[], None]) -> None:
    """Wait for all processes that work starts, also those whose parents end before them."""
    adopt_orphans()
    _fork(work)
    reap()


def _fork(work: Callable[[], None]) -> int:
    process = os.fork()
    if not process:
        work()
        os._exit(0)
    return process
