"""Which blocks the nodes of a page hold.

The blocks of a node follow each other, so that two numbers a node tell which are in it.  Pages have ten times as many
nodes as blocks: what is asked about nodes is answered by sums over blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document

_ALL = slice(None)


@dataclass(frozen=True)
class Spans:
    """Columns with one entry a node, except where said otherwise."""

    starts: NDArray[np.int64]
    """The place of the first block that begins in the node, or of the next one where none does."""
    stops: NDArray[np.int64]
    """The place after the last one."""
    elements: NDArray[np.int64]
    """The elements in which any block begins: nothing that is asked about others changes what is kept."""
    size: int
    """Blocks that there are."""

    def cover(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each block whether it begins in one of some nodes."""
        if not len(nodes):  # as on most pages of most kinds
            return np.zeros(self.size, dtype=np.bool_)
        size = self.size + 1
        changes = np.bincount(self.starts[nodes], minlength=size) - np.bincount(self.stops[nodes], minlength=size)
        return changes[:-1].cumsum() > 0

    def sum_in(
        self, weights: NDArray[np.float64], nodes: slice | NDArray[np.integer[Any]] = _ALL
    ) -> NDArray[np.float64]:
        """For each node, or each of some, what the blocks in it weigh together."""
        running = run_up(weights)
        sums: NDArray[np.float64] = running[self.stops[nodes]] - running[self.starts[nodes]]
        return sums


def find_spans(document: Document, firsts: NDArray[np.int64]) -> Spans:
    """The spans of blocks that begin at some nodes.

    >>> spans = find_spans(Document("<p>a<p>b"), np.array([5, 7]))
    >>> spans.sum_in(np.array([1.0, 2.0])).tolist(), spans.cover(np.array([6])).tolist()
    ([3.0, 3.0, 0.0, 3.0, 1.0, 1.0, 2.0, 2.0], [False, True])
    """
    before = np.bincount(firsts + 1, minlength=len(document) + 1).cumsum()
    starts, stops = before[:-1], before[document.ends]
    return Spans(starts, stops, ((stops > starts) & (document.tags >= 0)).nonzero()[0], len(firsts))


def run_up(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of all weights before each place, and of all.

    >>> run_up(np.array([1.0, 2.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    running = np.zeros(len(weights) + 1)
    weights.cumsum(out=running[1:])
    return running
