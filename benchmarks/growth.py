"""How much longer a hostile page takes when it is four times as long."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.hostile import FAMILIES, Family
from benchmarks.pool import show_progress
from webquarry.cleaning.cleandom import clean_markup
from webquarry.model import Document

FACTOR = 4
_SHORT = 40_000  # characters of the shortest page
_STEPS = 2  # times that it is made longer
_TRIES = 2
_MORE_TRIES = 4  # where the first look says too slow: what else the machine does can only add
_LONG = 0.5  # seconds; one try tells enough of what takes longer
_TOO_LONG = 1.5  # seconds; a page that takes longer is not made longer still
_SUSPECT = 4.8


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
    found = [_measure(operation, family) for operation, family in show_progress(pairs, len(pairs), "growth")]
    return sorted(found, key=lambda growth: -growth.factor)


def _measure(operation: str, family: str) -> Growth:
    growth = _look(operation, family, _TRIES)
    if growth.factor > _SUSPECT:
        growth = min(growth, _look(operation, family, _MORE_TRIES), key=lambda growth: growth.factor)
    return growth


def _look(operation: str, family: str, tries: int) -> Growth:
    run, make = OPERATIONS[operation], FAMILIES[family]
    count = _units(make)
    seconds: list[float] = []
    for step in range(_STEPS + 1):
        seconds.append(_shortest(run, make(count * FACTOR**step), tries))
        if step and seconds[-1] > _TOO_LONG:
            break
    factors = [longer / shorter for shorter, longer in pairwise(seconds)]
    return Growth(operation, family, max(factors), seconds[-1])


def _units(make: Family) -> int:
    """The number of units that make a page of the shortest length."""
    return max(1, _SHORT * 100 // len(make(100)))


def _shortest(run: Callable[[str], object], page: str, tries: int) -> float:
    """The least CPU time, in seconds, of several tries."""
    found = []
    for _ in range(tries):
        gc.collect()
        start = time.process_time()
        run(page)
        found.append(time.process_time() - start)
        if found[-1] > _LONG:
            break
    return min(found)
