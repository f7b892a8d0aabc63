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
    counts: NDArray[np.int64]


def find_distinct(rows: NDArray[Any]) -> Distinct:
    """The rows of a table, of numbers of 4 or 8 bytes, that differ in their bits.

    Rows are told apart by a hash, as sorting one number a row is many times quicker than sorting rows.  Should two
    different rows have the same one, rows are sorted after all.
    """
    bits = np.ascontiguousarray(rows).view(np.uint32 if rows.dtype.itemsize == 4 else np.uint64)
    _, first, places, counts = np.unique(_hash(bits), return_index=True, return_inverse=True, return_counts=True)
    if not _are_equal(bits, first[places]):
        _, first, places, counts = np.unique(bits, axis=0, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    return Distinct(first[order], ranks[places.reshape(-1)], counts[order])


def _hash(bits: NDArray[Any]) -> NDArray[np.uint64]:
    powers = _powers(bits.shape[1])
    hashes = np.empty(len(bits), dtype=np.uint64)
    for start in range(0, len(bits), _BLOCK):
        block = bits[start : start + _BLOCK].astype(np.uint64)
        if bits.itemsize == 8:
            block ^= block >> np.uint64(32)  # round floats differ in their upper bits only, which a product loses
        hashes[start : start + _BLOCK] = block @ powers
    return hashes


@lru_cache
def _powers(count: int) -> NDArray[np.uint64]:
    return np.array([pow(_MULTIPLIER, place + 1, 2**64) for place in range(count)], dtype=np.uint64)


def _are_equal(bits: NDArray[Any], twins: NDArray[np.intp]) -> bool:
    """Whether each row equals the one at the place that is given for it."""
    starts = range(0, len(bits), _BLOCK)
    return all(np.array_equal(bits[at : at + _BLOCK], bits[twins[at : at + _BLOCK]]) for at in starts)
