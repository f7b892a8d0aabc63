"""Fetch pages over HTTP, with robots.txt, redirects, retries and a cache, and explain in plain words what failed.

The cache keeps pages on disk and revalidates them as RFC 9111 prescribes.
"""

from __future__ import annotations

import hashlib
import logging
import socket
import sqlite3
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from types import TracebackType
from typing import Any, Self

import hishel
import hishel.httpx2
import httpcore2
import httpx2
import tenacity

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching.encodings import DamagedError, gather
from webquarry.fetching.inputs import without_credentials
from webquarry.fetching.policy import Policy, cache_path
from webquarry.fetching.robots import MAX_ROBOTS_BYTES, Pace, Robots
from webquarry.fetching.transport import GuardedBackend, NetworkTransport, Resolver, SpentError, resolve, time_budget
from webquarry.model.page import Page

TIMEOUTS_PER_PAGE = 4  # all waits of a page together may take as long as this many single ones
MAX_REDIRECT_BYTES = 64 * 2**10  # read so that the cache keeps the redirect; longer bodies are cut off
MAX_BACKOFF = 30.0  # seconds
ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
ACCEPT_ENCODING = "gzip, deflate, br"
FORM_TYPE = "application/x-www-form-urlencoded"


class Session:
    """Fetches pages for one run; threads may share it."""

    def __init__(
        self, policy: Policy, *, resolver: Resolver = resolve, pause: Callable[[float], None] | None = None
    ) -> None:
        """Tests replace `resolver` and `pause`, the name service and the clock."""
        self._policy = policy
        self._stopped = threading.Event()
        self._pause = pause or self._sleep
        self._user_agent = policy.user_agent or f"webquarry/{version('webquarry')}"
        self._backend = GuardedBackend(allow_private=policy.allow_private, resolver=resolver)
        self._pace = Pace(
            requests_per_second=policy.requests_per_second,
            connections_per_host=policy.connections_per_host,
            pause=self._sleep,
        )
        self._robots = Robots(self._user_agent, self._load_robots)
        self._transport = self._open_transport()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the connections and the cache."""
        self._transport.close()

    def stop(self) -> None:
        """Make all requests in progress fail soon."""
        self._stopped.set()
        self._backend.abort()

    def fetch(self, address: str, *, form: str | None = None) -> Page:
        """Fetch the page at an address, following redirects; a form, encoded like a query, is sent by POST."""
        url = parse_address(address)
        try:
            with time_budget(self._policy.timeout * TIMEOUTS_PER_PAGE):
                return self._with_retries(partial(self._get_page, url, form))
        except RefusedError as error:
            raise RefusedError(f"{without_credentials(address)}: {error}") from error
        except FetchError as error:
            raise FetchError(f"{without_credentials(address)}: {error}") from error

    def _get_page(self, url: httpx2.URL, form: str | None) -> Page:
        obeyed = not (self._policy.ignore_robots or self._policy.offline)
        page = self._follow(url, before=self._obey if obeyed else None, read=self._read_page, form=form)
        check_status(page)
        return page

    def _load_robots(self, url: httpx2.URL) -> Page:
        def get() -> Page:
            page = self._follow(url, before=None, read=_read_robots)
            if page.status in TEMPORARY_STATUSES or page.status >= 500:
                check_status(page)
            return page

        return self._with_retries(get)

    def _obey(self, url: httpx2.URL) -> None:
        delay = self._robots.check(url)
        if delay is not None:
            self._pace.slow_down(url.netloc.decode("ascii"), delay)

    def _follow(
        self,
        url: httpx2.URL,
        *,
        before: Callable[[httpx2.URL], None] | None,
        read: Callable[[httpx2.Response], bytes],
        form: str | None = None,
    ) -> Page:
        """Return the response at the end of all redirects; `before` is called with each address on the way."""
        # A client for each page, so that cookies last only for its redirects.
        client = httpx2.Client(
            transport=self._transport, headers=self._headers(), timeout=self._policy.timeout, trust_env=False
        )
        request = client.build_request("GET", url)
        if form is not None:
            request = client.build_request("POST", url, content=form, headers={"content-type": FORM_TYPE})
        for _ in range(self._policy.max_redirects + 1):
            check_redirect(request.url)
            if before is not None:
                before(request.url)
            with explained():
                response = client.send(request, stream=True, follow_redirects=False)
                try:
                    redirected = response.next_request
                    if redirected is None:
                        return _page(response, read(response))
                    _drain(response)
                finally:
                    response.close()
            request = redirected
            request.url = request.url.copy_with(fragment=None)
            self._send_given_cookies(request, url)
        raise FetchError(f"it redirects more than {self._policy.max_redirects} times; the site may be misconfigured")

    def _send_given_cookies(self, request: httpx2.Request, first: httpx2.URL) -> None:
        # On a redirect, the client itself sends only cookies that the site has set.
        downgraded = (first.scheme, request.url.scheme) == ("https", "http")
        if request.url.host == first.host and not downgraded:
            given = [value for name, value in self._policy.header_pairs if name.lower() == "cookie"]
            cookies = "; ".join([*given, *request.headers.get_list("cookie")])
            if cookies:
                request.headers["cookie"] = cookies

    def _read_page(self, response: httpx2.Response) -> bytes:
        # An error message is not a page.
        return gather(response.iter_raw(), self._policy.max_bytes) if response.status_code < 400 else b""

    def _with_retries(self, attempt: Callable[[], Page]) -> Page:
        policy = self._policy
        return with_retries(attempt, retries=policy.retries, backoff=policy.backoff, pause=self._pause)

    def _headers(self) -> list[tuple[bytes, bytes]]:
        usual = {"user-agent": self._user_agent, "accept": ACCEPT, "accept-encoding": ACCEPT_ENCODING}
        if self._policy.refresh:
            usual["cache-control"] = "no-cache"
        given = {name.lower() for name, _ in self._policy.header_pairs}
        pairs = [*((name, value) for name, value in usual.items() if name not in given), *self._policy.header_pairs]
        return [(name.encode(), value.encode()) for name, value in pairs]

    def _open_transport(self) -> httpx2.BaseTransport:
        storage = open_storage(self._policy)
        variant = variant_of(self._policy, self._user_agent)
        if self._policy.offline:
            return OfflineTransport(storage, variant)
        return CachingTransport(NetworkTransport(self._backend, self._pace), storage, variant)

    def _sleep(self, seconds: float) -> None:
        if self._stopped.wait(max(0.0, seconds)):
            raise FetchError("stopped")


def parse_address(address: str) -> httpx2.URL:
    """Parse an address given by a user and drop its fragment, which servers never see."""
    try:
        url = httpx2.URL(address).copy_with(fragment=None)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise InputError(
            f"{without_credentials(address)}: not a valid address ({error}); check its spelling"
        ) from error
    if not _is_complete(url):
        shown = without_credentials(address)
        raise InputError(f"{shown}: the address names no host and port; write it as https://example.org/page")
    return url


def check_redirect(url: httpx2.URL) -> None:
    """Raise unless a server may redirect us to this address."""
    if url.scheme not in ("http", "https"):
        raise RefusedError(f"it redirects to {url}, and {url.scheme or 'such'} addresses are not followed")
    if not _is_complete(url):
        raise FetchError(f"it redirects to {url}, an invalid address; the site may be misconfigured")


def _is_complete(url: httpx2.URL) -> bool:
    return bool(url.host) and (url.port is None or 0 < url.port < 2**16)


def with_retries(attempt: Callable[[], Page], *, retries: int, backoff: float, pause: Callable[[float], None]) -> Page:
    """Attempt until one succeeds; pauses grow exponentially unless the server asks for another."""
    growing = tenacity.wait_exponential_jitter(multiplier=backoff, max=MAX_BACKOFF, jitter=backoff)

    def wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, TemporaryError) else None
        return growing(state) if asked is None else asked

    # Not stamina, which builds on tenacity: it sleeps where nothing can wake it, and logs each retry as a warning.
    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(retries + 1),
        retry=tenacity.retry_if_exception_type(TemporaryError),
        wait=wait,
        sleep=pause,
        reraise=True,
    )
    return retrying(attempt)


def _page(response: httpx2.Response, body: bytes) -> Page:
    return Page(
        without_credentials(str(response.url)), body, response.status_code, tuple(response.headers.multi_items())
    )


def _read_robots(response: httpx2.Response) -> bytes:
    body = bytearray()
    for piece in response.iter_raw():
        body += piece
        if len(body) >= MAX_ROBOTS_BYTES:
            break
    return bytes(body[:MAX_ROBOTS_BYTES])


def _drain(response: httpx2.Response) -> None:
    try:
        gather(response.iter_raw(), MAX_REDIRECT_BYTES)
    except FetchError:
        return


TEMPORARY_STATUSES = (429, 502, 503, 504)
MAX_RETRY_AFTER = 60.0  # seconds; we do not wait longer within one run
ADVICE = {
    401: "send credentials with --header",
    403: "the site refuses programs like this one",
    404: "check the address",
    410: "it is gone for good",
    429: "fetch fewer pages at a time, or try again later",
}


class TemporaryError(FetchError):
    """A temporary failure: another attempt may succeed."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        """`retry_after` is the wait in seconds that the server asks for."""
        super().__init__(message)
        self.retry_after = retry_after


@contextmanager
def explained() -> Iterator[None]:
    """Translate errors of the HTTP libraries into FetchError."""
    try:
        yield
    except FetchError as error:
        if isinstance(error, DamagedError):
            raise TemporaryError(f"{error}; try again, or report it to the site") from error
        raise
    except (SpentError, httpcore2.ReadTimeout, httpcore2.WriteTimeout, httpcore2.PoolTimeout) as error:
        raise FetchError("the server is too slow; try again later, or in Python with a longer timeout") from error
    except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
        raise _connection_error(error) from error
    except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
        reason = str(error).partition(": bytearray")[0].rstrip(".")  # some quote what was sent, as Python writes it
        raise TemporaryError(f"the connection broke off ({reason}); try again later") from error
    except (httpx2.RemoteProtocolError, httpx2.InvalidURL) as error:
        raise FetchError(f"it redirects to an invalid address ({error}); the site may be misconfigured") from error
    except (httpcore2.LocalProtocolError, UnicodeError) as error:
        raise FetchError(f"the request is invalid ({error}); check the address and the headers") from error
    except (OSError, RuntimeError, httpx2.HTTPError) as error:
        raise FetchError(f"{error}; try again later") from error


def check_status(page: Page) -> None:
    """Raise a FetchError unless the status is a success."""
    if 200 <= page.status < 300:
        return
    names = {status.value: status.phrase for status in HTTPStatus}
    answer = f"the server answered {page.status} {names.get(page.status, '')}".rstrip()
    message = f"{answer}; {ADVICE.get(page.status, 'try again later' if page.status >= 500 else 'check the address')}"
    wait = retry_after(page.header("Retry-After"))
    if wait is not None and wait > MAX_RETRY_AFTER:
        raise FetchError(f"{answer} and asks to wait {wait:.0f} seconds; try again then")
    if page.status in TEMPORARY_STATUSES:
        raise TemporaryError(message, wait)
    raise FetchError(message)


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """Read the seconds to wait from a Retry-After header, which holds a number or a date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _connection_error(error: Exception) -> FetchError:
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN for cause in causes):
        return TemporaryError("the host name cannot be resolved; check the network connection")
    if any(isinstance(cause, socket.gaierror | UnicodeError) for cause in causes):
        return FetchError("the host is unknown; check the spelling of the address")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return FetchError(f"cannot make a secure connection ({error}); check the address, or try http")
    return TemporaryError(f"cannot connect ({error}); check the address, or try again later")


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        # The connection pool raises again "from None", which leaves only the context.
        cause = cause.__cause__ or cause.__context__


