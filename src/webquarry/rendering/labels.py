"""Places for labels on a page where they cover little of it, and never each other if that can be had."""

from __future__ import annotations

import numpy as np

from webquarry.html.kinds import Kind
from webquarry.model import Box, Document

_CELL = 4  # CSS pixels of the squares in which it is noted what is covered
_TEXT, _LABEL = 1, 50  # what it costs to cover a square of each
_SLIDES = 6  # labels beside each other at one corner
_SHOWING = frozenset("img svg input button select textarea video canvas iframe".split())


class Ground:
    """What stands where on a page: its text and pictures, and the labels that are placed."""

    def __init__(self, document: Document, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._costs = np.zeros((height // _CELL + 1, width // _CELL + 1), dtype=np.int32)
        layout = document.layout
        if layout is None:
            return
        shows = document.has_tag(_SHOWING) | (document.kinds == Kind.TEXT)
        for box in layout.boxes[shows & layout.visible & (layout.boxes[:, 3] > 0)].tolist():
            self._costs[self._squares(tuple(box))] = _TEXT

    def place(self, box: Box, width: float, height: float) -> tuple[float, float]:
        """Where a label of a box goes: beside it, above it or in a corner, wherever it covers least."""
        x, y, across, down = box
        right = x + across - width
        wanted = [(x - width, y), (x, y - height), (right, y - height), (right, y), (x, y), (x + across, y)]
        wanted += [(right, y + down), (x, y + down), (right, y + down - height), (x, y + down - height)]
        wanted += [(x + slide * (width + 1), y) for slide in range(1, _SLIDES)]
        spots = [self._on_page(left, top, width, height) for left, top in wanted]
        left, top = min(spots, key=lambda spot: self._cost((*spot, width, height)))
        self._costs[self._squares((left, top, width, height))] = _LABEL
        return left, top

    def _cost(self, box: Box) -> int:
        return int(self._costs[self._squares(box)].sum())

    def _on_page(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        return max(0.0, min(x, self._width - width)), max(0.0, min(y, self._height - height))

    def _squares(self, box: Box) -> tuple[slice, slice]:
        """The squares that a box touches."""
        x, y, width, height = box
        left, top = max(0, int(x // _CELL)), max(0, int(y // _CELL))
        right, bottom = max(0, int(-(-(x + width) // _CELL))), max(0, int(-(-(y + height) // _CELL)))
        return slice(top, bottom), slice(left, right)
