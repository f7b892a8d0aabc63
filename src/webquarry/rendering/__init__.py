"""Rendering: from pages to documents with a layout, by Chromium.

`finding.py` finds the browser, `process.py` runs it so that nothing of it is left behind, `connection.py` talks to
it over its pipe.  A `Tab` shows one page at a time; `serving.py` says what the page's requests get: from disk, from
the parts of an archive, or from a callable that fetches.  `layouts.py` turns the browser's answer into a document,
`visibility.py` tells what a person sees of it.  A `Renderer` owns browser and tabs and replaces what dies;
`many.py` keeps its tabs busy.  `pictures.py` draws on screenshots: `canvas.py` holds what is drawn, `labels.py` finds
room for labels.
"""

from webquarry.rendering.export import describe
from webquarry.rendering.finding import ADVICE, find_browser, require_browser
from webquarry.rendering.many import render_many
from webquarry.rendering.pictures import draw_boxes, draw_regions, draw_steps, draw_tokens
from webquarry.rendering.renderer import Renderer

__all__ = [
    "ADVICE",
    "Renderer",
    "describe",
    "draw_boxes",
    "draw_regions",
    "draw_steps",
    "draw_tokens",
    "find_browser",
    "render_many",
    "require_browser",
]
