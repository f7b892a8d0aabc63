"""One browser and its tabs: pages in, documents out, and what dies is replaced."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import LifoQueue
from types import TracebackType
from typing import Self

from webquarry.errors import RenderError
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.rendering.browser import Browser, require_browser
from webquarry.rendering.protocol import BrowserGoneError, DeadlineError, ProtocolError
from webquarry.rendering.requests import WITHOUT, Load, Serving, check_size
from webquarry.rendering.snapshot import Origin, build_document
from webquarry.rendering.tab import ReplacedError, Tab, TabLostError

TABS = 2
"""At once; on two cores more add nothing."""
WIDTH = 1366
"""CSS pixels of the window: the most common screen of those for which pages were made."""
TIMEOUT = 30.0
"""Seconds for a page."""
ATTEMPTS = 2
FETCHERS = 8
"""Threads that fetch what pages ask for."""


class Renderer:
    """Renders pages; threads may share it, as many pages at once as it has tabs.

    `load` gives what pages from the web ask for, `roots` are folders whose files pages below them may use.
    With `scripts`, a page is ready when it has loaded and asks for nothing more, and something matches
    `wait_for`; each page then has a tab of its own, so that none sees what another stored.
    """

    def __init__(
        self,
        *,
        browser: str | Path | None = None,
        tabs: int = TABS,
        width: int = WIDTH,
        scripts: bool = False,
        wait_for: str | None = None,
        timeout: float = TIMEOUT,
        roots: Iterable[str | Path] = (),
        load: Load | None = None,
    ) -> None:
        if wait_for is not None and not scripts:
            raise ValueError("wait_for waits for what scripts make: give scripts=True too")
        if width < 1 or tabs < 1 or not timeout > 0:
            raise ValueError("width and tabs must be 1 or more, and timeout above 0")
        self.tabs = tabs
        self._program = require_browser(browser)
        self._width = width
        self._scripts = scripts
        self._wait_for = wait_for
        self._timeout = timeout
        self._roots = tuple(Path(root) for root in roots)
        self._load = load
        self._browser: Browser | None = None
        self._closed = False
        self._starting = threading.Lock()
        self._fetchers = ThreadPoolExecutor(FETCHERS, thread_name_prefix="webquarry-load")
        self._free: LifoQueue[Tab | None] = LifoQueue()
        for _ in range(tabs):
            self._free.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        with self._starting:
            self._closed = True
            self._end_browser()
        self._fetchers.shutdown(cancel_futures=True)

    def render(self, page: Page, markup: str, *, roots: Iterable[str | Path] = ()) -> Document:
        """The page, whose decoded markup is given, as a browser shows it; it may be below further roots."""
        return self._render(page, markup, roots=(*self._roots, *map(Path, roots)), pictured=False)[0]

    def shoot(self, page: Page, markup: str) -> tuple[Document, bytes]:
        """The page as a browser shows it, and a picture of it as PNG."""
        return self._render(page, markup, roots=self._roots, pictured=True)

    def _render(self, page: Page, markup: str, *, roots: tuple[Path, ...], pictured: bool) -> tuple[Document, bytes]:
        check_size(page.url, markup)
        tab = self._free.get()
        kept = None
        if pictured:
            kept, tab = tab, None  # tabs that wait for pages draw nothing
        try:
            for _ in range(ATTEMPTS):
                try:
                    tab = tab or self._open_tab(drawn=pictured)
                    result = self._show(tab, page, markup, roots=roots, pictured=pictured)
                except (TabLostError, BrowserGoneError):
                    self._drop(tab)
                    tab = None
                else:
                    if not (self._scripts or pictured):
                        kept, tab = tab, None
                    return result
            raise RenderError(f"{page.url}: the browser died on it {ATTEMPTS} times; {WITHOUT}")
        except DeadlineError as error:
            raise RenderError(f"{page.url}: not rendered within {self._timeout:g} s ({error}); {WITHOUT}") from error
        except ReplacedError as error:
            raise RenderError(f"{page.url}: not rendered, the page put another in its place") from error
        except ProtocolError as error:
            raise RenderError(f"{page.url}: the browser refused to render it ({error})") from error
        finally:
            self._drop(tab)
            self._free.put(kept)

    def _show(
        self, tab: Tab, page: Page, markup: str, *, roots: tuple[Path, ...], pictured: bool
    ) -> tuple[Document, bytes]:
        serving = Serving(page, markup, roots=roots, load=self._load, scripts=self._scripts)
        tab.show(serving, timeout=self._timeout, scripts=self._scripts, wait_for=self._wait_for)
        raw = tab.snapshot()
        raw["strings"] = [serving.original(text) for text in raw["strings"]] if page.parts else raw["strings"]
        kind = "scripts" if self._scripts else "rendered"
        document = build_document(raw, markup, Origin(self._start().version, self._width, page.url, kind))
        if not pictured or document.layout is None:
            return document, b""
        return document, tab.screenshot(document.layout.width, document.layout.height)

    def _open_tab(self, *, drawn: bool) -> Tab:
        def opened() -> Tab:
            return Tab(self._start(), self._fetchers, width=self._width, scripts=self._scripts, drawn=drawn)

        try:
            return opened()
        except BrowserGoneError:  # it died before this page came to it, which is no attempt of the page
            return opened()

    def _start(self) -> Browser:
        """The browser, a new one when the last has died."""
        with self._starting:
            if self._closed:
                raise RenderError("stopped: the renderer was closed")
            if self._browser is not None and self._browser.gone:
                self._end_browser()
            if self._browser is None:
                self._browser = Browser(self._program)
            return self._browser

    def _drop(self, tab: Tab | None) -> None:
        """Close a tab; a browser that does not manage to is ended, and the next page starts another."""
        if tab is None:
            return
        try:
            with suppress(BrowserGoneError, ProtocolError):
                tab.close()
        except DeadlineError:
            with self._starting:
                self._end_browser()

    def _end_browser(self) -> None:
        if self._browser is not None:
            self._browser.close()
            self._browser = None


# MERGED rendering/many: Many pages at once, as many as there are tabs, and their results in order.
AHEAD = 4
"""Pages in flight for each tab: the next ones are read while those are rendered."""

Timing = Callable[[str, float], None]
Attempt = Callable[[str, Callable[[], Document]], Document | Failure]


def render_many(
    renderer: Renderer,
    pages: Iterable[Page | Failure],
    *,
    decode: Callable[[Page], str],
    attempt: Attempt,
    roots: Sequence[str | Path] = (),
    timing: Timing | None = None,
    stop: Callable[[], None] | None = None,
) -> Generator[Document | Failure]:
    """The rendered documents of many pages, in their order, with a failure in the place of each that has none.

    `decode` gives the markup of a page.  `attempt` takes the name of a page and the work on it, and gives a failure in
    place of an error.  `roots` are further folders whose files pages below them may use; `timing` is called with the
    address of each page and the seconds that it took.  The renderer is good for more pages afterwards, unless these are
    broken off: then `stop` is called, which must end what is under way, or the renderer is closed.
    """
    threads = ThreadPoolExecutor(renderer.tabs, thread_name_prefix="webquarry-render")

    def work(page: Page | Failure) -> Document | Failure:
        if isinstance(page, Failure):
            return page
        return attempt(page.url, lambda: _render_one(renderer, page, decode, roots, timing))

    try:
        yield from _in_order(threads, work, pages, AHEAD * renderer.tabs)
    except BaseException:
        (stop or renderer.close)()  # before the threads are awaited: pages that are under way then end at once
        raise
    finally:
        threads.shutdown(cancel_futures=True)


def _render_one(
    renderer: Renderer,
    page: Page,
    decode: Callable[[Page], str],
    roots: Sequence[str | Path],
    timing: Timing | None,
) -> Document:
    start = time.monotonic()
    try:
        return renderer.render(page, decode(page), roots=roots)
    finally:
        if timing is not None:
            timing(page.url, time.monotonic() - start)


def _in_order(
    threads: ThreadPoolExecutor,
    work: Callable[[Page | Failure], Document | Failure],
    pages: Iterable[Page | Failure],
    ahead: int,
) -> Iterator[Document | Failure]:
    waiting: deque[Future[Document | Failure]] = deque()
    for page in pages:
        waiting.append(threads.submit(work, page))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
