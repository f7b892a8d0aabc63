"""Pages from any number of inputs, in their order, with many downloads under way at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from webquarry.errors import FetchError, InputError, RefusedError, WebquarryError
from webquarry.fetching.archives import read_warc
from webquarry.fetching.inputs import Kind, Source, expand, read_file, read_stdin, sources_of, without_credentials
from webquarry.fetching.policy import DEFAULT_POLICY, Policy
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from webquarry.fetching.session import Session

# Downloads at a time over all hosts.
WORKERS = 16
# Inputs that are looked at before the first of them is given out.
AHEAD = 2 * WORKERS

Progress = Callable[[int, int | None], None]


def fetch(source: str | Path, *, policy: Policy = DEFAULT_POLICY) -> Page:
    """The one page that an input names: a file, an http address or `-` for standard input.

    Raises InputError when it cannot be read as a page, FetchError when an address does not give one, and
    RefusedError when the policy forbids to ask for it.
    """
    first, *others = sources_of(source)
    if isinstance(first, Failure):
        raise InputError(first.error)
    with _Downloads(policy) as downloads:
        pages = list(islice(downloads.begin(first), 2))
    if others or len(pages) > 1:
        raise InputError(f"{source}: it holds several pages; use fetch_all")
    return pages[0]


def fetch_all(
    inputs: Iterable[str | Path], *, policy: Policy = DEFAULT_POLICY, progress: Progress | None = None
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order; a failure stands in the place of a page that could not be had.

    Up to 32 inputs are looked at ahead of the page that is given out.  `progress` is called before each page with the
    number of pages so far and of all, None while that is unknown.  Closing the iterator ends all downloads.
    """
    sources: Iterable[Source | Failure] = expand([inputs] if isinstance(inputs, str | Path) else inputs)
    total = None
    if isinstance(inputs, Sized):
        sources = list(sources)
        archived = any(isinstance(source, Source) and source.kind is Kind.ARCHIVE for source in sources)
        total = None if archived else len(sources)
    with _Downloads(policy) as downloads:
        for done, result in enumerate(_results(sources, downloads), start=1):
            if progress is not None:
                progress(done, total)
            yield result


def _results(sources: Iterable[Source | Failure], downloads: _Downloads) -> Iterator[Page | Failure]:
    waiting: deque[tuple[str, Iterator[Page | Failure]]] = deque()
    for source in sources:
        if isinstance(source, Failure):
            waiting.append((source.page, iter([source])))
        else:
            waiting.append((without_credentials(source.name), downloads.begin(source)))
        if len(waiting) > AHEAD:
            yield from _finished(*waiting.popleft())
    while waiting:
        yield from _finished(*waiting.popleft())


def _finished(name: str, pages: Iterator[Page | Failure]) -> Iterator[Page | Failure]:
    try:
        yield from pages
    except WebquarryError as error:
        yield Failure(page=name, error=str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours or of a library; one page must not end the run
        yield Failure(page=name, error=f"{name}: unexpected {type(error).__name__} ({error}); please report it")


class _Downloads:
    """The threads that fetch addresses; files are read by the caller's own, when their turn comes."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._open = ExitStack()
        self._started: tuple[Session, ThreadPoolExecutor] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._open.close()

    def begin(self, source: Source) -> Iterator[Page]:
        """The pages of a source; a download begins at once, other reading when the first is asked for."""
        max_bytes = self._policy.max_bytes
        if source.kind is Kind.ADDRESS:
            return self._download(source.name)
        if source.kind is Kind.ARCHIVE:
            return read_warc(source.path, max_bytes=max_bytes)
        if source.kind is Kind.STDIN:
            return _one(partial(read_stdin, max_bytes=max_bytes))
        return _one(partial(read_file, source.path, max_bytes=max_bytes))

    def _download(self, address: str) -> Iterator[Page]:
        try:
            session, threads = self._started or self._start()
        except FetchError as error:
            failed: Future[Page] = Future()
            failed.set_exception(error)
            return _downloaded(address, failed)
        return _downloaded(address, threads.submit(session.fetch, address))

    def _start(self) -> tuple[Session, ThreadPoolExecutor]:

        session = self._open.enter_context(_open_session(self._policy))
        threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-fetch")
        # In reverse: requests are told to stop, the threads are awaited, the session is closed.
        self._open.callback(threads.shutdown, cancel_futures=True)
        self._open.callback(session.stop)
        self._started = session, threads
        return self._started


def _downloaded(address: str, download: Future[Page]) -> Iterator[Page]:
    error = download.exception()
    if error is not None and not isinstance(error, WebquarryError):
        # A fault of ours or of a library; one page must not end the run.
        raise FetchError(
            f"{without_credentials(address)}: unexpected {type(error).__name__} ({error}); please report it"
        ) from error
    yield download.result()


def _one(read: Callable[[], Page]) -> Iterator[Page]:
    yield read()


# MERGED fetching/loading: Single addresses over one session, for those who learn one by one what they need.
class Loader:
    """Fetches for any number of threads; the session is opened when the first of them asks."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._session: Session | None = None

    def load(self, address: str) -> Page:
        """The resource at an address."""
        with self._lock:
            if self._session is None:
                self._session = _open_session(self._policy)
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


# MERGED fetching/onward: Pages to which other pages lead, from where those came from: the web, or the folder
def fetch_onward(
    address: str,
    *,
    start: str,
    load: Callable[[str], Page],
    roots: Iterable[str | Path] = (),
    policy: Policy = DEFAULT_POLICY,
) -> Page:
    """The page at an address to which the page `start` leads, directly or over others.

    Addresses of the web are given to `load`.  A file is read if it is below one of the `roots` that holds the first
    page, or else below the first page's own folder; and only a file leads to files.
    """
    if not address.startswith("file:"):
        return load(address)
    if not start.startswith("file:"):
        raise RefusedError(f"{address}: a page that is no file does not lead to files")
    try:
        path, first = _resolved(path_of(address)), _resolved(path_of(start))
    except ValueError as error:  # a zero in it, or half of a host
        raise InputError(f"{address}: no file can have such a name") from error
    root = next((root for root in map(_resolved, roots) if first.is_relative_to(root)), first.parent)
    if not path.is_relative_to(root):
        raise RefusedError(f"{address}: not read, for it is outside of {root}; name a folder that holds both pages")
    if path.is_dir():
        raise InputError(f"{address}: a folder, not a page")
    return read_file(path, max_bytes=policy.max_bytes)


def _resolved(path: str | Path) -> Path:
    """Where a path leads in the end, so that no link leads out of a folder."""
    return Path(path).resolve()


def _open_session(policy: Policy) -> Session:
    """Open a session; the network is slow to import, and files and archives need none."""
    from webquarry.fetching.session import Session  # noqa: PLC0415

    return Session(policy)
