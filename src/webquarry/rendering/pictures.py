"""Pictures of boxes over a screenshot, drawn by the browser itself."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

import numpy as np

from webquarry.errors import RenderError
from webquarry.html.columns import subtree_ends
from webquarry.model import Document, Page
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.tab import MAX_PICTURE

MAX_BOXES = 5_000
COLOURS = ("#d6204e", "#0b6bcb", "#0a7d4f", "#9a4fd0", "#c25a00")
"""For a box, one in it, one in that, and so on in turn; dark enough for white figures on them."""
_LABEL_HEIGHT = 15
_DIGIT_WIDTH = 7.2
_MARGIN = 5
_STYLE = """
body { margin: 0; position: relative; width: %dpx; height: %dpx; overflow: hidden; background: #fff }
img, svg { position: absolute; left: 0; top: 0 }
img { opacity: .72 }
rect.box { fill-opacity: .08; stroke-width: 2 }
text { font: bold 12px/1 sans-serif; fill: #fff }
"""


def draw_boxes(renderer: Renderer, document: Document, screenshot: bytes, tag: str) -> bytes:
    """The screenshot with the numbered boxes of all visible elements of a tag, as PNG."""
    layout = document.layout
    if layout is None:
        raise ValueError("boxes are drawn on a rendered document; this one is static")
    nodes = _find(document, tag)
    if not nodes:
        raise RenderError(f"{document.url}: nothing to draw, the page shows no {tag} element")
    width, height = min(layout.width, MAX_PICTURE), min(layout.height, MAX_PICTURE)
    labels = _Labels()
    shapes = [
        _shape(number, layout.boxes[node].tolist(), COLOURS[depth % len(COLOURS)], labels)
        for number, (node, depth) in enumerate(nodes, start=1)
    ]
    boxes, captions = zip(*shapes, strict=True)
    markup = (
        f"<!DOCTYPE html><title>{len(nodes)} boxes</title><style>{_STYLE % (width, height)}</style>"
        f'<img width={width} height={height} src="data:image/png;base64,{b64encode(screenshot).decode()}">'
        f'<svg width="{width}" height="{height}">{"".join(boxes)}{"".join(captions)}</svg>'
    )
    return renderer.shoot(Page(url="picture:", body=b""), markup)[1]


def _find(document: Document, tag: str) -> list[tuple[int, int]]:
    """The visible elements of a tag that have an area, each with the number of those around it."""
    layout = document.layout
    if layout is None or tag not in document.tag_names:
        return []
    is_wanted = document.tags == document.tag_names.index(tag)
    has_area = (layout.boxes[:, 2] > 0) & (layout.boxes[:, 3] > 0)
    nodes = np.flatnonzero(is_wanted & layout.visible & has_area)[:MAX_BOXES].tolist()
    return list(zip(nodes, _depths(nodes, subtree_ends(document.parents).tolist()), strict=True))


def _depths(nodes: Sequence[int], ends: Sequence[int]) -> list[int]:
    """For each node how many of the others hold it.

    >>> _depths([1, 2, 4], [6, 4, 3, 4, 6, 6])
    [0, 1, 0]
    """
    depths: list[int] = []
    around: list[int] = []
    for node in nodes:
        while around and ends[around[-1]] <= node:
            around.pop()
        depths.append(len(around))
        around.append(node)
    return depths


class _Labels:
    """Places for labels that do not cover each other: of several at one corner, each stands beside the last."""

    def __init__(self) -> None:
        self._taken: dict[int, list[tuple[float, float]]] = {}

    def place(self, x: float, y: float, width: float) -> float:
        lines = [int(y // _LABEL_HEIGHT), int((y + _LABEL_HEIGHT - 1) // _LABEL_HEIGHT)]
        spans = sorted(span for line in lines for span in self._taken.get(line, ()))
        for left, right in spans:
            if left < x + width and x < right:
                x = right + 1
        for line in lines:
            self._taken.setdefault(line, []).append((x, x + width))
        return x


def _shape(number: int, box: list[float], colour: str, labels: _Labels) -> tuple[str, str]:
    """The rectangle of a box, and its number on a label beside its corner."""
    x, y, width, height = box
    label_width = _DIGIT_WIDTH * len(str(number)) + 2 * _MARGIN
    beside = x - label_width if x >= label_width else max(0.0, x)  # in the margin, where it covers least
    left, top = labels.place(beside, max(0.0, y), label_width), max(0.0, y)
    rectangle = (
        f'<rect class="box" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{max(1.0, width - 2):.1f}" '
        f'height="{max(1.0, height - 2):.1f}" fill="{colour}" stroke="{colour}"/>'
    )
    caption = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{label_width:.1f}" height="{_LABEL_HEIGHT}" fill="{colour}"/>'
        f'<text x="{left + _MARGIN:.1f}" y="{top + 11.5:.1f}">{number}</text>'
    )
    return rectangle, caption
