"""Much work on all cores, with progress on stderr."""

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

_PATIENCE = 2.0  # seconds between two signs of life
_CHUNK = 8  # jobs that go to a worker at once


def work_through(work: Callable[[Job], Answer], jobs: Sequence[Job], label: str) -> Iterator[Answer]:
    """The answers in the order of the jobs; not for timing, as the workers disturb each other."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=context) as pool:
        yield from show_progress(pool.map(work, jobs, chunksize=_CHUNK), len(jobs), label)


def show_progress(items: Iterable[Answer], total: int, label: str) -> Iterator[Answer]:
    """The items as they come, counted on stderr."""
    shown = time.monotonic()
    for number, item in enumerate(items, start=1):
        yield item
        if time.monotonic() - shown > _PATIENCE or number == total:
            shown = time.monotonic()
            print(f"{label}: {number} of {total}", file=sys.stderr, flush=True)
