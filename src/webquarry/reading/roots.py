"""The root of the content: the element that holds the main text and as little else as can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks

_NEARLY_ALL = 0.85
"""The share of the prose that makes a part of the root the root."""
_PARTS = frozenset("blockquote dl li ol p pre table tbody tr ul".split())
"""Elements that are parts of a text, and no place for all of it."""


def find_root(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> int | None:
    """The innermost element that holds all chosen blocks, and is a place for text; None when there are none."""
    places = chosen.nonzero()[0]
    if not len(places):
        return None
    spans = blocks.spans
    elements = spans.elements
    holders = elements[(spans.starts[elements] <= places[0]) & (spans.stops[elements] > places[-1])]
    return int(holders[~document.has_tag(_PARTS, holders)][-1])


def narrow_root(document: Document, blocks: Blocks, root: int, prose: NDArray[np.float64]) -> int:
    """The innermost element that holds nearly all prose of the root, and leaves none of its own paragraphs outside.

    What stands before and behind is left outside, such as a summary or the lines about the author.
    """
    elements = blocks.spans.elements
    sums = blocks.spans.sum_in(prose, elements)
    chain = elements[(sums >= _NEARLY_ALL * prose.sum()) & (elements >= root)]  # each is a child of the one before
    stays = _hold_paragraphs(document, chain, elements[sums > 0]).nonzero()[0]
    places = chain[: stays[0] + 1 if len(stays) else None]
    places = places[~document.has_tag(_PARTS, places)]
    return int(places[-1]) if len(places) else root


def _hold_paragraphs(document: Document, chain: NDArray[np.int64], elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each element of the chain whether it has paragraphs of its own, such as a lead: they are part of the text."""
    hold = np.zeros(len(document), dtype=np.bool_)
    hold[document.parents[elements[document.has_tag(["p"], elements)]]] = True
    return hold[chain]


def find_data_tables(document: Document) -> NDArray[np.bool_]:
    """For each node whether it is a table with headers: those without lay out the page."""
    is_data = np.zeros(len(document), dtype=np.bool_)
    if "th" not in document.tag_names:
        return is_data
    parents, is_table = document.parents, document.has_tag(["table"])
    holders = set(parents[document.has_tag(["th"])].tolist())
    while holders := {node for node in holders if node > 0}:  # a set: there are few, which NumPy takes longer to sort
        is_data[[node for node in holders if is_table[node]]] = True
        holders = {int(parents[node]) for node in holders if not is_table[node]}
    return is_data
