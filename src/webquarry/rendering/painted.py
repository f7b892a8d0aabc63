"""What a person sees of a rendered page.

A node is seen when it has a box of some area on the page, is neither `visibility: hidden` nor fully transparent, and
is not cut off by an element around it that hides its overflow; and when it holds something that is seen.  What is
covered by something else, or has the colour of its background, is taken as seen; and so is a page that is transparent
as a whole, until scripts let it appear.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, Kind, find_inside, subtree_ends
from webquarry.model.layout import VISUAL_VALIDATION

# MERGED rendering/properties: The style properties that a layout holds.
DECIDE_VISIBILITY = ("display", "opacity", "overflow-x", "overflow-y")
"""With `visibility`, which is among the 32."""

PROPERTIES = VISUAL_VALIDATION + DECIDE_VISIBILITY


_CUTS = frozenset(["hidden", "clip"])
_FLOATS_ABOVE = frozenset(["absolute", "fixed"])
_SLIVER = 1.0  # CSS pixels: what is kept for screen readers alone is put into a box of this size
_WHOLE = 0.8  # the share of texts from which on it is the page that is veiled: menus were .54 at most on 780 pages
_SEVERAL = 10  # texts that there must be for that
_VIEWPORT_ELEMENTS = frozenset(["html", "body"])  # their overflow is that of the window, which scrolls

Boxes = NDArray[np.float32]
Mask = NDArray[np.bool_]


def find_visible(columns: Columns, boxes: Boxes, styles: NDArray[np.int32], values: tuple[str, ...]) -> Mask:
    """For each node whether a person sees it or something in it."""
    has = _Matcher(styles, values)
    seen = (boxes[:, 2] > 0) & (boxes[:, 3] > 0) & (boxes[:, 0] + boxes[:, 2] > 0) & (boxes[:, 1] + boxes[:, 3] > 0)
    breaks = np.array([name == "br" for name in columns.tag_names] + [False])[columns.tags]
    seen |= breaks & ~np.isnan(boxes[:, 0])  # a line break has no width, but it shows
    seen &= ~_find_veiled(columns, seen, has)
    cutting = has("overflow-x", _CUTS) | has("overflow-y", _CUTS)
    cutting &= ~np.array([name in _VIEWPORT_ELEMENTS for name in columns.tag_names] + [False])[columns.tags]
    cutting &= columns.tags >= 0
    if cutting.any():
        _cut(seen, boxes, subtree_ends(columns.parents), cutting, has)
    return _with_holders(seen, columns.parents)


def _find_veiled(columns: Columns, placed: Mask, has: _Matcher) -> Mask:
    """For each node whether it keeps its place without being seen: hidden, or transparent, itself or what holds it."""
    veiled = ~has("visibility", frozenset(["visible"]))
    faded = has("opacity", frozenset(["0"]))
    if faded.any():
        veiled |= find_inside(subtree_ends(columns.parents), faded)
    is_text = placed & (columns.kinds == int(Kind.TEXT))
    if veiled[is_text].sum() > max(_WHOLE * is_text.sum(), _SEVERAL):
        veiled[:] = False
    return veiled


class _Matcher:
    """Tells for each node whether a property has one of some values."""

    def __init__(self, styles: NDArray[np.int32], values: tuple[str, ...]) -> None:
        self._styles = styles
        self._values = values

    def __call__(self, name: str, wanted: frozenset[str]) -> Mask:
        matches = np.array([value in wanted for value in self._values] + [False])
        found: Mask = matches[self._styles[:, PROPERTIES.index(name)]]
        return found


def _cut(seen: Mask, boxes: Boxes, ends: NDArray[np.int32], cutting: Mask, has: _Matcher) -> None:
    """Take out what lies outside of an element that hides its overflow.

    Positioned nodes in an element that is not positioned itself may have their place in one further out; such an
    element is passed over unless it is a sliver.
    """
    floating = np.concatenate([[0], np.cumsum(has("position", _FLOATS_ABOVE))])
    static = has("position", frozenset(["static"]))
    right, bottom = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    for node in np.flatnonzero(cutting).tolist():
        inside = slice(node + 1, ends[node])
        if boxes[node, 2] <= _SLIVER or boxes[node, 3] <= _SLIVER:
            seen[inside] = False
        elif not (static[node] and floating[ends[node]] > floating[node + 1]):
            seen[inside] &= (
                (boxes[inside, 0] < right[node])
                & (right[inside] > boxes[node, 0])
                & (boxes[inside, 1] < bottom[node])
                & (bottom[inside] > boxes[node, 1])
            )


def _with_holders(seen: Mask, parents: NDArray[np.int32]) -> Mask:
    """The nodes that are seen, and all that hold them."""
    visible = seen.copy()
    holders = np.unique(parents[seen])
    while len(holders := holders[(holders >= 0) & ~visible[holders]]):
        visible[holders] = True
        holders = np.unique(parents[holders])
    return visible
