"""How much of what each element of a page holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks


@dataclass(frozen=True)
class Masses:
    """Columns with one entry a node: the letters in it."""

    letters: NDArray[np.float64]
    linked: NDArray[np.float64]
    prose: NDArray[np.float64]
    """Those of prose that stand in no link."""
    before: NDArray[np.float64]
    """The letters of prose that come before the node."""
    total: float
    """The letters of all prose."""

    def at(self, nodes: NDArray[np.int64]) -> Masses:
        """The masses of some nodes."""
        return Masses(self.letters[nodes], self.linked[nodes], self.prose[nodes], self.before[nodes], self.total)


def weigh(document: Document, blocks: Blocks) -> Masses:
    """The masses of all nodes."""
    prose = np.where(blocks.is_prose, blocks.letters - blocks.linked, 0)
    before = _running(document, blocks.firsts, prose)
    return Masses(
        letters=sum_below(document, blocks.firsts, blocks.letters),
        linked=sum_below(document, blocks.firsts, blocks.linked),
        prose=before[document.ends] - before[:-1],
        before=before[:-1],
        total=float(before[-1]),
    )


def sum_below(
    document: Document, nodes: NDArray[np.int64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """For each node of the document the sum of the weights of those that it is or holds; without weights their number.

    >>> from webquarry.model import Document
    >>> sum_below(Document("<p>a<p>b"), np.array([5, 7]), np.array([1.0, 2.0])).tolist()
    [3.0, 3.0, 0.0, 3.0, 1.0, 1.0, 2.0, 2.0]
    """
    running = _running(document, nodes, weights)
    sums: NDArray[np.float64] = running[document.ends] - running[:-1]
    return sums


def _running(document: Document, nodes: NDArray[np.int64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    counts = np.bincount(nodes + 1, weights=weights, minlength=len(document) + 1)
    return np.cumsum(counts, dtype=np.float64)
