"""A workbench in this process, and a real browser in front of it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from webquarry.rendering.browser import find_browser
from webquarry.workbench.bench_server import Bench, make_app
from webquarry.workbench.opened_work import open_work

TOKEN = "secret-of-this-test"
TIMEOUT = 30_000  # milliseconds; a busy machine is slow


class Served:
    """A workbench that is being served."""

    def __init__(self, bench: Bench, port: int) -> None:
        self.bench = bench
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.address = f"{self.origin}/?token={TOKEN}"


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Open inputs on a workbench, as the command does; it saves into a folder of the test."""
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:

        def start(*inputs: str | Path, rendered: bool = False, opens: bool = True, **options: Any) -> Served:
            given = {"kind": None, "name": None, "options": {}, "policy": {}, **options}
            bench = stack.enter_context(open_work([str(each) for each in inputs], rendered=rendered, **given))
            if opens:
                bench.open()
            listening = stack.enter_context(socket.socket())
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            config = uvicorn.Config(make_app(bench, TOKEN, port), log_level="error", lifespan="off")
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            stack.callback(thread.join)
            stack.callback(setattr, server, "should_exit", True)
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.01)
            return Served(bench, port)

        yield start


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser) -> Iterator[Page]:
    """A window as large as the smallest screen that the workbench is made for."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(TIMEOUT)
    yield page
    page.close()
