"""Percentages of lengths, resolved against the boxes that they are parts of.

A browser gives pixels for most of what it has laid out.  It keeps percentages of radii, which are parts of the width
of the element itself, and of margins and paddings of elements that run in a line, which are parts of the content
width of the block around them.
"""

from __future__ import annotations

from webquarry.model import Document, Layout
from webquarry.validating.looks.css_values import RADII
from webquarry.validating.looks.lengths import parse_length

_IN_LINE = frozenset(["inline", "contents", "ruby", "ruby-text"])
_SIDES = ("padding-left", "padding-right", "border-left-width", "border-right-width")


def resolve(document: Document, element: int, name: str, value: str) -> str:
    """The value of a property of an element, in pixels; nothing to be a part of counts as 0."""
    layout = document.layout
    if layout is None:
        return value
    whole = _width(layout, element) if name in RADII else _block_width(document, layout, element)
    return f"{parse_length(value, whole):g}px"


def _block_width(document: Document, layout: Layout, element: int) -> float:
    """The content width of the nearest block that holds the element."""
    block = int(document.parents[element])
    while block > 0 and _is_in_line(layout, block):
        block = int(document.parents[block])
    if block <= 0:
        return float(layout.viewport)
    return max(0.0, _width(layout, block) - sum(parse_length(_style(layout, block, side)) for side in _SIDES))


def _is_in_line(layout: Layout, element: int) -> bool:
    return not _style(layout, element, "font-size") or _style(layout, element, "display") in _IN_LINE


def _style(layout: Layout, element: int, name: str) -> str:
    return layout.style(element, name) if name in layout.properties else ""


def _width(layout: Layout, element: int) -> float:
    width = float(layout.boxes[element, 2])
    return width if width > 0 else 0.0
