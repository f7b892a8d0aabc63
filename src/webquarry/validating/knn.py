"""How far nodes are from those that look most like them.

The mean Euclidean distance to the k nearest others: Goldstein and Uchida's k-NN score, which Potvin and Villemaire
rank visual outliers by.  Exact, over distinct vectors with multiplicities: a furniture style that stands on every page
costs one row.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_CHUNK = 4_000_000  # distances at a time: 32 MB of floats, and some copies of it
_CANCELLED = 1e-7
"""A squared distance that is this share of the squared lengths has too few digits left by the formula for it; above,
distances are right to 2e-12 times these lengths."""


def knn_scores(matrix: Floats, counts: Counts, *, k: float = 200) -> Floats:
    """For each row the mean distance to the k nearest others, where a row stands for `counts` points.

    Below 1, `k` is a share of the points.  Where there are fewer others, all count; alone, a point has 0.
    """
    total = int(counts.sum())
    wanted = count_neighbours(k, total)
    scores = np.zeros(len(matrix))
    if wanted < 1:
        return scores
    points = _centre(matrix)
    lonely = np.flatnonzero(counts <= wanted)  # the others have k twins at distance 0
    squared_lengths = np.einsum("ij,ij->i", points, points)
    for rows in _chunks(lonely, len(points)):
        squares = _squared_distances(points, squared_lengths, rows)
        scores[rows] = _mean_of_nearest(squares, rows, counts, wanted)
    return scores


def count_neighbours(k: float, total: int) -> int:
    """How many neighbours `k` asks for among so many points."""
    return min(max(1, round(k * total) if k < 1 else int(k)), total - 1)


def _centre(matrix: Floats) -> Floats:
    """The columns that vary, about their medians: what is near 0 keeps its digits when it is squared."""
    varying = matrix[:, (matrix != matrix[:1]).any(axis=0)]
    centred: Floats = np.ascontiguousarray(varying - np.median(varying, axis=0))
    return centred


def _chunks(rows: NDArray[np.intp], width: int) -> Iterator[NDArray[np.intp]]:
    step = max(1, _CHUNK // width)
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


def _squared_distances(points: Floats, squared_lengths: Floats, rows: NDArray[np.intp]) -> Floats:
    """From each of some rows to all."""
    sums = squared_lengths[rows, None] + squared_lengths
    squares: Floats = points[rows] @ points.T
    squares *= -2
    squares += sums
    sums *= _CANCELLED
    near, far = np.nonzero(squares < sums)
    step = max(1, _CHUNK // max(1, points.shape[1]))
    for start in range(0, len(near), step):
        pairs = slice(start, start + step)
        between = points[rows[near[pairs]]] - points[far[pairs]]
        squares[near[pairs], far[pairs]] = np.einsum("ij,ij->i", between, between)
    return squares


def _mean_of_nearest(squares: Floats, rows: NDArray[np.intp], counts: Counts, wanted: int) -> Floats:
    """The mean distance to the nearest, of which the row itself, at distance 0, counts once less."""
    width = squares.shape[1]
    enough = min(width, wanted + 1)
    if (counts == 1).all():
        nearest = np.partition(squares, enough - 1, axis=1)[:, :enough] if enough < width else squares
        total: Floats = np.sqrt(nearest).sum(axis=1)
        return total / wanted
    others = squares.argpartition(enough - 1, axis=1)[:, :enough] if enough < width else np.arange(width)[None, :]
    near = np.take_along_axis(squares, np.broadcast_to(others, (len(rows), enough)), axis=1)
    order = near.argsort(axis=1)
    near = np.take_along_axis(near, order, axis=1)
    others = np.take_along_axis(np.broadcast_to(others, order.shape), order, axis=1)
    weights = counts[others] - (others == rows[:, None])
    room = wanted - (weights.cumsum(axis=1) - weights)
    weights = np.clip(room, 0, weights)
    mean: Floats = (np.sqrt(near) * weights).sum(axis=1) / wanted
    return mean
