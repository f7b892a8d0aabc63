"""Render pages in a browser: a Renderer owns one browser with several tabs, replaces what dies, and bounds pages."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import LifoQueue
from types import TracebackType
from typing import Any, NamedTuple, Self, TypedDict, TypeVar

import numpy as np

from webquarry.errors import BrowserError, RenderError
from webquarry.html.columns import MAX_DEPTH, Columns, Kind, build_columns
from webquarry.html.node_paths import depths_of
from webquarry.html.parsing import bounded
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count
from webquarry.rendering.browser import (
    MAX_PROCESS_BYTES,
    START_SECONDS,
    Browser,
    BrowserGoneError,
    DeadlineError,
    ProtocolError,
    require_browser,
    return_free_memory,
)
from webquarry.rendering.requests import Load, Responder, ShownPage
from webquarry.rendering.snapshot import Origin, build_document, write_markup
from webquarry.rendering.tab import ReplacedError, Tab, TabLostError
from webquarry.rendering.visible_nodes import MAIN_SHARE, hides_itself

TABS = 2
"""Pages at a time; on two cores more add nothing."""
WIDTH = 1366
"""CSS pixels of the window: the most common screen width that pages were designed for."""
TIMEOUT = 30.0
"""Seconds for a page."""
ATTEMPTS = 2
FETCHERS = 8
"""Threads that fetch the resources of pages."""
MAX_BROWSER_BYTES = 3 * 2**29
"""Memory of all processes of a browser above which it is replaced between two pages; ordinary pages take half a
gigabyte, and what pages leave behind adds up."""
PAGES_PER_RETURN_OF_MEMORY = 16
"""Pages after which free memory goes back to the system, which takes a few milliseconds."""
PAGES_IN_FLIGHT_PER_TAB = 4
"""The next pages are read while others are rendered."""

MAX_NODES = 100_000
"""Elements and texts of a page. So many take Chromium up to 3 s of CPU time and 0.3 GB, half as many again up to 6.4 s;
no page of the benchmarks' corpora has more than 25,000 tags."""
MAX_LEVELS = 12_000_000
"""The levels of all nodes, added up: styles and boxes are computed from each node upwards.  Nested lists with 7 million
take Chromium 3 s of CPU time, with 27 million 8 to 10 s; no page of the benchmarks' corpora has more than a million."""
MAX_FRAMES = 250
"""Frames and frame sets of a page.  Each frame is a page of its own, also an empty one: 250 take Chromium 1.6 s of CPU
time, 1,000 take it 8 s.  Frame sets in each other cost little less, so that 15,500 take it 11 s.  No page of the
benchmarks' corpora has more than 16."""
MAX_LINE_BREAKS = 25_000
"""Line breaks of a page: Chromium's time grows faster than the number of lines in a paragraph.  25,000 with a
word each take it 1.9 s of CPU time, 66,000 take it 4.6 s; no page of the benchmarks' corpora has more than 952."""
MAX_TAGS = 5_000
"""Different names of elements on a page: 5,000 take Chromium 1.4 s of CPU time, 20,000 take it 6.9 s.  No page of the
benchmarks' corpora has more than 89."""
MAX_STRAYS = 1_000
"""Comments before and after the root element: Chromium looks at all of them when another one follows, so that 50,000
take it 7 s."""
_FRAMES = frozenset(["frame", "frameset", "iframe"])
_LINE_BREAKS = frozenset(["br"])
USE_STATIC = "use --static or clean to read its markup without a browser"
_TOO_MUCH = f"given up after {MAX_PROCESS_BYTES / 2**30:.0f} GB of memory in the browser"
_log = logging.getLogger(__name__)

Timing = Callable[[str, float], None]
T = TypeVar("T")
Attempt = Callable[[str, Callable[[], Document]], Document | Failure]


class BrowserOptions(TypedDict, total=False):
    """The options of rendering."""

    browser: str | Path | None
    """The browser to use; None means the one that `quarry doctor` shows."""
    tabs: int
    """Pages that are rendered at a time."""
    width: int
    """Width of the window in CSS pixels."""
    scripts: bool
    """Let the scripts of pages run."""
    wait_for: str | None
    """With `scripts`: a CSS selector; a page is ready when something matches it."""
    roots: Iterable[str | Path]
    """Folders whose files the pages below them may use."""


