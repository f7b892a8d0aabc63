"""Long work: how far it is is shown, and it can be stopped; what other pages lack follows the page on screen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import webquarry as wq

pytestmark = pytest.mark.needs_browser

BOOK = Path(__file__).parents[2] / "examples" / "factbook"
FREE = {"allow_private": True, "ignore_robots": True}
"""The pages are on this machine."""


class SlowSite:
    """The fact book on a server that holds back some pages until they are let go."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.let_go = threading.Event()
        site = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if any(self.path.endswith(name) for name in site.held):
                    site.let_go.wait(60)
                super().do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(BOOK)))
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def site() -> Iterator[SlowSite]:
    slow = SlowSite()
    thread = threading.Thread(target=slow.server.serve_forever)
    thread.start()
    yield slow
    slow.let_go.set()
    slow.server.shutdown()
    thread.join()
    slow.server.server_close()


def test_opening_pages_is_shown_and_stopped(serve, window: Page, site):
    site.held = {"cd.html"}
    pages = [f"{site.address}/geos/{code}.html" for code in ("am", "bv", "cd", "du")]
    served = serve(*pages, name="book", kind="sections", policy=FREE, opens=False)
    opening = threading.Thread(target=served.bench.open)
    opening.start()
    window.goto(served.address)
    expect(window.get_by_role("status")).to_contain_text("Opening pages: 2 of 4")
    window.get_by_role("button", name="Stop").click()
    expect(window.get_by_role("button", name="Stopping")).to_be_visible()
    site.let_go.set()
    window.get_by_role("button", name="Section geography", exact=True).wait_for()
    opening.join()
    expect(window.locator(".warning")).to_contain_text("stopped while opening pages")
    assert 1 < len(served.bench.work.pages) < 4


def test_a_query_is_shown_and_stopped(serve, window: Page, site, tmp_path):
    documents = [wq.clean(wq.fetch(BOOK / "geos" / f"{code}.html")) for code in ("am", "bv", "cd")]
    place = {"base": site.address, "pages": "geos/{code}.html", "key": "country", "index_page": "index.html"}
    (tmp_path / "catalog").mkdir()
    wq.save_wrapper(tmp_path / "catalog" / "book.toml", wq.wrap(documents, name="book", kind="sections", **place))
    served = serve(tmp_path / "catalog", options=dict(FREE), policy=FREE)
    site.held = {f"{code}.html" for code in ("cd", "du", "ee", "fl")}
    window.goto(served.address)
    window.get_by_label("SQL").fill("SELECT country, geography.area.total FROM book")
    window.get_by_role("button", name="Run").click()
    expect(window.get_by_role("status")).to_contain_text("Fetching pages")
    window.get_by_role("button", name="Stop").click()
    site.let_go.set()
    expect(window.get_by_role("status")).to_contain_text("stopped while fetching pages")
    window.get_by_role("button", name="Run").click()
    expect(window.get_by_role("cell", name="Kestria")).to_have_count(1)


def test_a_query_that_needs_too_many_pages_is_refused(serve, window: Page, tmp_path):
    documents = [wq.clean(wq.fetch(BOOK / "geos" / f"{code}.html")) for code in ("am", "bv", "cd")]
    place = {"base": str(BOOK), "pages": "geos/{code}.html", "key": "country", "index_page": "index.html"}
    (tmp_path / "catalog").mkdir()
    wq.save_wrapper(tmp_path / "catalog" / "book.toml", wq.wrap(documents, name="book", kind="sections", **place))
    window.goto(serve(tmp_path / "catalog", max_pages=2).address)
    window.get_by_label("SQL").fill("SELECT country, geography.area.total FROM book")
    window.get_by_role("button", name="Run").click()
    expect(window.locator(".message.error")).to_contain_text("2")


def test_what_the_other_samples_lack_follows(serve, window: Page, tmp_path):
    for number in range(3):
        more = "<h2>Climate</h2><p>Mild.</p>" if number else ""
        (tmp_path / f"{number}.html").write_text(
            f"<h1>Land {number}</h1><h2>People</h2><p>Many.</p><h2>Coast</h2><p>{number} km.</p>{more}"
        )
    served = serve(*(tmp_path / f"{number}.html" for number in range(3)), name="lands", kind="sections")
    wrapper = served.bench.work.wrapper
    required = wrapper.grammar.children
    assert [child.is_optional for child in required] == [False, False, True]
    (tmp_path / "1.html").write_text("<h1>Land 1</h1><h2>People</h2><p>Many.</p><h2>Climate</h2><p>Mild.</p>")
    wq.save_wrapper(tmp_path / "lands.toml", wrapper)
    again = serve(tmp_path / "lands.toml")
    window.goto(again.address)
    strip = window.get_by_role("group", name="What pages lack")
    expect(strip).to_contain_text("1 of 3 pages lack something")
    strip.get_by_role("button", name="1.html").click()
    expect(window.get_by_role("combobox", name="Page")).to_have_value("1")
