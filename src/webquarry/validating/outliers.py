"""How far nodes are from those that look most like them.

The mean Euclidean distance to the k nearest others: the k-NN score of Goldstein and Uchida, by which Potvin and
Villemaire rank visual outliers.  It is exact, over distinct vectors with multiplicities: a style that stands on every
page costs one row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.style_vectors import find_distinct

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


# MERGED validating/hbos: How rare the values of a node are, property by property.
# MERGED
# MERGED Goldstein and Dengel's histogram-based outlier score, and beside it the variant of PyOD.  Both go ov
# MERGED vectors with multiplicities, so that they cost what the distinct ones cost.
def hbos_scores(
    matrix: Floats,
    counts: Counts,
    *,
    categories: Sequence[slice] = (),
    bins: int | None = None,
    dynamic: bool = False,
) -> Floats:
    """For each row the sum over features of log(1 / height) of its bin, the highest bin of a feature being 1.

    `categories` are columns that are one feature together, of which every value is a bin; left out, their columns are
    numbers like others, as in the table of Potvin and Villemaire.  Other columns have `bins` bins, by default the
    square root of the number of points: of equal width, or, when `dynamic`, of equally many points.  Bins of the latter
    meet midway between values, so that no height is infinite; equal values share a bin.
    """
    places = max(1, bins or round(float(counts.sum()) ** 0.5))
    scores = np.zeros(len(matrix))
    numeric = np.ones(matrix.shape[1], dtype=np.bool_)
    for span in categories:
        numeric[span] = False
        scores += _rarity(_category_heights(matrix[:, span], counts))
    heights = _dynamic_heights if dynamic else _static_heights
    for column in matrix[:, numeric].T:
        if len(column) and column.min() < column.max():
            scores += _rarity(heights(column, counts, places))
    return scores


def pyod_hbos_scores(matrix: Floats, counts: Counts, *, bins: int = 10, alpha: float = 0.1) -> Floats:
    """For each row minus the sum over columns of log2(density + alpha), as PyOD's `HBOS` gives it when fitted.

    As there, columns of categories are columns like others, and a value on the edge between two bins is counted in the
    upper and takes the density of the lower one.
    """
    scores = np.zeros(len(matrix))
    if not len(matrix):
        return scores
    for column in matrix.T:
        density, edges = np.histogram(column, bins=bins, weights=counts, density=True)
        places = np.maximum(np.digitize(column, edges, right=True) - 1, 0)
        scores -= np.log2(density + alpha)[places]
    return scores


def _rarity(heights: Floats) -> Floats:
    rarity: Floats = np.log(heights.max(initial=0) / heights)
    return rarity


def _category_heights(columns: Floats, counts: Counts) -> Floats:
    values = find_distinct(columns).places
    heights: Floats = _totals(values, counts)[values]
    return heights


def _static_heights(column: Floats, counts: Counts, bins: int) -> Floats:
    """The bins are half open, the last one closed."""
    low, high = column.min(), column.max()
    places = np.minimum(((column - low) / (high - low) * bins).astype(np.intp), bins - 1)
    heights: Floats = _totals(places, counts)[places]
    return heights


def _dynamic_heights(column: Floats, counts: Counts, bins: int) -> Floats:
    """A bin is closed by the value with which it has its share of the points."""
    values, places = np.unique(column, return_inverse=True)
    sizes = _totals(places, counts)
    share = sizes.sum() / bins
    owner, filled, current = np.empty(len(values), dtype=np.intp), 0.0, 0
    for place, size in enumerate(sizes.tolist()):
        owner[place] = current
        filled += size
        if filled >= share:
            filled, current = 0.0, current + 1
    ends = np.flatnonzero(np.diff(owner))
    edges = np.concatenate([values[:1], (values[ends] + values[ends + 1]) / 2, values[-1:]])
    heights: Floats = (np.bincount(owner, weights=sizes) / np.diff(edges))[owner][places]
    return heights


def _totals(places: NDArray[np.intp], counts: Counts) -> Floats:
    """How many points there are at each place."""
    totals: Floats = np.bincount(places, weights=counts).astype(np.float64)
    return totals
