"""Time cleaning on real pages; the systems take turns, so that other load on the machine affects all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.pool import show_progress
from benchmarks.systems import OURS, PEERS, load, turbohtml
from webquarry.model.document import Document

_ROUNDS = 7
_SLOW_ROUNDS = 2
_SLOW = frozenset(["html5lib", "tidy"])
_MEGA = 1e6

Operation = Callable[[str], object]


@dataclass(frozen=True)
class Speeds:
    """Megabytes of UTF-8 per second, by operation."""

    pages: int
    megabytes: float
    rates: dict[str, float]

    def ratio(self, operation: str, to: str) -> float:
        """Return how many times as fast one operation is as another."""
        return self.rates[operation] / self.rates[to]


def operations() -> dict[str, Operation]:
    """List what is timed: each system parsing and writing, turbohtml's parse alone, and the columns of a Document."""
    found: dict[str, Operation] = {"parse": turbohtml.parse, "columns": _build_columns}
    for name in (*OURS, *PEERS):
        system = load(name)
        if system is not None:
            found[name] = system.clean
    return found


def measure_speed(markups: Sequence[str], *, rounds: int = _ROUNDS) -> Speeds:
    """Measure the speed of each operation over all pages, using the shortest time of each page."""
    runs = operations()
    gc.collect()
    gc.freeze()  # makes collecting before each run quick
    best: dict[tuple[str, int], float] = {}
    for turn in show_progress(range(rounds), rounds, "speed"):
        for place, markup in enumerate(markups):
            for name in _in_turn(list(runs), turn + place):
                if name in _SLOW and turn >= _SLOW_ROUNDS:
                    continue
                seconds = _time(runs[name], markup)
                best[name, place] = min(seconds, best.get((name, place), seconds))
    megabytes = sum(len(markup.encode("utf-8", "replace")) for markup in markups) / _MEGA
    totals = {name: sum(best[name, place] for place in range(len(markups))) for name in runs}
    return Speeds(len(markups), megabytes, {name: megabytes / total for name, total in totals.items()})


def _build_columns(markup: str) -> object:
    document = Document(markup)
    return (
        *(document.kinds, document.parents, document.tags, document.tag_names),
        *(document.namespaces, document.texts, document.attributes),
    )


def _in_turn(names: list[str], turn: int) -> list[str]:
    """Rotate the names, because the first to run has a colder cache."""
    first = turn % len(names)
    return names[first:] + names[:first]


def _time(run: Operation, markup: str) -> float:
    """Return the CPU seconds to run and to free the result."""
    gc.collect()
    start = time.process_time()
    run(markup)
    return time.process_time() - start
