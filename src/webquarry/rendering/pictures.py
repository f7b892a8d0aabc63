"""Draw regions, records and headings on the screenshot of a page, in the browser itself."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import cycle

import numpy as np

from webquarry.errors import RenderError
from webquarry.html.columns import Kind
from webquarry.model.document import Box, Document, Layout
from webquarry.model.page import Page
from webquarry.model.region import Region
from webquarry.model.wording import count
from webquarry.model.wrapper import Token
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.tab import MAX_PICTURE_PIXELS

MAX_BOXES = 5_000
MAX_RECORDS = 1_000
"""With their values, more would take the browser longer than its timeout."""
MAX_REGIONS = 30
MIN_SHARE_OF_BEST = 0.01
"""Of the best region's score: what has less is hardly a list, and its borders would hide the page."""
MAX_COLUMNS = 60
COLOURS = ("#d6204e", "#0b6bcb", "#0a7d4f", "#9a4fd0", "#c25a00")
"""By depth of nesting, in turn; dark enough for white digits."""
REGION_BORDER = 4.0
"""CSS pixels; drawn outside of the records."""
MAX_TOKENS = 2_000
STEP_COLOURS = ("#0b6bcb", "#9a4fd0", "#0a7d4f", "#d6204e")
_NOTE = ("#333", "…")
_HUE_STEP = 137.5  # degrees from one column to the next, which keeps neighbouring columns apart
MAX_NAME_CHARACTERS = 40
"""In the legend."""
_LABEL_HEIGHT = 15  # CSS pixels, as all sizes here
_CHARACTER_WIDTH = 6.8
_LABEL_PADDING = 5
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
"""A colour and its meaning."""
_CELL = 4  # the resolution of the map of covered places
_TEXT_COST, _LABEL_COST = 1, 50  # of covering a cell of each
_LABELS_IN_A_ROW = 6  # at one corner
_SHOWING = frozenset("img svg input button select textarea video canvas iframe".split())


def draw_boxes(renderer: Renderer, document: Document, screenshot: bytes, tag: str) -> bytes:
    """Draw the numbered boxes of all visible elements of a tag; returns PNG."""
    canvas = Canvas(document)
    nodes = _find(document, tag)
    if not nodes:
        raise RenderError(f"{document.url}: nothing to draw, the page has no visible {tag} element")
    for number, (node, depth) in enumerate(nodes, start=1):
        box = _box(document, node)
        if box is not None:
            canvas.outline(box, COLOURS[depth % len(COLOURS)])
            canvas.label(box, str(number), COLOURS[depth % len(COLOURS)])
    return canvas.paint(renderer, screenshot)


def draw_regions(renderer: Renderer, document: Document, screenshot: bytes, regions: Sequence[Region]) -> bytes:
    """Draw numbered regions and records, and the values of each column in its colour; returns PNG."""
    canvas = Canvas(document)
    left = MAX_RECORDS
    least = MIN_SHARE_OF_BEST * max((region.score for region in regions), default=0.0)
    shown = [(number, region) for number, region in enumerate(regions, start=1) if region.score >= least][:MAX_REGIONS]
    for number, region in shown:
        mark = COLOURS[(number - 1) % len(COLOURS)], str(number)
        score = f"{region.score:.2f}".removeprefix("0")
        title = f"{region.role}, {count(len(region), 'record')}, score {score}"
        canvas.explain(mark, title, _tint_columns(canvas, region, left))
        _draw_region(canvas, region, mark, left, prefix=f"{number}." if len(regions) > 1 else "", title=title)
        left = max(0, left - len(region))
    if len(regions) > len(shown):
        canvas.explain(_NOTE, f"{count(len(regions) - len(shown), 'more region')} with lower scores not drawn")
    if sum(len(region) for _, region in shown) > MAX_RECORDS:
        canvas.explain(_NOTE, f"only the first {MAX_RECORDS} records are drawn")
    return canvas.paint(renderer, screenshot)


def draw_steps(
    renderer: Renderer, document: Document, screenshot: bytes, steps: Sequence[tuple[str, Sequence[int]]]
) -> bytes:
    """Draw the nodes that each step of a method found; returns PNG.

    The last two steps are the kept and the discarded nodes, tinted and numbered; the steps before
    them are drawn as frames, the first outermost.
    """
    canvas = Canvas(document)
    found = [
        ((colour, name), [box for node in nodes[:MAX_RECORDS] if (box := _box(document, node)) is not None])
        for (name, nodes), colour in zip(steps, cycle(STEP_COLOURS), strict=False)
    ]
    for mark, boxes in found[:-2]:
        canvas.explain(mark, ", ".join(f"{width:.0f} by {height:.0f} px" for _, _, width, height in boxes))
    for mark, boxes in found[-2:]:
        canvas.explain(mark, f"{len(boxes)} on the page")
        for number, box in enumerate(boxes, start=1):
            canvas.tint(box, mark[0])
            canvas.outline(box, mark[0])
            canvas.label(box, str(number), mark[0])
    for margin, ((colour, name), boxes) in enumerate(reversed(found[:-2]), start=1):
        for box in boxes:
            around = canvas.around(box, margin * REGION_BORDER)
            canvas.outline(around, colour, REGION_BORDER)
            canvas.label(around, name, colour)
    return canvas.paint(renderer, screenshot)


