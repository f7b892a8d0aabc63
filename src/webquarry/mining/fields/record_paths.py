"""Paths in records: tag paths from where a record begins, so that records may stand in different places of the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.paths import paths_below
from webquarry.mining.leaves import Leaves
from webquarry.model import Document


def find_tops(document: Document, spans: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """For each record the element that paths begin at: itself, or what holds it if some are several elements."""
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    tops = bounds[:, 0]
    is_whole = (document.ends[tops] == bounds[:, 1]) & (document.tags[tops] >= 0)
    return tops if is_whole.all() else np.maximum(document.parents[tops], 0).astype(np.int64)


def record_paths(leaves: Leaves, tops: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The tag paths of nodes below the tops of their records."""
    levels = np.maximum(leaves.depths[nodes] - leaves.depths[tops], 0)
    return paths_below(leaves.paths[nodes], leaves.paths[tops], levels)
