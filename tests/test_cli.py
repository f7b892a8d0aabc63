"""The command line as a user meets it: in a process of its own."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PDF = b"%PDF-1.4\n"
MHTML = b"""MIME-Version: 1.0
Content-Type: multipart/related; boundary="B"

--B
Content-Type: text/html; charset=utf-8
Content-Location: https://example.org/saved

<p>saved
--B--
"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/slow":
            self.server.asked.set()
            self.server.closing.wait(60)
        found = self.path in ("/page", "/slow")
        body = b"<p>fetched" if found else b"nothing"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        with suppress(BrokenPipeError):
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """A test says enough."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.asked, listener.closing = threading.Event(), threading.Event()
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        yield listener
        listener.closing.set()
        listener.shutdown()
        thread.join()


def address(server: ThreadingHTTPServer, path: str = "/page") -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def environment(tmp_path) -> dict[str, str]:
    """A user with a home and a cache of his own."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**inherited, "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "cache"), "COLUMNS": "100"}


@pytest.fixture
def quarry(tmp_path, environment) -> Run:
    """Runs `quarry` in an empty folder; whatever happens there is no traceback."""
    (tmp_path / "work").mkdir()

    def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "webquarry", *map(str, arguments)]
        done = subprocess.run(
            command, check=False, input=given, capture_output=True, cwd=tmp_path / "work", env=environment, timeout=60
        )
        assert b"Traceback" not in done.stderr + done.stdout
        assert b"internal error" not in done.stderr
        return done

    return run


@pytest.fixture
def work(tmp_path, quarry) -> Path:
    return tmp_path / "work"


def lines(output: bytes) -> list[str]:
    return output.decode().splitlines()


def test_a_page_goes_to_standard_output(quarry, work, read):
    (work / "a.html").write_text("<p>x")
    done = quarry("clean", "a.html")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "".join(read(done.stdout.decode().rstrip("\n")).itertext()) == "x"


@pytest.mark.parametrize("method", ["html5", "cleandom"])
def test_the_method_can_be_chosen(quarry, method):
    done = quarry("clean", "-", "--method", method, given=b"<table>a<tr><td>b</table>")
    expected = {"html5": b"<body>a<table><tbody><tr>", "cleandom": b"<body><table>a<tr>"}
    assert expected[method] in done.stdout


@pytest.mark.parametrize("method", ["html5", "cleandom"])
def test_an_empty_page_is_a_valid_document(quarry, work, read, method):
    (work / "a.html").write_bytes(b"")
    from_file = quarry("clean", "a.html", "--method", method)
    from_input = quarry("clean", "-", "--method", method)
    assert (from_file.returncode, from_file.stderr, from_input.returncode, from_input.stderr) == (0, b"", 0, b"")
    assert from_file.stdout == from_input.stdout
    assert len(read(from_file.stdout.decode().rstrip())) == 2


@pytest.mark.parametrize("method", ["html5", "cleandom"])
def test_own_xhtml_stays_as_it_is(quarry, work, method):
    first = quarry("clean", "-", "--method", method, given="<meta charset=latin-1><p @a=1>é".encode("latin-1"))
    second = quarry("clean", "-", "--method", method, given=first.stdout)
    assert first.stdout == second.stdout
    assert "é" in first.stdout.decode()


def test_a_file_is_written_where_it_is_wanted(quarry, work):
    (work / "a.html").write_text("<p>x")
    done = quarry("clean", "a.html", "-o", "made/b.xhtml")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (work / "made" / "b.xhtml").read_bytes() == quarry("clean", "a.html").stdout
    assert [path.name for path in (work / "made").iterdir()] == ["b.xhtml"]


