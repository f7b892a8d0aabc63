"""What a rendered page shows not to be of its text: what is pinned, beside it, in smaller type, or set into it.

Without a layout nothing is decided here.  All goes by the text of the page itself, that is by most of its prose: the
column that it stands in, and the size of its type.  Where the prose that would go is too much to be beside the point,
the page has no such column or type, and it stays.  This fails where a text ends in notes of its own in smaller type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.layout import Layout
from webquarry.page.data_tables import find_data_tables
from webquarry.reading.blocks import Blocks
from webquarry.reading.draft_article import Draft

# MERGED reading/appearance: How the blocks of a rendered page look: where they stand, and in which type they
_SMALLER = 0.86
"""The size of type, as a share of that of the text, below which it is meant to be smaller: usual steps, such as from
14 to 12 or from 16 to 13 pixels, are below; smaller ones are made by typefaces, and by notes that are of the text."""
_LARGER = 1.15
"""The same for what is meant to be larger."""

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Setting(NamedTuple):
    """How the text of a page is set: its column, from left to right, and the size of its type; in CSS pixels."""

    left: float
    right: float
    size: float

    def reaches(self, lefts: NDArray[np.floating[Any]], rights: NDArray[np.floating[Any]]) -> Flags:
        """For some boxes whether each stands in the column, or partly so."""
        reached: Flags = (lefts < self.right) & (rights > self.left)
        return reached

    @property
    def width(self) -> float:
        """Of the column."""
        return self.right - self.left


@dataclass(frozen=True)
class Appearance:
    """Columns with one entry a block; lengths in CSS pixels, of what is written and not of what holds it."""

    lefts: Floats
    tops: Floats
    rights: Floats
    bottoms: Floats
    sizes: Floats
    """Of the largest type in the block."""
    text: Setting

    @property
    def in_column(self) -> Flags:
        """For each block whether it stands in the column of the text, or partly so."""
        return self.text.reaches(self.lefts, self.rights)

    @property
    def widths(self) -> Floats:
        """From left to right."""
        return self.rights - self.lefts

    @property
    def are_smaller(self) -> Flags:
        """For each block whether its type is smaller than that of the text."""
        return self.sizes < _SMALLER * self.text.size

    @property
    def are_larger(self) -> Flags:
        """For each block whether its type is larger."""
        return self.sizes > _LARGER * self.text.size

    def are_flanked(self, others: Flags) -> Flags:
        """For each block whether some of the others stands at the height of its middle."""
        places = np.flatnonzero(others)
        places = places[np.argsort(self.tops[places], kind="stable")]
        reach = np.append(-np.inf, np.maximum.accumulate(self.bottoms[places]))  # of those that begin above a height
        middles = (self.tops + self.bottoms) / 2
        flanked: Flags = reach[self.tops[places].searchsorted(middles)] > middles
        return flanked


def appearance_of(layout: Layout, blocks: Blocks, prose: Floats) -> Appearance:
    """How blocks look; the text of the page is set as most of its prose, which weighs something, is."""
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
        text=Setting(_middle(lefts, prose), _middle(rights, prose), _commonest(sizes, prose)),
    )


def _middle(values: Floats, weights: Floats) -> float:
    """The median of values that weigh something.

    >>> _middle(np.array([10.0, 30.0, 20.0]), np.array([1.0, 1.0, 3.0]))
    20.0
    """
    order = np.argsort(values)
    running = np.cumsum(weights[order])
    return float(values[order][running.searchsorted(running[-1] / 2)])


def _commonest(values: Floats, weights: Floats) -> float:
    """The value that weighs most.

    >>> _commonest(np.array([16.0, 12.0, 16.0]), np.array([2.0, 3.0, 2.0]))
    16.0
    """
    known, places = np.unique(values, return_inverse=True)
    return float(known[np.bincount(places, weights=weights).argmax()])


def _type_sizes(layout: Layout, texts: NDArray[np.int32]) -> Floats:
    codes, places = np.unique(layout.styles[texts, layout.properties.index("font-size")], return_inverse=True)
    return np.array([float(layout.values[code].removesuffix("px")) for code in codes.tolist()])[places]


# MERGED reading/sides: Columns beside that of the text: menus, rails and the lines about who wrote what, whe
_NARROW = 0.75
"""The width, as a share of that of the text, up to which a column is one at the side and not a second one of text."""
_RUN = 3
"""Blocks that follow each other in a column, at least."""
_HALF = 0.5
"""The share of the letters at a side that stand at the height of the text, where all of the side is a column."""


def find_sides(draft: Draft, seen: Appearance, can_be: Flags) -> list[Flags]:
    """For the left and for the right side which blocks stand in a column there."""
    blocks, text = draft.blocks, seen.text
    is_flanked = seen.are_flanked(draft.kept & blocks.is_prose & seen.in_column)
    found = []
    for side in (seen.rights < text.left, seen.lefts > text.right):
        beside = _in_runs(draft, side & draft.kept & can_be)
        letters = np.where(beside, blocks.letters, 0)
        if letters[is_flanked].sum() < _HALF * letters.sum():
            beside &= is_flanked
        is_narrow = seen.widths[beside].max(initial=0) <= _NARROW * text.width
        found.append(beside if is_narrow else np.zeros_like(beside))
    return found


def _in_runs(draft: Draft, beside: Flags) -> Flags:
    """Those that follow each other: the label of a line, a note in the margin, a heading beside its text come alone."""
    kept = np.flatnonzero(draft.kept)
    runs = np.cumsum(np.diff(beside[kept], prepend=np.False_))
    in_runs = np.zeros_like(beside)
    in_runs[kept] = np.bincount(runs)[runs] >= _RUN
    return beside & in_runs


_MINOR = 1 / 3
"""The share of the prose up to which it can be left out: columns and sizes of equal rank have more each."""
_LONG = 150
"""Letters, two sentences or more: what has as many in the midst of the text is no caption or promotion."""
_CODE = frozenset("code kbd pre samp tt".split())
"""What has a typeface of its own, whose sizes mean little; in some manuals it stands beside the text."""


def drop_pinned(draft: Draft) -> None:
    """Leave out what stays where it is when the page is scrolled: bars and notices, whatever they are called."""
    document = draft.document
    if (layout := document.layout) is None or "fixed" not in layout.values:
        return
    fixed = layout.styles[:, layout.properties.index("position")] == layout.values.index("fixed")
    pinned = draft.blocks.in_any(fixed & (document.tags >= 0))
    if _is_minor(draft, pinned):
        draft.drop(pinned, "stays in place when the page is scrolled")


def drop_by_sight(draft: Draft) -> None:
    """Leave out what the layout of a text shows not to be of it."""
    document, blocks = draft.document, draft.blocks
    if (layout := document.layout) is None or not _prose(draft).any():
        return
    seen = appearance_of(layout, blocks, _prose(draft))
    can_be = ~blocks.in_any(_are_tables(draft, layout, seen.text) | document.has_tag(_CODE))
    for side in find_sides(draft, seen, can_be):
        if _is_minor(draft, side):
            draft.drop(side, "beside the column of the text")
    can_be &= ~blocks.is_heading
    small = _are_small(draft, seen) & can_be
    if not _is_minor(draft, small):
        small &= ~blocks.is_prose
    draft.drop(small, "in smaller type than the text")
    draft.drop(_are_set_in(draft, seen) & can_be, "set into the text, which flows around it")


def _are_tables(draft: Draft, layout: Layout, text: Setting) -> Flags:
    """For each node whether it is a table of the text: one in its column that is not the frame of the page."""
    document, prose, boxes = draft.document, _prose(draft), layout.boxes
    is_frame = draft.blocks.spans.sum_in(prose) > _HALF * prose.sum()
    in_column = text.reaches(boxes[:, 0], boxes[:, 0] + boxes[:, 2])
    are_tables: Flags = find_data_tables(document) | (document.has_tag(["table"]) & in_column & ~is_frame)
    return are_tables


def _are_small(draft: Draft, seen: Appearance) -> Flags:
    """For each block whether its type is smaller; in the midst of the text what is long or a list is of the text."""
    blocks, smaller = draft.blocks, seen.are_smaller
    last = np.flatnonzero(draft.kept & blocks.is_prose & ~smaller).max(initial=-1)
    is_own = np.where(blocks.is_listed, ~blocks.is_link, blocks.is_prose & (blocks.letters >= _LONG))
    is_own &= np.arange(len(blocks)) < last
    are_small: Flags = smaller & ~is_own
    return are_small


def _are_set_in(draft: Draft, seen: Appearance) -> Flags:
    """For each block whether it is in larger type with the text at its side, as quotations pulled out of it."""
    larger = seen.are_larger
    is_flanked = seen.are_flanked(draft.kept & draft.blocks.is_prose & ~larger)
    return larger & is_flanked & seen.in_column


def _is_minor(draft: Draft, chosen: Flags) -> bool:
    prose = _prose(draft)
    return bool(prose[chosen].sum() <= _MINOR * prose.sum())


def _prose(draft: Draft) -> Floats:
    blocks = draft.blocks
    return np.where(draft.kept & blocks.is_prose, blocks.free, 0.0)
