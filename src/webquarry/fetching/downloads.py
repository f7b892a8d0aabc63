"""Fetch pages from any number of inputs, in their order, with many downloads at the same time."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from webquarry.errors import FetchError, InputError, RefusedError, WebquarryError
from webquarry.fetching.archives import read_warc
from webquarry.fetching.encodings import gather, gunzip
from webquarry.fetching.inputs import (
    SCHEME,
    Kind,
    Source,
    expand,
    file_uri,
    read_file,
    read_stdin,
    sources_of,
    without_credentials,
)
from webquarry.fetching.policy import DEFAULT_POLICY, Policy
from webquarry.fetching.saved_sites import SavedSite, UrlMap, is_web_address, read_url_map
from webquarry.html.page_lists import PageList, read_list, sniff
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count

if TYPE_CHECKING:
    from webquarry.fetching.session import Session

WORKERS = 16
"""Simultaneous downloads over all hosts."""
INPUTS_AHEAD = 8 * WORKERS
"""Inputs that are started before the first result is returned; with fewer, one slow host would hold up all others."""

MAX_LIST_DEPTH = 3
"""The limit of nested index files; the protocol of sitemaps allows one level."""
MAX_LISTS = 10_000
"""The limit of sitemaps in a run, against servers that generate index files without end."""
_GZIP_MARK = b"\x1f\x8b"

Progress = Callable[[int, int | None], None]
T = TypeVar("T")
_log = logging.getLogger(__name__)


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
    inputs: Iterable[str | Path],
    *,
    policy: Policy = DEFAULT_POLICY,
    progress: Progress | None = None,
    max_pages: int | None = None,
    roots: Iterable[str | Path] = (),
    follow_lists: bool = True,
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs, in their order, with a failure in place of each page that could not be fetched.

    An input that is a sitemap or feed stands for the pages that it names, unless `follow_lists` is False; one on disk
    leads to the saved pages below its folder or the `roots`.  At most `max_pages` are given; a warning says how many
    are left out.

    Up to 128 inputs are started ahead of the page that is returned.  `progress` is called before each page with the
    number of pages so far and the total, None while that is unknown.  Closing the iterator ends all downloads.
    """
    named = fetch_named(
        inputs, policy=policy, progress=progress, max_pages=max_pages, roots=roots, follow_lists=follow_lists
    )
    with closing(named):
        for _, result in named:
            yield result


def fetch_named(
    inputs: Iterable[str | Path],
    *,
    policy: Policy = DEFAULT_POLICY,
    progress: Progress | None = None,
    max_pages: int | None = None,
    roots: Iterable[str | Path] = (),
    follow_lists: bool = True,
    known: Container[str] = (),
) -> Generator[tuple[str, Page | Failure], None, None]:
    """Fetch pages as `fetch_all` does, each with the name of its source: the address before any redirect.

    Sources whose names are `known` are left out.
    """
    sources: Iterable[Source | Failure] = expand([inputs] if isinstance(inputs, str | Path) else inputs)
    if isinstance(inputs, Sized):
        sources = list(sources)
    with closing(Loader(policy)) as loader:
        found = ListedPages(map(Path, roots), loader.url_map, max_bytes=policy.max_bytes) if follow_lists else None
        run = _Run(loader, found, max_pages, known)
        for done, (source, result) in enumerate(run.give(sources), start=1):
            if progress is not None:
                progress(done, run.total)
            yield name_source(source, result), result
        run.tell_left_out()


def name_source(source: Source | Failure, result: Page | Failure) -> str:
    """Name the source of a page so that a later run recognizes it; pages of archives are named by their addresses."""
    if isinstance(source, Source) and source.kind is Kind.ADDRESS:
        return without_credentials(source.name)
    if isinstance(source, Source) and source.kind is Kind.FILE:
        return file_uri(source.path)
    return result.page if isinstance(result, Failure) else result.url


