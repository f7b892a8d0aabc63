"""Render with webquarry, up to the finished document with its layout, which is more than the peer does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from benchmarks.renderers import Render
from webquarry.cleaning.html5 import read_markup
from webquarry.model.page import Page
from webquarry.rendering.renderer import Renderer


@contextmanager
def open_renderer(tabs: int) -> Iterator[Render]:
    """Open a browser that stays open between calls."""
    with Renderer(tabs=tabs) as renderer, ThreadPoolExecutor(tabs) as threads:

        def render_one(page: Page) -> int:
            return len(renderer.render(page, read_markup(page)))

        def render(pages: Sequence[Page]) -> list[int]:
            return list(threads.map(render_one, pages))

        yield render
