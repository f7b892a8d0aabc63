"""Time functions in turns, so that other load on the machine affects all alike."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.pool import show_progress

ROUNDS = 3


@dataclass(frozen=True)
class Cost:
    """The shortest times of several runs, in seconds."""

    cpu: float = math.inf
    """CPU time of this process with all its threads."""
    wall: float = math.inf

    def least(self, other: Cost) -> Cost:
        return Cost(min(self.cpu, other.cpu), min(self.wall, other.wall))


def measure(runs: Mapping[str, Callable[[], object]], label: str = "", *, rounds: int = ROUNDS) -> dict[str, Cost]:
    """Time each function once per round; with a label, count the rounds on stderr."""
    costs = dict.fromkeys(runs, Cost())
    for _ in show_progress(range(rounds), rounds, label) if label else range(rounds):
        for name, run in runs.items():
            costs[name] = costs[name].least(_time(run))
    return costs


def _time(run: Callable[[], object]) -> Cost:
    gc.collect()
    cpu, wall = time.process_time(), time.monotonic()
    run()
    return Cost(time.process_time() - cpu, time.monotonic() - wall)
