"""Many pages at once, as many as there are tabs, and their results in order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from webquarry.model import Document, Failure, Page
from webquarry.rendering.renderer import Renderer

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
