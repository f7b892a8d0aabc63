"""Equal rows as one row with a multiplicity."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio, odd: its powers differ in all their bits
_BLOCK = 65_536  # rows that are hashed at a time: the copies that it takes stay small


class Distinct(NamedTuple):
    """The rows of a table that differ, in the order in which they first occur."""

    first: NDArray[np.intp]
    """Where each occurs first."""
    places: NDArray[np.intp]
    """For each row of the table which of them it is."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each occurs."""
        return np.bincount(self.places, minlength=len(self.first)).astype(np.int64)


def find_distinct(rows: NDArray[Any]) -> Distinct:
    """The rows of a table, of numbers of 4 or 8 bytes, that differ in their bits.

    Rows are told apart by a hash, as sorting rows takes many times as long.  Should two different rows have the same
    one, rows are sorted after all.
    """
    bits = _as_bits(rows)
    found = _find_distinct_numbers(_hash(bits).tolist())
    if _are_equal(bits, found.first[found.places]):
        return found
    return _find_distinct_numbers(np.unique(bits, axis=0, return_inverse=True)[1].reshape(-1).tolist())


def _as_bits(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """The rows as few numbers of 8 bytes each."""
    rows = np.ascontiguousarray(rows)
    if rows.itemsize * rows.shape[1] % 8:
        return rows.view(np.uint32).astype(np.uint64)
    return rows.view(np.uint64)


def _find_distinct_numbers(numbers: list[int]) -> Distinct:
    known = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    places = np.fromiter(map(known.__getitem__, numbers), np.intp, len(numbers))
    return Distinct(np.flatnonzero(np.diff(np.maximum.accumulate(places), prepend=-1)), places)


def _hash(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashes = np.empty(len(bits), dtype=np.uint64)
    for start in range(0, len(bits), _BLOCK):
        block = bits[start : start + _BLOCK]
        # Round floats differ in their upper bits only, which a product loses.
        hashes[start : start + _BLOCK] = (block ^ (block >> np.uint64(32))) @ _powers(bits.shape[1])
    return hashes


@lru_cache
def _powers(count: int) -> NDArray[np.uint64]:
    return np.array([pow(_MULTIPLIER, place + 1, 2**64) for place in range(count)], dtype=np.uint64)


def _are_equal(bits: NDArray[np.uint64], twins: NDArray[np.intp]) -> bool:
    """Whether each row equals the one at the place that is given for it."""
    starts = range(0, len(bits), _BLOCK)
    return all(np.array_equal(bits[at : at + _BLOCK], bits[twins[at : at + _BLOCK]]) for at in starts)
