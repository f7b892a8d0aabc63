"""What a person sees of a rendered page.

A node is seen when it has a box of some area on the page, is neither `visibility: hidden` nor fully transparent, and
is not cut off by an element around it that hides its overflow; and when it holds something that is seen.  What is
covered by something else, or has the colour of its background, is taken as seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, subtree_ends
from webquarry.rendering.properties import PROPERTIES

_CUTS = frozenset(["hidden", "clip"])
_FLOATS_ABOVE = frozenset(["absolute", "fixed"])
_SLIVER = 1.0  # CSS pixels: what is kept for screen readers alone is put into a box of this size
_VIEWPORT_ELEMENTS = frozenset(["html", "body"])  # their overflow is that of the window, which scrolls

Boxes = NDArray[np.float32]
Mask = NDArray[np.bool_]


def find_visible(columns: Columns, boxes: Boxes, styles: NDArray[np.int32], values: tuple[str, ...]) -> Mask:
    """For each node whether a person sees it or something in it."""
    has = _Matcher(styles, values)
    seen = (boxes[:, 2] > 0) & (boxes[:, 3] > 0) & (boxes[:, 0] + boxes[:, 2] > 0) & (boxes[:, 1] + boxes[:, 3] > 0)
    breaks = np.array([name == "br" for name in columns.tag_names] + [False])[columns.tags]
    seen |= breaks & ~np.isnan(boxes[:, 0])  # a line break has no width, but it shows
    seen &= has("visibility", frozenset(["visible"]))
    faded = has("opacity", frozenset(["0"]))
    cutting = has("overflow-x", _CUTS) | has("overflow-y", _CUTS)
    cutting &= ~np.array([name in _VIEWPORT_ELEMENTS for name in columns.tag_names] + [False])[columns.tags]
    cutting &= columns.tags >= 0
    if faded.any() or cutting.any():
        ends = subtree_ends(columns.parents)
        for node in np.flatnonzero(faded).tolist():
            seen[node : ends[node]] = False
        _cut(seen, boxes, ends, cutting, has)
    return _with_holders(seen, columns.parents)


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
