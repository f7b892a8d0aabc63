"""How the time of mining grows with the number of nodes."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmarks.long_pages import KINDS, SIZES, rendered_long_pages
from benchmarks.miners import mine
from benchmarks.pool import show_progress
from webquarry.model import Document

FROM = 2_000  # nodes; on shorter pages what does not grow weighs too much
_TOO_LONG = 30.0  # seconds; a method that takes longer is not given longer pages
_TRIES = 3
_BRIEF = 2.0  # seconds; what takes less is tried again, because what else the machine does can only add


@dataclass(frozen=True)
class MiningGrowth:
    """CPU seconds of a method on pages of one kind, by the number of their nodes."""

    method: str
    kind: str
    seconds: Mapping[int, float]

    @property
    def exponent(self) -> float:
        """By least squares on logarithms: 1 is linear, 2 is quadratic.

        >>> round(MiningGrowth("", "", {3_000: 1.0, 30_000: 100.0}).exponent, 2)
        2.0
        """
        times = {nodes: each for nodes, each in self.seconds.items() if nodes >= FROM}
        if len(times) < 2 or math.inf in times.values():
            return math.inf  # it failed, or took too long on the first page already
        points = [(math.log(nodes), math.log(each)) for nodes, each in times.items()]
        middle = tuple(sum(axis) / len(points) for axis in zip(*points, strict=True))
        slope = math.fsum((x - middle[0]) * (y - middle[1]) for x, y in points)
        return slope / math.fsum((x - middle[0]) ** 2 for x, _ in points)


def measure_mining_growth(methods: tuple[str, ...], most: int = SIZES[-1]) -> list[MiningGrowth]:
    """Each method on each kind of page."""
    pages = rendered_long_pages(most)
    pairs = [(method, kind) for method in methods for kind in KINDS]
    return [_measure(method, kind, pages) for method, kind in show_progress(pairs, len(pairs), "growth of mining")]


def fresh(document: Document) -> Document:
    """The same tree and layout, without what was worked out from them before."""
    return replace(document, tree=document._columns)


def time_mining(document: Document, method: str) -> float:
    """CPU seconds of mining a document whose columns and layout are there; without end when it fails."""
    given = fresh(document)
    gc.collect()
    start = time.process_time()
    mined = mine(given, method)
    return math.inf if mined.error else time.process_time() - start


def _measure(method: str, kind: str, pages: Mapping[tuple[str, int], Document]) -> MiningGrowth:
    seconds: dict[int, float] = {}
    for (each, _), document in pages.items():
        if each == kind:
            best = time_mining(document, method)
            for _ in range(_TRIES - 1):
                if best < _BRIEF:
                    best = min(best, time_mining(document, method))
            seconds[len(document)] = best
            if best > _TOO_LONG:
                break
    return MiningGrowth(method, kind, seconds)
