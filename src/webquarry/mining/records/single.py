"""A page with one record only: the block that dominates the page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.leaves import Leaves, range_sums
from webquarry.model import Document

MOST = 0.5
"""Share of the weight outside page furniture that the block holds."""
LITTLE = 0.2
"""Share of what holds it that stands beside it, for it to be only a part of the record."""
LEAST_PARTS = 3
"""Different tag paths of its leaves; what has fewer is a text."""


def find_single(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """The innermost element that holds most of the page's content, with the little that stands beside it there."""
    content = leaves.weights * ~furniture
    weights = range_sums(content, leaves.starts[:-1], leaves.starts[document.ends])
    holding = np.flatnonzero((document.tags >= 0) & (weights > MOST * content.sum()))
    if not len(holding):
        return None
    node = int(holding[-1])
    while document.tag(parent := int(document.parents[node])) not in ("", "body", "html"):
        if weights[node] < (1 - LITTLE) * weights[parent]:
            break
        node = parent
    owners = leaves.owners[leaves.starts[node] : leaves.starts[document.ends[node]]]
    return node if len(np.unique(leaves.paths[owners])) >= LEAST_PARTS else None
