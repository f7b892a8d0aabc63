"""Columns beside that of the text: menus, rails and the lines about who wrote what, wherever the markup has them."""

from __future__ import annotations

import numpy as np

from webquarry.reading.appearance import Appearance, Flags
from webquarry.reading.drafts import Draft

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
