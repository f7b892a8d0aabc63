"""`quarry render`: lay pages out in a browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.options import Inputs, MaxPages, Output, PageAccess, folders_of, opening, option, shares, working
from webquarry.cli.output import PageSink, PictureSink, hand_over, keeping, only_page, show_progress
from webquarry.cli.program import OUTPUT, UsageFault
from webquarry.model.page import Failure
from webquarry.pipeline import render_pages

if TYPE_CHECKING:
    from webquarry.model.document import Document, Layout
    from webquarry.model.page import Page
    from webquarry.pipeline.render_pages import RenderOptions
    from webquarry.pipeline.worker_pool import WorkerOptions

EXAMPLE = "quarry render listing.html --picture boxes.png --tag td"

BOX_DECIMALS = 2
"""The browser measures in 64ths of a pixel."""


@shares(crew=working, access=opening)
def render(
    inputs: Inputs,
    *,
    png: Annotated[Path | None, option("--png", "FILE", "Write a picture of the page.", OUTPUT)] = None,
    picture: Annotated[
        Path | None, option("--picture", "FILE", "Write a picture with the boxes of --tag.", OUTPUT)
    ] = None,
    tag: Annotated[str | None, option("--tag", "TAG", "The elements to draw, such as td.")] = None,
    output: Output = None,
    max_pages: MaxPages = None,
    crew: WorkerOptions,
    access: PageAccess,
) -> int:
    """Render pages in a browser: size, boxes, styles, pictures."""
    if (picture is None) != (tag is None):
        raise UsageFault("--picture and --tag go together: the file, and the elements to draw in it")
    if tag is not None and not tag.strip():
        raise UsageFault("--tag is empty; name the elements to draw, such as td")

    options = access.render_options(folders_of(inputs))
    sink = PageSink(output, inputs, ".json", _layout_json, needed=False)
    pictures = PictureSink({"--png": png, "--picture": picture})
    seconds: dict[str, float] = {}
    with keeping(sink), show_progress("rendering", sink.tally) as progress:
        pages = replace(access, max_pages=max_pages).fetch(inputs, progress)
        if png is not None or picture is not None:
            results = _pictured(list(pages), seconds, options, pictures, tag)
        else:
            results = render_pages.render_all(pages, timing=seconds.__setitem__, **options, **crew)

        def show(result: Document | Failure) -> None:
            if not isinstance(result, Failure) and result.layout is None:  # too large: a warning has said so
                result = Failure(result.url, f"{result.url}: not rendered", kind="render")
            sink.write(result)
            if not isinstance(result, Failure):
                typer.echo(_summary(result, seconds.get(result.url)))

        hand_over(results, show)
    pictures.write()
    return sink.exit_code


def _layout_json(document: Document) -> bytes:
    return json.dumps(_describe(document), ensure_ascii=False).encode() + b"\n"


def _describe(document: Document) -> dict[str, Any]:
    """Return page, layout, and every node with its box and styles, as `docs/render.md` explains."""
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
        "frames": [{"node": document.xpath(node), **_describe(inner)} for node, inner in layout.frames],
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
    if document.tag(node):
        return described | {"tag": document.tag(node), "attributes": dict(document.attributes[node])}
    return described | {"text": document.texts[node]}


def _pictured(
    pages: list[Page | Failure], seconds: dict[str, float], options: RenderOptions, sink: PictureSink, tag: str | None
) -> Iterator[Document | Failure]:
    """Render the one page, and take its pictures."""
    page = only_page(pages)
    if isinstance(page, Failure):
        yield page
        return
    start = time.monotonic()
    document, pictures = render_pages.render_pictured(page, tags=[tag] if tag else [], **options)
    seconds[page.url] = time.monotonic() - start
    if pictures:
        sink.pictures = {"--png": pictures[0], "--picture": pictures[-1]}
    yield document


def _summary(document: Document, seconds: float | None) -> str:
    """Summarise a rendered page in one line; workers do not tell the time of each."""
    layout = document.layout
    size = f"{layout.width} x {layout.height} px" if layout else "not rendered"
    visible = int(layout.visible.sum()) if layout else 0
    took = "" if seconds is None else f", {seconds:.2f} s"
    return f"{document.url}: {size}, {len(document)} nodes, {visible} visible{took}"
