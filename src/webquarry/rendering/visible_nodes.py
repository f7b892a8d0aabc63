"""Find the nodes of a rendered page that a person sees.

A node is visible if it has a box of some area on the page, is neither veiled (`visibility: hidden` or fully
transparent) nor cut off by a clip or an ancestor that hides its overflow; or if it holds a visible node. What is
covered by something else or has the colour of its background counts as visible. Text that its class says is for screen
readers is not visible, also where the style sheet that hides it is missing.

A page may wait for a script to lift its veils: cards that appear when scrolled to, images that load late, a page that
fades in as a whole. Scripts do not run, so such a veil counts as lifted. It keeps room free for its content in the
flow of the page, and the content is more than a button or a badge. Menus, dialogs and hover effects lie over the page
or have no room, and stay hidden. Fails on text that appears in its own place when a pointer is above it: it is seen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, Columns, Kind, find_inside, subtree_ends
from webquarry.html.visibility import UNSEEN, is_for_screen_readers
from webquarry.model.document import Document

DECIDING_PROPERTIES = ("opacity", "overflow-x", "overflow-y", "clip", "clip-path")
"""Style properties that decide visibility, besides `visibility` and `position`."""

_VIEWPORT_ELEMENTS = frozenset(["html", "body"])  # their overflow is that of the window, which scrolls
_IMAGES = frozenset(["canvas", "img", "svg", "video"])
_CONTROLS = frozenset(["a", "button", "label", "option"])
_MAX_SLIVER_PIXELS = 1.0  # text for screen readers alone is put into a box of this size
_CLIP = re.compile(r"rect\(([-\d.]+)(?:px)?,? ([-\d.]+)(?:px)?,? ([-\d.]+)(?:px)?,? ([-\d.]+)(?:px)?\)")
_CLIPS_ALL = re.compile(r"inset\((?:[5-9]\d|\d{3,})(?:\.\d+)?%\)|circle\(0(?:px|%)?(?: at .*)?\)")
MAIN_SHARE = 0.8
"""Share of the texts that are the page itself; hidden menus were 0.54 at most on 780 pages."""
_MIN_HIDDEN_LENGTH = 200  # characters of a page that hides itself
_MIN_VEILED_TEXTS = 10
_MAIN_SHARE = 0.5  # of the texts of the page, in an element that is the page itself even if it is out of the flow
_MIN_PARTS = 2  # texts, or a text and an image, that are more than a badge
_MIN_SENTENCE = 40  # characters of a text that is more than a badge
_MAX_OVERLAID_SHARE = 0.5  # seen texts at the place of veiled ones; of more, the veiled ones lie over the page
_MIN_COVERED_SHARE = 0.5  # of an image that another one covers
_MAX_COMPARED = 20_000_000
"""Boxes of a page that are compared with veiled ones, for about 2 s: a hostile page has tens of thousands of each at
one place. Veils over the rest are lifted."""
_BOXES_A_LOOK = 1_000
"""Boxes that could be compared in the time that each look takes besides."""

Boxes = NDArray[np.float32]
Ends = NDArray[np.int32]
Mask = NDArray[np.bool_]
Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""
FindStyled = Callable[[str, Callable[[str], bool]], Mask]
"""Takes a property and a test of its value; tells for each node whether its style passes."""


def find_visible(columns: Columns, boxes: Boxes, find_styled: FindStyled) -> Mask:
    """Tell for each node whether a person sees it or something in it."""
    ends = subtree_ends(columns.parents)
    seen = (boxes[:, 2] > 0) & (boxes[:, 3] > 0) & (boxes[:, 0] + boxes[:, 2] > 0) & (boxes[:, 1] + boxes[:, 3] > 0)
    veiled = _Veils(columns, boxes, ends, seen, find_styled).find()
    seen |= columns.has_tag(frozenset(["br"])) & ~np.isnan(boxes[:, 0])  # they have no width but an effect
    seen &= ~veiled
    out_of_flow = find_styled("position", _is_out_of_flow)
    _clip(columns, boxes, ends, seen, find_styled)
    clipped_away = out_of_flow & (find_styled("clip", _is_empty_clip) | find_styled("clip-path", _clips_all))
    if clipped_away.any():
        seen &= ~find_inside(ends, clipped_away)
    for_screen_readers = _find_for_screen_readers(columns)
    if for_screen_readers.any():
        seen &= ~find_inside(ends, for_screen_readers)
    return _with_ancestors(seen, columns.parents)


def _find_for_screen_readers(columns: Columns) -> Mask:
    """Tell for each node whether its class says that only screen readers read it: the style sheet may be missing."""
    attributes, found = columns.attributes, np.zeros(len(columns.tags), dtype=np.bool_)
    for node in np.flatnonzero(columns.tags >= 0).tolist():
        if "class" in (own := attributes[node]) and is_for_screen_readers(own["class"]):
            found[node] = True
    return found


def hides_itself(document: Document) -> bool:
    """Tell whether a page does not display most of its text."""
    is_text = (document.kinds == Kind.TEXT) & ~find_inside(document.ends, document.has_tag(UNSEEN))
    lengths = np.array([len(text) for text in document.texts])
    hidden = int(lengths[is_text & document.hidden].sum())
    seen = int(lengths[is_text & ~document.hidden].sum())
    return hidden > max(_MIN_HIDDEN_LENGTH, MAIN_SHARE * (hidden + seen))


class _Veils:
    """The veiled nodes of a page: hidden, or transparent like one of their ancestors."""

    def __init__(self, columns: Columns, boxes: Boxes, ends: Ends, placed: Mask, find_styled: FindStyled) -> None:
        self._columns, self._boxes, self._ends, self._placed = columns, boxes, ends, placed
        self._find_styled = find_styled
        self._hidden = find_styled("visibility", lambda value: value != "visible")
        self._transparent = find_styled("opacity", lambda value: value == "0") & (columns.tags >= 0)
        self._is_text = placed & (columns.kinds == Kind.TEXT)

    @cached_property
    def _texts(self) -> _PlacedBoxes:
        return _PlacedBoxes(self._boxes, np.flatnonzero(self._is_text))

    def find(self) -> Mask:
        """Find the nodes under a veil that no script would lift."""
        veiled = self._hidden | find_inside(self._ends, self._transparent)
        is_veiled_text = self._is_text & veiled
        if is_veiled_text.sum() > max(MAIN_SHARE * self._is_text.sum(), _MIN_VEILED_TEXTS):
            return np.zeros_like(veiled)
        if is_veiled_text.any():
            self._lift_blocks(veiled)
        if self._transparent.any():
            self._lift_images(veiled)
        return veiled

    def _lift_blocks(self, veiled: Mask) -> None:
        """Lift the veils of blocks in the flow of the page: the largest elements of which no text is seen."""
        columns, ends = self._columns, self._ends
        aside = self._find_aside()
        leaves = self._placed & ~aside & (self._is_text | columns.has_tag(_IMAGES))
        full = (columns.tags >= 0) & (self._count(leaves) > 0) & (self._count(leaves & ~veiled) == 0)
        full &= self._count(leaves & self._is_text) > 0
        parts = leaves & ~find_inside(ends, columns.has_tag(_CONTROLS) & (self._count(leaves) == 1))
        for node in np.flatnonzero(full & ~full[columns.parents]).tolist():
            inside = slice(node, int(ends[node]))
            if self._has_substance(parts, inside) and not self._lies_over(leaves, veiled, inside):
                veiled[inside] &= aside[inside]

    def _find_aside(self) -> Mask:
        """Find what is under a veil out of the flow of the page, or without a place of its own."""
        columns, ends = self._columns, self._ends
        out_of_flow = self._find_styled("position", _is_out_of_flow)
        out_of_flow &= self._count(self._is_text) < _MAIN_SHARE * self._is_text.sum()
        begins = self._transparent | (self._hidden & ~self._hidden[columns.parents] & (columns.tags >= 0))
        return find_inside(ends, begins & (find_inside(ends, out_of_flow) | ~self._placed))

    def _has_substance(self, parts: Mask, inside: slice) -> bool:
        """Tell whether a block is more than a badge; the parts do not include buttons and links alone."""
        columns = self._columns
        texts = np.flatnonzero(parts[inside] & self._is_text[inside]) + inside.start
        if parts[inside].sum() >= _MIN_PARTS and len(texts):
            return True
        if any(len(columns.texts[node].strip()) >= _MIN_SENTENCE for node in texts.tolist()):
            return True
        return bool(columns.has_tag(HEADING_TAGS, inside).any())

    def _lies_over(self, leaves: Mask, veiled: Mask, inside: slice) -> bool:
        """Tell whether others' seen texts are at the place of a block."""
        own = np.flatnonzero(leaves[inside]) + inside.start
        over = self._texts.find(_frame(self._boxes[own]))
        return bool((~veiled[over]).sum() > _MAX_OVERLAID_SHARE * self._is_text[own].sum())

    def _lift_images(self, veiled: Mask) -> None:
        """Lift the veils of images that are transparent until they have loaded, where no other image is seen."""
        images = self._placed & self._columns.has_tag(_IMAGES)
        begins = self._transparent & ~self._hidden & ~find_inside(self._ends, self._transparent)[self._columns.parents]
        placed = _PlacedBoxes(self._boxes, np.flatnonzero(images))
        for node in np.flatnonzero(images & veiled & begins).tolist():
            left, top, right, bottom = frame = _frame(self._boxes[node : node + 1])
            over = placed.find(frame)
            x, y, its_right, its_bottom = _corners(self._boxes[over[~veiled[over]]])
            common = (np.minimum(its_right, right) - np.maximum(x, left)) * (
                np.minimum(its_bottom, bottom) - np.maximum(y, top)
            )
            if not (common >= _MIN_COVERED_SHARE * (right - left) * (bottom - top)).any():
                veiled[node : self._ends[node]] = False

    def _count(self, chosen: Mask) -> NDArray[np.int64]:
        """Count the chosen nodes in each subtree."""
        before = np.concatenate([[0], np.cumsum(chosen)])
        counts: NDArray[np.int64] = before[self._ends] - before[:-1]
        return counts


