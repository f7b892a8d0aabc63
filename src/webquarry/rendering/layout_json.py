"""Describe a rendered document as JSON; `docs/render.md` explains the form."""

from __future__ import annotations

from typing import Any

from webquarry.html.columns import Kind
from webquarry.model.document import Document, Layout

BOX_DECIMALS = 2
"""The browser measures in 64ths of a pixel."""


def describe(document: Document) -> dict[str, Any]:
    """Return page, layout, and every node with its box and styles, as plain values."""
    layout = document.layout
    if layout is None:
        raise ValueError("only a rendered document has boxes and styles to describe; this one is static")
    return {
        "page": document.url,
        "document": document.kind,
        "browser": layout.browser,
        "viewport": layout.viewport,
        "width": layout.width,
        "height": layout.height,
        "properties": list(layout.properties),
        "values": list(layout.values),
        "nodes": [_describe_node(document, layout, node) for node in range(1, len(document))],
        "frames": [{"node": document.xpath(node), **describe(inner)} for node, inner in layout.frames],
    }


def _describe_node(document: Document, layout: Layout, node: int) -> dict[str, Any]:
    box = layout.boxes[node].tolist()
    styles = layout.styles[node].tolist()
    described: dict[str, Any] = {
        "node": document.xpath(node),
        "visible": bool(layout.visible[node]),
        "box": [round(side, BOX_DECIMALS) for side in box] if box[0] == box[0] else None,  # NaN: no box
        "styles": styles if styles[0] >= 0 else None,
    }
    if document.kinds[node] == Kind.ELEMENT:
        return described | {"tag": document.tag(node), "attributes": dict(document.attributes[node])}
    return described | {"text": document.texts[node]}
