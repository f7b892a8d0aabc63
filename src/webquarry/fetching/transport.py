"""Send requests over the network: guarded, paced and within the time budget of their page.

This is the layer below the cache, so responses are decoded and their headers fit to be stored.
"""

from __future__ import annotations

import math
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import formatdate
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import httpcore2
import httpx2

from webquarry.errors import RefusedError
from webquarry.fetching.encodings import decode, describing_headers
from webquarry.fetching.robots import Pace

ALLOW_PRIVATE = "allow it with --allow-private (in Python allow_private=True)"
KEEP_ALIVE_SECONDS = 15.0  # an idle connection is kept this long for the next page of its host
MAX_IDLE_CONNECTIONS = 64
TEMPORARY_REDIRECTS = (302, 303, 307)
FRESHNESS_HEADERS = ("cache-control", "expires")  # RFC 9111, section 4.2
# RFC 6052: the last 32 bits are an IPv4 address that a gateway connects to.
NAT64 = IPv6Network("64:ff9b::/96")
# RFC 8215: the same, for gateways of a local network.
LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
# RFC 4291, section 2.5.5.1, deprecated; some systems still connect to the IPv4 address inside.
IPV4_COMPATIBLE = IPv6Network("::/96")
# Addresses and names at which machines in a data centre are given their credentials, beside link-local ones.
METADATA_ADDRESSES = frozenset(
    map(ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"))
)
METADATA_NAMES = frozenset(("metadata", "metadata.google.internal", "metadata.goog", "instance-data"))
LOOK_SECONDS = 0.2  # between two looks whether a name was resolved or the run stopped

Resolver = Callable[[str, int], list[str]]


class NetworkTransport(httpx2.BaseTransport):
    """Sends each request when its turn comes, through guarded connections."""

    def __init__(self, backend: GuardedBackend, pace: Pace) -> None:
        """`backend` opens the connections, `pace` says when a request may be sent."""
        self._backend = backend
        self._pace = pace
        self._lock = threading.Lock()
        self._pools: dict[bool, httpcore2.ConnectionPool] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the response of the server; its body is read later."""
        free = self._pace.take_turn(request.url.netloc.decode("ascii"))
        try:
            answer = self._pool(secure=request.url.scheme == "https").handle_request(_core_request(request))
        except BaseException:
            free()
            raise
        # Latin-1 keeps every byte of a header as it is.
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers]
        return httpx2.Response(
            status_code=answer.status,
            headers=_bytes(_storable(answer.status, headers)),
            stream=_Body(answer, _content_encoding(headers), free),
        )

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()

    def _pool(self, *, secure: bool) -> httpcore2.ConnectionPool:
        # Plain HTTP gets a pool of its own, because loading the certificates takes longer than many a page.
        with self._lock:
            if secure not in self._pools:
                self._pools[secure] = httpcore2.ConnectionPool(
                    ssl_context=httpx2.create_ssl_context() if secure else None,
                    max_connections=None,
                    max_keepalive_connections=MAX_IDLE_CONNECTIONS,
                    keepalive_expiry=KEEP_ALIVE_SECONDS,
                    network_backend=self._backend,
                )
            return self._pools[secure]


class _Body(httpx2.SyncByteStream):
    def __init__(self, answer: httpcore2.Response, content_encoding: str, free: Callable[[], None]) -> None:
        self._answer = answer
        self._content_encoding = content_encoding
        self._free: Callable[[], None] | None = free

    def __iter__(self) -> Iterator[bytes]:
        yield from decode(self._answer.iter_stream(), self._content_encoding)

    def close(self) -> None:
        free, self._free = self._free, None
        if free is not None:
            try:
                self._answer.close()
            finally:
                free()


def _core_request(request: httpx2.Request) -> httpcore2.Request:
    return httpcore2.Request(
        method=request.method,
        url=httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        ),
        headers=request.headers.raw,
        content=request.content if request.method == "POST" else None,
        extensions=request.extensions,
    )


def _content_encoding(headers: list[tuple[str, str]]) -> str:
    return ",".join(value for name, value in headers if name.lower() == "content-encoding")


def _storable(status: int, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    kept = list(describing_headers(headers))
    names = {name.lower() for name, _ in kept}
    if "date" not in names:
        # RFC 9110, section 6.6.1, asks the recipient to add it; the cache compares copies by it.
        kept.append(("Date", formatdate(usegmt=True)))
    if status in TEMPORARY_REDIRECTS and not names.intersection(FRESHNESS_HEADERS):
        # Stale at once, so requested again each time, but available when only the cache may answer.
        kept.append(("Cache-Control", "max-age=0"))
    return kept


def _bytes(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def resolve(host: str, port: int) -> list[str]:
    """Look up the addresses of a host, in the order in which the system would try them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the public internet, looking through IPv6 addresses that embed IPv4 ones."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        inner = _inner_ipv4(parsed)
        if inner is not None:
            return is_public(str(inner))
        if parsed.is_site_local or parsed in IPV4_COMPATIBLE:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def _inner_ipv4(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def is_forbidden(address: str) -> bool:
    """Tell whether no policy allows an address: link-local, or one that gives machines their credentials.

    >>> [is_forbidden(each) for each in ("169.254.1.2", "fe80::1", "::ffff:169.254.1.2", "10.0.0.1", "127.0.0.1")]
    [True, True, True, False, False]
    """
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        inner = _inner_ipv4(parsed)
        if inner is None and (parsed in IPV4_COMPATIBLE or parsed in LOCAL_NAT64):
            inner = IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is None and parsed.teredo is not None:
            inner = parsed.teredo[1]
        if inner is not None and is_forbidden(str(inner)):
            return True
    return parsed.is_link_local or parsed in METADATA_ADDRESSES


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to public addresses only, or with `allow_private` to all but link-local ones, within the time budget.

    Checking the host name before the request would not be enough: it may resolve to a private
    address, or to a public one when checked and a private one when used. So each name is resolved
    here, once, and the connection goes to an address that passed.
    """

    def __init__(self, *, allow_private: bool, resolver: Resolver = resolve) -> None:
        """`resolver` looks up the addresses of a host."""
        self._allow_private = allow_private
        self._resolver = resolver
        self._backend = httpcore2.SyncBackend()
        self._lock = threading.Lock()
        self._open: weakref.WeakSet[_GuardedStream] = weakref.WeakSet()
        self._aborted = False

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address of the host that is allowed and answers."""
        failure: Exception | None = None
        for address in self._allowed(host, port, timeout):
            try:
                with spending(timeout) as seconds:
                    stream = self._backend.connect_tcp(address, port, seconds, local_address, socket_options)
                return self._watched(stream)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"no address for {host}")

    def abort(self) -> None:
        """Shut down all connections, and those opened later, so that threads waiting on them wake up."""
        with self._lock:
            self._aborted = True
            streams = list(self._open)
        for stream in streams:
            stream.abort()

    def _allowed(self, host: str, port: int, timeout: float | None) -> list[str]:
        if host.lower().rstrip(".") in METADATA_NAMES:
            raise RefusedError(f"{host} gives machines their credentials; it is never fetched")
        with spending(timeout) as seconds:
            try:
                addresses = self._resolve(host, port, seconds)
            except (OSError, UnicodeError) as error:
                raise httpcore2.ConnectError(str(error)) from error
        left = [address for address in addresses if not is_forbidden(address)]
        if addresses and not left:
            raise RefusedError(f"{_at(host, addresses)} is a link-local or metadata address; it is never fetched")
        if self._allow_private:
            return left
        public = [address for address in left if is_public(address)]
        if left and not public:
            raise RefusedError(f"{_at(host, left)} is not on the public internet; {ALLOW_PRIVATE}")
        return public

    def _resolve(self, host: str, port: int, seconds: float | None) -> list[str]:
        """Look up a host in a thread, which goes on alone if the name service does not answer in time."""
        answer: Future[list[str]] = Future()

        def look_up() -> None:
            try:
                answer.set_result(self._resolver(host, port))
            except BaseException as error:  # noqa: BLE001 - raised again by who waits
                answer.set_exception(error)

        threading.Thread(target=look_up, name="webquarry-dns", daemon=True).start()
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        while not self._aborted and (left := deadline - time.monotonic()) > 0:
            try:
                return answer.result(min(left, LOOK_SECONDS))
            except TimeoutError:
                if answer.done():
                    raise
        raise httpcore2.ConnectTimeout(f"the name service does not answer for {host}")

    def _watched(self, stream: httpcore2.NetworkStream) -> _GuardedStream:
        watched = _GuardedStream(stream, self._watched)
        with self._lock:
            self._open.add(watched)
            too_late = self._aborted
        if too_late:
            watched.abort()
        return watched


def _at(host: str, addresses: list[str]) -> str:
    return host if host == addresses[0] else f"{host}, at {addresses[0]},"


class _GuardedStream(httpcore2.NetworkStream):
    """A connection whose waits count against the time budget of the page."""

    def __init__(
        self, stream: httpcore2.NetworkStream, watch: Callable[[httpcore2.NetworkStream], _GuardedStream]
    ) -> None:
        self._stream = stream
        self._watch = watch

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with spending(timeout) as seconds:
            return self._stream.read(max_bytes, seconds)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with spending(timeout) as seconds:
            self._stream.write(buffer, seconds)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        with spending(timeout) as seconds:
            return self._watch(self._stream.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def abort(self) -> None:
        try:
            # The plain socket's method: that of a TLS socket would pull its state from under the reading thread.
            socket.socket.shutdown(self._stream.get_extra_info("socket"), socket.SHUT_RDWR)
        except OSError:
            return


class SpentError(TimeoutError):
    """The time budget of the page is used up."""


@dataclass
class _Budget:
    seconds_left: float


_current: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def time_budget(seconds: float) -> Iterator[None]:
    """Limit the network time of a page: all waits of this thread inside the block together.

    A limit for each single wait would let a server that sends a byte a second go on forever.
    Waiting for our own turn does not count.
    """
    token = _current.set(_Budget(seconds))
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def spending(timeout: float | None) -> Iterator[float | None]:
    """Yield the seconds that one wait may take, and deduct what it took."""
    budget = _current.get()
    if budget is None:
        yield timeout
        return
    if budget.seconds_left <= 0:
        raise SpentError("the time for this page is used up")
    started = time.monotonic()
    try:
        yield budget.seconds_left if timeout is None else min(timeout, budget.seconds_left)
    finally:
        budget.seconds_left -= time.monotonic() - started
