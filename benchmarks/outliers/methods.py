"""How odd texts look, by all methods that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.outliers.sites import Truth
from webquarry.model.report import Selection
from webquarry.validating.judge import SCORES
from webquarry.validating.style_vectors import Vectors, encode

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Extracted:
    """Texts of some pages that an extraction gave."""

    truth: Truth
    kept: NDArray[np.bool_]
    """Of the texts of the truth."""

    @cached_property
    def nodes(self) -> list[NDArray[np.int32]]:
        """Of each page."""
        return self.split(self.kept)

    @cached_property
    def selections(self) -> list[Selection]:
        pages = zip(self.truth.documents, self.nodes, strict=True)
        return [Selection(document, nodes, tuple(document.texts[node] for node in nodes)) for document, nodes in pages]

    @cached_property
    def vectors(self) -> tuple[Vectors, Vectors]:
        """As they are, and scaled."""
        pages = list(zip(self.truth.documents, self.nodes, strict=True))
        return encode(pages), encode(pages, scaled=True)

    def split(self, mask: NDArray[np.bool_]) -> list[NDArray[np.int32]]:
        """Of each page the texts that a mask over all texts names."""
        starts = self.truth.starts.tolist()
        spans = zip(self.truth.texts, starts[:-1], starts[1:], strict=True)
        return [texts[mask[start:end]] for texts, start, end in spans]

    def without(self, deleted: NDArray[np.intp]) -> NDArray[np.bool_]:
        """What is kept, over all texts, when these of the extracted ones are deleted."""
        left = self.kept.copy()
        left[np.flatnonzero(self.kept)[deleted]] = False
        return left

    def score(self, method: str) -> Floats:
        """How odd each extracted text looks."""
        scaled, (name, k) = METHODS[method]
        vectors = self.vectors[scaled]
        scores: Floats = SCORES[name](vectors, k)[vectors.rows]
        return scores


METHODS: dict[str, tuple[bool, tuple[str, float]]] = {
    **{f"{k}-NN": (False, ("knn", k)) for k in (10, 50, 100, 200, 500)},
    **{f"NN, {share:.0%} of the nodes": (False, ("knn", share)) for share in (0.01, 0.05, 0.1)},
    "200-NN, scaled": (True, ("knn", 200)),
    "NN, 5% of the nodes, scaled": (True, ("knn", 0.05)),
    "HBOS": (False, ("hbos", 0)),
    "HBOS, scaled": (True, ("hbos", 0)),
    "HBOS of PyOD": (False, ("hbos-pyod", 0)),
    "HBOS of PyOD, scaled": (True, ("hbos-pyod", 0)),
}
"""Each with whether columns are scaled, and the method of ours with its number of neighbours."""


def all_texts(truth: Truth) -> Extracted:
    """What is seen, all of it."""
    return Extracted(truth, np.ones(len(truth.content), dtype=np.bool_))


def extracted_by(truth: Truth, nodes: Sequence[NDArray[np.int32]]) -> Extracted:
    """What a reader gave of each page."""
    pages = zip(truth.texts, nodes, strict=True)
    return Extracted(truth, np.concatenate([np.isin(texts, given) for texts, given in pages]))
