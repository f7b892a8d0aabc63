"""`quarry workbench` as a process: its address, how it ends, and what does not open."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from webquarry.cli import workbench
from webquarry.errors import InputError

SHOP = Path(__file__).parents[2] / "examples" / "shops" / "lumen" / "index.html"


@contextmanager
def start(environment, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "webquarry", "workbench", "--no-open", "--static", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()  # a test that fails must not wait for it


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_prints_one_address_and_ends_when_it_is_stopped(environment, number, code):
    with start(environment, str(SHOP)) as process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with pytest.raises(HTTPError, match="403"):  # without the cookie that the address sets
            urlopen(address.partition("?")[0], timeout=60)
        port = int(address.partition("?")[0].rpartition(":")[2].strip("/"))
        with socket.create_connection(("127.0.0.1", port)) as kept_open:  # as browsers do
            kept_open.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert kept_open.recv(12) == b"HTTP/1.1 403"
            process.send_signal(number)
            out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error) == (code, "", "quarry: stopped\n")


def test_a_port_that_is_taken_is_one_line(environment):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with start(environment, str(SHOP), "--port", str(port)) as process:
            _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert error.startswith(f"quarry: --port {port}:")
    assert error.count("\n") == 1


def test_pages_that_cannot_be_opened_are_one_line(environment, tmp_path):
    with start(environment, str(tmp_path / "gone.html")) as process:
        _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "gone.html" in error
    assert error.count("\n") == 1


def test_without_its_packages_it_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr(workbench, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs starlette and uvicorn; .*'webquarry\[workbench\]'"):
        workbench.check_extra()


@pytest.mark.parametrize("name", ["notes.txt", "empty", "pair", "other.csv"])
def test_what_fits_nothing_is_one_line_and_a_usage_fault(environment, tmp_path, name):
    (tmp_path / "notes.txt").write_text("Buy milk.\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.csv").write_text("name,price\nLamp,3\n")
    (tmp_path / "rows.csv").write_text("page,xpath\na.html,/html\n")
    inputs = [str(SHOP), str(tmp_path / "rows.csv")] if name == "pair" else [str(tmp_path / name)]
    with start(environment, *inputs) as process:
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert Path(inputs[-1]).name in error
    assert error.count("\n") == 1


def test_an_unknown_kind_is_a_usage_fault_and_an_item_needs_two_pages(environment):
    with start(environment, str(SHOP), "--kind", "nonsense") as process:
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error.count("\n")) == (2, 1)
    assert "choose from sections, item, records, tables" in error


def test_scripts_need_a_browser_as_in_other_commands(quarry, environment):
    environment |= {"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere", "WEBQUARRY_BROWSER": ""}
    done = quarry("workbench", SHOP, "--scripts", "--no-open")
    assert done.returncode == 1
    assert done.stderr.startswith(b"quarry: rendering needs a browser, and none was found")