def look_ahead(begun: Iterable[T]) -> Iterator[T]:
    """Yield items `INPUTS_AHEAD` places late, so that the downloads that they start run in the meantime."""
    waiting: deque[T] = deque()
    for each in begun:
        waiting.append(each)
        if len(waiting) > INPUTS_AHEAD:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


class Lanes:
    """Threads for downloads; a host gets no more threads than connections, so a slow host slows only itself."""

    def __init__(self, per_host: int) -> None:
        self._per_host = per_host
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-fetch")
        self._lock = threading.Lock()
        self._running: Counter[str] = Counter()
        self._waiting: defaultdict[str, deque[tuple[Future[Page], Callable[[], Page]]]] = defaultdict(deque)
        self._is_closed = False

    def submit(self, host: str, work: Callable[[], Page]) -> Future[Page]:
        """Do the work when the host has a free thread."""
        done: Future[Page] = Future()
        with self._lock:
            self._waiting[host].append((done, work))
            self._begin_next(host)
        return done

    def close(self) -> None:
        """Wait for the work that has started, and cancel the rest."""
        with self._lock:
            self._is_closed = True
        self._threads.shutdown(cancel_futures=True)

    def _begin_next(self, host: str) -> None:
        if self._running[host] < self._per_host and self._waiting[host] and not self._is_closed:
            self._running[host] += 1
            self._threads.submit(self._run, host, *self._waiting[host].popleft())

    def _run(self, host: str, done: Future[Page], work: Callable[[], Page]) -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for the page
            done.set_exception(error)
        with self._lock:
            self._running[host] -= 1
            if not self._waiting[host]:
                del self._waiting[host]
            if not self._running[host]:
                del self._running[host]
            if host in self._waiting:
                self._begin_next(host)


class Loader:
    """Downloads over one session for any number of threads; the session is opened by the first request."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._lanes: Lanes | None = None

    @cached_property
    def url_map(self) -> UrlMap:
        """The addresses on the web of saved pages."""
        given = self.policy.url_map
        return read_url_map(given) if isinstance(given, str | Path) else given or {}

    def read(self, path: Path, *, address: str = "") -> Page:
        """Read the page in a file; `address` is its address on the web if the URL map has none."""
        page = read_file(path, max_bytes=self.policy.max_bytes)
        mapped = self.url_map.get(os.path.realpath(path), "") if self.url_map else ""
        return replace(page, address=mapped or address)

    def load(self, address: str) -> Page:
        """Fetch the resource at an address."""
        return self._open_session().fetch(address)

    def begin(self, address: str, *, form: str | None = None) -> Future[Page]:
        """Start to download a page in a thread of the loader; a form is sent by POST."""
        try:
            session = self._open_session()  # here, not in the thread: `stop` would miss a session yet to be opened
        except FetchError as error:
            failed: Future[Page] = Future()
            failed.set_exception(error)
            return failed
        if self._lanes is None:
            self._lanes = Lanes(self.policy.connections_per_host)
        host = address.partition("://")[2].partition("/")[0]
        fetch = partial(session.fetch, address) if form is None else partial(session.fetch, address, form=form)
        return self._lanes.submit(host, fetch)

    def stop(self) -> None:
        """Make all requests in progress fail soon."""
        if self._session is not None:
            self._session.stop()

    def close(self) -> None:
        """Stop all requests, wait for the threads, then close the session."""
        self.stop()
        if self._lanes is not None:
            self._lanes.close()
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
    """A fetcher of the pages that a first page leads to, directly or through others.

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
                raise RefusedError(f"{address}: not read, because only a page on disk may lead to files")
            return self._loader.load(address)
        path = self._site.find(address, page=Path(path_of(page)), page_address=page_address)
        return self._loader.read(path, address="" if address.startswith("file:") else address)