def test_a_folder_keeps_its_shape(quarry, work):
    for name in ("a.html", "sub/b.htm", "sub/c.xhtml", "saved_files/ad.html", "notes.txt"):
        (work / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (work / "site" / name).write_text(f"<p>{name}")
    done = quarry("clean", "site", "-o", "out")
    assert (done.returncode, done.stderr) == (0, b"")
    written = sorted(path.relative_to(work / "out").as_posix() for path in (work / "out").rglob("*") if path.is_file())
    assert written == ["a.xhtml", "sub/b.xhtml", "sub/c.xhtml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean", "gone.html"], "quarry: gone.html: there is no such file or folder; check the path"),
        (["clean", "paper.pdf"], "not a web page but a PDF document"),
        (["clean", "empty", "-o", "out"], "quarry: empty: no pages below this folder"),
        (["clean", "ftp://example.org/"], "ftp addresses cannot be fetched; use http or https"),
        (["clean", "a.html", "-o", "paper.pdf/x.xhtml"], "quarry: "),
        (["clean", "", "-o", "out"], "an input is empty"),
        (["clean", ""], "an input is empty"),
        (["clean", "broken.html.gz"], "broken.html.gz"),
    ],
)
def test_what_fails_is_one_line_and_exit_code_1(quarry, work, arguments, message):
    (work / "empty").mkdir()
    (work / "paper.pdf").write_bytes(PDF)
    (work / "a.html").write_bytes(b"<p>x")
    (work / "broken.html.gz").write_bytes(b"no gzip")
    done = quarry(*arguments)
    assert done.returncode == 1
    assert done.stdout == b""
    assert len(lines(done.stderr)) == 1
    assert lines(done.stderr)[0].startswith("quarry: ")
    assert message in done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean"], "Missing argument"),
        (["scrape"], "scrape"),
        (["clean", "a.html", "--colour"], "--colour"),
        (["clean", "a.html", "--method", "tidy"], "html5, cleandom"),
        (["clean", "a.html", "b.html"], "-o DIR"),
        (["clean", "site"], "-o DIR"),
        (["clean", "a.html", "b.html", "-o", "c.xhtml"], "name a folder instead of c.xhtml"),
        (["clean", "a.html", "--offline", "--refresh"], "exclude each other"),
        (["clean", "a.html", "--header", "nonsense"], "'Name: value'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(quarry, work, arguments, message):
    (work / "site").mkdir()
    (work / "site" / "a.html").write_bytes(b"")
    for name in ("a.html", "b.html"):
        (work / name).write_bytes(b"<p>x")
    done = quarry(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(lines(done.stderr)) == 1
    assert message in done.stderr.decode()
    assert "quarry --help" in done.stderr.decode()


def test_bad_pages_do_not_stop_the_others(quarry, work):
    (work / "a.html").write_bytes(b"<p>a")
    (work / "b.html").write_bytes(PDF)
    (work / "d.html").write_bytes(b"<p>d")
    done = quarry("clean", "a.html", "b.html", "c.html", "d.html", "-o", "out")
    assert done.returncode == 1
    assert sorted(path.name for path in (work / "out").iterdir()) == ["a.xhtml", "d.xhtml"]
    assert len(lines(done.stderr)) == 2
    assert "b.html: not a web page but a PDF document" in lines(done.stderr)[0]
    assert "c.html: there is no such file" in lines(done.stderr)[1]


def test_a_failure_keeps_the_old_file(quarry, work):
    (work / "out.xhtml").write_bytes(b"old")
    (work / "paper.pdf").write_bytes(PDF)
    assert quarry("clean", "paper.pdf", "-o", "out.xhtml").returncode == 1
    assert (work / "out.xhtml").read_bytes() == b"old"


def test_a_reader_that_goes_away_is_no_error_to_shout_about(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>" + b"word " * 1_000_000)
    command = [sys.executable, "-m", "webquarry", "clean", "a.html"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 1)


def test_a_reader_that_was_never_there_is_none_either(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>x")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "webquarry", "clean", "a.html"]
    done = subprocess.run(command, check=False, stdout=writing, stderr=subprocess.PIPE, cwd=work, env=environment)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_packed_pages_are_unpacked(quarry, work):
    (work / "a.html.gz").write_bytes(gzip.compress(b"<p>packed"))
    done = quarry("clean", "a.html.gz")
    assert done.returncode == 0
    assert b"<p>packed</p>" in done.stdout


def test_a_saved_page_is_cleaned(quarry, work):
    (work / "a.mhtml").write_bytes(MHTML)
    assert b"<p>saved" in quarry("clean", "a.mhtml").stdout
    assert quarry("clean", "a.mhtml", work / "a.mhtml", "-o", "out").returncode == 0
    assert sorted(path.name for path in (work / "out" / "example.org").iterdir()) == ["saved-2.xhtml", "saved.xhtml"]


def test_a_saved_page_of_an_odd_address_is_written(quarry, work):
    (work / "a.mhtml").write_bytes(MHTML.replace(b"https://example.org/saved", b"https://[odd/saved"))
    (work / "out").mkdir()
    assert quarry("clean", "a.mhtml", "-o", "out").returncode == 0
    assert len(list((work / "out").rglob("*.xhtml"))) == 1


def record(url: str, body: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{len(body):032d}>\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def test_the_pages_of_an_archive_go_into_a_folder(quarry, work):
    (work / "a.warc").write_bytes(
        record("https://example.org/", b"<p>one") + record("https://example.org/b", b"<p>two.")
    )
    done = quarry("clean", "a.warc", "-o", "out")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"one" in (work / "out" / "example.org" / "index.xhtml").read_bytes()
    assert b"two" in (work / "out" / "example.org" / "b.xhtml").read_bytes()


def test_an_address_is_fetched_when_it_may_be(quarry, server):
    done = quarry("clean", address(server), "--allow-private")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"<p>fetched</p>" in done.stdout


def test_a_private_address_is_refused(quarry, server):
    done = quarry("clean", address(server))
    assert done.returncode == 1
    assert done.stdout == b""
    assert re.fullmatch(r"quarry: http://127\S+ .*--allow-private\n", done.stderr.decode())


def test_a_page_that_is_missing_is_told(quarry, server):
    done = quarry("clean", address(server, "/gone"), "--allow-private")
    assert done.returncode == 1
    assert "404" in done.stderr.decode()
    assert len(lines(done.stderr)) == 1


def test_offline_takes_pages_from_the_cache_alone(quarry, server):
    missed = quarry("clean", address(server), "--offline", "--allow-private")
    assert missed.returncode == 1
    assert "it is not in the cache" in missed.stderr.decode()
    assert quarry("clean", address(server), "--allow-private").returncode == 0
    assert b"<p>fetched</p>" in quarry("clean", address(server), "--offline", "--allow-private").stdout


def test_ctrl_c_ends_quietly_and_leaves_no_file(quarry, work, server, environment):
    command = [
        sys.executable,
        "-m",
        "webquarry",
        "clean",
        address(server, "/slow"),
        "--allow-private",
        "-o",
        "out.xhtml",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(30)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert output == b""
    assert errors == b"quarry: stopped\n"
    assert list(work.iterdir()) == []


def test_ctrl_c_keeps_what_is_finished(quarry, work, server, environment):
    (work / "a.html").write_bytes(b"<p>a")
    command = [
        sys.executable,
        "-m",
        "webquarry",
        "clean",
        "a.html",
        address(server, "/slow"),
        "--allow-private",
        "-o",
        "out",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(30)
        while not (work / "out").exists() or not list((work / "out").glob("a.xhtml")):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert [path.name for path in (work / "out").iterdir()] == ["a.xhtml"]


def test_version_and_help(quarry):
    version = quarry("--version")
    assert (version.returncode, version.stderr) == (0, b"")
    assert re.fullmatch(r"quarry \d+\.\d+\.\d+\n", version.stdout.decode())
    bare = quarry()
    assert bare.returncode == 0
    assert bare.stdout == quarry("--help").stdout
    for command in ("clean", "doctor", "demo"):
        assert command in bare.stdout.decode()


@pytest.mark.parametrize("command", ["clean", "doctor", "demo"])
def test_the_help_of_each_command_has_an_example(quarry, command):
    done = quarry(command, "--help")
    assert done.returncode == 0
    assert f"Example: quarry {command} " in done.stdout.decode()
    assert quarry(command, "-h").stdout == done.stdout


def test_the_doctor_tells_versions_browser_and_cache(quarry, tmp_path):
    done = quarry("doctor")
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode()
    for word in ("webquarry", "turbohtml", "lxml", "numpy", "browser", "cache"):
        assert re.search(rf"^{word} ", told, re.MULTILINE)
    assert str(tmp_path / "cache") in told


def test_the_doctor_empties_the_cache(quarry, server, tmp_path):
    quarry("clean", address(server), "--allow-private", "--cache", tmp_path / "pages")
    assert list((tmp_path / "pages").iterdir())
    done = quarry("doctor", "--clear-cache", "--cache", tmp_path / "pages")
    assert re.fullmatch(r"cache: \S+ k?M?B freed\n", done.stdout.decode())
    assert not list((tmp_path / "pages").iterdir())


def test_the_demo_cleans_all_example_pages(quarry, work, read):
    done = quarry("demo", "results")
    assert (done.returncode, done.stderr) == (0, b"")
    written = list((work / "results").rglob("*.xhtml"))
    assert f"{len(written)} of {len(written)} pages" in done.stdout.decode()
    assert len(written) > 30
    assert "/html/body" in done.stdout.decode()
    for path in written[:5]:
        read(path.read_text(encoding="utf-8").rstrip("\n"))


def test_cleaning_a_file_loads_no_library_that_it_does_not_need(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>x")
    program = (
        "import sys; sys.argv = ['quarry', 'clean', 'a.html', '-o', 'b.xhtml']\n"
        "from webquarry.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*{'numpy', 'lxml', 'httpx2', 'hishel', 'duckdb', 'fastwarc', 'sqlite3', 'ssl'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, cwd=work, env=environment, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
    assert (work / "b.xhtml").exists()


def test_verbose_says_more_and_breaks_nothing(quarry, work):
    (work / "a.html").write_bytes(b"<p>x")
    assert quarry("-v", "clean", "a.html").stdout == quarry("clean", "a.html").stdout