class _PlacedBoxes:
    """The boxes of some nodes, in the order of their tops."""

    def __init__(self, boxes: Boxes, nodes: NDArray[np.int64]) -> None:
        self._nodes = nodes[np.argsort(boxes[nodes, 1], kind="stable")]
        self._left, top, self._right, self._bottom = _corners(boxes[self._nodes])
        self._tops: list[float] = top.tolist()
        self._tallest = float((self._bottom - top).max(initial=0))
        self._compared = 0

    def find(self, frame: Frame) -> NDArray[np.int64]:
        """List the nodes whose boxes overlap a frame; none once too many have been compared."""
        left, top, right, bottom = frame
        near = slice(bisect_left(self._tops, top - self._tallest), bisect_left(self._tops, bottom))
        self._compared += near.stop - near.start + _BOXES_A_LOOK
        if self._compared > _MAX_COMPARED:
            return self._nodes[:0]
        overlap = (self._left[near] < right) & (self._right[near] > left) & (self._bottom[near] > top)
        found: NDArray[np.int64] = self._nodes[near][overlap]
        return found


def _is_out_of_flow(position: str) -> bool:
    return position in ("absolute", "fixed")


def _is_empty_clip(clip: str) -> bool:
    """Tell whether a value of `clip` leaves nothing to be seen.

    >>> _is_empty_clip("rect(1px, 1px, 1px, 1px)"), _is_empty_clip("rect(0px, 80px, 20px, 0px)"), _is_empty_clip("auto")
    (True, False, False)
    """
    found = _CLIP.fullmatch(clip)
    if found is None:
        return False
    top, right, bottom, left = map(float, found.groups())
    return right - left <= _MAX_SLIVER_PIXELS or bottom - top <= _MAX_SLIVER_PIXELS


