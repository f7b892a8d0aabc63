"""How surprising each value of a column is, given the others of its column.

A value that k of n others share has the share (k + 1/2) / (n + 1) of them; its surprise is the logarithm of that,
less what the values of the column are on the mean: where all differ, as titles do, none surprises.  Values of a small
column surprise little, whatever they are.  All columns are worked on at once: `columns` has for each value the number
of its column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.columns.traits import Trait

MOST = 4.0
"""Nats: as much as one trait can say.  One of 27 is as odd as one of a thousand, so no single trait of a value in a
long column, such as the colour of one price, says as much as several together."""
SEVERAL, COMMON = 2, 0.05
"""What so many others, and this share of the others, have too is no surprise: it is one of the looks of the column."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def surprise(columns: Numbers, trait: Trait) -> Floats:
    """For each value, in nats from 0 to MOST, how much more it surprises than the others of its column."""
    if trait.tolerance is None:
        return _compare(columns, _count_equal(columns, trait.codes))
    nearness = [_compare(columns, _count_near(columns, each, trait.tolerance)) for each in trait.numbers]
    least: Floats = np.min(nearness, axis=0)
    return least


def _compare(columns: Numbers, sharing: Numbers) -> Floats:
    others = np.bincount(columns)[columns] - 1
    rarity = -np.log((sharing + 0.5) / (others + 1))
    typical = (np.bincount(columns, weights=rarity)[columns] - rarity) / np.maximum(others, 1)
    is_alone = (sharing < SEVERAL) | (sharing < COMMON * others)
    return np.where(is_alone & (others > 0), np.clip(rarity - typical, 0, MOST), 0)


def _count_equal(columns: Numbers, codes: Numbers) -> Numbers:
    """For each value how many others of its column are the same."""
    pairs = columns * (int(codes.max(initial=0)) + 1) + codes
    _, places, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    sharing: Numbers = counts[places] - 1
    return sharing


def _count_near(columns: Numbers, numbers: Floats, tolerance: float) -> Numbers:
    """For each value how many others of its column are no further from it."""
    near = np.zeros(len(columns), dtype=np.int64)
    order = np.lexsort((numbers, columns))
    bounds = np.flatnonzero(np.diff(columns[order], prepend=-1, append=-1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        members = order[start:stop]
        known = numbers[members]
        low, high = known - tolerance, known + tolerance
        near[members] = np.searchsorted(known, high, side="right") - np.searchsorted(known, low, side="left") - 1
    return near
