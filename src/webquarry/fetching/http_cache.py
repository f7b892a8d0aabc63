"""Keep fetched pages on disk and revalidate them as HTTP caching prescribes (RFC 9111)."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import hishel
import hishel.httpx2
import httpx2

from webquarry.errors import FetchError, RefusedError
from webquarry.fetching.policy import Policy, cache_path

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
