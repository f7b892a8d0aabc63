"""Menus: links side by side or below each other, however small their share of the page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.leaves import Leaves
from webquarry.mining.records.candidates import Spans
from webquarry.mining.records.siblings import part_by_parent
from webquarry.model import Document

LEAST_ENTRIES = 3
MOST_LEVELS = 6
"""Elements around a link that hold nothing else."""


def find_menus(document: Document, leaves: Leaves, lone_links: NDArray[np.bool_]) -> Iterator[Spans]:
    """First nodes and stops of entries with one parent, each of which is a link and what is around it alone."""
    entries = leaves.owners[lone_links]
    for _ in range(MOST_LEVELS):
        above = document.parents[entries]
        entries = np.where(leaves.counts[above] == 1, above, entries)
    for nodes in part_by_parent(document, entries):
        if len(nodes) >= LEAST_ENTRIES:
            yield nodes.astype(np.int64), document.ends[nodes].astype(np.int64)
