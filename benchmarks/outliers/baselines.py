"""The paper's scores for values of columns: how a value looks among the others of its column on its page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from webquarry.model.report import Selection
from webquarry.validating.outliers import hbos_scores, knn_scores
from webquarry.validating.style_vectors import Vectors, encode

Floats = NDArray[np.float64]
NEIGHBOURS = 0.5
"""Share of the values of a column: with a fixed number most columns would have too few."""


def score_knn(selection: Selection) -> Floats:
    return _by_column(selection, lambda vectors: knn_scores(vectors.matrix, vectors.counts, k=NEIGHBOURS))


def score_hbos(selection: Selection) -> Floats:
    return _by_column(
        selection, lambda vectors: hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories)
    )


def _by_column(selection: Selection, score: Callable[[Vectors], Floats]) -> Floats:
    scores, names = np.zeros(len(selection)), np.array(selection.columns)
    for name in dict.fromkeys(selection.columns):
        members = np.flatnonzero(names == name)
        vectors = encode([(selection.document, selection.nodes[members])])
        scores[members] = score(vectors)[vectors.rows]
    return scores
