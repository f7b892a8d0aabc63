"""Lines: which texts are read in one go, since nothing breaks the line between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model import Document

_INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
_INLINE_DISPLAYS = ("contents", "inline", "ruby", "ruby-text")
_NEVER_INLINE = ("br", "hr", "img")
_TOUCHING = 1
"""Pixels between texts that are read as one word."""


@dataclass(frozen=True)
class Gaps:
    """What stands between each of some leaves and the one before it."""

    breaks: NDArray[np.bool_]
    """Whether the line ends."""
    soft: NDArray[np.bool_]
    """Whether one `br` is all that ends it."""
    spaces: NDArray[np.bool_]
    """Whether white space stands on its own, or room is left."""


def find_inline(document: Document, low: int, high: int) -> NDArray[np.bool_]:
    """For each node of a range whether it is an element that text runs on through; the layout or else the tag tells."""
    here = slice(low, high)
    by_tag = document.has_tag(_INLINE_TAGS, here)
    layout = document.layout
    if layout is None:
        return by_tag
    displays = layout.styles[here, layout.properties.index("display")]
    by_display = np.zeros(len(layout.values) + 1, dtype=np.bool_)
    for code in np.flatnonzero(np.bincount(displays + 1)[1:]).tolist():  # the list of all values is long
        by_display[code] = layout.values[code] in _INLINE_DISPLAYS
    may_be = (document.tags[here] >= 0) & ~document.has_tag(_NEVER_INLINE, here)
    return may_be & (by_display[displays] | (by_tag & (displays < 0)))


def find_gaps(document: Document, inline: NDArray[np.bool_], low: int, nodes: NDArray[np.int64]) -> Gaps:
    """The gaps before the nodes, which are leaves in document order; inline is given for all nodes from `low` on.

    Elements that begin before `low` are not looked at: what is asked is only gaps between leaves of one record.
    """
    high, places = low + len(inline), nodes - low
    tags = document.tags[low:high]
    is_edge = (tags >= 0) & ~inline
    breaks = np.zeros(len(nodes), dtype=np.int64)
    if "br" in document.tag_names:
        is_break = tags == document.tag_names.index("br")
        is_edge &= ~is_break
        breaks = _count(is_break, places)
    stops = document.ends[low:high][is_edge]
    is_edge[stops[stops < high] - low] = True
    blank = document.kinds[low:high] == Kind.TEXT
    blank[places] = False
    edges, blanks = _count(is_edge, places), _count(blank, places)
    return Gaps(
        breaks=(edges > 0) | (breaks > 0),
        soft=(edges == 0) & (breaks == 1),
        spaces=(blanks > 0) | _is_apart(document, nodes),
    )


def _count(marks: NDArray[np.bool_], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each place how many marks stand after the place before, up to it; 1 for the first."""
    counts = np.ones(len(places), dtype=np.int64)
    passed = np.cumsum(marks)[places]
    counts[1:] = passed[1:] - passed[:-1]
    return counts


def _is_apart(document: Document, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    apart = np.zeros(len(nodes), dtype=np.bool_)
    if document.layout is not None:
        boxes = document.layout.boxes[nodes]
        apart[1:] = np.abs(boxes[1:, 0] - boxes[:-1, 0] - boxes[:-1, 2]) > _TOUCHING
    return apart
