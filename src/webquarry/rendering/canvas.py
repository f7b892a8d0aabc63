"""A screenshot to draw on: boxes, tints and labels over it, a legend above it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from webquarry.model import Box, Document, Page
from webquarry.rendering.labels import Ground
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.tab import MAX_PICTURE

MAX_NAME = 40
"""Characters of a name in the legend."""
_LABEL_HEIGHT = 15
_CHARACTER_WIDTH = 6.8
_MARGIN = 5
_STYLE = """
body { margin: 0; width: %dpx; background: #fff }
main { position: relative; height: %dpx; overflow: hidden }
img, svg { position: absolute; left: 0; top: 0 }
img { opacity: .78 }
g { mix-blend-mode: multiply }
rect.tint { fill-opacity: .3 }
rect.box { fill-opacity: .04 }
text { font: bold 12px/1 Arial, 'Liberation Sans', sans-serif; fill: #fff; text-anchor: middle }
header { padding: 6px 10px; border-bottom: 2px solid #333; font: 14px/24px sans-serif; color: #111 }
header div { overflow-wrap: anywhere }
b { margin-right: 6px; padding: 1px 7px; color: #fff }
span { margin-left: 14px; white-space: nowrap }
i { display: inline-block; width: 14px; height: 14px; margin-right: 4px; vertical-align: -2px; opacity: .6 }
"""

Key = tuple[str, str]
"""A colour and what it stands for."""


class Canvas:
    """What is drawn on the screenshot of a document: tints, boxes on them, and labels on all."""

    def __init__(self, document: Document) -> None:
        layout = document.layout
        if layout is None:
            raise ValueError("boxes are drawn on a rendered document; this one is static")
        self._width, self._height = min(layout.width, MAX_PICTURE), min(layout.height, MAX_PICTURE)
        self._ground = Ground(document, self._width, self._height)
        self._tints: list[str] = []
        self._boxes: list[str] = []
        self._labels: list[str] = []
        self._legend: list[str] = []

    def around(self, box: Box, margin: float) -> Box:
        """A box with a margin, as far as the picture goes."""
        left, top = max(0.0, box[0] - margin), max(0.0, box[1] - margin)
        right, bottom = min(self._width, box[0] + box[2] + margin), min(self._height, box[1] + box[3] + margin)
        return left, top, right - left, bottom - top

    def tint(self, box: Box, colour: str) -> None:
        """Colour a box so that what is in it stays readable."""
        if self._shows(box):
            self._tints.append(f'<rect class="tint" {_sides(box, 0)} fill="{colour}"/>')

    def outline(self, box: Box, colour: str, stroke: float = 2) -> None:
        """Draw the border of a box, inside of it."""
        if self._shows(box):
            sides, width = _sides(box, stroke / 2), f"{stroke:g}"
            self._boxes.append(f'<rect class="box" {sides} fill="{colour}" stroke="{colour}" stroke-width="{width}"/>')

    def label(self, box: Box, text: str, colour: str) -> None:
        """Write at a box, where it covers least."""
        if not self._shows(box):
            return
        width = _CHARACTER_WIDTH * len(text) + 2 * _MARGIN
        x, y = self._ground.place(box, width, _LABEL_HEIGHT)
        self._labels.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_LABEL_HEIGHT}" fill="{colour}"/>'
            f'<text x="{x + width / 2:.1f}" y="{y + 11.5:.1f}">{escape(text)}</text>'
        )

    def explain(self, mark: Key, text: str, keys: Iterable[Key] = ()) -> None:
        """Add a line to the legend: a mark, what it is, and the colours that belong to it."""
        colour, name = mark
        spans = "".join(f'<span><i style="background:{each}"></i>{_name(key)}</span>' for each, key in keys)
        self._legend.append(f'<div><b style="background:{colour}">{_name(name)}</b>{escape(text)}{spans}</div>')

    def paint(self, renderer: Renderer, screenshot: bytes) -> bytes:
        """The picture, as PNG."""
        size = f'width="{self._width}" height="{self._height}"'
        legend = f"<header>{''.join(self._legend)}</header>" if self._legend else ""
        markup = (
            f"<!DOCTYPE html><title>picture</title><style>{_STYLE % (self._width, self._height)}</style>{legend}<main>"
            f'<img {size} src="data:image/png;base64,{b64encode(screenshot).decode()}">'
            f"<svg {size}><g>{''.join(self._tints)}</g>{''.join(self._boxes)}{''.join(self._labels)}</svg></main>"
        )
        return renderer.shoot(Page(url="picture:", body=b""), markup)[1]

    def _shows(self, box: Box) -> bool:
        return box[0] < self._width and box[1] < self._height


def _sides(box: Box, inset: float) -> str:
    x, y, width, height = box
    return (
        f'x="{x + inset:.1f}" y="{y + inset:.1f}" width="{max(1.0, width - 2 * inset):.1f}" '
        f'height="{max(1.0, height - 2 * inset):.1f}"'
    )


def _name(name: str) -> str:
    """A name fit for the legend, whatever is in it."""
    short = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
    return f"<bdi>{escape(short)}</bdi>"
