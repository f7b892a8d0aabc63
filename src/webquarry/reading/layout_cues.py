"""Drop blocks that a rendered page shows beside its text, pinned, in smaller type or set into it.

Without a layout nothing is decided here. The measure is most of the prose of the page: its column and its type size.
Blocks that hold too much of the prose stay. This fails where a text ends in notes of its own in smaller type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Layout
from webquarry.page.data_tables import find_data_tables
from webquarry.reading.blocks import Blocks, Draft

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

_MAX_SHARE_DROPPED = 1 / 3
"""Share of the prose that one rule may drop: columns and type sizes of equal rank have more each."""
_MIN_SHARE_OF_FRAME = 0.5
"""Share of the prose in a table that frames the page."""
_CODE = frozenset("code kbd pre samp tt".split())
"""Elements in a typeface of their own, whose sizes mean little; some manuals put them beside the text."""


def drop_pinned(draft: Draft) -> None:
    """Drop what stays in place when the page is scrolled: bars and notices, whatever their names."""
    document = draft.document
    if (layout := document.layout) is None or "fixed" not in layout.values:
        return
    fixed = layout.styles[:, layout.properties.index("position")] == layout.values.index("fixed")
    pinned = draft.blocks.in_any(fixed & (document.tags >= 0))
    if _is_minor(draft, pinned):
        draft.drop(pinned, "stays in place when the page is scrolled")


def drop_by_layout(draft: Draft) -> None:
    """Drop what the layout shows not to be part of the text."""
    document, blocks = draft.document, draft.blocks
    if (layout := document.layout) is None or not _prose(draft).any():
        return
    seen = _measure_appearance(layout, blocks, _prose(draft))
    can_be = ~blocks.in_any(_are_tables(draft, layout, seen.text) | document.has_tag(_CODE))
    for side in _find_sides(draft, seen, can_be):
        if _is_minor(draft, side):
            draft.drop(side, "beside the column of the text")
    can_be &= ~blocks.is_heading
    small = _are_small(draft, seen) & can_be
    if not _is_minor(draft, small):
        small &= ~blocks.is_prose
    draft.drop(small, "in smaller type than the text")
    draft.drop(_are_set_in(draft, seen) & can_be, "set into the text, which flows around it")


def _are_tables(draft: Draft, layout: Layout, text: Setting) -> Flags:
    """Tell for each node whether it is a table in the column of the text that does not frame the page."""
    document, prose, boxes = draft.document, _prose(draft), layout.boxes
    is_frame = draft.blocks.spans.sum_in(prose) > _MIN_SHARE_OF_FRAME * prose.sum()
    in_column = text.reaches(boxes[:, 0], boxes[:, 0] + boxes[:, 2])
    are_tables: Flags = find_data_tables(document) | (document.has_tag(["table"]) & in_column & ~is_frame)
    return are_tables


def _are_small(draft: Draft, seen: Appearance) -> Flags:
    """Find blocks in smaller type, except prose and lists amid the text."""
    blocks, smaller = draft.blocks, seen.are_smaller
    last = np.flatnonzero(draft.kept & blocks.is_prose & ~smaller).max(initial=-1)
    is_own = np.where(blocks.is_listed, ~blocks.is_link, blocks.is_prose)
    is_own &= np.arange(len(blocks)) < last
    are_small: Flags = smaller & ~is_own
    return are_small


def _are_set_in(draft: Draft, seen: Appearance) -> Flags:
    """Find blocks in larger type with the text at their side: pull quotes."""
    larger = seen.are_larger
    is_flanked = seen.are_flanked(draft.kept & draft.blocks.is_prose & ~larger)
    return larger & is_flanked & seen.in_column


def _is_minor(draft: Draft, chosen: Flags) -> bool:
    prose = _prose(draft)
    return bool(prose[chosen].sum() <= _MAX_SHARE_DROPPED * prose.sum())


def _prose(draft: Draft) -> Floats:
    blocks = draft.blocks
    return np.where(draft.kept & blocks.is_prose, blocks.free, 0.0)


_MAX_WIDTH_OF_SIDE = 0.75
"""Width relative to the column of the text; a wider column is a second one of text."""
_MIN_BLOCKS_OF_SIDE = 3
"""Consecutive blocks of a column: a label, a note in the margin or a heading beside its text come alone."""
_MIN_SHARE_FLANKED = 0.5
"""Share of the letters at a side at the height of the text, from which all of the side is a column."""


def _find_sides(draft: Draft, seen: Appearance, can_be: Flags) -> list[Flags]:
    """Find the blocks in a column at the left, and those in one at the right: menus, rails, author lines."""
    blocks, text = draft.blocks, seen.text
    is_flanked = seen.are_flanked(draft.kept & blocks.is_prose & seen.in_column)
    found = []
    for side in (seen.rights < text.left, seen.lefts > text.right):
        beside = _in_runs(draft, side & draft.kept & can_be)
        letters = np.where(beside, blocks.letters, 0)
        if letters[is_flanked].sum() < _MIN_SHARE_FLANKED * letters.sum():
            beside &= is_flanked
        is_narrow = seen.widths[beside].max(initial=0) <= _MAX_WIDTH_OF_SIDE * text.width
        found.append(beside if is_narrow else np.zeros_like(beside))
    return found


def _in_runs(draft: Draft, beside: Flags) -> Flags:
    """Keep blocks that follow each other."""
    kept = np.flatnonzero(draft.kept)
    runs = np.cumsum(np.diff(beside[kept], prepend=np.False_))
    in_runs = np.zeros_like(beside)
    in_runs[kept] = np.bincount(runs)[runs] >= _MIN_BLOCKS_OF_SIDE
    return beside & in_runs


_MAX_SMALLER_TYPE = 0.86
"""Type size relative to the text below which it is smaller on purpose: usual steps, such as from 14 to 12 or from 16
to 13 pixels, are below; lesser ones come from typefaces, and from notes that are part of the text."""
_MIN_LARGER_TYPE = 1.15
"""Type size relative to the text above which it is larger on purpose."""


class Setting(NamedTuple):
    """Column and type size of the text of a page, in CSS pixels."""

    left: float
    right: float
    size: float

    def reaches(self, lefts: NDArray[np.floating[Any]], rights: NDArray[np.floating[Any]]) -> Flags:
        """Tell which boxes are at least partly in the column."""
        reached: Flags = (lefts < self.right) & (rights > self.left)
        return reached

    @property
    def width(self) -> float:
        """Width of the column."""
        return self.right - self.left


@dataclass(frozen=True)
class Appearance:
    """Boxes and type sizes of the texts of each block, in CSS pixels."""

    lefts: Floats
    tops: Floats
    rights: Floats
    bottoms: Floats
    sizes: Floats
    """Size of the largest type in the block."""
    text: Setting

    @property
    def in_column(self) -> Flags:
        """Tell which blocks are at least partly in the column of the text."""
        return self.text.reaches(self.lefts, self.rights)

    @property
    def widths(self) -> Floats:
        """Width of each block."""
        return self.rights - self.lefts

    @property
    def are_smaller(self) -> Flags:
        """Tell which blocks are in smaller type than the text."""
        return self.sizes < _MAX_SMALLER_TYPE * self.text.size

    @property
    def are_larger(self) -> Flags:
        """Tell which blocks are in larger type than the text."""
        return self.sizes > _MIN_LARGER_TYPE * self.text.size

    def are_flanked(self, others: Flags) -> Flags:
        """Tell which blocks have one of the others at the height of their middle."""
        places = np.flatnonzero(others)
        places = places[np.argsort(self.tops[places], kind="stable")]
        reach = np.append(-np.inf, np.maximum.accumulate(self.bottoms[places]))  # of those that begin above a height
        middles = (self.tops + self.bottoms) / 2
        flanked: Flags = reach[self.tops[places].searchsorted(middles)] > middles
        return flanked


def _measure_appearance(layout: Layout, blocks: Blocks, prose: Floats) -> Appearance:
    """Measure how blocks look; `prose` weighs them to find how the text is set."""
    starts = blocks.texts.searchsorted(blocks.firsts)
    boxes = layout.boxes[blocks.texts].astype(np.float64)
    lefts = np.minimum.reduceat(boxes[:, 0], starts)
    rights = np.maximum.reduceat(boxes[:, 0] + boxes[:, 2], starts)
    sizes = np.maximum.reduceat(_type_sizes(layout, blocks.texts), starts)
    return Appearance(
        lefts=lefts,
        tops=np.minimum.reduceat(boxes[:, 1], starts),
        rights=rights,
        bottoms=np.maximum.reduceat(boxes[:, 1] + boxes[:, 3], starts),
        sizes=sizes,
        text=Setting(_weighted_median(lefts, prose), _weighted_median(rights, prose), _weighted_mode(sizes, prose)),
    )


def _weighted_median(values: Floats, weights: Floats) -> float:
    """Return the weighted median.

    >>> _weighted_median(np.array([10.0, 30.0, 20.0]), np.array([1.0, 1.0, 3.0]))
    20.0
    """
    order = np.argsort(values)
    running = np.cumsum(weights[order])
    return float(values[order][running.searchsorted(running[-1] / 2)])


def _weighted_mode(values: Floats, weights: Floats) -> float:
    """Return the value with the most weight.

    >>> _weighted_mode(np.array([16.0, 12.0, 16.0]), np.array([2.0, 3.0, 2.0]))
    16.0
    """
    known, places = np.unique(values, return_inverse=True)
    return float(known[np.bincount(places, weights=weights).argmax()])


def _type_sizes(layout: Layout, texts: NDArray[np.int32]) -> Floats:
    codes, places = np.unique(layout.styles[texts, layout.properties.index("font-size")], return_inverse=True)
    return np.array([float(layout.values[code].removesuffix("px")) for code in codes.tolist()])[places]
