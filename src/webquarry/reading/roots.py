"""The root of the content: the element that holds the main text and as little else as can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.masses import sum_below

_LEAST = 400
"""Letters of prose from which on a part of the root may be the root: a short text may be in several parts."""
_NEARLY_ALL = 0.85
"""The share of the prose that makes a part of the root the root."""
_MOST = 0.7
"""The same for a part that is, or holds, what is named as the body of the content; above a half, so that parts that
have as much hold each other."""
_OTHER = 0.15
"""The share of the prose up to which another part may be left outside; one with more is a part of the text."""
_FLOWING = frozenset("blockquote dl li ol p pre ul".split())
"""Elements that are parts of a text, and no place for all of it."""


def find_root(document: Document, nodes: NDArray[np.int64], values: NDArray[np.float64]) -> int | None:
    """The innermost element in which the values of the nodes sum up to most; None when no sum is above zero."""
    sums = np.where(document.tags >= 0, sum_below(document, nodes, values), 0)
    best = sums.max()
    return int(np.flatnonzero(sums >= best)[-1]) if best > 0 else None


def narrow_root(
    document: Document, root: int, nodes: NDArray[np.int64], prose: NDArray[np.float64], is_body: NDArray[np.bool_]
) -> int:
    """The innermost element that holds nearly all prose of the root, and does not leave a part of the text outside.

    What stands before and behind is left outside, such as a summary or the lines about the author.
    """
    sums = np.where(document.tags >= 0, sum_below(document, nodes, prose), 0)
    total = sums[root]
    if total < _LEAST:
        return root
    within = slice(root, int(document.ends[root]))
    chain = root + np.flatnonzero(sums[within] >= _MOST * total)  # each is a child of the one before
    others = _largest_others(document.parents[within] - root, sums[within], chain - root)
    bodies = chain[is_body[chain]]
    least = np.where(chain <= (bodies[-1] if len(bodies) else -1), _MOST, _NEARLY_ALL) * total
    may_enter = (sums[chain] >= least) & ~document.has_tag(_FLOWING, chain) & ~find_data_tables(document)[chain]
    stays = np.flatnonzero(
        ~may_enter[1:] | (others[:-1] > _OTHER * total) | _hold_paragraphs(document, chain[:-1], sums)
    )
    return int(chain[stays[0]] if len(stays) else chain[-1])


def _hold_paragraphs(document: Document, chain: NDArray[np.int64], sums: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each element of the chain whether it has paragraphs of its own, such as a lead: they are part of the text."""
    hold = np.zeros(len(document), dtype=np.bool_)
    hold[document.parents[document.has_tag(["p"]) & (sums > 0)]] = True
    return hold[chain]


def find_data_tables(document: Document) -> NDArray[np.bool_]:
    """For each node whether it is a table with headers: those without lay out the page."""
    is_data = np.zeros(len(document), dtype=np.bool_)
    if "th" not in document.tag_names:
        return is_data
    holders = document.parents[np.flatnonzero(document.has_tag(["th"]))]
    is_table = document.has_tag(["table"])
    while len(holders := np.unique(holders[holders > 0])):
        is_data[holders[is_table[holders]]] = True
        holders = document.parents[holders[~is_table[holders]]]
    return is_data


def _largest_others(
    parents: NDArray[np.int32], sums: NDArray[np.float64], chain: NDArray[np.int64]
) -> NDArray[np.float64]:
    """For each element of the chain the largest sum of a child that is not in the chain."""
    others = sums.copy()
    others[chain] = 0
    largest = np.zeros(len(sums))
    np.maximum.at(largest, parents[1:], others[1:])
    of_chain: NDArray[np.float64] = largest[chain]
    return of_chain
