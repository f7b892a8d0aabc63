"""How the time of mining grows with the number of nodes."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import webquarry as wq
from benchmarks.long_pages import KINDS, SIZES, rendered_long_pages
from benchmarks.pool import show_progress
from webquarry.model.document import Document

FROM = 2_000  # nodes; on shorter pages what does not grow weighs too much
_TOO_LONG = 30.0  # seconds; a method that takes longer is not given longer pages
_TRIES = 3
_BRIEF = 2.0  # seconds; what takes less is tried again, because what else the machine does can only add

Run = Callable[[Document], object]


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


def measure_mining_growth(runs: Mapping[str, Run], most: int = SIZES[-1]) -> list[MiningGrowth]:
    """Each way to mine, under its name, on each kind of page."""
    pages = rendered_long_pages(most)
    pairs = [(name, kind) for name in runs for kind in KINDS]
    shown = show_progress(pairs, len(pairs), "growth of mining")
    return [MiningGrowth(name, kind, _measure(runs[name], kind, pages)) for name, kind in shown]


def fresh(document: Document) -> Document:
    """The same tree and layout, without what was worked out from them before."""
    return replace(document, tree=document._columns)


def mine_best(document: Document) -> object:
    """The columns of the best region by our default: what mining is for, be they made at once or when asked for."""
    return [region.fields for region in wq.mine(document)[:1]]


def time_mining(document: Document, run: Run) -> float:
    """CPU seconds for a document whose own columns and layout are there; without end when it fails."""
    given = fresh(document)
    gc.collect()
    start = time.process_time()
    try:
        run(given)
    except Exception:  # noqa: BLE001 - `safety` shows what it is
        return math.inf
    return time.process_time() - start


def _measure(run: Run, kind: str, pages: Mapping[tuple[str, int], Document]) -> dict[int, float]:
    seconds: dict[int, float] = {}
    for (each, _), document in pages.items():
        if each == kind:
            best = time_mining(document, run)
            for _ in range(_TRIES - 1):
                if best < _BRIEF:
                    best = min(best, time_mining(document, run))
            seconds[len(document)] = best
            if best > _TOO_LONG:
                break
    return seconds
