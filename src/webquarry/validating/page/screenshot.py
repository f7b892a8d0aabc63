"""A screenshot of a page with what was extracted outlined on it."""

from __future__ import annotations

import struct
from base64 import b64encode

from webquarry.model import Box, Layout, Verdicts
from webquarry.validating.page.markup import MAX_TEXT, Html, count, element, text

MAX_KEPT = 2_000
"""Outlines of what is kept, for each page."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LABEL = 20
"""CSS pixels of the page, in height: screenshots are shown at two thirds of their size or so."""
_DIGIT = 11


def draw_screenshot(page: Verdicts, picture: bytes, anchor: str, title: str) -> Html:
    """The picture, with outlines that lead to the rows of their nodes; nothing on a page without a layout."""
    layout = page.selection.document.layout
    if layout is None:
        return Html()
    width, height = _size(picture)
    shown = f"0 0 {layout.width} {max(1, round(height * layout.width / width))}"
    outlines = element(
        "svg",
        *_outline(page, layout, anchor),
        viewBox=shown,
        preserveAspectRatio="none",
        aria_label=f"Outlines on {title}",
    )
    image = element(
        "img",
        src=f"data:image/png;base64,{b64encode(picture).decode()}",
        width=width,
        height=height,
        alt=f"Screenshot of {title}; {count(int(page.drops.sum()), 'dropped node')} and "
        f"{count(len(page.additions), 'addition')} are outlined",
    )
    frame = element("div", Html(image.removesuffix("</img>")), outlines, class_="frame")
    return element(
        "figure",
        element("div", frame, class_="view", tabindex="0", role="group", aria_label=f"Screenshot of {title}, scrolls"),
        element(
            "figcaption",
            element("span", "dropped", class_="key dropped"),
            element("span", "added", class_="key added"),
            element("span", "kept", class_="key kept"),
            " Numbers lead to the rows below.",
        ),
    )


def _size(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    if not picture.startswith(_SIGNATURE) or len(picture) < 24:
        raise ValueError("a screenshot must be PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return max(1, width), max(1, height)


def _outline(page: Verdicts, layout: Layout, anchor: str) -> list[Html]:
    """Outlines of what is kept below those of what is dropped and added."""
    nodes, drops = page.selection.nodes, page.drops
    kept = [
        element("rect", **_sides(box), class_="kept")
        for node in nodes[~drops][:MAX_KEPT].tolist()
        if (box := box_of(page, layout, node))
    ]
    dropped = [(place + 1, int(nodes[place]), page.reasons[place]) for place in drops.nonzero()[0].tolist()]
    marked = [
        _mark(box, "dropped", number, f"{number}: {page.selection.texts[number - 1]}: {reason}", f"{anchor}-{number}")
        for number, node, reason in dropped
        if (box := box_of(page, layout, node))
    ]
    added = [
        _mark(box, "added", number, f"+{number}: {reason}", f"{anchor}-add-{number}")
        for number, (node, reason) in enumerate(page.additions, start=1)
        if (box := box_of(page, layout, node))
    ]
    return [*kept, *added, *marked]


def _mark(box: Box, name: str, number: int, told: str, target: str) -> Html:
    """An outline with its number, which tells why and leads to the row."""
    label = f"+{number}" if name == "added" else str(number)
    width = _DIGIT * len(label) + 8
    x, y = max(0.0, box[0] - 3), max(0.0, box[1] - _LABEL)
    told = told if len(told) <= MAX_TEXT else f"{told[:MAX_TEXT]}…"
    around = box[0] - 3, box[1] - 3, box[2] + 6, box[3] + 6
    return element(
        "a",
        element("title", told),
        element("rect", **_sides(around), class_=name),
        element("rect", x=x, y=y, width=width, height=_LABEL, class_=f"tag {name}"),
        element("text", text(label), x=x + width / 2, y=y + 15, text_anchor="middle"),
        href=f"#{target}",
        aria_label=told,
    )


def _sides(box: Box) -> dict[str, float]:
    return dict(zip(("x", "y", "width", "height"), box, strict=True))


def box_of(page: Verdicts, layout: Layout, node: int) -> Box | None:
    """The box of a node, or of the element that holds it; None where neither has an area."""
    for each in (node, int(page.selection.document.parents[node])):
        x, y, width, height = layout.boxes[each].tolist() if each >= 0 else (0.0, 0.0, 0.0, 0.0)
        if width > 0 and height > 0:  # not so where it is NaN
            return x, y, width, height
    return None
