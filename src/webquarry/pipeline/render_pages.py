"""Render pages with a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Any

from webquarry.fetching.downloads import Loader
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.fetch_pages import attempt, clean
from webquarry.rendering.pictures import draw_boxes
from webquarry.rendering.renderer import Renderer, render_many

RENDERING = frozenset(["browser", "tabs", "width", "scripts", "wait_for", "timeout", "roots"])
"""The knobs of `webquarry.rendering.Renderer`; all others are those of `webquarry.fetching.Policy`."""


def render(page: Page, **knobs: Any) -> Document:
    """The document as a browser shows it: each node with its box and styles.

    Knobs are `scripts`, `wait_for`, `width`, `timeout`, `browser` and `roots` (folders whose files pages below them
    may use), and those of `webquarry.fetching.Policy` for what pages from the web need.  Each call starts a browser;
    for many pages `render_all` starts one.
    """
    with open_renderer(knobs) as renderer:
        return renderer.render(page, clean(page).markup)


def render_all(
    pages: Iterable[Page | Failure],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    timing: Callable[[str, float], None] | None = None,
    **knobs: Any,
) -> Iterator[Document | Failure]:
    """The rendered documents of many pages, in their order, with a failure in the place of each that has none.

    `progress` is called before each result with the number of results so far and of all, None when that is unknown;
    `timing` with the address of each page and the seconds that it took.
    """

    total = len(pages) if isinstance(pages, Sized) else None
    with ExitStack() as stack:
        renderer = stack.enter_context(open_renderer(knobs))
        results = render_many(renderer, pages, decode=lambda page: clean(page).markup, attempt=attempt, timing=timing)
        stack.enter_context(closing(results))  # its threads end before what they fetch with
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


def shoot(page: Page, *, tags: Iterable[str] = (), **knobs: Any) -> tuple[Document | Failure, list[bytes]]:
    """Render a page and give its pictures as PNG: the page, and for each tag the page with that tag's boxes.

    A page that cannot be rendered or drawn is a failure without pictures.
    """
    with open_renderer(knobs) as renderer:
        shot = attempt(page.url, partial(_shoot, renderer, page, tags))
        return (shot, []) if isinstance(shot, Failure) else shot


def _shoot(renderer: Renderer, page: Page, tags: Iterable[str]) -> tuple[Document, list[bytes]]:

    document, screenshot = renderer.shoot(page, clean(page).markup)
    return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


@contextmanager
def open_reader(**knobs: Any) -> Iterator[Callable[[Page], Document]]:
    """A function that renders page after page in one browser, which ends with the context; knobs as of `render`."""
    with open_renderer(knobs) as renderer:
        yield lambda page: renderer.render(page, clean(page).markup)


@contextmanager
def open_renderer(knobs: dict[str, Any]) -> Iterator[Renderer]:
    """A renderer whose pages from the web load what they need through our fetch stage, under the same policy."""

    policy = Policy(**{name: value for name, value in knobs.items() if name not in RENDERING})
    loader = Loader(policy)
    renderer = Renderer(load=loader.load, **{name: value for name, value in knobs.items() if name in RENDERING})
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()
