"""Pages on disk, kept and asked about again as HTTP caching says (RFC 9111)."""

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

# Bytes on disk; pages that were not asked for longest go first.
MAX_SIZE = 2**30

# The library logs each failed write with a traceback, and Python prints it when nobody has set up logging.  The page is
# given all the same, only not kept.
logging.getLogger("hishel").addHandler(logging.NullHandler())


class PageStorage(hishel.SqliteStorage):
    """One copy of each page: a new one takes the place of the old when it is complete.

    One storage serves all threads, under the lock that it holds for each statement; processes share the file through
    SQLite's write-ahead log.
    """

    def create_entry(self, request: hishel.Request, response: hishel.Response, key: str, **limits: Any) -> hishel.Entry:
        """An entry whose body is stored while it is read."""
        outdated = self.get_entries(key)
        entry = super().create_entry(request, response, key, **limits)
        body = self._replacing(entry.response.stream, outdated)
        return replace(entry, response=replace(entry.response, stream=body))

    def newest(self, key: str) -> hishel.Entry | None:
        """The copy that was stored last, fresh or not."""
        entries = self.get_entries(key)
        return entries[-1] if entries else None

    def _replacing(self, body: Any, outdated: list[hishel.Entry]) -> Iterator[bytes]:
        yield from body
        for entry in outdated:
            self.remove_entry(entry.id)


class CachingTransport(hishel.httpx2.CacheTransport):
    """Answers from the cache what is fresh in it, and asks the server about the rest."""

    def __init__(self, network: httpx2.BaseTransport, storage: PageStorage, variant: str) -> None:
        """`variant` keeps copies apart that were asked for with different headers."""
        # A private cache in the sense of RFC 9111: it serves one user.
        super().__init__(network, storage=storage, rfc=hishel.CacheOptions(shared=False))
        self._variant = variant

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request, from the cache or from the server."""
        request.extensions = {**request.extensions, "caching": {"key": _key(request, self._variant)}}
        return super().handle_request(request)


class OfflineTransport(httpx2.BaseTransport):
    """Answers from the cache alone, with what was fetched last, however old."""

    def __init__(self, storage: PageStorage, variant: str) -> None:
        """`variant` is that of the requests which filled the cache."""
        self._storage = storage
        self._variant = variant

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The stored answer to a request."""
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
    """The cache that a policy names, made when there is none."""
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
    return PageStorage(connection=connection, max_size=MAX_SIZE)


def variant_of(policy: Policy, user_agent: str) -> str:
    """What tells copies of one page apart: the headers that it was asked for with, credentials among them."""
    return repr((user_agent, policy.headers))


def _key(request: httpx2.Request, variant: str) -> str:
    return hashlib.sha256(f"{variant} {request.url}".encode()).hexdigest()
