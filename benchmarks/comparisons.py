"""How many comparisons the two papers' procedures make on a page, counted on its tree.

MDR compares neighbouring generalised nodes under each element: Liu, Grossman, Zhai 2003, procedure CombComp, with at
most ten tag nodes in a generalised node.  eMine compares rectangles: those of the children of body to find the largest,
all inside it to find the container, and the children of the container to filter them (its procedures getMaxRect,
getContainer and Filter).
Those of MDR are on strings of tags, those of eMine on numbers.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from webquarry.model import Document, Kind, Region

MOST_TAGS = 10


def count_mdr(document: Document) -> int:
    """Comparisons of strings."""
    elements = document.kinds == Kind.ELEMENT
    children = np.bincount(document.parents[elements], minlength=len(document))
    sizes, times = np.unique(children, return_counts=True)
    return sum(_compare_siblings(int(size)) * int(time) for size, time in zip(sizes, times, strict=True))


def count_emine(document: Document, region: Region) -> int:
    """Comparisons of numbers, for the container that was found."""
    elements = np.flatnonzero(document.kinds == Kind.ELEMENT)
    parents = document.parents[elements]
    body = next((node for node in elements.tolist() if document.tag(node) == "body"), 0)
    largest = next(
        (node for node in elements[parents == body].tolist() if node <= region.node < document.ends[node]), 0
    )
    inside = np.count_nonzero((elements > largest) & (elements < document.ends[largest]))
    return int(np.count_nonzero(parents == body) + inside + np.count_nonzero(parents == region.node))


@cache
def _compare_siblings(count: int) -> int:
    """Comparisons of the generalised nodes that so many siblings make.

    >>> [_compare_siblings(count) for count in (1, 2, 3, 4)]
    [0, 1, 2, 4]
    """
    made = 0
    for start in range(1, MOST_TAGS + 1):
        for size in range(start, MOST_TAGS + 1):
            if start + 2 * size - 1 <= count:
                made += (count - start + 1) // size - 1
    return made
