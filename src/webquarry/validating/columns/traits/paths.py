"""What the places of values in their trees are compared by: the elements that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model import Document
from webquarry.validating.columns.traits.trait import PATH, Trait

Nodes = NDArray[np.int32]
Values = tuple[Document, Nodes]
"""A page, and the nodes of values on it."""

MOST_LEVELS = 100
"""Elements around a value that are looked at: trees as deep are faults or attacks."""
HIGHLIGHTS = frozenset("b em i mark strong u".split())
"""Elements in which words stand that were searched for: a value that is nothing else is in its place."""


def find_path_traits(pages: Sequence[Values]) -> list[Trait]:
    """The traits of where nodes stand."""
    chains = [
        (document, _chain(document, element))
        for document, nodes in pages
        for element in owners_of(document, nodes).tolist()
    ]
    return [
        Trait("path", PATH, 1.0, [_tags(document, chain) for document, chain in chains]),
        Trait("element", PATH, 0.5, [_step(document, chain[:1]) for document, chain in chains]),
        Trait("holder", PATH, 0.5, [_step(document, chain[1:2]) for document, chain in chains]),
    ]


def owners_of(document: Document, nodes: Nodes) -> Nodes:
    """The element that each node is, or that holds it."""
    owners: Nodes = np.where(document.kinds[nodes] == Kind.ELEMENT, nodes, np.maximum(document.parents[nodes], 0))
    return owners


def _chain(document: Document, element: int) -> list[int]:
    """An element and those that hold it, outwards; what only highlights the text is passed over."""
    while document.tag(element) in HIGHLIGHTS and "class" not in document.attributes[element]:
        element = int(document.parents[element])
    chain: list[int] = []
    while element > 0 and len(chain) < MOST_LEVELS:
        chain.append(element)
        element = int(document.parents[element])
    return chain


def _tags(document: Document, chain: Sequence[int]) -> tuple[str, ...]:
    """The tags of a chain from the outermost inwards, without those that highlight the text."""
    tags = [document.tag(element) for element in reversed(chain)]
    while tags and tags[-1] in HIGHLIGHTS:
        tags.pop()
    return tuple(tags)


def _step(document: Document, elements: Iterable[int]) -> str:
    """An element as its tag and classes; nothing when there is none."""
    for element in elements:
        classes = sorted(document.attributes[element].get("class", "").split())
        return ".".join([document.tag(element), *classes])
    return ""