@dataclass(frozen=True)
class _Task:
    """A page to render, and what else is wanted of it: a picture, or the resources that it was shown with."""

    page: Page
    markup: str
    roots: tuple[Path, ...]
    pictured: bool = False
    keep: bool = False


class _Rendered(NamedTuple):
    document: Document
    picture: bytes
    shown: ShownPage


class Renderer:
    """Renders pages, as many at a time as it has tabs; threads may share it.

    `load` fetches the resources of pages from the web; `roots` are folders whose files the pages
    below them may use. With `scripts`, a page is ready when it has loaded, requests nothing more and
    something matches `wait_for`; each page then gets a new tab, so that none sees what another stored.
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
            raise ValueError("wait_for needs scripts=True: it waits for what scripts produce")
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
        self._pages_without_sheets = 0
        self._starting = threading.Lock()
        self._failed: tuple[float, BrowserError] | None = None
        self._leaving = threading.Condition()
        self._busy = 0  # pages in the browser
        self._finished = 0
        self._fetchers = ThreadPoolExecutor(FETCHERS, thread_name_prefix="webquarry-load")
        # One slot for each page at a time: an idle tab, or None where one has yet to be opened.
        self._slots: LifoQueue[Tab | None] = LifoQueue()
        for _ in range(tabs):
            self._slots.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        with self._starting:
            self._closed = True
            self._end_browser()
            if self._pages_without_sheets > 1:
                _log.warning("missing style sheets also on %s", count(self._pages_without_sheets - 1, "more page"))
            self._pages_without_sheets = 0
        self._fetchers.shutdown(cancel_futures=True)

    def render(self, page: Page, markup: str, *, roots: Iterable[str | Path] = ()) -> Document:
        """Render a page whose decoded markup is given; `roots` adds to those of the renderer.

        The document of a page that is too large for a browser is the static one, and a warning says so.
        """
        return self._render_or_read(_Task(page, markup, (*self._roots, *map(Path, roots)))).document

    def shoot(self, page: Page, markup: str) -> tuple[Document, bytes]:
        """Render a page and take a picture of it, as PNG; raise if it is too large for a browser."""
        rendered = self._render(_Task(page, markup, self._roots, pictured=True))
        return rendered.document, rendered.picture

    def render_with_resources(self, page: Page, markup: str) -> tuple[Document, ShownPage]:
        """Render a page as `render` does, and keep what it was shown with."""
        rendered = self._render_or_read(_Task(page, markup, self._roots, keep=True))
        return rendered.document, rendered.shown

    def _render_or_read(self, task: _Task) -> _Rendered:
        """Render a page, or read the markup alone of one that is too large for a browser."""
        page = task.page
        try:
            return self._render(task)
        except _TooLargeError as error:
            _log.warning("%s: %s, so its markup alone is read", page.url, error.reason)
            document = Document(task.markup, url=page.url, address=page.address, received=page.received)
            return _Rendered(document, b"", Responder(page, task.markup).shown())

    def _render(self, task: _Task) -> _Rendered:
        """Render a page when the browser is fit for it."""
        static = build_columns(task.markup)
        excess = find_excess(static)
        if excess is not None:
            raise _TooLargeError(task.page.url, excess)
        self._enter_browser()
        try:
            return self._render_in_tab(task, static)
        finally:
            with self._leaving:
                self._busy -= 1
                self._finished += 1
                is_due = self._finished % PAGES_PER_RETURN_OF_MEMORY == 0
                self._leaving.notify_all()
            if is_due:
                return_free_memory()

    def _render_in_tab(self, task: _Task, static: Columns) -> _Rendered:
        """Render in a free tab, opening or replacing it as needed."""
        idle, url = self._slots.get(), task.page.url
        # Idle tabs draw nothing, and a tab with scripts must not serve two pages.
        single_use = task.pictured or self._scripts
        tab, idle = (None, idle) if single_use else (idle, None)
        left = self._timeout  # for all attempts together
        try:
            for _ in range(ATTEMPTS):
                tab = None if tab is not None and tab.gone else tab
                ended = self._count_ended()
                try:
                    tab = tab or self._open_tab(drawn=task.pictured)
                    start = time.monotonic()
                    try:
                        rendered = self._show(tab, task, static, timeout=left)
                    finally:
                        left -= time.monotonic() - start
                except (TabLostError, BrowserGoneError) as error:
                    if isinstance(error, TabLostError) and self._count_ended() > ended:
                        raise RenderError(f"{url}: {_TOO_MUCH}; {USE_STATIC}") from error
                    self._close_tab(tab)
                    tab = None
                else:
                    if not single_use:
                        tab, idle = None, tab
                    return rendered
            raise RenderError(f"{url}: the browser crashed {ATTEMPTS} times on it; {USE_STATIC}")
        except DeadlineError as error:
            raise RenderError(f"{url}: not rendered within {self._timeout:g} s ({error}); {USE_STATIC}") from error
        except ReplacedError as error:
            raise RenderError(f"{url}: not rendered, the page navigated to another one") from error
        except ProtocolError as error:
            raise RenderError(f"{url}: the browser refused to render it ({error})") from error
        finally:
            self._close_tab(tab)
            self._slots.put(idle)

    def _count_ended(self) -> int:
        """Count the processes of the browser that were ended for the memory they took."""
        browser = self._browser
        return 0 if browser is None else browser.memory.ended

    def _enter_browser(self) -> None:
        """Count a page in; first end a browser that has grown, once no page is in it."""
        with self._leaving:
            while self._has_grown() and self._busy:
                self._leaving.wait()
            self._busy += 1
            if self._has_grown():
                with self._starting:
                    self._end_browser()

    def _has_grown(self) -> bool:
        browser = self._browser
        return browser is not None and browser.memory.total_bytes > MAX_BROWSER_BYTES

    def _show(self, tab: Tab, task: _Task, static: Columns, *, timeout: float) -> _Rendered:
        page, markup = task.page, task.markup
        given = cut_costly_markup(static) or bounded(markup)
        responder = Responder(page, given, roots=task.roots, load=self._load, scripts=self._scripts, keep=task.keep)
        tab.show(responder, timeout=timeout, scripts=self._scripts, wait_for=self._wait_for)
        self._warn_of_missing_sheets(page, responder)
        kind = "scripts" if self._scripts else "rendered"
        browser = self._running_browser().version
        is_unstyled = responder.lacks_styles(has_rules="style" in static.tag_names)
        origin = Origin(browser, self._width, page.url, kind, page.address, page.received, is_unstyled)
        document = build_document(_capture(tab, responder), static, markup, origin)
        if hides_itself(document):
            tab.unfold(MAIN_SHARE)
            document = build_document(_capture(tab, responder), static, markup, origin)
        layout = document.layout
        picture = tab.screenshot(layout.width, layout.height) if task.pictured and layout is not None else b""
        return _Rendered(document, picture, responder.shown())

    def _warn_of_missing_sheets(self, page: Page, responder: Responder) -> None:
        """Say what the first such page misses; the others are counted, since the pages of a site miss the same."""
        said = responder.describe_missing_sheets()
        if said:
            with self._starting:
                self._pages_without_sheets += 1
                is_first = self._pages_without_sheets == 1
            _log.log(logging.WARNING if is_first else logging.INFO, "%s: %s", page.url, said)

    def _open_tab(self, *, drawn: bool) -> Tab:
        for _ in range(ATTEMPTS):
            # A browser that died before the page reached it does not count as an attempt of the page.
            with suppress(BrowserGoneError):
                return Tab(
                    self._running_browser(), self._fetchers, width=self._width, scripts=self._scripts, drawn=drawn
                )
        raise BrowserGoneError

    def _close_tab(self, tab: Tab | None) -> None:
        """Close a tab; a browser that does not manage to is ended, and the next page starts another."""
        if tab is None:
            return
        try:
            with suppress(BrowserGoneError, ProtocolError):
                tab.close()
        except DeadlineError:
            with self._starting:
                self._end_browser()

    def _running_browser(self) -> Browser:
        """Return the browser, starting a new one if there is none or it has died."""
        with self._starting:
            if self._closed:
                raise RenderError("stopped: the renderer was closed")
            if self._browser is not None and self._browser.gone:
                self._end_browser()
            if self._browser is None:
                self._browser = self._start_browser()
            return self._browser

    def _start_browser(self) -> Browser:
        """Start a browser; threads that waited while it did not start do not each try again."""
        if self._failed is not None and time.monotonic() - self._failed[0] < START_SECONDS:
            raise BrowserError(str(self._failed[1]))
        try:
            return Browser(self._program)
        except BrowserError as error:
            self._failed = time.monotonic(), error
            raise

    def _end_browser(self) -> None:
        if self._browser is not None:
            self._browser.close()
            self._browser = None


def _capture(tab: Tab, responder: Responder) -> dict[str, Any]:
    raw = tab.snapshot()
    if responder.has_parts:
        raw["strings"] = [responder.restore_addresses(text) for text in raw["strings"]]
    return raw


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
    """Yield the rendered documents of many pages in order, with a Failure for each page that fails.

    `decode` returns the markup of a page. `attempt` takes the name of a page and the work on it, and
    turns an error into a Failure. `roots` are further folders whose files the pages below them may
    use. `timing` is called with the address of each page and the seconds it took. The renderer can be
    used again afterwards, unless the generator is closed early: then `stop` is called, which must end
    all work in progress, or the renderer is closed.
    """
    threads = ThreadPoolExecutor(renderer.tabs, thread_name_prefix="webquarry-render")
    waiting: deque[Future[Document | Failure]] = deque()

    def work(page: Page | Failure) -> Document | Failure:
        if isinstance(page, Failure):
            return page

        def render() -> Document:
            start = time.monotonic()
            try:
                return renderer.render(page, decode(page), roots=roots)
            finally:
                if timing is not None:
                    timing(page.url, time.monotonic() - start)

        return attempt(page.url, render)

    try:
        for page in pages:
            waiting.append(threads.submit(work, page))
            if waiting[0].done() or len(waiting) > PAGES_IN_FLIGHT_PER_TAB * renderer.tabs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):  # a run that is stopped keeps what is done
            yield from _take_done(waiting)
        (stop or renderer.close)()  # before joining the threads: their pages then end at once
        raise
    finally:
        threads.shutdown(cancel_futures=True)


def _take_done(waiting: deque[Future[T]]) -> Iterator[T]:
    """Yield the results at the head of a queue that are there already."""
    while waiting and waiting[0].done():
        yield waiting.popleft().result()


class _TooLargeError(RenderError):
    """A page would take a browser too long; `reason` says why."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}; {USE_STATIC}")
        self.reason = reason


