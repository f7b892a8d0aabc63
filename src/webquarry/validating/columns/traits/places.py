"""Where values of a page stand: what holds most of them, as the list of results does, and what is beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webquarry.model import Document
from webquarry.validating.columns.traits.paths import Nodes, Values
from webquarry.validating.columns.traits.trait import PATH, Trait

MOST = 0.8
"""Share of the values of a page that a holder has to hold."""


def find_place_traits(pages: Sequence[Values]) -> list[Trait]:
    """For each value the element that holds most values of its page, or else the largest beside it."""
    places: list[str] = []
    for document, nodes in pages:
        holder = find_holder(document, nodes)
        address = document.xpath(holder)
        inside = (nodes >= holder) & (nodes < document.ends[holder])
        places += [
            address if is_inside else document.xpath(_find_beside(document, node, holder))
            for node, is_inside in zip(nodes.tolist(), inside.tolist(), strict=True)
        ]
    return [Trait("place", PATH, 1.0, places, is_of_page=True)]


def find_holder(document: Document, nodes: Nodes) -> int:
    """The innermost element that holds most of some nodes; the document when no other does."""
    if not len(nodes):
        return 0
    ordered = np.sort(nodes)
    node = int(ordered[len(ordered) // 2])  # what holds most of them holds the one in their middle
    while node > 0 and _count_inside(document, ordered, node) < MOST * len(ordered):
        node = int(document.parents[node])
    return max(node, 0)


def _find_beside(document: Document, node: int, holder: int) -> int:
    """The outermost that holds a node and does not hold the holder."""
    while not (parent := int(document.parents[node])) <= holder < document.ends[parent]:
        node = parent
    return node


def _count_inside(document: Document, ordered: Nodes, node: int) -> int:
    first, stop = np.searchsorted(ordered, [node, document.ends[node]])
    return int(stop - first)
