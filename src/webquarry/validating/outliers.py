"""Score how unusual style vectors are: k-NN and HBOS, by which Potvin and Villemaire rank visual outliers.

Potvin and Villemaire, "When Different is Wrong", section 3.  k-NN is the mean Euclidean distance to the k nearest
others, as in Goldstein and Uchida, and k-th-NN the distance to the k-th of them; HBOS is the histogram-based outlier
score of Goldstein and Dengel, with a histogram for each column, and PyOD has a variant of it.  Repair: all are computed
over distinct vectors with multiplicities, exactly, so that a style that is on every page costs one row.

`hbos-joined` and `hbos-dynamic` are ours: a category, such as `position`, is one feature with a bin for each value.
The paper's table has a column for each value, and so counts a rare value several times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.style_vectors import Vectors, find_distinct

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_MAX_DISTANCES = 2_000_000  # at a time: 16 MB, enough for products of matrices to be quick
_CANCELLED = 2.1e-7
"""A squared distance below this share of the squared length of its row is summed again, difference by difference: the
product left too few digits.  Others are right to 1e-10 of that length; two points whose squared distance is under 1e-7
of both their squared lengths have nearly the same length, so that checking one will do."""


def knn_scores(matrix: Floats, counts: Counts, *, k: float = 200, kth: bool = False) -> Floats:
    """Score each row by the mean distance to the k nearest others, where a row stands for `counts` points.

    With `kth` the score is the distance to the k-th nearest alone.  Below 1, `k` is a share of the points.  If there
    are fewer others, all count; a single point has 0.
    """
    scores = np.zeros(len(matrix))
    wanted = count_neighbours(k, int(counts.sum()))
    if wanted < 1:
        return scores
    distances = _Distances(matrix)
    take = _Nearest(counts, wanted, kth=kth)
    rare = np.flatnonzero(counts <= wanted)  # all others have k twins at distance 0
    step = max(1, _MAX_DISTANCES // len(matrix))
    for start in range(0, len(rare), step):
        rows = rare[start : start + step]
        scores[rows] = take(distances.squared(rows), rows)
    return scores


def count_neighbours(k: float, total: int) -> int:
    """Count the neighbours that `k` asks for among some points, at most all others."""
    return min(max(1, round(k * total) if k < 1 else int(k)), total - 1)


class _Distances:
    """Squared distances, many at a time as one product of matrices."""

    def __init__(self, matrix: Floats) -> None:
        varying = matrix[:, (matrix != matrix[:1]).any(axis=0)]
        # Numbers near 0 keep their digits when they are squared.
        self._points: Floats = np.ascontiguousarray(varying - np.median(varying, axis=0))
        self._lengths: Floats = np.einsum("ij,ij->i", self._points, self._points)
        ones = np.ones(len(matrix))
        # p.p + q.q - 2 p.q in one product
        self._left = np.column_stack([self._points * -2, self._lengths, ones])
        self._right = np.column_stack([self._points, ones, self._lengths]).T
        self._buffer = np.empty((max(1, _MAX_DISTANCES // len(matrix)), len(matrix)))

    def squared(self, rows: NDArray[np.intp]) -> Floats:
        """Return the distances from some rows to all, valid until the next call; a row has 0 to itself."""
        squares: Floats = np.matmul(self._left[rows], self._right, out=self._buffer[: len(rows)])
        near, far = np.divmod(np.flatnonzero(squares < self._lengths[rows, None] * _CANCELLED), squares.shape[1])
        step = max(1, _MAX_DISTANCES // max(1, self._points.shape[1]))
        for start in range(0, len(near), step):
            ones, others = near[start : start + step], far[start : start + step]
            between = self._points[rows[ones]] - self._points[others]
            squares[ones, others] = np.einsum("ij,ij->i", between, between)
        return squares


class _Nearest:
    """Takes from squared distances to all points the mean of the nearest, or the last of them."""

    def __init__(self, counts: Counts, wanted: int, *, kth: bool) -> None:
        self._counts, self._wanted, self._kth = counts, wanted, kth
        self._are_single = bool((counts == 1).all())

    def __call__(self, squares: Floats, rows: NDArray[np.intp]) -> Floats:
        return self._from_single(squares) if self._are_single else self._from_multiple(squares, rows)

    def _from_single(self, squares: Floats) -> Floats:
        """Take from distances where every row is one point; the row itself, at 0, adds nothing."""
        wanted = self._wanted
        if wanted + 1 < squares.shape[1]:
            squares.partition(wanted, axis=1)
        nearest = np.sqrt(squares[:, : wanted + 1])
        taken: Floats = nearest.max(axis=1) if self._kth else nearest.sum(axis=1) / wanted
        return taken

    def _from_multiple(self, squares: Floats, rows: NDArray[np.intp]) -> Floats:
        """Take from distances where rows stand for several points; a row has one less of its own."""
        wanted = self._wanted
        if wanted + 1 < squares.shape[1]:
            others = squares.argpartition(wanted, axis=1)[:, : wanted + 1]
            squares = np.take_along_axis(squares, others, axis=1)
            order = squares.argsort(axis=1)
            others = np.take_along_axis(others, order, axis=1)
        else:
            others = order = squares.argsort(axis=1)
        points = self._counts[others] - (others == rows[:, None])
        taken = np.clip(wanted - (points.cumsum(axis=1) - points), 0, points)
        distances = np.sqrt(np.take_along_axis(squares, order, axis=1))
        last = np.where(taken > 0, distances, 0).max(axis=1)
        found: Floats = last if self._kth else (distances * taken).sum(axis=1) / wanted
        return found


def hbos_scores(
    matrix: Floats,
    counts: Counts,
    *,
    categories: Sequence[slice] = (),
    bins: int | None = None,
    dynamic: bool = False,
) -> Floats:
    """Score each row by the sum over features of log(1 / height) of its bin, the highest bin of a feature being 1.

    `categories` are columns that form one feature, with a bin for each value; without them their columns are numbers
    like others, as in the table of Potvin and Villemaire.  Other columns have `bins` bins, by default the square root
    of the number of points: of equal width, or, if `dynamic`, of equally many points.  Dynamic bins meet midway between
    values, so that no height is infinite; equal values share a bin.
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
    """Score each row by minus the sum over columns of log2(density + alpha), as PyOD's fitted `HBOS` does.

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
    """Use bins of equal width, half open, the last one closed."""
    low, high = column.min(), column.max()
    places = np.minimum(((column - low) / (high - low) * bins).astype(np.intp), bins - 1)
    heights: Floats = _totals(places, counts)[places]
    return heights


def _dynamic_heights(column: Floats, counts: Counts, bins: int) -> Floats:
    """Use bins of equally many points: the value that fills a bin closes it."""
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
    """Count the points at each place."""
    totals: Floats = np.bincount(places, weights=counts).astype(np.float64)
    return totals


SCORES: dict[str, Callable[[Vectors, float], Floats]] = {
    "knn": lambda vectors, k: knn_scores(vectors.matrix, vectors.counts, k=k),
    "kth-nn": lambda vectors, k: knn_scores(vectors.matrix, vectors.counts, k=k, kth=True),
    "hbos": lambda vectors, _: hbos_scores(vectors.matrix, vectors.counts),
    "hbos-joined": lambda vectors, _: hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories),
    "hbos-dynamic": lambda vectors, _: hbos_scores(
        vectors.matrix, vectors.counts, categories=vectors.categories, dynamic=True
    ),
    "hbos-pyod": lambda vectors, _: pyod_hbos_scores(vectors.matrix, vectors.counts),
}
"""The methods of ranking nodes: each scores distinct vectors, given a number of neighbours that the first two use."""
NEIGHBOURLY = ("knn", "kth-nn")
"""The methods that take a number of neighbours."""
