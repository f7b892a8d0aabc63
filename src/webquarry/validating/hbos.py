"""How rare the values of a node are, property by property.

Goldstein and Dengel's histogram-based outlier score, and beside it the variant of PyOD.  Both go over distinct
vectors with multiplicities, so that they cost what the distinct ones cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.looks.distinct import find_distinct

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


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