class _Run:
    """The pages of sources, and of the lists among them, up to a limit."""

    def __init__(
        self, loader: Loader, lists: ListedPages | None, max_pages: int | None, known: Container[str] = ()
    ) -> None:
        self._loader, self._lists, self._known = loader, lists, known
        self._max = inf if max_pages is None else max_pages
        self._begun = self._given = self._left = self._lists_left = 0
        self._more = False
        self.total: int | None = 0
        """The number of pages known so far; None if that cannot be known."""

    def give(
        self, sources: Iterable[Source | Failure], depth: int = 0
    ) -> Iterator[tuple[Source | Failure, Page | Failure]]:
        """Yield the pages of sources, each with its source; `depth` counts the lists above them."""
        if self._known:
            unknown = (each for each in sources if isinstance(each, Failure) or not self._is_known(each))
            sources = list(unknown) if isinstance(sources, Sized) else unknown
        self._add_total(sources)
        for source, results in look_ahead((source, self._begin(source)) for source in self._limit(sources, depth)):
            for result in results:
                listed = self._open_list(source, result)
                if listed is not None and isinstance(result, Page):
                    self._begun -= 1
                    self.total = None if self.total is None else self.total - 1
                    yield from self.give(list(cast("ListedPages", self._lists).find(listed, result, depth)), depth + 1)
                elif self._given >= self._max:  # an archive has more pages
                    self._more = True
                    break
                else:
                    self._given += 1
                    yield source, _check_listed(source, result, depth)

    def _is_known(self, source: Source) -> bool:
        if source.kind is Kind.ADDRESS:
            return without_credentials(source.name) in self._known
        return source.kind is Kind.FILE and file_uri(source.path) in self._known

    def tell_left_out(self) -> None:
        """Warn about pages that are left out."""
        if not (self._left or self._more):
            return
        pages = count(self._left, "page")
        said = "further pages" if not self._left else f"{pages}{' and further ones' * self._more}"
        lists = f", and {count(self._lists_left, 'sitemap')} not read" if self._lists_left else ""
        _log.warning("%s left out%s, because of --max-pages %d", said, lists, self._max)

    def _add_total(self, sources: Iterable[Source | Failure]) -> None:
        is_known = isinstance(sources, Sized) and not any(
            isinstance(source, Source) and source.kind is Kind.ARCHIVE for source in sources
        )
        if not is_known:
            self.total = None
        elif self.total is not None and isinstance(sources, Sized):
            self.total = int(min(self.total + len(sources), self._max))

    def _limit(self, sources: Iterable[Source | Failure], depth: int) -> Iterator[Source | Failure]:
        """Yield sources while more pages are wanted, because each has at least one page; count the others."""
        for source in sources:
            if self._begun < self._max:
                self._begun += 1
                yield source
            elif not isinstance(sources, Sized):  # it may have no end
                self._more = True
                return
            elif depth and isinstance(source, Source) and source.may_list:
                self._lists_left += 1
            else:
                self._left += 1

    def _begin(self, source: Source | Failure) -> Iterator[Page | Failure]:
        if isinstance(source, Failure):
            return iter([source])
        return _guard(without_credentials(source.name), _begin(source, self._loader))

    def _open_list(self, source: Source | Failure, result: Page | Failure) -> PageList | None:
        if self._lists is None or not isinstance(source, Source) or not source.may_list or isinstance(result, Failure):
            return None
        return self._lists.open(source, result)


def _check_listed(source: Source | Failure, result: Page | Failure, depth: int) -> Page | Failure:
    """Turn a page into a failure where a sitemap index names it as a sitemap."""
    if depth and isinstance(source, Source) and source.may_list and isinstance(result, Page):
        return Failure(result.url, f"{result.url}: a sitemap index names this page, but it is not a sitemap")
    return result


def _guard(name: str, pages: Iterator[Page]) -> Iterator[Page | Failure]:
    """Yield pages, and a failure for an error among them."""
    try:
        yield from pages
    except WebquarryError as error:
        yield Failure(page=name, error=str(error), kind="fetch" if isinstance(error, FetchError) else "input")
    except Exception as error:  # noqa: BLE001 - a fault of ours or of a library; one page must not end the run
        yield Failure(page=name, error=_describe_fault(name, error))


