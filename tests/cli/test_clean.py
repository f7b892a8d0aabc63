"""`quarry clean`."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys

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


def test_a_trace_shows_the_passes_of_cleandom(quarry, work):
    (work / "a.html").write_text("<b>x<i>y</b>z</i>")
    done = quarry("clean", "a.html", "--method", "cleandom", "--trace", "-o", "a.txt")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    trace = (work / "a.txt").read_text()
    assert trace.startswith("Tokens:\n<b>, 'x', <i>, 'y', </b>, 'z', </i>\n\nForward-Pass:\n")
    assert trace.endswith("      z\n    </i>\n  </body> - new\n</html> - new\n")


def test_only_cleandom_has_a_trace(quarry):
    done = quarry("clean", "-", "--trace", given=b"x")
    assert done.returncode == 2
    assert b"add that" in done.stderr


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
    assert (done.returncode, done.stderr) == (0, b"3 files in out\n")
    written = sorted(path.relative_to(work / "out").as_posix() for path in (work / "out").rglob("*") if path.is_file())
    assert written == ["a.xhtml", "sub/b.xhtml", "sub/c.xhtml"]


def test_bad_pages_do_not_stop_the_others(quarry, work):
    (work / "a.html").write_bytes(b"<p>a")
    (work / "b.html").write_bytes(PDF)
    (work / "d.html").write_bytes(b"<p>d")
    done = quarry("clean", "a.html", "b.html", "c.html", "d.html", "-o", "out")
    assert done.returncode == 1
    assert sorted(path.name for path in (work / "out").iterdir()) == ["a.xhtml", "d.xhtml"]
    first, second, last = done.stderr.decode().splitlines()
    assert "b.html: not a web page but a PDF document" in first
    assert "c.html: there is no such file" in second
    assert last == "2 files in out"


def test_a_failure_keeps_the_old_file(quarry, work):
    (work / "out.xhtml").write_bytes(b"old")
    (work / "paper.pdf").write_bytes(PDF)
    assert quarry("clean", "paper.pdf", "-o", "out.xhtml").returncode == 1
    assert (work / "out.xhtml").read_bytes() == b"old"


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
    assert (done.returncode, done.stderr) == (0, b"2 files in out\n")
    assert b"one" in (work / "out" / "example.org" / "index.xhtml").read_bytes()
    assert b"two" in (work / "out" / "example.org" / "b.xhtml").read_bytes()


def test_an_address_is_fetched_when_it_may_be(quarry, server):
    done = quarry("clean", server.url + "/page", "--allow-private")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"<p>fetched</p>" in done.stdout


def test_a_private_address_is_refused(quarry, server):
    done = quarry("clean", server.url + "/page")
    assert done.returncode == 1
    assert done.stdout == b""
    assert re.fullmatch(
        r"quarry: http://127\S+ .*--allow-private \(in Python allow_private=True\)\n", done.stderr.decode()
    )


def test_a_page_that_is_missing_is_reported(quarry, server):
    done = quarry("clean", server.url + "/gone", "--allow-private")
    assert done.returncode == 1
    assert "404" in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


def test_offline_takes_pages_from_the_cache_alone(quarry, server):
    missed = quarry("clean", server.url + "/page", "--offline", "--allow-private")
    assert missed.returncode == 1
    assert "it is not in the cache" in missed.stderr.decode()
    assert quarry("clean", server.url + "/page", "--allow-private").returncode == 0
    assert b"<p>fetched</p>" in quarry("clean", server.url + "/page", "--offline", "--allow-private").stdout


def test_cleaning_a_file_loads_no_library_that_it_does_not_need(quarry, work, environment):
    (work / "a.html").write_bytes(b"<p>x")
    program = (
        "import sys; sys.argv = ['quarry', 'clean', 'a.html', '-o', 'b.xhtml']\n"
        "from webquarry.cli.program import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "others = {'numpy', 'lxml', 'httpx2', 'hishel', 'duckdb', 'sqlglot', 'pyarrow', 'fastwarc', 'sqlite3', 'ssl',"
        " 'pydantic'}\n"
        "print(*others & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, cwd=work, env=environment, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
    assert (work / "b.xhtml").exists()


def test_later_stages_can_work_on_the_tree_of_cleandom(quarry, work):
    rows = "".join(f"<tr><td>Item {number}<td>{number}.50" for number in range(4))
    (work / "a.html").write_text(f"<table><tr><th>Name<th>Price{rows}</table>")
    found = {
        clean: quarry("mine", "a.html", "--method", "tables", "--static", "--clean", clean)
        for clean in ("html5", "cleandom")
    }
    for clean, path in {"html5": "table/tbody/tr[2]", "cleandom": "table/tr[2]"}.items():
        assert found[clean].returncode == 0
        assert f'"node": "/html/body/{path}"'.encode() in found[clean].stdout


@pytest.mark.parametrize("command", [["mine"], ["read"], ["wrap", "--name", "x"]])
@pytest.mark.parametrize("option", ["--render", "--scripts"])
def test_a_browser_has_its_own_parser(quarry, work, command, option):
    (work / "a.html").write_text("<p>x")
    done = quarry(*command, "a.html", "--clean", "cleandom", option)
    assert done.returncode == 2
    assert b"has its own parser" in done.stderr
