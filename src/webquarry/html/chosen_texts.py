"""Some texts of a page as a reader would see them if no others stood there.

What `visibility.visible_text` finds node by node is found here for all gaps at once: articles are made of few texts of
large pages.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, find_inside
from webquarry.html.kinds import Kind
from webquarry.html.visibility import BREAKING, CELLS, PREFORMATTED, SPACE

Numbers = NDArray[np.int64]


def text_of(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> str:
    """The texts at some nodes, in document order.  What stands between two of them parts them still."""
    if not len(nodes):
        return ""
    named = _Names(columns)
    raw = find_inside(ends, named.have(PREFORMATTED))
    texts = columns.texts
    pieces: list[str] = []
    before, is_spaced, was_raw = -1, False, False
    gaps = _gaps(columns, hidden, ends, nodes, named)
    for node, gap, is_raw in zip(nodes.tolist(), gaps, raw[nodes].tolist(), strict=True):
        words = texts[node] if is_raw else SPACE.sub(" ", texts[node])
        if is_raw and was_raw and gap != "\n":
            pieces += filter(str.isspace, texts[before + 1 : node])
        elif pieces and (gap or is_spaced or (not is_raw and words.startswith(" "))):
            pieces.append(gap or " ")
        pieces.append(words if is_raw else words.strip(" "))
        before, is_spaced, was_raw = node, not is_raw and words.endswith(" "), is_raw
    return "".join(pieces)


class _Names:
    """Elements by their names."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def have(self, names: frozenset[str]) -> NDArray[np.bool_]:
        """For each node whether it is an element of one of the names."""
        return np.array([name in names for name in self._columns.tag_names] + [False])[self._columns.tags]


def _gaps(
    columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32], named: _Names
) -> list[str]:
    """What parts each text from the one before it, by what stands between."""
    breaking = named.have(BREAKING) & ~hidden
    opened = np.cumsum(breaking, dtype=np.int64)
    closed = np.cumsum(np.bincount(ends[breaking], minlength=len(ends) + 1))
    cells = np.cumsum(named.have(CELLS) & ~hidden, dtype=np.int64)
    texts = np.cumsum((columns.kinds == Kind.TEXT) & ~hidden[columns.parents], dtype=np.int64)
    first, second = nodes[:-1], nodes[1:]
    breaks = _between(opened, first, second) + _between(closed, first, second)
    parted = _between(texts, first, second) > 1  # the second is one of them itself
    gaps = np.where(breaks > 0, "\n", np.where(_between(cells, first, second) > 0, "\t", np.where(parted, " ", "")))
    return ["", *gaps.tolist()]


def _between(counts: Numbers, first: NDArray[np.int32], second: NDArray[np.int32]) -> Numbers:
    difference: Numbers = counts[second] - counts[first]
    return difference
