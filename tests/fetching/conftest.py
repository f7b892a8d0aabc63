"""A real HTTP server on loopback that misbehaves on demand, and archives written by hand."""

from __future__ import annotations

import errno
import gzip
import math
import os
import socket
import socketserver
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from webquarry.fetching.policy import Policy

TLS_HELLO = b"\x16\x03"
PATIENCE = 60.0  # seconds; a busy machine may need many, and one that is well none


@dataclass
class Request:
    path: str
    headers: dict[str, str]


Route = bytes | Callable[[socket.socket, Request], None]


@dataclass
class Server:
    """Routes by path; a list gives one answer after the other, the last of them for ever."""

    port: int = 0
    routes: dict[str, Route | list[Route]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    connections: int = 0
    hellos: list[bytes] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    @staticmethod
    def answer(body: bytes = b"<p>page</p>", status: int = 200, **headers: str) -> bytes:
        """The bytes of an honest HTTP answer; `Cache_Control="no-store"` becomes a header."""
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    @classmethod
    def redirect(cls, location: str, status: int = 302, **headers: str) -> bytes:
        return cls.answer(b"", status, Location=location, **headers)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def hits(self, path: str) -> int:
        return self.asked[path]

    def route(self, request: Request) -> Route:
        with self.lock:
            self.requests.append(request)
            route = self.routes.get(request.path, self.answer(b"nothing here", 404))
            turn = self.asked[request.path]
            self.asked[request.path] += 1
        return route[min(turn, len(route) - 1)] if isinstance(route, list) else route


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        server: Server = self.server.wild  # type: ignore[attr-defined]
        with server.lock:
            server.connections += 1
        with suppress(OSError):
            while (request := self._request()) is not None:
                route = server.route(request)
                if not isinstance(route, bytes):
                    route(self.request, request)
                    break
                self.request.sendall(route)

    def _request(self) -> Request | None:
        received = b""
        while b"\r\n\r\n" not in received:
            data = self.request.recv(65536)
            if data.startswith(TLS_HELLO):
                self.server.wild.hellos.append(data)  # type: ignore[attr-defined]
                self.request.sendall(b"HTTP/1.1 400 Speak HTTP\r\n\r\n")
            if not data or data.startswith(TLS_HELLO):
                return None
            received += data
        first, *lines = received.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        return Request(first.split(" ")[1], {name.lower(): value for name, value in headers.items()})


@pytest.fixture
def server() -> Iterator[Server]:
    wild = Server()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Handler) as listener:
        listener.wild = wild  # type: ignore[attr-defined]
        wild.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield wild
        finally:
            wild.closing.set()
            listener.shutdown()
            thread.join()


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    """Friendly to loopback, in no hurry to wait, with a cache of its own."""
    return Policy(
        cache=tmp_path / "cache",
        allow_private=True,
        requests_per_second=math.inf,
        timeout=PATIENCE,
        retries=2,
        backoff=0.0,
    )


class Archive:
    """Writes WARC records."""

    @staticmethod
    def record(
        content: bytes,
        url: str = "http://example.org/",
        kind: str = "response",
        length: str | None = None,
        newline: bytes = b"\r\n",
    ) -> bytes:
        lines = [
            "WARC/1.0",
            f"WARC-Type: {kind}",
            f"WARC-Target-URI: {url}",
            "Content-Type: application/http; msgtype=response",
            f"Content-Length: {len(content) if length is None else length}",
        ]
        return newline.join(line.encode() for line in lines) + newline * 2 + content + newline * 2

    @classmethod
    def response(cls, body: bytes, *headers: str, status: str = "200 OK", **record: str) -> bytes:
        head = "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""])
        return cls.record(head.encode("latin-1") + body, **record)  # type: ignore[arg-type]

    @classmethod
    def page(cls, number: int, **record: str) -> bytes:
        url = f"http://example.org/{number}"
        return cls.response(b"<p>page %d</p>" % number, "Content-Type: text/html", **{"url": url, **record})

    @staticmethod
    def gzip_each(*records: bytes) -> bytes:
        return b"".join(gzip.compress(record) for record in records)


@pytest.fixture
def archive() -> Archive:
    return Archive()


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Makes a folder one that may not be read; permissions would not bind who runs the tests as root."""

    def lock(folder: Path) -> None:
        actual = os.scandir

        def scandir(path: str) -> Iterator[os.DirEntry[str]]:
            if Path(path) == folder:
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return actual(path)

        monkeypatch.setattr(os, "scandir", scandir)

    return lock
