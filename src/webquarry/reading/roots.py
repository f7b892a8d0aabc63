"""The root of the content: the element that holds the main text and as little else as can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.masses import sum_below

_LEAST = 400
"""Letters of prose from which on a text is looked for in a part of the root: less may be in any part."""
_NEARLY_ALL = 0.9
"""The share of the root's prose that makes a part of it the root."""
OTHER = 0.15
_MOST = 0.7
"""The same for a part that is named as the body of the content."""


def find_root(document: Document, nodes: NDArray[np.int64], values: NDArray[np.float64]) -> int | None:
    """The innermost element in which the values of the nodes sum up to most; None when all sums are below zero."""
    sums = np.where(document.tags >= 0, sum_below(document, nodes, values), -np.inf)
    best = sums.max()
    if best <= 0:
        return None
    return int(np.flatnonzero(sums >= best)[-1])


def narrow_root(
    document: Document,
    root: int,
    nodes: NDArray[np.int64],
    prose: NDArray[np.float64],
    is_body: NDArray[np.bool_],
    most: float,
    nearly: float,
) -> int:
    """The innermost element that holds nearly all prose of the root, then the innermost body that holds most of it.

    What stands before and behind, such as a summary or the lines about the author, is left outside.
    """
    sums = np.where(document.tags >= 0, sum_below(document, nodes, prose), 0)
    if sums[root] < _LEAST:
        return root
    most_of_all = sums[root]
    narrow = root
    while True:
        within = slice(narrow + 1, int(document.ends[narrow]))
        children = narrow + 1 + np.flatnonzero(document.parents[within] == narrow)
        if not len(children):
            break
        shares = np.sort(sums[children])[::-1]
        child = int(children[np.argmax(sums[children])])
        if shares[0] < nearly * most_of_all or (len(shares) > 1 and shares[1] > OTHER * most_of_all):
            break
        narrow = child
    within = slice(narrow, int(document.ends[narrow]))
    bodies = np.flatnonzero(is_body[within] & (sums[within] >= most * sums[narrow]))
    return narrow + int(bodies[-1]) if len(bodies) else narrow
