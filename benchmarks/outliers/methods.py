"""Score how odd the texts of an extraction look, by each method that is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.outliers.sites import Truth
from webquarry.model.report import Selection
from webquarry.validating.outliers import SCORES
from webquarry.validating.style_vectors import Vectors, encode

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Extracted:
    """The texts that an extraction kept."""

    truth: Truth
    kept: NDArray[np.bool_]
    """A flag for each text of the truth."""

    @cached_property
    def nodes(self) -> list[NDArray[np.int32]]:
        """The kept texts, by page."""
        return self.split(self.kept)

    @cached_property
    def selections(self) -> list[Selection]:
        pages = zip(self.truth.documents, self.nodes, strict=True)
        return [Selection(document, nodes, tuple(document.texts[node] for node in nodes)) for document, nodes in pages]

    @cached_property
    def vectors(self) -> tuple[Vectors, Vectors]:
        """Style vectors, raw and scaled."""
        pages = list(zip(self.truth.documents, self.nodes, strict=True))
        return encode(pages), encode(pages, scaled=True)

    def split(self, mask: NDArray[np.bool_]) -> list[NDArray[np.int32]]:
        """Split a mask over all texts into the texts of each page."""
        starts = self.truth.starts.tolist()
        spans = zip(self.truth.texts, starts[:-1], starts[1:], strict=True)
        return [texts[mask[start:end]] for texts, start, end in spans]

    def without(self, deleted: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return the flags of kept texts after deleting some of them, given by number."""
        left = self.kept.copy()
        left[np.flatnonzero(self.kept)[deleted]] = False
        return left

    def score(self, method: str) -> Floats:
        """Score how odd each extracted text looks."""
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
    "HBOS, joined categories": (False, ("hbos-joined", 0)),
    "HBOS of PyOD": (False, ("hbos-pyod", 0)),
    "HBOS of PyOD, scaled": (True, ("hbos-pyod", 0)),
}
"""By title: True if columns are scaled, and our method with its number of neighbours."""


def all_texts(truth: Truth) -> Extracted:
    """Keep all visible texts."""
    return Extracted(truth, np.ones(len(truth.content), dtype=np.bool_))


def extracted_by(truth: Truth, nodes: Sequence[NDArray[np.int32]]) -> Extracted:
    """Keep the nodes that a reader gave for each page."""
    pages = zip(truth.texts, nodes, strict=True)
    return Extracted(truth, np.concatenate([np.isin(texts, given) for texts, given in pages]))
