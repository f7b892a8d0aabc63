"""Find the links around nodes, and the addresses of images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webquarry.html.urls import IMAGE_ATTRIBUTES, Resolver, largest
from webquarry.model.document import Document


def find_links(document: Document, nodes: Sequence[int], first: int) -> list[int]:
    """Find for each node the link that it is or is in, if that has an address; else -1.

    Searches from the parent of `first`, the first node of all records: a link may hold a whole record.
    """
    owners = np.array(nodes, dtype=np.int64)
    low, high = max(int(document.parents[first]), 0), int(owners.max()) + 1
    links = np.flatnonzero(document.has_tag(["a"], slice(low, high))) + low
    if not len(links):
        return [-1] * len(nodes)
    before = links[np.maximum(np.searchsorted(links, owners, side="right") - 1, 0)]
    holds = (before <= owners) & (owners < document.ends[before])
    found = np.where(holds, before, -1).tolist()
    attributes = document.attributes
    return [link if link >= 0 and "href" in attributes[link] else -1 for link in found]


def image_address(document: Document, node: int, resolve: Resolver) -> str | None:
    """Find the absolute address of the image that a node is or holds; None for drawings."""
    for inner in range(node, int(document.ends[node])):
        if inner == node or document.tag(inner) in ("img", "source"):
            attributes = document.attributes[inner]
            for name in IMAGE_ATTRIBUTES:
                if name in attributes and (address := resolve(largest(attributes[name]))) is not None:
                    return address
    return None
