"""Render pages with a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from inspect import signature
from typing import Any

from webquarry.fetching.downloads import Loader
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.fetch_pages import attempt, decode
from webquarry.rendering.pictures import draw_boxes
from webquarry.rendering.renderer import Renderer, render_many

RENDERING = frozenset(signature(Renderer).parameters) - {"load"}
"""Names of the rendering options; all other options are fields of `webquarry.fetching.policy.Policy`."""


def render(page: Page, **options: Any) -> Document:
    """Render a page as a browser shows it: each node with its box and styles.

    Options are `scripts`, `wait_for`, `width`, `timeout`, `browser` and `roots` (folders whose files pages below them
    may use), and the fields of `webquarry.fetching.policy.Policy` for what pages load from the web.  Each call starts
    a browser; `render_all` starts one for many pages.
    """
    with open_renderer(options) as renderer:
        return renderer.render(page, decode(page))


def render_all(
    pages: Iterable[Page | Failure],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    timing: Callable[[str, float], None] | None = None,
    **options: Any,
) -> Iterator[Document | Failure]:
    """Render many pages in order; a page that cannot be rendered becomes a failure.

    `progress` is called before each result with the number of results so far and in total (None if unknown), `timing`
    with the address of each page and the seconds that it took.
    """
    total = len(pages) if isinstance(pages, Sized) else None
    with ExitStack() as stack:
        renderer = stack.enter_context(open_renderer(options))
        results = render_many(renderer, pages, decode=decode, attempt=attempt, timing=timing)
        stack.enter_context(closing(results))  # its threads end before the loader that they use
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


def shoot(page: Page, *, tags: Iterable[str] = (), **options: Any) -> tuple[Document | Failure, list[bytes]]:
    """Render a page and take PNG pictures: of the page, and for each tag of the page with that tag's boxes.

    A page that cannot be rendered or drawn is a failure without pictures.
    """
    with open_renderer(options) as renderer:
        shot = attempt(page.url, partial(_shoot, renderer, page, tags))
        return (shot, []) if isinstance(shot, Failure) else shot


def _shoot(renderer: Renderer, page: Page, tags: Iterable[str]) -> tuple[Document, list[bytes]]:
    document, screenshot = renderer.shoot(page, decode(page))
    return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


@contextmanager
def open_reader(**options: Any) -> Iterator[Callable[[Page], Document]]:
    """Give a function that renders page after page in one browser; options are those of `render`."""
    with open_renderer(options) as renderer:
        yield lambda page: renderer.render(page, decode(page))


@contextmanager
def open_renderer(options: dict[str, Any]) -> Iterator[Renderer]:
    """Open a renderer whose pages load what they need from the web under the same fetching policy."""
    policy = Policy(**{name: value for name, value in options.items() if name not in RENDERING})
    loader = Loader(policy)
    renderer = Renderer(load=loader.load, **{name: value for name, value in options.items() if name in RENDERING})
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()