def _clips_all(path: str) -> bool:
    """Tell whether a value of `clip-path` leaves nothing to be seen.

    >>> _clips_all("inset(50%)"), _clips_all("inset(0% 5%)"), _clips_all("none")
    (True, False, False)
    """
    return _CLIPS_ALL.fullmatch(path) is not None


def _clip(columns: Columns, boxes: Boxes, ends: Ends, seen: Mask, find_styled: FindStyled) -> None:
    """Remove what lies outside of an element that hides its overflow.

    Absolutely positioned nodes may belong to an ancestor further out than a static element, so a
    static element with such nodes clips nothing, unless it is a sliver.
    """
    clipping = find_styled("overflow-x", _hides_overflow) | find_styled("overflow-y", _hides_overflow)
    clipping &= (columns.tags >= 0) & ~columns.has_tag(_VIEWPORT_ELEMENTS)
    if not clipping.any():
        return
    placed_before = np.concatenate([[0], np.cumsum(find_styled("position", _is_out_of_flow))])
    static = find_styled("position", lambda value: value == "static")
    x, y, right, bottom = _corners(boxes)
    for node in np.flatnonzero(clipping).tolist():
        inside = slice(node + 1, ends[node])
        if boxes[node, 2] <= _MAX_SLIVER_PIXELS or boxes[node, 3] <= _MAX_SLIVER_PIXELS:
            seen[inside] = False
        elif not (static[node] and placed_before[ends[node]] > placed_before[node + 1]):
            seen[inside] &= (
                (x[inside] < right[node])
                & (right[inside] > x[node])
                & (y[inside] < bottom[node])
                & (bottom[inside] > y[node])
            )


def _hides_overflow(overflow: str) -> bool:
    return overflow in ("hidden", "clip")


def _corners(boxes: Boxes) -> tuple[Boxes, Boxes, Boxes, Boxes]:
    """Return left, top, right and bottom of each box."""
    return boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]


def _frame(boxes: Boxes) -> Frame:
    """Return left, top, right and bottom of the frame around some boxes."""
    left, top, right, bottom = _corners(boxes)
    return float(left.min()), float(top.min()), float(right.max()), float(bottom.max())


def _with_ancestors(seen: Mask, parents: NDArray[np.int32]) -> Mask:
    visible = seen.copy()
    ancestors = np.unique(parents[seen])
    while len(ancestors := ancestors[(ancestors >= 0) & ~visible[ancestors]]):
        visible[ancestors] = True
        ancestors = np.unique(parents[ancestors])
    return visible