MAX_CACHE_BYTES = 2**30  # on disk; the pages not requested for longest are evicted first

# hishel logs each failed write with a traceback, which Python prints if logging is not set up. Such a page is
# returned all the same; only the copy is missing.
logging.getLogger("hishel").addHandler(logging.NullHandler())


class PageStorage(hishel.SqliteStorage):
    """Stores one copy of each page; a new copy replaces the old one once it is complete.

    Threads share one storage, which locks each statement; processes share the file through SQLite's
    write-ahead log.
    """

    def create_entry(self, request: hishel.Request, response: hishel.Response, key: str, **limits: Any) -> hishel.Entry:
        """Create an entry whose body is stored while it is read."""
        outdated = self.get_entries(key)
        entry = super().create_entry(request, response, key, **limits)
        body = self._replacing(entry.response.stream, outdated)
        return replace(entry, response=replace(entry.response, stream=body))

    def newest(self, key: str) -> hishel.Entry | None:
        """Return the copy stored last, fresh or not."""
        entries = self.get_entries(key)
        return entries[-1] if entries else None

    def _replacing(self, body: Any, outdated: list[hishel.Entry]) -> Iterator[bytes]:
        yield from body
        for entry in outdated:
            self.remove_entry(entry.id)


class CachingTransport(hishel.httpx2.CacheTransport):
    """Answers from the cache while a copy is fresh, and asks the server otherwise."""

    def __init__(self, network: httpx2.BaseTransport, storage: PageStorage, variant: str) -> None:
        """`variant` separates copies that were requested with different headers."""
        # A private cache in the sense of RFC 9111: it serves one user.
        super().__init__(network, storage=storage, rfc=hishel.CacheOptions(shared=False))
        self._variant = variant

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request from the cache or the server."""
        request.extensions = {**request.extensions, "caching": {"key": _key(request, self._variant)}}
        return super().handle_request(request)


class OfflineTransport(httpx2.BaseTransport):
    """Answers from the cache alone, with the last copy, however old."""

    def __init__(self, storage: PageStorage, variant: str) -> None:
        """`variant` must be that of the requests that filled the cache."""
        self._storage = storage
        self._variant = variant

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request from the cache."""
        entry = self._storage.newest(_key(request, self._variant))
        if entry is None:
            raise RefusedError("it is not in the cache; fetch it once without --offline")
        body: Any = entry.response.stream
        headers = entry.response.headers
        return httpx2.Response(
            status_code=entry.response.status_code,
            headers=[(name.encode(), value.encode()) for name in headers for value in headers.get_list(name) or []],
            stream=_Stored(body),
        )

    def close(self) -> None:
        """Close the cache."""
        self._storage.close()


class _Stored(httpx2.SyncByteStream):
    def __init__(self, body: Iterator[bytes]) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return self._body


def open_storage(policy: Policy) -> PageStorage:
    """Open the cache that a policy names; create it if needed."""
    path = cache_path(policy)
    try:
        # Pages may be private to the user who fetched them.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            with closing(connection.execute("PRAGMA schema_version")) as cursor:
                cursor.fetchone()
        except sqlite3.Error:
            connection.close()
            raise
    except (OSError, sqlite3.Error) as error:
        raise FetchError(
            f"the cache {path} cannot be used ({error}); delete it, or name another folder with --cache"
        ) from error
    return PageStorage(connection=connection, max_size=MAX_CACHE_BYTES)


def variant_of(policy: Policy, user_agent: str) -> str:
    """Return what tells copies of one page apart: the headers sent with its request, credentials included."""
    return repr((user_agent, policy.header_pairs))


def _key(request: httpx2.Request, variant: str) -> str:
    sent = f" {request.content.decode('latin-1')}" if request.method == "POST" else ""
    return hashlib.sha256(f"{variant} {request.url}{sent}".encode()).hexdigest()
