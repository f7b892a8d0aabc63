"""Fetch pages from any number of inputs, in their order, with many downloads under way at once."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from webquarry.errors import FetchError, InputError, RefusedError, WebquarryError
from webquarry.fetching.archives import read_warc
from webquarry.fetching.inputs import Kind, Source, expand, read_file, read_stdin, sources_of, without_credentials
from webquarry.fetching.policy import DEFAULT_POLICY, Policy
from webquarry.fetching.saved_sites import SavedSite, UrlMap, load_url_map
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from webquarry.fetching.session import Session

WORKERS = 16
"""Downloads at a time over all hosts."""
AHEAD = 2 * WORKERS
"""Inputs that are begun before the first of them is given out."""

Progress = Callable[[int, int | None], None]
T = TypeVar("T")


def fetch(source: str | Path, *, policy: Policy = DEFAULT_POLICY) -> Page:
    """Fetch the one page that an input names: a file, an http address or `-` for standard input.

    Raises InputError when it cannot be read as a page, FetchError when an address does not give one, and
    RefusedError when the policy forbids the request.
    """
    first, *others = sources_of(source)
    if isinstance(first, Failure):
        raise InputError(first.error)
    with closing(Loader(policy)) as loader:
        pages = list(islice(_begin(first, loader), 2))
    if others or len(pages) > 1:
        raise InputError(f"{source}: it holds several pages; use fetch_all")
    return pages[0]


def fetch_all(
    inputs: Iterable[str | Path], *, policy: Policy = DEFAULT_POLICY, progress: Progress | None = None
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs, in their order, with a failure in place of each page that could not be fetched.

    Up to 32 inputs are begun ahead of the page that is given out.  `progress` is called before each page with the
    number of pages so far and of all, None while that is unknown.  Closing the iterator ends all downloads.
    """
    sources: Iterable[Source | Failure] = expand([inputs] if isinstance(inputs, str | Path) else inputs)
    total = None
    if isinstance(inputs, Sized):
        sources = list(sources)
        archived = any(isinstance(source, Source) and source.kind is Kind.ARCHIVE for source in sources)
        total = None if archived else len(sources)
    with closing(Loader(policy)) as loader:
        for done, result in enumerate(_results(sources, loader), start=1):
            if progress is not None:
                progress(done, total)
            yield result


def look_ahead(begun: Iterable[T]) -> Iterator[T]:
    """Give items `AHEAD` places late, so that the downloads which they begin run meanwhile."""
    waiting: deque[T] = deque()
    for each in begun:
        waiting.append(each)
        if len(waiting) > AHEAD:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


class Loader:
    """Downloads over one session for any number of threads; the session is opened by the first request."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._threads: ThreadPoolExecutor | None = None

    @cached_property
    def url_map(self) -> UrlMap:
        """The addresses on the web of saved pages."""
        return load_url_map(self.policy.url_map)

    def read(self, path: Path, *, address: str = "") -> Page:
        """Read the page in a file; `address` is its address on the web if the URL map has none."""
        page = read_file(path, max_bytes=self.policy.max_bytes)
        mapped = self.url_map.get(os.path.realpath(path), "") if self.url_map else ""
        return replace(page, address=mapped or address)

    def load(self, address: str) -> Page:
        """Fetch the resource at an address."""
        return self._open_session().fetch(address)

    def begin(self, address: str) -> Future[Page]:
        """Begin to download a page in a thread of the loader."""
        try:
            session = self._open_session()  # here, not in the thread: `stop` would miss a session yet to be opened
        except FetchError as error:
            failed: Future[Page] = Future()
            failed.set_exception(error)
            return failed
        if self._threads is None:
            self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-fetch")
        return self._threads.submit(session.fetch, address)

    def stop(self) -> None:
        """Make all requests that are under way fail soon."""
        if self._session is not None:
            self._session.stop()

    def close(self) -> None:
        """Stop all requests, wait for the threads, then close the session."""
        self.stop()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        if self._session is not None:
            self._session.__exit__(None, None, None)

    def _open_session(self) -> Session:
        # The network is slow to import, and files and archives do not need it.
        from webquarry.fetching.session import Session  # noqa: PLC0415

        with self._lock:
            if self._session is None:
                self._session = Session(self.policy)
            return self._session


class Follower:
    """Fetches the pages to which a first page leads, directly or over others.

    A page on disk leads to files only, as `SavedSite` finds them: nothing is requested for a page that is not saved.
    All other pages lead to the web only.
    """

    def __init__(self, start: str, loader: Loader, roots: Iterable[str | Path] = ()) -> None:
        self._loader = loader
        is_file = start.startswith("file:")
        self._site = SavedSite(Path(path_of(start)), map(Path, roots), loader.url_map) if is_file else None

    def fetch(self, address: str, *, page: str, page_address: str) -> Page:
        """Fetch the page at an address; the link to it is on `page`, which has an address on the web, or itself."""
        if self._site is None:
            if address.startswith("file:"):
                raise RefusedError(f"{address}: not read, since only a page on disk may lead to files")
            return self._loader.load(address)
        path = self._site.find(address, page=Path(path_of(page)), page_address=page_address)
        return self._loader.read(path, address="" if address.startswith("file:") else address)


def _results(sources: Iterable[Source | Failure], loader: Loader) -> Iterator[Page | Failure]:
    for name, pages in look_ahead(_begin_all(sources, loader)):
        try:
            yield from pages
        except WebquarryError as error:
            yield Failure(page=name, error=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours or of a library; one page must not end the run
            yield Failure(page=name, error=_describe_fault(name, error))


def _begin_all(
    sources: Iterable[Source | Failure], loader: Loader
) -> Iterator[tuple[str, Iterable[Page] | Iterable[Failure]]]:
    for source in sources:
        if isinstance(source, Failure):
            yield source.page, [source]
        else:
            yield without_credentials(source.name), _begin(source, loader)


def _begin(source: Source, loader: Loader) -> Iterator[Page]:
    """Give the pages of a source; a download begins at once, files are read when the first page is asked for."""
    if source.kind is Kind.ADDRESS:
        return _await(source.name, loader.begin(source.name))
    if source.kind is Kind.ARCHIVE:
        return read_warc(source.path, max_bytes=loader.policy.max_bytes)
    return _read_one(source, loader)


def _await(address: str, download: Future[Page]) -> Iterator[Page]:
    error = download.exception()
    if error is not None and not isinstance(error, WebquarryError):
        raise FetchError(_describe_fault(without_credentials(address), error)) from error
    yield download.result()


def _read_one(source: Source, loader: Loader) -> Iterator[Page]:
    policy = loader.policy
    if source.kind is Kind.STDIN:
        yield replace(read_stdin(max_bytes=policy.max_bytes), address=policy.base_url)
    else:
        yield loader.read(source.path, address=policy.base_url)


def _describe_fault(name: str, error: BaseException) -> str:
    return f"{name}: unexpected {type(error).__name__} ({error}); please report it"
