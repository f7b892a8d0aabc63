"""Run jobs on all cores and show progress on stderr."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

_INTERVAL = 2.0  # seconds between two progress lines
_CHUNK = 8  # jobs sent to a worker at once


def work_through(work: Callable[[Job], Answer], jobs: Sequence[Job], label: str) -> Iterator[Answer]:
    """Yield the answers in the order of the jobs; unsuitable for timing, because workers compete for the CPU."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=context) as pool:
        yield from show_progress(pool.map(work, jobs, chunksize=_CHUNK), len(jobs), label)


def show_progress(items: Iterable[Answer], total: int, label: str) -> Iterator[Answer]:
    """Pass the items on, counting them on stderr."""
    shown = time.monotonic()
    for number, item in enumerate(items, start=1):
        yield item
        if time.monotonic() - shown > _INTERVAL or number == total:
            shown = time.monotonic()
            print(f"{label}: {number} of {total}", file=sys.stderr, flush=True)
