"""How far nodes are from those that look most like them.

The mean Euclidean distance to the k nearest others: the k-NN score of Goldstein and Uchida, by which Potvin and
Villemaire rank visual outliers.  It is exact, over distinct vectors with multiplicities: a style that stands on every
page costs one row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_CHUNK = 2_000_000  # distances at a time: 16 MB, enough for products of matrices to be quick
_CANCELLED = 2.1e-7
"""A squared distance under this share of the squared length of its row is summed anew, difference by difference: the
product that gave it left too few digits.  Others are right to 1e-10 of that length; two points whose squared distance
is under 1e-7 of both their squared lengths have nearly the same length, so that looking at one will do."""


def knn_scores(matrix: Floats, counts: Counts, *, k: float = 200) -> Floats:
    """For each row the mean distance to the k nearest others, where a row stands for `counts` points.

    Below 1, `k` is a share of the points.  Where there are fewer others, all count; alone, a point has 0.
    """
    scores = np.zeros(len(matrix))
    wanted = count_neighbours(k, int(counts.sum()))
    if wanted < 1:
        return scores
    distances = _Distances(matrix)
    take = _mean_of_single if (counts == 1).all() else _mean_of_nearest
    lonely = np.flatnonzero(counts <= wanted)  # all others have k twins at distance 0
    step = max(1, _CHUNK // len(matrix))
    for start in range(0, len(lonely), step):
        rows = lonely[start : start + step]
        scores[rows] = take(distances.squared(rows), rows, counts, wanted)
    return scores


def count_neighbours(k: float, total: int) -> int:
    """How many neighbours `k` asks for among so many points: no more than there are others."""
    return min(max(1, round(k * total) if k < 1 else int(k)), total - 1)


class _Distances:
    """Squared distances, by one product of matrices for many of them."""

    def __init__(self, matrix: Floats) -> None:
        varying = matrix[:, (matrix != matrix[:1]).any(axis=0)]
        # What is near 0 keeps its digits when it is squared.
        self._points: Floats = np.ascontiguousarray(varying - np.median(varying, axis=0))
        self._lengths: Floats = np.einsum("ij,ij->i", self._points, self._points)
        ones = np.ones(len(matrix))
        # p.p + q.q - 2 p.q in one product
        self._left = np.column_stack([self._points * -2, self._lengths, ones])
        self._right = np.column_stack([self._points, ones, self._lengths]).T
        self._buffer = np.empty((max(1, _CHUNK // len(matrix)), len(matrix)))

    def squared(self, rows: NDArray[np.intp]) -> Floats:
        """From each of some rows to all, until the next call; the rows are at 0 from themselves."""
        squares: Floats = np.matmul(self._left[rows], self._right, out=self._buffer[: len(rows)])
        near, far = np.divmod(np.flatnonzero(squares < self._lengths[rows, None] * _CANCELLED), squares.shape[1])
        step = max(1, _CHUNK // max(1, self._points.shape[1]))
        for start in range(0, len(near), step):
            ones, others = near[start : start + step], far[start : start + step]
            between = self._points[rows[ones]] - self._points[others]
            squares[ones, others] = np.einsum("ij,ij->i", between, between)
        return squares


def _mean_of_single(squares: Floats, rows: NDArray[np.intp], counts: Counts, wanted: int) -> Floats:  # noqa: ARG001
    """The mean where every row is one point; itself, at 0, adds nothing."""
    if wanted + 1 < squares.shape[1]:
        squares.partition(wanted, axis=1)
    total: Floats = np.sqrt(squares[:, : wanted + 1]).sum(axis=1)
    return total / wanted


def _mean_of_nearest(squares: Floats, rows: NDArray[np.intp], counts: Counts, wanted: int) -> Floats:
    """The mean where rows stand for several points; of its own the row has one less."""
    if wanted + 1 < squares.shape[1]:
        others = squares.argpartition(wanted, axis=1)[:, : wanted + 1]
        squares = np.take_along_axis(squares, others, axis=1)
        order = squares.argsort(axis=1)
        others = np.take_along_axis(others, order, axis=1)
    else:
        others = order = squares.argsort(axis=1)
    points = counts[others] - (others == rows[:, None])
    taken = np.clip(wanted - (points.cumsum(axis=1) - points), 0, points)
    total: Floats = (np.sqrt(np.take_along_axis(squares, order, axis=1)) * taken).sum(axis=1)
    return total / wanted
