"""The order of the stages, written once; implementations are chosen by name from plain tables."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry import fetching
from webquarry.cleaning import clean_cleandom, clean_html5
from webquarry.errors import WebquarryError
from webquarry.model import Document, Failure, Page

if TYPE_CHECKING:
    from webquarry.fetching.session import Session
    from webquarry.rendering import Renderer

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}


def fetch(source: str | Path, **policy: Any) -> Page:
    """The one page that a file, an http address or `-` for standard input names.

    Keywords are the knobs of `webquarry.fetching.Policy`, such as `offline=True`.
    """
    return fetching.fetch(source, policy=fetching.Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order, with a failure in the place of each that could not be had."""
    return fetching.fetch_all(inputs, policy=fetching.Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """The document that a browser would build from the page, or that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """The documents of many pages; a page that cannot be cleaned is a failure, and the others go on."""
    for page in pages:
        if isinstance(page, Failure):
            yield page
            continue
        try:
            yield clean(page, method=method)
        except WebquarryError as error:
            yield Failure(page.url, str(error))


RENDERING = frozenset(["browser", "tabs", "width", "scripts", "wait_for", "timeout", "roots"])
"""The knobs of `webquarry.rendering.Renderer`; all others are those of `webquarry.fetching.Policy`."""


def render(page: Page, **knobs: Any) -> Document:
    """The document as a browser shows it: each node with its box and styles.

    Knobs are `scripts`, `wait_for`, `width`, `timeout`, `browser` and `roots` (folders whose files pages below them
    may use), and those of `webquarry.fetching.Policy` for what pages from the web need.  Each call starts a browser;
    for many pages `render_all` starts one.
    """
    with _renderer(knobs) as renderer:
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
    from webquarry.rendering import render_many  # noqa: PLC0415 - NumPy is slow to import

    total = len(pages) if isinstance(pages, Sized) else None
    with ExitStack() as stack:
        renderer = stack.enter_context(_renderer(knobs))
        results = render_many(renderer, pages, decode=lambda page: clean(page).markup, timing=timing)
        stack.enter_context(closing(results))  # its threads end before what they fetch with
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


def shoot(page: Page, *, tags: Iterable[str] = (), **knobs: Any) -> tuple[Document, list[bytes]]:
    """The rendered document, with pictures as PNG: the page, and for each tag the page with that tag's boxes."""
    with _renderer(knobs) as renderer:
        from webquarry.rendering import draw_boxes  # noqa: PLC0415

        document, screenshot = renderer.shoot(page, clean(page).markup)
        return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


@contextmanager
def _renderer(knobs: dict[str, Any]) -> Iterator[Renderer]:
    """A renderer whose pages from the web load what they need through our fetch stage, under the same policy."""
    from webquarry.rendering import Renderer  # noqa: PLC0415 - NumPy is slow to import

    policy = fetching.Policy(**{name: value for name, value in knobs.items() if name not in RENDERING})
    loader = _Loader(policy)
    renderer = Renderer(load=loader.load, **{name: value for name, value in knobs.items() if name in RENDERING})
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()


class _Loader:
    """Fetches for pages that are rendered; the session is opened when the first of them asks."""

    def __init__(self, policy: fetching.Policy) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._session: Session | None = None

    def load(self, address: str) -> Page:
        """The resource at an address."""
        with self._lock:
            if self._session is None:
                from webquarry.fetching.session import Session  # noqa: PLC0415 - pages on disk need no network

                self._session = Session(self._policy)
            session = self._session
        return session.fetch(address)

    def stop(self) -> None:
        """Let all requests that are under way fail soon."""
        if self._session is not None:
            self._session.stop()

    def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            self._session.__exit__(None, None, None)
