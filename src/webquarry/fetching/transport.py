"""Requests over the network, below the cache: what comes up from here is decoded and fit to be stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from email.utils import formatdate

import httpcore2
import httpx2

from webquarry.fetching.decoding import decode, describing_headers
from webquarry.fetching.guard import GuardedBackend
from webquarry.fetching.pace import Pace

# Seconds that an idle connection is kept for the next page of its host.
KEEP_ALIVE = 15.0
MAX_IDLE = 64
TEMPORARY_REDIRECTS = (302, 303, 307)
# RFC 9111, section 4.2: any of these says how long an answer stays fresh.
FRESHNESS = ("cache-control", "expires")


class NetworkTransport(httpx2.BaseTransport):
    """Sends each request when it is its turn, through the guard."""

    def __init__(self, backend: GuardedBackend, pace: Pace) -> None:
        """`backend` opens the connections, `pace` says when a request may go out."""
        self._backend = backend
        self._pace = pace
        self._lock = threading.Lock()
        self._pools: dict[bool, httpcore2.ConnectionPool] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer of the server, its body still to be read."""
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
        # Two pools, because loading the certificates takes longer than many a page.
        with self._lock:
            if secure not in self._pools:
                self._pools[secure] = httpcore2.ConnectionPool(
                    ssl_context=httpx2.create_ssl_context() if secure else None,
                    max_connections=None,
                    max_keepalive_connections=MAX_IDLE,
                    keepalive_expiry=KEEP_ALIVE,
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
        extensions=request.extensions,
    )


def _content_encoding(headers: list[tuple[str, str]]) -> str:
    return ",".join(value for name, value in headers if name.lower() == "content-encoding")


def _storable(status: int, headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    kept = list(describing_headers(headers))
    names = {name.lower() for name, _ in kept}
    if "date" not in names:
        # RFC 9110, section 6.6.1, asks the recipient for it; the cache needs it to tell old from new.
        kept.append(("Date", formatdate(usegmt=True)))
    if status in TEMPORARY_REDIRECTS and not names.intersection(FRESHNESS):
        # Stale from the start, so asked for again each time, but there when the cache alone has to answer.
        kept.append(("Cache-Control", "max-age=0"))
    return kept


def _bytes(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
