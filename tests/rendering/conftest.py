"""A real browser for the tests, and a server on loopback that counts what is asked of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.rendering.renderer import Renderer


@pytest.fixture(scope="session")
def renderer(browser: str) -> Iterator[Renderer]:
    with Renderer(browser=browser) as renderer:
        yield renderer


@pytest.fixture
def render(renderer: Renderer) -> Callable[..., Document]:
    def render(markup: str, url: str = "stdin:") -> Document:
        return renderer.render(Page(url=url, body=markup.encode()), markup)

    return render


class Site:
    """A server on loopback; `files` are its paths with type and body, `asked` what was asked for."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, bytes]] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                content_type, body = site.files.get(self.path, ("text/plain", b""))
                self.send_response(200 if self.path in site.files else 404)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()
