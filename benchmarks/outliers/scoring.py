"""How many foreign values are found, and how many others are taken for such."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FALSE_ALARMS = 0.01
"""Share of the other values that may be taken for foreign."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """Of foreign values among others; precision, recall and false alarms are of what a method drops by itself."""

    foreign: int
    others: int
    at_rate: float
    """The share that scores higher than all but `FALSE_ALARMS` of the others."""
    has_drops: bool = False
    precision: float = 0.0
    recall: float = 0.0
    false_alarms: float = 0.0


def score_found(scores: NDArray[np.float64], is_foreign: Flags, drops: Flags | None = None) -> Found:
    """What scores find, and what drops do.

    >>> score_found(np.array([1.0, 2.0, 9.0]), np.array([False, False, True]), np.array([False, True, True]))
    Found(foreign=1, others=2, at_rate=1.0, has_drops=True, precision=0.5, recall=1.0, false_alarms=0.5)
    """
    others = np.sort(scores[~is_foreign])
    limit = others[len(others) - 1 - int(len(others) * FALSE_ALARMS)]
    foreign, at_rate = int(is_foreign.sum()), float((scores[is_foreign] > limit).mean())
    if drops is None:
        return Found(foreign, len(others), at_rate)
    right, wrong = int((drops & is_foreign).sum()), int((drops & ~is_foreign).sum())
    precision, recall = right / max(right + wrong, 1), right / foreign
    return Found(foreign, len(others), at_rate, True, precision, recall, wrong / len(others))
