"""The root of the content: the element that holds the main text and as little else as can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.masses import sum_below

_NEARLY_ALL = 0.85
"""The share of the prose that makes a part of the root the root."""
_PARTS = frozenset("blockquote dl li ol p pre table tbody tr ul".split())
"""Elements that are parts of a text, and no place for all of it."""


def find_root(document: Document, nodes: NDArray[np.int64], letters: NDArray[np.float64]) -> int | None:
    """The innermost element that holds all nodes that have letters, and is a place for text; None when none has."""
    sums = np.where((document.tags >= 0) & ~document.has_tag(_PARTS), sum_below(document, nodes, letters), 0)
    return int(np.flatnonzero(sums == sums.max())[-1]) if sums.max() > 0 else None


def narrow_root(document: Document, root: int, nodes: NDArray[np.int64], prose: NDArray[np.float64]) -> int:
    """The innermost element that holds nearly all prose of the root, and leaves none of its own paragraphs outside.

    What stands before and behind is left outside, such as a summary or the lines about the author.
    """
    sums = np.where(document.tags >= 0, sum_below(document, nodes, prose), 0)
    within = slice(root, int(document.ends[root]))
    chain = root + np.flatnonzero(sums[within] >= _NEARLY_ALL * sums[root])  # each is a child of the one before
    stays = np.flatnonzero(_hold_paragraphs(document, chain, sums))
    places = chain[: stays[0] + 1 if len(stays) else None]
    places = places[~document.has_tag(_PARTS, places)]
    return int(places[-1]) if len(places) else root


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
