"""What a rendered page shows not to be of its text: what is pinned, beside it, in smaller type, or set into it.

Without a layout nothing is decided here.  All goes by the text of the page itself, that is by most of its prose: the
column that it stands in, and the size of its type.  Where the prose that would go is too much to be beside the point,
the page has no such column or type, and it stays.  This fails where a text ends in notes of its own in smaller type.
"""

from __future__ import annotations

import numpy as np

from webquarry.model import Layout
from webquarry.reading.appearance import Appearance, Flags, Floats, Setting, appearance_of
from webquarry.reading.drafts import Draft
from webquarry.reading.roots import find_data_tables
from webquarry.reading.sides import find_sides

_MINOR = 1 / 3
"""The share of the prose up to which it can be left out: columns and sizes of equal rank have more each."""
_HALF = 0.5
"""The share of the prose from which on a table is the frame of the page."""
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