def draw_tokens(
    renderer: Renderer,
    document: Document,
    screenshot: bytes,
    tokens: Sequence[Token],
    *,
    numbers: Mapping[tuple[str, ...], int] | None = None,
    has_fields: bool = False,
) -> bytes:
    """Draw the headings of sections, one colour per level; returns PNG.

    `numbers` maps paths to section numbers, and headings without one are marked `?`. Without
    `numbers`, headings are counted in page order. With `has_fields`, tokens of level 0 are the values
    of fields, which are marked with their names too.
    """
    canvas = Canvas(document)
    shown = tokens[:MAX_TOKENS]
    for level in sorted({token.level for token in shown}):
        texts = [token.text for token in shown if token.level == level]
        name = "fields" if has_fields and level == 0 else f"level {level}"
        canvas.explain((_level_colour(level), name), f"{len(texts)} on the page, like {_quoted(texts[0])}")
    if len(tokens) > MAX_TOKENS:
        canvas.explain(_NOTE, f"only the first {MAX_TOKENS} headings are drawn")
    for place, token in enumerate(shown, start=1):
        box = _box(document, token.node)
        if box is not None:
            number = place if numbers is None else numbers.get(token.path, "?")
            canvas.tint(box, _level_colour(token.level))
            canvas.outline(canvas.around(box, 1), _level_colour(token.level))
            name = f" {token.path[0]}" if has_fields and token.level == 0 else ""
            canvas.label(box, f"{number}{name}", _level_colour(token.level))
    return canvas.paint(renderer, screenshot)


def _level_colour(level: int) -> str:
    return COLOURS[(level - 1) % len(COLOURS)]


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= MAX_NAME_CHARACTERS else f"“{text[:MAX_NAME_CHARACTERS]}…”"


def _draw_region(canvas: Canvas, region: Region, mark: Key, most: int, *, prefix: str, title: str) -> None:
    if region.box is None:
        return
    colour, number = mark
    around = canvas.around(region.box, REGION_BORDER)
    canvas.outline(around, colour, REGION_BORDER)
    for place, record in enumerate(region.records[:most], start=1):
        if record.box is not None:
            canvas.outline(record.box, colour)
            canvas.label(record.box, f"{prefix}{place}", colour)
    canvas.label(around, f"{number} {title}", colour)


def _tint_columns(canvas: Canvas, region: Region, most: int) -> list[Key]:
    """Colour the values of a region and return the legend; columns that share a box each get a part of it."""
    fields = region.fields[:MAX_COLUMNS]
    colours = [f"hsl({_HUE_STEP * place % 360:.0f} 85% 45%)" for place in range(len(fields))]
    values: defaultdict[Box, list[str]] = defaultdict(list)
    for field, colour in zip(fields, colours, strict=True):
        for node in field.nodes[:most]:
            box = _box(region.document, node) if node is not None else None
            if box is not None:
                values[box].append(colour)
    for (x, y, width, height), shown in values.items():
        part = width / len(shown)
        for place, colour in enumerate(shown):
            canvas.tint((x + place * part, y, part, height), colour)
    keys = [(colour, field.name) for field, colour in zip(fields, colours, strict=True)]
    unnamed = len(region.fields) - len(fields)
    return [*keys, ("#333", f"{unnamed} more columns")] if unnamed else keys


def _box(document: Document, node: int) -> Box | None:
    """Return the box of a node, or None if it has no area."""
    if document.layout is None:
        return None
    x, y, width, height = document.layout.boxes[node].tolist()
    return (x, y, width, height) if width > 0 and height > 0 else None


def _find(document: Document, tag: str) -> list[tuple[int, int]]:
    """Find the visible elements of a tag that have an area, each with its depth of nesting."""
    layout = document.layout
    if layout is None:
        return []
    has_area = (layout.boxes[:, 2] > 0) & (layout.boxes[:, 3] > 0)
    nodes = np.flatnonzero(document.has_tag([tag]) & layout.visible & has_area)[:MAX_BOXES].tolist()
    return list(zip(nodes, _depths(nodes, document.ends.tolist()), strict=True))


