"""Pictures of what was found on a page, drawn on its screenshot by the browser itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np

from webquarry.errors import RenderError
from webquarry.model import Box, Document, Region, Token
from webquarry.rendering.canvas import MAX_NAME, Canvas, Key
from webquarry.rendering.renderer import Renderer

MAX_BOXES = 5_000
MAX_RECORDS = 1_000
"""In a picture; with their values, more would take the browser longer than it has."""
MAX_REGIONS = 30
MAX_COLUMNS = 60
COLOURS = ("#d6204e", "#0b6bcb", "#0a7d4f", "#9a4fd0", "#c25a00")
"""For a box, one in it, one in that, and so on in turn; dark enough for white figures on them."""
BOLD = 4.0
"""CSS pixels of the border around what holds records; it stands outside of them."""
MAX_TOKENS = 2_000
STEP_COLOURS = ("#0b6bcb", "#9a4fd0", "#0a7d4f", "#d6204e")
_NOTE = ("#333", "…")
_TURN = 137.5  # degrees of hue from one column to the next: so none comes near one of the last few


def draw_boxes(renderer: Renderer, document: Document, screenshot: bytes, tag: str) -> bytes:
    """The screenshot with the numbered boxes of all visible elements of a tag, as PNG."""
    canvas = Canvas(document)
    nodes = _find(document, tag)
    if not nodes:
        raise RenderError(f"{document.url}: nothing to draw, the page shows no {tag} element")
    for number, (node, depth) in enumerate(nodes, start=1):
        box = _box(document, node)
        if box is not None:
            canvas.outline(box, COLOURS[depth % len(COLOURS)])
            canvas.label(box, str(number), COLOURS[depth % len(COLOURS)])
    return canvas.paint(renderer, screenshot)


def draw_regions(renderer: Renderer, document: Document, screenshot: bytes, regions: Sequence[Region]) -> bytes:
    """The screenshot with numbered regions and records, and the values of each column in its colour, as PNG."""
    canvas = Canvas(document)
    left = MAX_RECORDS
    for number, region in enumerate(regions[:MAX_REGIONS], start=1):
        mark = COLOURS[(number - 1) % len(COLOURS)], str(number)
        title = f"{region.role}, {len(region)} records, score {_short(region.score)}"
        canvas.explain(mark, title, _tint_columns(canvas, region, left))
        _draw_region(canvas, region, mark, left, prefix=f"{number}." if len(regions) > 1 else "", title=title)
        left = max(0, left - len(region))
    if len(regions) > MAX_REGIONS:
        canvas.explain(_NOTE, f"{len(regions) - MAX_REGIONS} more regions are not drawn")
    if sum(map(len, regions[:MAX_REGIONS])) > MAX_RECORDS:
        canvas.explain(_NOTE, f"only the first {MAX_RECORDS} records are drawn")
    return canvas.paint(renderer, screenshot)


def draw_steps(
    renderer: Renderer, document: Document, screenshot: bytes, steps: Sequence[tuple[str, Sequence[int]]]
) -> bytes:
    """The screenshot with the nodes that each step of a method found, as PNG.

    The last two steps are what was kept and what was discarded, tinted and numbered; those before them led there,
    from the outermost inwards.
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
            around = canvas.around(box, margin * BOLD)
            canvas.outline(around, colour, BOLD)
            canvas.label(around, name, colour)
    return canvas.paint(renderer, screenshot)


def draw_tokens(
    renderer: Renderer,
    document: Document,
    screenshot: bytes,
    tokens: Sequence[Token],
    *,
    numbers: Mapping[tuple[str, ...], int] | None = None,
) -> bytes:
    """The screenshot with the headings of sections, one colour a level, numbered as their sections are, as PNG.

    Without `numbers` by path they are counted in the order of the page; one that has none of them is marked `?`.
    """
    canvas = Canvas(document)
    shown = tokens[:MAX_TOKENS]
    for level in sorted({token.level for token in shown}):
        texts = [token.text for token in shown if token.level == level]
        canvas.explain((_level_colour(level), f"level {level}"), f"{len(texts)} on the page, like {_quoted(texts[0])}")
    if len(tokens) > MAX_TOKENS:
        canvas.explain(_NOTE, f"only the first {MAX_TOKENS} headings are drawn")
    for place, token in enumerate(shown, start=1):
        box = _box(document, token.node)
        if box is not None:
            number = place if numbers is None else numbers.get(token.path, "?")
            canvas.tint(box, _level_colour(token.level))
            canvas.outline(canvas.around(box, 1), _level_colour(token.level))
            canvas.label(box, str(number), _level_colour(token.level))
    return canvas.paint(renderer, screenshot)


def _level_colour(level: int) -> str:
    return COLOURS[(level - 1) % len(COLOURS)]


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= MAX_NAME else f"“{text[:MAX_NAME]}…”"


def _draw_region(canvas: Canvas, region: Region, mark: Key, count: int, *, prefix: str, title: str) -> None:
    if region.box is None:
        return
    colour, number = mark
    around = canvas.around(region.box, BOLD)
    canvas.outline(around, colour, BOLD)
    for place, record in enumerate(region.records[:count], start=1):
        if record.box is not None:
            canvas.outline(record.box, colour)
            canvas.label(record.box, f"{prefix}{place}", colour)
    canvas.label(around, f"{number} {title}", colour)


def _tint_columns(canvas: Canvas, region: Region, count: int) -> list[Key]:
    """Colour the values of a region; where several columns take theirs from one box, each gets a part of it."""
    fields = region.fields[:MAX_COLUMNS]
    colours = [f"hsl({_TURN * place % 360:.0f} 85% 45%)" for place in range(len(fields))]
    values: defaultdict[Box, list[str]] = defaultdict(list)
    for field, colour in zip(fields, colours, strict=True):
        for node in field.nodes[:count]:
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
    """The box of a node, if it has an area."""
    if document.layout is None:
        return None
    x, y, width, height = document.layout.boxes[node].tolist()
    return (x, y, width, height) if width > 0 and height > 0 else None


def _short(score: float) -> str:
    """A score without the nought before its point.

    >>> _short(0.931), _short(1)
    ('.93', '1.00')
    """
    return f"{score:.2f}".removeprefix("0")


def _find(document: Document, tag: str) -> list[tuple[int, int]]:
    """The visible elements of a tag that have an area, each with the number of those around it."""
    layout = document.layout
    if layout is None:
        return []
    has_area = (layout.boxes[:, 2] > 0) & (layout.boxes[:, 3] > 0)
    nodes = np.flatnonzero(document.has_tag([tag]) & layout.visible & has_area)[:MAX_BOXES].tolist()
    return list(zip(nodes, _depths(nodes, document.ends.tolist()), strict=True))


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
