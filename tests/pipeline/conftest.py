"""A small book on disk: countries with areas and people, its wrapper and its index."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.fetching.policy import Policy
from webquarry.pipeline.wrapped_tables import PageSupply, WrappedTable

COUNTRIES = {"el": "Elmland", "oa": "Oakia", "ho": "Holmark", "br": "Brindle"}
AREAS = {"el": 1200, "oa": 860, "ho": 44, "br": 9031}


def book_page(country: str, area: int = 100, *, people: bool = True) -> str:
    folk = f"<h2>People</h2><h3>Population</h3><p>{area * 7:,}</p><h3>Languages</h3><p>Common of {country}</p>"
    return (
        f"<!doctype html><title>{country}</title><h1>{country}</h1>"
        f"<h2>Geography</h2><h3>Area</h3><p>{area} sq km</p><h3>Climate</h3><p>mild in {country}</p>"
        f"<h3>Terrain</h3><p>{'hills ' * (area % 5 + 1)}</p>"
        f"<h2>Government</h2><h3>Capital</h3><p>{country} City</p><h3>Form</h3><p>republic no. {area}</p>"
        f"{folk if people else ''}"
    )


OTHER_PAGE = "<!doctype html><title>Moved</title><h1>We have moved</h1><p>Our book is elsewhere now.</p>"


def learn_book() -> wq.Wrapper:
    pages = [wq.Page(f"https://book.test/{code}", book_page(COUNTRIES[code], AREAS[code]).encode()) for code in AREAS]
    wrapper = wq.wrap([wq.clean(page) for page in pages], name="book")
    return replace(wrapper, source=replace(wrapper.source, samples=()))


@pytest.fixture(scope="session")
def learnt() -> wq.Wrapper:
    return learn_book()


@pytest.fixture
def book(tmp_path: Path, learnt: wq.Wrapper) -> Path:
    """The folder of the book: `book.toml`, `index.csv` and `geos/`."""
    folder = tmp_path / "catalog"
    (folder / "geos").mkdir(parents=True)
    rows = "".join(f"{country},{code}\n" for code, country in COUNTRIES.items())
    (folder / "index.csv").write_text(f"country,code\n{rows}")
    for code, country in COUNTRIES.items():
        (folder / "geos" / f"{code}.html").write_text(book_page(country, AREAS[code]))
    source = replace(learnt.source, pages="geos/{code}.html", key="country", index_file="index.csv")
    wq.save_wrapper(folder / "book.toml", replace(learnt, source=source))
    return folder


@pytest.fixture
def supply(tmp_path: Path) -> Iterator[PageSupply]:
    policy = Policy(cache=tmp_path / "cache", allow_private=True, requests_per_second=1e6)
    with PageSupply(policy) as supply:
        yield supply


@pytest.fixture
def table(book: Path, supply: PageSupply) -> WrappedTable:
    return WrappedTable("book", wq.load_wrapper(book / "book.toml"), supply, file=book / "book.toml")


@pytest.fixture
def threads_left() -> Callable[[], list[str]]:
    """Tells which threads of ours a test has started and left; a browser that other tests share has some too."""
    before = set(threading.enumerate())
    return lambda: [
        each.name for each in threading.enumerate() if each not in before and each.name.startswith("webquarry")
    ]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        if self.path in self.server.together:  # pages that come when all of them are asked for
            self.server.barrier.wait(300)
        body, elsewhere = self.server.pages.get(self.path), self.server.moved.get(self.path)
        self.send_response(302 if elsewhere else 404 if body is None else 200)
        if elsewhere:
            self.send_header("Location", elsewhere)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def do_POST(self) -> None:
        """Give the page that a form asks for, at its address and the form behind a question mark."""
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        assert self.headers["Content-Type"] == "application/x-www-form-urlencoded"
        self.path += f"?{form}"
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """A test says enough."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        listener.url = f"http://127.0.0.1:{listener.server_port}"
        listener.pages, listener.moved, listener.asked, listener.together = {}, {}, Counter(), ()
        listener.barrier = threading.Barrier(1)
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        yield listener
        listener.shutdown()
        thread.join()
