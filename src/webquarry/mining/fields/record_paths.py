"""Paths in records: tag paths from where a record begins, so that records may stand in different places of the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.paths import paths_below
from webquarry.mining.leaves import Leaves
from webquarry.model import Document


def find_tops(document: Document, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each record the element that paths begin at: itself, or what holds it if some are several elements.

    Given are for each record its first node, and the number after its last.
    """
    tops = bounds[:, 0]
    is_whole = (document.ends[tops] == bounds[:, 1]) & (document.tags[tops] >= 0)
    return tops if is_whole.all() else np.maximum(document.parents[tops], 0).astype(np.int64)


def record_paths(leaves: Leaves, tops: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Numbers that are the same for nodes of the same tag path below the tops of their records."""
    outer = leaves.paths[tops]
    if (outer == outer[0]).all():  # then whole paths tell as much
        return leaves.paths[nodes]
    levels = np.maximum(leaves.depths[nodes] - leaves.depths[tops], 0)
    return paths_below(leaves.paths[nodes], outer, levels)