def find_excess(static: Columns) -> str | None:
    """Say what of the page of a static tree is too much for a browser; None if nothing is."""
    nodes, depths = len(static.kinds), depths_of(static.ends)
    if nodes > MAX_NODES:
        return f"too large to render ({nodes:,} nodes, at most {MAX_NODES:,})"
    if depths.sum() > MAX_LEVELS:
        return f"nested too deeply to render ({nodes:,} nodes, up to {depths.max()} levels deep)"
    for names, tags, most in (("frames", _FRAMES, MAX_FRAMES), ("line breaks", _LINE_BREAKS, MAX_LINE_BREAKS)):
        number = np.count_nonzero(static.has_tag(tags))
        if number > most:
            return f"too large to render ({number:,} {names}, at most {most:,})"
    if len(static.tag_names) > MAX_TAGS:
        return f"too large to render ({len(static.tag_names):,} names of elements, at most {MAX_TAGS:,})"
    return None


def cut_costly_markup(static: Columns) -> str | None:
    """Write the page of a static tree so that parsing it costs little; None if its own markup does.

    A page that nests as deep as a tree may be gets all end tags: Chromium's tree ends at the same depth, but its parser
    remembers all elements that are open, so that 5,000 times `<a><div>` crash it. Comments outside the root are left
    out if they are too many.
    """
    depths = depths_of(static.ends)
    has_strays = np.count_nonzero(depths == 1) > MAX_STRAYS
    if depths.max() < MAX_DEPTH and not has_strays:
        return None
    is_stray = (depths == 1) & np.isin(static.kinds, [Kind.COMMENT, Kind.INSTRUCTION])
    return write_markup(static, left_out=frozenset(np.flatnonzero(is_stray).tolist() if has_strays else ()))
