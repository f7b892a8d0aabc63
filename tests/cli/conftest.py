"""The command line as a user meets it, in a process of its own where that is the point."""

from __future__ import annotations

import io
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from webquarry.cli.messages import show_logs
from webquarry.cli.program import main
from webquarry.rendering.browser import find_browser

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(autouse=True)
def heeded_signals() -> Iterator[None]:
    """Signals that end a run are heeded, though whoever started the tests ignores them, as `nohup` does."""
    heeded = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in heeded.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def shown_messages() -> Iterator[None]:
    """Messages go to standard error, as in a run, also where a test calls a part of a command."""
    log = logging.getLogger("webquarry")
    before = log.handlers, log.level
    show_logs()
    yield
    log.handlers = before[0]
    log.setLevel(before[1])


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/slow":
            self.server.asked.set()
            self.server.closing.wait(300)
        found = self.path in self.server.pages or self.path in ("/page", "/slow")
        body = self.server.pages.get(self.path, b"<p>fetched" if found else b"nothing")
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        with suppress(BrokenPipeError):
            self.end_headers()
            self.wfile.write(body)

    def do_POST(self) -> None:
        """Serve the page whose query is the form."""
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.path += f"?{form}"
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """A test says enough."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.url = f"http://127.0.0.1:{listener.server_port}"
        listener.pages = {}
        listener.asked, listener.closing = threading.Event(), threading.Event()
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        yield listener
        listener.closing.set()
        listener.shutdown()
        thread.join()


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    """A user with a home and a cache of his own, and the browser of the other tests, which may be in their home."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    found = find_browser()
    browser = {} if found is None else {"WEBQUARRY_BROWSER": str(found)}
    homes = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return {**inherited, **homes, **browser, "COLUMNS": "100"}


@pytest.fixture
def faulty_quarry(tmp_path, environment, monkeypatch) -> Run:
    """Runs `quarry`, in which a test has put faults, in an empty folder; whatever happens there is no traceback.

    It runs in this process: to start one takes longer than nearly all that is asked of it.
    """
    (tmp_path / "work").mkdir()

    def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path / "work")
            for name in os.environ.keys() - environment.keys():
                patch.delenv(name)
            for name, value in environment.items():
                patch.setenv(name, value)
            done = run_here([*map(str, arguments)], given, patch)
        assert b"Traceback" not in done.stderr + done.stdout
        return done

    return run


@pytest.fixture
def quarry(faulty_quarry) -> Run:
    """Runs `quarry` in an empty folder; no fault of ours happens."""

    def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        done = faulty_quarry(*arguments, given=given)
        assert b"internal error" not in done.stderr
        return done

    return run


def run_here(arguments: list[str], given: bytes, patch: pytest.MonkeyPatch) -> subprocess.CompletedProcess[bytes]:
    """The run of `quarry` with streams of its own."""
    output, errors = io.BytesIO(), io.BytesIO()
    patch.setattr(sys, "argv", ["quarry", *arguments])
    patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
    patch.setattr(sys, "stdout", io.TextIOWrapper(output, "utf-8"))
    patch.setattr(sys, "stderr", io.TextIOWrapper(errors, "utf-8", "backslashreplace", line_buffering=True))
    log = logging.getLogger("webquarry")
    patch.setattr(log, "handlers", log.handlers)
    level = log.level
    try:
        with pytest.raises(SystemExit) as end:
            main()
        sys.stdout.flush()
        return subprocess.CompletedProcess(arguments, end.value.code, output.getvalue(), errors.getvalue())
    finally:
        log.setLevel(level)


@pytest.fixture
def on_terminal(work, environment) -> Run:
    """Runs `quarry` on a terminal, by default with its errors; what is shown is read while it comes."""

    def run(*arguments: str, stderr: int | None = None, **variables: str) -> subprocess.CompletedProcess[bytes]:
        ours, theirs = os.openpty()
        command = [sys.executable, "-m", "webquarry", *arguments]
        errors = theirs if stderr is None else stderr
        environs = {**environment, **variables}
        with subprocess.Popen(command, stdout=theirs, stderr=errors, cwd=work, env=environs) as process:
            os.close(theirs)
            shown = b""
            with suppress(OSError):  # so Linux says that there is no more
                while piece := os.read(ours, 65536):
                    shown += piece
            os.close(ours)
            _, told = process.communicate(timeout=120)
        return subprocess.CompletedProcess(command, process.returncode, shown, told)

    return run


@pytest.fixture
def work(tmp_path, quarry) -> Path:
    return tmp_path / "work"
