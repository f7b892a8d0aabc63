"""Serve pages on loopback in a separate process, to keep its CPU time out of the measurements."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from typing import cast

Served = Mapping[str, bytes | Path]
"""Content by path of the address."""


class PageServer:
    """A handle on the server process."""

    def __init__(self, address: str, connection: Connection) -> None:
        self.address = address
        """The address of the root, with a trailing slash."""
        self._connection = connection

    def take_counts(self) -> Counter[str]:
        """Return the number of requests for each existing path since the last call."""
        self._connection.send("counts")
        return cast(Counter[str], self._connection.recv())


@contextmanager
def serve(pages: Served, *, delay: float = 0.0) -> Iterator[PageServer]:
    """Serve the pages; each response waits `delay` seconds, many of them at a time."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(dict(pages), delay, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield PageServer(ours.recv(), ours)
    finally:
        ours.close()
        process.join()


def _serve(pages: Served, delay: float, connection: Connection) -> None:
    counts: Counter[str] = Counter()
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else the second packet of a response waits until the first is acknowledged

        def do_GET(self) -> None:
            time.sleep(delay)
            page = pages.get(self.path)
            if page is None:
                self.send_error(404)
                return
            with lock:
                counts[self.path] += 1
            body = page.read_bytes() if isinstance(page, Path) else page
            self.send_response(200)
            self.send_header("Content-Type", "text/csv" if self.path.endswith(".csv") else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=3600")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        connection.send(f"http://127.0.0.1:{server.server_port}/")
        while _is_asked(connection):
            with lock:
                connection.send(Counter(counts))
                counts.clear()
        server.shutdown()


def _is_asked(connection: Connection) -> bool:
    """Wait for the next request for counts; False once the connection is closed."""
    try:
        connection.recv()
    except EOFError:
        return False
    return True
