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

_NOTHING, _SPACE, _TAB, _LINE = range(4)
_WRITTEN = ("", " ", "\t", "\n")
"""What parts two texts, the weakest first."""


def text_of(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> str:
    """The texts at some nodes, in document order.  What stands between two of them parts them still."""
    if not len(nodes):
        return ""
    texts = columns.texts
    pieces: list[str] = []
    before, is_spaced, was_raw = -1, False, False
    gaps, raw = _gaps(columns, hidden, ends, nodes), _are_raw(columns, ends, nodes)
    for node, gap, is_raw in zip(nodes.tolist(), gaps, raw, strict=True):
        words = texts[node] if is_raw else _fold(texts[node])
        if is_raw and was_raw and gap != "\n":
            pieces += filter(str.isspace, texts[before + 1 : node])
        elif pieces and (gap or is_spaced or (not is_raw and words.startswith(" "))):
            pieces.append(gap or " ")
        pieces.append(words if is_raw else words.strip(" "))
        before, is_spaced, was_raw = node, not is_raw and words.endswith(" "), is_raw
    return "".join(pieces)


def _fold(text: str) -> str:
    """A text with one space for each run of white space: in most texts there is nothing to change."""
    if "  " in text or "\n" in text or "\t" in text or "\r" in text or "\x0c" in text:
        return SPACE.sub(" ", text)
    return text


def _are_raw(columns: Columns, ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[bool]:
    """For each text whether its white space is kept."""
    if PREFORMATTED.isdisjoint(columns.tag_names):
        return [False] * len(nodes)
    raw: list[bool] = find_inside(ends, _have(columns, PREFORMATTED))[nodes].tolist()
    return raw


def _have(columns: Columns, names: frozenset[str]) -> NDArray[np.bool_]:
    """For each node whether it is an element of one of the names."""
    chosen = bytes([*map(names.__contains__, columns.tag_names), False])
    return np.frombuffer(chosen, dtype=np.bool_)[columns.tags]


def _gaps(columns: Columns, hidden: NDArray[np.bool_], ends: NDArray[np.int32], nodes: NDArray[np.int32]) -> list[str]:
    """What parts each text from the one before it, by what stands between."""
    seen = ~hidden
    first, second = nodes[:-1], nodes[1:]
    breaking = (_have(columns, BREAKING) & seen).nonzero()[0]
    bounds = np.bincount(ends[breaking], minlength=len(ends) + 1)  # where one is closed, and where one is opened
    bounds[breaking] += 1
    breaks = _between(bounds, first, second) > 0
    texts = (columns.kinds == int(Kind.TEXT)) & seen[columns.parents]
    parted = _between(texts, first, second) > 1  # the second is one of them itself
    gaps = np.where(parted, np.uint8(_SPACE), np.uint8(_NOTHING))
    if not CELLS.isdisjoint(columns.tag_names):
        gaps[_between(_have(columns, CELLS) & seen, first, second) > 0] = _TAB
    gaps[breaks] = _LINE
    return ["", *map(_WRITTEN.__getitem__, gaps.tolist())]


def _between(counted: NDArray[np.bool_] | Numbers, first: NDArray[np.int32], second: NDArray[np.int32]) -> Numbers:
    """The sum of what stands behind the first up to the second."""
    running = counted.cumsum(dtype=np.int64)
    difference: Numbers = running[second] - running[first]
    return difference
