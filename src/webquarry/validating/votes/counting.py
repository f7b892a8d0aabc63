"""Sums by class over many pages, in memory that grows with the classes and not with the pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_WAITING = 1 << 16
"""Rows that wait before they are summed up: some hundred pages."""
_RAREST = 256
"""A class that stands on fewer than one in so many pages is forgotten: what holds it decides for it anyway, and names
that are new on each page would else fill the memory."""


class Counts:
    """Rows of numbers, one a class, to which pages add."""

    def __init__(self, width: int) -> None:
        self._keys = np.zeros(0, dtype=np.uint64)
        self._sums = np.zeros((0, width))
        self._waiting: list[tuple[NDArray[np.uint64], NDArray[np.float64]]] = []
        self._pages = 0

    def __len__(self) -> int:
        """How many classes are known."""
        return len(self._keys)

    def add(self, keys: NDArray[np.uint64], rows: NDArray[np.float64]) -> None:
        """Take the rows of a page, one a class; the first number of a row is 1."""
        self._waiting.append((keys, rows))
        self._pages += 1
        if sum(len(each) for each, _ in self._waiting) > _WAITING:
            self._sum_up()

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The sums of classes; zeros for those that are unknown."""
        if self._waiting:
            self._sum_up()
        found = np.zeros((len(keys), self._sums.shape[1]))
        if len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            is_known = self._keys[places] == keys
            found[is_known] = self._sums[places[is_known]]
        return found

    def _sum_up(self) -> None:
        keys = np.concatenate([self._keys, *(each for each, _ in self._waiting)])
        rows = np.concatenate([self._sums, *(each for _, each in self._waiting)])
        self._keys, self._sums = sum_rows(keys, rows)
        self._waiting.clear()
        is_common = self._sums[:, 0] * _RAREST >= self._pages
        self._keys, self._sums = self._keys[is_common], self._sums[is_common]


def sum_rows(keys: NDArray[np.uint64], rows: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The distinct keys in ascending order, with the sums of their rows.

    >>> keys, rows = sum_rows(np.array([7, 3, 7], dtype=np.uint64), np.array([[1.0], [1.0], [2.0]]))
    >>> keys.tolist(), rows.tolist()
    ([3, 7], [[1.0], [3.0]])
    """
    distinct, places = np.unique(keys, return_inverse=True)
    size = len(distinct)
    return distinct, np.stack([np.bincount(places, column, minlength=size) for column in rows.T], axis=1)
