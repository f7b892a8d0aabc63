"""Measure how cleaning time grows when a hostile page gets four times as long."""

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
from webquarry.html.xhtml_names import encode_name, is_plain
from webquarry.model.document import Document

FACTOR = 4
_SHORT = 36_000  # characters of the shortest page; the longest has over half a megabyte
_STEPS = 2  # times the page is lengthened
_TRIES = 2
_MAX_TRIES = 5  # while the growth looks suspect, because other load on the machine only adds time
_SUSPECT = 4.8  # growth, just below the floor
_MEMORY = 6 * 1024**3  # bytes allowed for a page of half a megabyte
_MIN_SECONDS = 0.02  # shorter times say little about growth: a second look at long pages alone takes more
_TOO_LONG = 1.5  # seconds; a slower page is neither lengthened nor tried again


@dataclass(frozen=True)
class Growth:
    """The worst growth of an operation on a family of pages, and the time for the longest page."""

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
    """Measure the growth of each operation on each family, worst first."""
    gc.collect()
    gc.freeze()  # makes collecting before each run quick
    pairs = [(operation, family) for family in FAMILIES for operation in OPERATIONS]
    with _bounded_memory():
        found = [_measure(operation, family) for operation, family in show_progress(pairs, len(pairs), "growth")]
    return sorted(found, key=lambda growth: -growth.factor)


def _measure(operation: str, family: str) -> Growth:
    run, make = OPERATIONS[operation], FAMILIES[family]
    pages = [make.fill(_SHORT * FACTOR**step) for step in range(_STEPS + 1)]
    best = _time_until_too_long(run, pages)
    for tries in range(1, _MAX_TRIES):
        if best[-1] > _TOO_LONG or (tries >= _TRIES and _factor(best) <= _SUSPECT):
            break
        best = [min(pair) for pair in zip(best, _time_until_too_long(run, pages), strict=False)]
    return Growth(operation, family, _factor(best), best[-1])


def _time_until_too_long(run: Callable[[str], object], pages: list[str]) -> list[float]:
    """Time the pages in order, at least two, until one takes too long."""
    seconds: list[float] = []
    for page in pages:
        seconds.append(_time(run, page))
        if seconds[-1] > _TOO_LONG and len(seconds) > 1:
            break
    return seconds


def _time(run: Callable[[str], object], page: str) -> float:
    """Return CPU seconds, or infinity if memory runs out."""
    for cached in (encode_name, is_plain):  # they remember all names of a short page, but not of a long one
        cached.cache_clear()
    gc.collect()
    start = time.process_time()
    try:
        run(page)
    except MemoryError:
        return math.inf
    return time.process_time() - start


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Limit memory, so that an operation that needs too much raises instead of ending the run."""
    bounds = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, bounds[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, bounds)


def _factor(seconds: list[float]) -> float:
    return max(longer / max(shorter, _MIN_SECONDS) for shorter, longer in pairwise(seconds))
