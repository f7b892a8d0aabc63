"""Find the nodes of a rendered page that a person sees.

A node is visible if it has a box of some area on the page, is neither `visibility: hidden` nor fully
transparent, and is not cut off by an ancestor that hides its overflow; or if it holds a visible node.
What is covered by something else or has the colour of its background counts as visible, and so does
a page that is transparent as a whole until its scripts reveal it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, Kind, find_inside, subtree_ends

_HIDES_OVERFLOW = frozenset(["hidden", "clip"])
_OUT_OF_FLOW = frozenset(["absolute", "fixed"])
_MAX_SLIVER_PIXELS = 1.0  # text for screen readers alone is put into a box of this size
_MIN_VEILED_SHARE = 0.8  # of texts, when the whole page is veiled; hidden menus were 0.54 at most on 780 pages
_MIN_VEILED_TEXTS = 10
_VIEWPORT_ELEMENTS = frozenset(["html", "body"])  # their overflow is that of the window, which scrolls

Boxes = NDArray[np.float32]
Mask = NDArray[np.bool_]
HasStyle = Callable[[str, frozenset[str]], Mask]
"""Takes a property and some values; tells for each node whether the property has one of them."""


def find_visible(columns: Columns, boxes: Boxes, has_style: HasStyle) -> Mask:
    """Tell for each node whether a person sees it or something in it."""
    seen = (boxes[:, 2] > 0) & (boxes[:, 3] > 0) & (boxes[:, 0] + boxes[:, 2] > 0) & (boxes[:, 1] + boxes[:, 3] > 0)
    line_breaks = np.array([name == "br" for name in columns.tag_names] + [False])[columns.tags]
    seen |= line_breaks & ~np.isnan(boxes[:, 0])  # they have no width but an effect
    seen &= ~_find_veiled(columns, seen, has_style)
    clipping = has_style("overflow-x", _HIDES_OVERFLOW) | has_style("overflow-y", _HIDES_OVERFLOW)
    clipping &= ~np.array([name in _VIEWPORT_ELEMENTS for name in columns.tag_names] + [False])[columns.tags]
    clipping &= columns.tags >= 0
    if clipping.any():
        _clip(seen, boxes, subtree_ends(columns.parents), clipping, has_style)
    return _with_ancestors(seen, columns.parents)


def _find_veiled(columns: Columns, placed: Mask, has_style: HasStyle) -> Mask:
    """Find nodes that take up space unseen: hidden, or transparent like one of their ancestors."""
    veiled = ~has_style("visibility", frozenset(["visible"]))
    transparent = has_style("opacity", frozenset(["0"]))
    if transparent.any():
        veiled |= find_inside(subtree_ends(columns.parents), transparent)
    is_text = placed & (columns.kinds == int(Kind.TEXT))
    if veiled[is_text].sum() > max(_MIN_VEILED_SHARE * is_text.sum(), _MIN_VEILED_TEXTS):
        veiled[:] = False
    return veiled


def _clip(seen: Mask, boxes: Boxes, ends: NDArray[np.int32], clipping: Mask, has_style: HasStyle) -> None:
    """Remove what lies outside of an element that hides its overflow.

    Absolutely positioned nodes may belong to an ancestor further out than a static element, so a
    static element with such nodes clips nothing, unless it is a sliver.
    """
    out_of_flow = np.concatenate([[0], np.cumsum(has_style("position", _OUT_OF_FLOW))])
    static = has_style("position", frozenset(["static"]))
    right, bottom = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    for node in np.flatnonzero(clipping).tolist():
        inside = slice(node + 1, ends[node])
        if boxes[node, 2] <= _MAX_SLIVER_PIXELS or boxes[node, 3] <= _MAX_SLIVER_PIXELS:
            seen[inside] = False
        elif not (static[node] and out_of_flow[ends[node]] > out_of_flow[node + 1]):
            seen[inside] &= (
                (boxes[inside, 0] < right[node])
                & (right[inside] > boxes[node, 0])
                & (boxes[inside, 1] < bottom[node])
                & (bottom[inside] > boxes[node, 1])
            )


def _with_ancestors(seen: Mask, parents: NDArray[np.int32]) -> Mask:
    visible = seen.copy()
    ancestors = np.unique(parents[seen])
    while len(ancestors := ancestors[(ancestors >= 0) & ~visible[ancestors]]):
        visible[ancestors] = True
        ancestors = np.unique(parents[ancestors])
    return visible
