"""What runs cost, in turns: what else the machine does hits all of them alike."""

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
    """The shortest of some runs, in seconds."""

    cpu: float = math.inf
    """Of this process with all its threads."""
    wall: float = math.inf

    def least(self, other: Cost) -> Cost:
        return Cost(min(self.cpu, other.cpu), min(self.wall, other.wall))


def measure(runs: Mapping[str, Callable[[], object]], label: str = "", *, rounds: int = ROUNDS) -> dict[str, Cost]:
    """The cost of each run; every round has all of them.  With a label the rounds are counted on stderr."""
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
