"""The pages of one query: each is fetched once, all over one session, and rendered in one browser."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from webquarry import fetching
from webquarry.fetching.many import AHEAD, WORKERS
from webquarry.fetching.sources import without_credentials
from webquarry.model import Document, Failure, Page
from webquarry.pipeline.attempts import attempt
from webquarry.pipeline.pages import clean

if TYPE_CHECKING:
    from webquarry.rendering import Renderer

MEMORY = 64 * 2**20
"""Bytes of pages that are remembered for other sources of the query; of more, the HTTP cache serves the oldest."""


class PageSupply:
    """Gives pages as often as they are asked for.

    A session for each batch would read each robots.txt anew, and forget the pace that a host asks for; a browser for
    each would cost more than its pages.
    """

    def __init__(self, policy: fetching.Policy, **rendering: Any) -> None:
        """`rendering` are knobs of `webquarry.rendering.Renderer`."""
        self.is_shared = False
        """Whether a page may be asked for again; only then are pages remembered."""
        self._has_source = False
        self._policy = policy
        self._rendering = rendering
        self._loader = fetching.Loader(policy)
        self._threads: ThreadPoolExecutor | None = None
        self._memory: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0
        self._open = ExitStack()
        self._open.callback(self._loader.close)

    def __enter__(self) -> Self:
        """The supply itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End all downloads and the browser, then the session."""
        self._open.close()

    def add_source(self) -> None:
        """Note that a source takes its pages from here; two of them may share some."""
        self.is_shared = self.is_shared or self._has_source
        self._has_source = True

    def fetch(self, address: str) -> Page:
        """The page at an address or in a file; raises when it cannot be had."""
        return self._memory.get(address) or self._remember(address, self._load(address))

    def fetch_all(self, addresses: Sequence[str]) -> Iterator[Page | Failure]:
        """The pages in their order, many downloads under way at once; a failure in the place of each not to be had."""
        waiting: deque[tuple[str, Future[Page | Failure] | None]] = deque()
        for address in addresses:
            waiting.append((address, self._begin(address)))
            if len(waiting) > AHEAD:
                yield self._finish(*waiting.popleft())
        while waiting:
            yield self._finish(*waiting.popleft())

    def render_all(
        self, pages: Iterable[Page | Failure], *, roots: Sequence[str | Path] = ()
    ) -> Generator[Document | Failure]:
        """The rendered documents of pages, in their order; `roots` are folders whose files pages below them may use."""
        from webquarry.rendering import render_many  # noqa: PLC0415 - NumPy is slow to import

        return render_many(
            self._renderer,
            pages,
            decode=lambda page: clean(page).markup,
            attempt=attempt,
            roots=roots,
            stop=self._open.close,
        )

    @cached_property
    def _renderer(self) -> Renderer:
        """The browser of the query, which starts with its first page."""
        from webquarry.rendering import Renderer  # noqa: PLC0415

        renderer = Renderer(load=self._loader.load, **self._rendering)
        self._open.callback(renderer.close)
        self._open.callback(self._loader.stop)  # first: what pages wait for
        return renderer

    def _begin(self, address: str) -> Future[Page | Failure] | None:
        """A download; None for what is at hand, and for files, which are read when their turn comes."""
        if address in self._memory or not _is_on_web(address):
            return None
        if self._threads is None:
            self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-fetch")
            # In reverse: requests are told to stop, the threads are awaited, the session is closed.
            self._open.callback(self._threads.shutdown, cancel_futures=True)
            self._open.callback(self._loader.stop)
        return self._threads.submit(self._attempt, address)

    def _finish(self, address: str, download: Future[Page | Failure] | None) -> Page | Failure:
        if download is None:
            return self._memory.get(address) or self._kept(address, self._attempt(address))
        return self._kept(address, download.result())

    def _attempt(self, address: str) -> Page | Failure:
        return attempt(without_credentials(address), partial(self._load, address))

    def _load(self, address: str) -> Page:
        if _is_on_web(address):
            return self._loader.load(address)
        return fetching.fetch(address, policy=self._policy)

    def _kept(self, address: str, result: Page | Failure) -> Page | Failure:
        return result if isinstance(result, Failure) else self._remember(address, result)

    def _remember(self, address: str, page: Page) -> Page:
        if self.is_shared and address not in self._memory:
            self._memory[address] = page
            self._bytes += len(page.body)
            while self._bytes > MEMORY:
                _, oldest = self._memory.popitem(last=False)
                self._bytes -= len(oldest.body)
        return page


def _is_on_web(address: str) -> bool:
    return address.lower().startswith(("http:", "https:"))
