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
    first, end = _ranges(document, blocks.firsts)
    prose = run_up(np.where(blocks.is_prose, blocks.letters - blocks.linked, 0.0))
    letters, linked = run_up(blocks.letters), run_up(blocks.linked)
    before = prose[first]
    return Masses(
        letters=letters[end] - letters[first],
        linked=linked[end] - linked[first],
        prose=prose[end] - before,
        before=before,
        total=float(prose[-1]),
    )


def sum_below(
    document: Document, nodes: NDArray[np.int64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """For each node of the document the sum of the weights of those that it is or holds; without weights their number.

    >>> from webquarry.model import Document
    >>> sum_below(Document("<p>a<p>b"), np.array([5, 7]), np.array([1.0, 2.0])).tolist()
    [3.0, 3.0, 0.0, 3.0, 1.0, 1.0, 2.0, 2.0]
    """
    first, end = _ranges(document, nodes)
    if weights is None:
        return (end - first).astype(np.float64)
    running = run_up(weights)
    sums: NDArray[np.float64] = running[end] - running[first]
    return sums


def _ranges(document: Document, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each node of the document the place of the first of some nodes that it is or holds, and that after the last.

    Nodes are many and those that are summed up are few: sums over the few, looked up for all, take less time.
    """
    before = np.bincount(nodes + 1, minlength=len(document) + 1).cumsum()
    return before[:-1], before[document.ends]


def run_up(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of all weights before each place, and of all."""
    running = np.zeros(len(weights) + 1)
    weights.cumsum(out=running[1:])
    return running