def _depths(nodes: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Count for each node how many of the others contain it.

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


class Canvas:
    """A screenshot to draw on: tints, boxes above them, labels on top, and a legend."""

    def __init__(self, document: Document) -> None:
        layout = document.layout
        if layout is None:
            raise ValueError("boxes can only be drawn on a rendered document; this one is static")
        self._width, self._height = min(layout.width, MAX_PICTURE_PIXELS), min(layout.height, MAX_PICTURE_PIXELS)
        self._cover = _CoverMap(document, layout, self._width, self._height)
        self._tints: list[str] = []
        self._boxes: list[str] = []
        self._labels: list[str] = []
        self._legend: list[str] = []

    def around(self, box: Box, margin: float) -> Box:
        """Widen a box by a margin, within the picture."""
        left, top = max(0.0, box[0] - margin), max(0.0, box[1] - margin)
        right, bottom = min(self._width, box[0] + box[2] + margin), min(self._height, box[1] + box[3] + margin)
        return left, top, right - left, bottom - top

    def tint(self, box: Box, colour: str) -> None:
        """Fill a box with a transparent colour."""
        if self._shows(box):
            self._tints.append(f'<rect class="tint" {_sides(box, 0)} fill="{colour}"/>')

    def outline(self, box: Box, colour: str, stroke: float = 2) -> None:
        """Draw the border of a box, on its inside."""
        if self._shows(box):
            sides, width = _sides(box, stroke / 2), f"{stroke:g}"
            self._boxes.append(f'<rect class="box" {sides} fill="{colour}" stroke="{colour}" stroke-width="{width}"/>')

    def label(self, box: Box, text: str, colour: str) -> None:
        """Write a label where it covers least."""
        if not self._shows(box):
            return
        width = _CHARACTER_WIDTH * len(text) + 2 * _LABEL_PADDING
        x, y = self._cover.place(box, width, _LABEL_HEIGHT)
        self._labels.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_LABEL_HEIGHT}" fill="{colour}"/>'
            f'<text x="{x + width / 2:.1f}" y="{y + 11.5:.1f}">{escape(text)}</text>'
        )

    def explain(self, mark: Key, text: str, keys: Iterable[Key] = ()) -> None:
        """Add a line to the legend: a mark, its meaning, and the colours of its columns."""
        colour, name = mark
        spans = "".join(f'<span><i style="background:{each}"></i>{_name(key)}</span>' for each, key in keys)
        self._legend.append(f'<div><b style="background:{colour}">{_name(name)}</b>{escape(text)}{spans}</div>')

    def paint(self, renderer: Renderer, screenshot: bytes) -> bytes:
        """Render the picture, as PNG."""
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
    """Shorten and escape a name; `bdi` isolates right-to-left text."""
    short = name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1]}…"
    return f"<bdi>{escape(short)}</bdi>"


class _CoverMap:
    """A map of what covers a page, its text, pictures and labels, to place further labels."""

    def __init__(self, document: Document, layout: Layout, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._costs = np.zeros((height // _CELL + 1, width // _CELL + 1), dtype=np.int32)
        shows = document.has_tag(_SHOWING) | (document.kinds == Kind.TEXT)
        for box in layout.boxes[shows & layout.visible & (layout.boxes[:, 3] > 0)].tolist():
            self._costs[self._cells(tuple(box))] = _TEXT_COST

    def place(self, box: Box, width: float, height: float) -> tuple[float, float]:
        """Find the place beside, above or in a corner of a box where a label covers least."""
        x, y, across, down = box
        right = x + across - width
        wanted = [(x - width, y), (x, y - height), (right, y - height), (right, y), (x, y), (x + across, y)]
        wanted += [(right, y + down), (x, y + down), (right, y + down - height), (x, y + down - height)]
        wanted += [(x + slide * (width + 1), y) for slide in range(1, _LABELS_IN_A_ROW)]
        max_left, max_top = self._width - width, self._height - height
        spots = [(max(0.0, min(left, max_left)), max(0.0, min(top, max_top))) for left, top in wanted]
        left, top = min(spots, key=lambda spot: self._costs[self._cells((*spot, width, height))].sum())
        self._costs[self._cells((left, top, width, height))] = _LABEL_COST
        return left, top

    def _cells(self, box: Box) -> tuple[slice, slice]:
        """Return the cells that a box touches."""
        x, y, width, height = box
        left, top = max(0, int(x // _CELL)), max(0, int(y // _CELL))
        right, bottom = max(0, int(-(-(x + width) // _CELL))), max(0, int(-(-(y + height) // _CELL)))
        return slice(top, bottom), slice(left, right)
