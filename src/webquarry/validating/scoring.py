"""How odd looks are, by each of the methods that rank nodes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.hbos import hbos_scores, pyod_hbos_scores
from webquarry.validating.knn import knn_scores
from webquarry.validating.looks.vectors import Vectors

Floats = NDArray[np.float64]


def score_by_knn(vectors: Vectors, k: float) -> Floats:
    """By the distance to the k nearest others, as in the paper."""
    return knn_scores(vectors.matrix, vectors.counts, k=k)


def score_by_hbos(vectors: Vectors, _k: float) -> Floats:
    """By how rare the values of the properties are, as in the paper, in bins of equal width."""
    return hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories)


def score_by_dynamic_hbos(vectors: Vectors, _k: float) -> Floats:
    """The same, in bins of equally many nodes."""
    return hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories, dynamic=True)


def score_by_pyod_hbos(vectors: Vectors, _k: float) -> Floats:
    """The variant of PyOD."""
    return pyod_hbos_scores(vectors.matrix, vectors.counts)


SCORES: dict[str, Callable[[Vectors, float], Floats]] = {
    "knn": score_by_knn,
    "hbos": score_by_hbos,
    "hbos-dynamic": score_by_dynamic_hbos,
    "hbos-pyod": score_by_pyod_hbos,
}
"""They give a number for each distinct vector; one of them has a use for a number of neighbours."""
