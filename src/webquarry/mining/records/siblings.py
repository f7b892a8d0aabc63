"""Siblings: nodes of one parent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document


def part_by_parent(document: Document, nodes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The nodes in parts of one parent each, in their order within each."""
    parents = document.parents[nodes]
    order = np.argsort(parents, kind="stable")
    return np.split(nodes[order], np.flatnonzero(np.diff(parents[order])) + 1)
