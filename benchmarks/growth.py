"""How much longer a hostile page takes when it is four times as long."""

from __future__ import annotations

import gc
import math
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.hostile import FAMILIES
from benchmarks.pool import show_progress
from webquarry.cleaning.cleandom import clean_markup
from webquarry.model.document import Document

FACTOR = 4
_SHORT = 36_000  # characters of the shortest page; the longest is then over what we call a large page
_STEPS = 2  # times that it is made longer
_TRIES = 2
_MOST_TRIES = 5  # where it looks too slow: what else the machine does can only add
_SUSPECT = 4.8
_MEMORY = 6 * 1024**3  # bytes that a page of half a megabyte may need at most
_TOO_LONG = 1.5  # seconds; a page that takes longer is not made longer still, nor tried again


@dataclass(frozen=True)
class Growth:
    """The worst growth of an operation on a family of pages, and the time of the longest page."""

    operation: str
    family: str
    factor: float
    seconds: float


OPERATIONS: dict[str, Callable[[str], object]] = {
    "html5": lambda markup: Document(markup).to_xhtml(),
    "cleandom": clean_markup,
    "columns": lambda markup: Document(markup).kinds,
    "text": lambda markup: Document(markup).text(),
}


def measure_growth() -> list[Growth]:
    """The growth of each operation on each family, the worst first."""
    gc.collect()
    gc.freeze()  # what is loaded stays: collecting before each run is quick then
    pairs = [(operation, family) for family in FAMILIES for operation in OPERATIONS]
    with _bounded_memory():
        found = [_measure(operation, family) for operation, family in show_progress(pairs, len(pairs), "growth")]
    return sorted(found, key=lambda growth: -growth.factor)


def _measure(operation: str, family: str) -> Growth:
    run, make = OPERATIONS[operation], FAMILIES[family]
    count = max(1, _SHORT * 100 // len(make(100)))
    pages = [make(count * FACTOR**step) for step in range(_STEPS + 1)]
    best = _time_until_too_long(run, pages)
    for tries in range(1, _MOST_TRIES):
        if best[-1] > _TOO_LONG or (tries >= _TRIES and _factor(best) <= _SUSPECT):
            break
        best = [min(pair) for pair in zip(best, _time_until_too_long(run, pages), strict=False)]
    return Growth(operation, family, _factor(best), best[-1])


def _time_until_too_long(run: Callable[[str], object], pages: list[str]) -> list[float]:
    """The CPU seconds for each page, of two pages at least."""
    seconds: list[float] = []
    for page in pages:
        seconds.append(_time(run, page))
        if seconds[-1] > _TOO_LONG and len(seconds) > 1:
            break
    return seconds


def _time(run: Callable[[str], object], page: str) -> float:
    """CPU seconds; without end when the memory does not suffice."""
    gc.collect()
    start = time.process_time()
    try:
        run(page)
    except MemoryError:
        return math.inf
    return time.process_time() - start


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Let what takes too much memory fail, rather than end the run."""
    bounds = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, bounds[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, bounds)


def _factor(seconds: list[float]) -> float:
    return max(longer / shorter for shorter, longer in pairwise(seconds))
