"""Render pages with a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Unpack, cast

from webquarry.fetching.downloads import Loader
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.call_arguments import FETCHING, WORKING, OptionSet, require, require_each, takes
from webquarry.pipeline.fetch_pages import decode, keep
from webquarry.pipeline.page_guard import Load, OpenedPages, PageWork, attempt
from webquarry.pipeline.worker_pool import WorkerOptions, Workers, work_apart
from webquarry.rendering.browser import require_browser
from webquarry.rendering.pictures import draw_boxes
from webquarry.rendering.renderer import BrowserOptions, Renderer, render_many

RENDERING = OptionSet(BrowserOptions, Renderer)


class RenderOptions(BrowserOptions, FetchOptions, total=False):
    """The options of rendering, and of fetching what pages load from the web."""


@takes(RENDERING, FETCHING)
def render(page: Page, **options: Unpack[RenderOptions]) -> Document:
    """Render a page as a browser shows it: each node with its box and styles.

    The document of a page that is too large for a browser is that of `clean`, and a warning says so.

    page: what `fetch` gives.  Each call starts a browser; `render_all` starts one for many pages.

    >>> import webquarry as wq
    >>> from webquarry.rendering.browser import find_browser
    >>> if find_browser():  # without one, render raises BrowserError and says how to get it
    ...     document = wq.render(wq.Page(url="https://example.org/", body=b"<p>One"), width=800)
    ...     assert document.layout.width == 800
    """
    require("render", page, Page)
    with open_renderer(options) as renderer:
        return renderer.render(page, decode(page))


@takes(RENDERING, FETCHING, WORKING)
def render_all(
    pages: Iterable[Page | Failure],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    timing: Callable[[str, float], None] | None = None,
    **options: Unpack[RenderManyOptions],
) -> Iterator[Document | Failure]:
    """Render many pages in order; a page that cannot be rendered becomes a failure.

    Several workers have a browser each.

    pages: what `fetch_all` gives.
    progress: called before each result with the number of results so far and in total (None if unknown).
    timing: called with the address of each page and the seconds that it took; not by workers.

    >>> import webquarry as wq
    >>> list(wq.render_all([wq.Failure("gone.html", "gone.html: no such file")]))
    [Failure(page='gone.html', error='gone.html: no such file')]
    """
    total = len(pages) if isinstance(pages, Sized) else None
    given, workers = require_each("render_all", pages, Page, Failure), Workers(**split_workers(options))
    opened = OpenedPages(
        given, partial(Rendering, options), lambda pages: _render_all(pages, total, progress, timing, options)
    )
    if not workers.are_apart:
        return opened
    return _count(work_apart(opened, PageWork(keep), workers), total, progress)


def _count(
    results: Iterator[Document | Failure], total: int | None, progress: Callable[[int, int | None], None] | None
) -> Iterator[Document | Failure]:
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, total)
        yield result


class Rendering:
    """Opens pages by rendering them, in a browser of one tab."""

    def __init__(self, options: RenderOptions) -> None:
        fetching, rendering = split_options(options)
        self.loading = Policy(**fetching)
        # found here, since another process may have another environment
        browser = require_browser(rendering.get("browser"))
        roots = [*rendering.get("roots", ())]
        self._options: RendererOptions = {**rendering, "browser": browser, "roots": roots, "tabs": 1}

    @contextmanager
    def open(self, load: Load | None) -> Iterator[Callable[[Page], Document]]:
        """Open a renderer, and give the function that renders a page."""
        with Renderer(load=load, **self._options) as renderer:
            yield lambda page: renderer.render(page, decode(page))


def _render_all(
    pages: Iterable[Page | Failure],
    total: int | None,
    progress: Callable[[int, int | None], None] | None,
    timing: Callable[[str, float], None] | None,
    options: RenderOptions,
) -> Iterator[Document | Failure]:
    with ExitStack() as stack:
        renderer = stack.enter_context(open_renderer(options))
        results = render_many(renderer, pages, decode=decode, attempt=attempt, timing=timing)
        stack.enter_context(closing(results))  # its threads end before the loader that they use
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


@takes(RENDERING, FETCHING)
def render_pictured(
    page: Page, *, tags: Iterable[str] = (), **options: Unpack[RenderOptions]
) -> tuple[Document | Failure, list[bytes]]:
    """Render a page and take PNG pictures: of the page, and for each tag of the page with that tag's boxes.

    A page that cannot be rendered or drawn is a failure without pictures.

    page: what `fetch` gives.
    tags: names of elements, such as `td`.

    >>> import webquarry as wq
    >>> from webquarry.rendering.browser import find_browser
    >>> if find_browser():
    ...     document, pictures = wq.render_pictured(wq.Page(url="https://example.org/", body=b"<p>One"), tags=["p"])
    ...     assert [picture[:4] for picture in pictures] == [b"\\x89PNG", b"\\x89PNG"]
    """
    require("render_pictured", page, Page)
    with open_renderer(options) as renderer:
        shot = attempt(page.url, partial(_shoot, renderer, page, tags))
        return (shot, []) if isinstance(shot, Failure) else shot


def _shoot(renderer: Renderer, page: Page, tags: Iterable[str]) -> tuple[Document, list[bytes]]:
    document, screenshot = renderer.shoot(page, decode(page))
    return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


@contextmanager
def open_reader(**options: Unpack[RenderOptions]) -> Iterator[Callable[[Page], Document]]:
    """Yield a function that renders page after page in one browser; options are those of `render`."""
    with open_renderer(options) as renderer:
        yield lambda page: renderer.render(page, decode(page))


@contextmanager
def open_renderer(options: RenderOptions) -> Iterator[Renderer]:
    """Open a renderer whose pages load what they need from the web under the same fetching policy."""
    fetching, rendering = split_options(options)
    loader = Loader(Policy(**fetching))
    renderer = Renderer(load=loader.load, **rendering)
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()


class RenderManyOptions(RenderOptions, WorkerOptions, total=False):
    """The options of rendering many pages."""


def split_workers(options: RenderManyOptions) -> WorkerOptions:
    """Pick the options of workers."""
    own: dict[str, Any] = {name: value for name, value in options.items() if name in WorkerOptions.__annotations__}
    return cast(WorkerOptions, own)


class RendererOptions(BrowserOptions, total=False):
    """The arguments of `Renderer`."""

    timeout: float


def split_options(options: RenderOptions) -> tuple[FetchOptions, RendererOptions]:
    """Split options into those of fetching and those of rendering; the time limit is one of both."""
    fetching: dict[str, Any] = {name: value for name, value in options.items() if name in FetchOptions.__annotations__}
    own: dict[str, Any] = {name: value for name, value in options.items() if name in RendererOptions.__annotations__}
    return cast(FetchOptions, fetching), cast(RendererOptions, own)


def add_roots(options: RenderOptions, roots: Iterable[str | Path]) -> RenderOptions:
    """Add folders to those whose files pages may use."""
    return {**options, "roots": [*options.get("roots", ()), *roots]}
