"""Links: the links that nodes stand in, and the addresses of images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webquarry.html.urls import IMAGE_ATTRIBUTES, Resolver, largest
from webquarry.model.document import Document


def find_links(document: Document, nodes: Sequence[int], first: int) -> list[int]:
    """For each node the link with an address that it is or stands in; -1 without one.

    Links are looked for from what holds the first node of all records: a record may be what a link holds.
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
    """The absolute address of the image that a node is, or holds; None when it has none, as drawings."""
    for inner in range(node, int(document.ends[node])):
        if inner == node or document.tag(inner) in ("img", "source"):
            attributes = document.attributes[inner]
            for name in IMAGE_ATTRIBUTES:
                if name in attributes and (address := resolve(largest(attributes[name]))) is not None:
                    return address
    return None