def _begin(source: Source, loader: Loader) -> Iterator[Page]:
    """Yield the pages of a source; a download starts at once, files are read when the first page is requested."""
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
        yield loader.read(source.path, address=source.address or policy.base_url)


def _describe_fault(name: str, error: BaseException) -> str:
    return f"{name}: unexpected {type(error).__name__} ({error}); please report it"


class ListedPages:
    """The sitemaps and feeds among the fetched inputs of a run, and the pages that they name."""

    def __init__(self, roots: Iterable[Path], addresses: UrlMap, *, max_bytes: int) -> None:
        """Look for saved pages below the roots, and under their addresses on the web; `max_bytes` limits a sitemap."""
        self._roots, self._addresses, self._max_bytes = tuple(roots), addresses, max_bytes
        self._opened: set[str] = set()
        self._named: set[str] = set()

    def open(self, source: Source, page: Page) -> PageList | None:
        """Read a page as a sitemap or feed; None if it is neither."""
        body = self._unpack(page.body)
        kind = sniff(body, may_be_text=_may_be_text(source, page))
        return None if kind is None else read_list(body, kind, page.address or page.url)

    def find(self, listed: PageList, page: Page, depth: int) -> Iterator[Source | Failure]:
        """Find the sources of all addresses in a list; `depth` counts the index files above it."""
        self._opened.add(page.url)
        if not listed.addresses:
            yield Failure(page.url, f"{page.url}: {listed.kind} without pages")
        is_file = page.url.startswith("file:")
        site = SavedSite(Path(path_of(page.url)), self._roots, self._addresses) if is_file else None
        for address in listed.addresses:
            if address in self._named and not listed.is_index:
                continue
            self._named.add(address)
            try:
                source = _find_source(address, page, site)
                if listed.is_index:
                    self._check_list(source, address, page, depth)
                yield replace(source, may_list=listed.is_index)
            except (InputError, RefusedError) as error:
                yield Failure(address, str(error))

    def _check_list(self, source: Source, address: str, page: Page, depth: int) -> None:
        """Raise for a list that was read before, or that is nested too deeply."""
        name = file_uri(source.path) if source.kind is Kind.FILE else address
        if name in self._opened:
            raise InputError(f"{address}: {page.url} names this sitemap again; it was read before")
        if depth >= MAX_LIST_DEPTH or len(self._opened) >= MAX_LISTS:
            raise InputError(f"{address}: not read, because the sitemap index {page.url} is nested too deeply")
        self._opened.add(name)

    def _unpack(self, body: bytes) -> bytes:
        """Unpack a body that was sent as a gzip file, as sitemaps are; return any other body unchanged."""
        if not body.startswith(_GZIP_MARK):
            return body
        try:
            return gather(gunzip([body]), self._max_bytes)
        except FetchError:
            return body


def _find_source(address: str, page: Page, site: SavedSite | None) -> Source:
    """Find the saved file of an address that a list on disk names, else the address itself."""
    if not SCHEME.match(address):
        raise InputError(f"{address}: a relative address in {page.url}; say with --base-url what it is relative to")
    if site is None:
        if address.lower().startswith("file:"):
            raise RefusedError(f"{address}: not read, because {page.url} is on the web and may not lead to files")
    else:
        try:
            path = site.find(address, page=Path(path_of(page.url)), page_address=page.address)
            return Source(Kind.FILE, str(path), address=address if is_web_address(address) else "")
        except (InputError, RefusedError):
            if address.lower().startswith("file:"):
                raise
    (source,) = sources_of(address)
    if isinstance(source, Failure) or not is_web_address(address):
        raise InputError(f"{address}: not a valid address; it is named in {page.url}")
    return source


def _may_be_text(source: Source, page: Page) -> bool:
    """Tell whether a plain text may be a list: it is called a text, or it is standard input."""
    if source.kind is Kind.STDIN:
        return True
    if source.kind is Kind.FILE:
        return source.name.lower().removesuffix(".gz").endswith(".txt")
    return (page.header("content-type") or "").strip().lower().startswith("text/plain")
