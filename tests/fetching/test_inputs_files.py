from __future__ import annotations

import gzip
import io
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from webquarry.errors import InputError
from webquarry.fetching.downloads import fetch, fetch_all
from webquarry.fetching.inputs import file_uri, list_pages, read_file, read_stdin
from webquarry.fetching.saved_sites import read_url_map
from webquarry.model.page import Failure, Page

LIMIT = 1000
MHTML = (
    b'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n'
    b"%sContent-Transfer-Encoding: base64\r\n\r\nPHA+c2F2ZWQ8L3A+\r\n--b--\r\n"
)
LOCATION = b"Content-Location: https://example.org/saved\r\n"


def written(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"<p>x</p>")
    return [folder / name for name in names]


def test_a_file_is_a_page_with_its_absolute_address(tmp_path: Path) -> None:
    file = tmp_path / "ä page.html"
    file.write_bytes(b"<p>\xff</p>")
    page = read_file(file, max_bytes=LIMIT)
    assert page.body == b"<p>\xff</p>"
    assert page.url == f"{tmp_path.as_uri()}/%C3%A4%20page.html"
    assert (page.status, page.headers) == (200, ())


def test_a_relative_path_has_an_absolute_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_uri(Path("sub/../a.html")) == f"{tmp_path.as_uri()}/a.html"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.php", "a.html.bak"])
def test_a_named_file_is_read_whatever_its_ending(tmp_path: Path, name: str) -> None:
    (file,) = written(tmp_path, name)
    assert read_file(file, max_bytes=LIMIT).body == b"<p>x</p>"


@pytest.mark.parametrize("name", ["a.html.gz", "a.HTM.GZ", "a.gz"])
def test_gzip_is_unpacked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"<p>x</p>"))
    assert read_file(tmp_path / name, max_bytes=LIMIT).body == b"<p>x</p>"


@pytest.mark.parametrize("content", [gzip.compress(b"<p>x</p>", mtime=0)[:-4], b"<p>not gzip</p>"])
def test_broken_gzip_is_an_error_that_names_the_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.html.gz").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.html\.gz: the .*(ends early|is damaged)"):
        read_file(tmp_path / "a.html.gz", max_bytes=LIMIT)


def test_a_gzip_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(bytes(10_000_000)))
    with pytest.raises(InputError, match="longer than the limit of 1,000 bytes"):
        read_file(tmp_path / "a.html.gz", max_bytes=LIMIT)


def test_a_file_above_the_limit_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(bytes(LIMIT + 1))
    with pytest.raises(
        InputError, match=r"a\.html: it is longer than the limit of 1,000 bytes; in Python, raise max_bytes"
    ):
        read_file(tmp_path / "a.html", max_bytes=LIMIT)


@pytest.mark.parametrize("name", ["a.mhtml", "a.MHT", "a.mhtml.gz"])
def test_mhtml_gives_its_root_with_address_and_type(tmp_path: Path, name: str) -> None:
    content = MHTML % LOCATION
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    page = read_file(tmp_path / name, max_bytes=LIMIT)
    assert (page.url, page.body) == ("https://example.org/saved", b"<p>saved</p>")
    assert page.header("content-type") == "text/html; charset=utf-8"


def test_mhtml_without_an_address_has_that_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.mhtml").write_bytes(MHTML % b"")
    assert read_file(tmp_path / "a.mhtml", max_bytes=LIMIT).url == f"{tmp_path.as_uri()}/a.mhtml"


def test_mhtml_without_a_page_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.mhtml").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"a\.mhtml: it has no HTML part"):
        read_file(tmp_path / "a.mhtml", max_bytes=LIMIT)


def test_a_missing_file_is_an_error_that_says_what_to_check(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.html: there is no such file or folder; check the path"):
        read_file(tmp_path / "gone.html", max_bytes=LIMIT)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_file(tmp_path, max_bytes=LIMIT)


def test_a_folder_gives_all_pages_below_it_sorted(tmp_path: Path) -> None:
    wanted = written(tmp_path, "a/b.htm", "a.html", "b.xhtml.gz", "c/d/e.mhtml", "Z.HTML")
    written(tmp_path, "a.txt", "b.warc", "html", "a.html.bak")
    assert list_pages(tmp_path) == sorted(wanted)


def test_what_browsers_save_beside_a_page_is_passed_over(tmp_path: Path) -> None:
    (page, *_) = written(tmp_path, "shop.html", "shop_files/frame.html", "sub/x_files/y/ad.html")
    assert list_pages(tmp_path) == [page]


def test_a_folder_whose_own_name_ends_like_a_companion_is_read(tmp_path: Path) -> None:
    (page,) = written(tmp_path / "my_files", "a.html")
    assert list_pages(tmp_path / "my_files") == [page]


def test_a_folder_without_pages_says_what_was_looked_for(tmp_path: Path) -> None:
    written(tmp_path, "a.txt")
    with pytest.raises(InputError, match=r"this folder contains no pages; looked for \.html \.htm"):
        list_pages(tmp_path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        list_pages(tmp_path / "gone")


def test_a_folder_that_cannot_be_read_is_a_failure_among_the_pages_around_it(
    tmp_path: Path, lock: Callable[[Path], None]
) -> None:
    before, _, after = written(tmp_path, "a.html", "b/hidden.html", "c/d.html")
    lock(tmp_path / "b")
    failure = Failure(str(tmp_path / "b"), f"{tmp_path / 'b'}: cannot be read (Permission denied)")
    assert list_pages(tmp_path) == [before, failure, after]


def test_a_folder_that_cannot_be_read_itself_is_an_error(tmp_path: Path, lock: Callable[[Path], None]) -> None:
    lock(tmp_path)
    with pytest.raises(InputError, match=r"cannot be read \(Permission denied\)"):
        list_pages(tmp_path)


def test_standard_input_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<p>in</p>")))
    page = read_stdin(max_bytes=LIMIT)
    assert (page.url, page.body) == ("stdin:", b"<p>in</p>")


def test_standard_input_without_an_end_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/zero").open("rb") as endless:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=endless))
        with pytest.raises(InputError, match="standard input: it is longer than"):
            read_stdin(max_bytes=LIMIT)


def test_a_named_pipe_is_named_and_the_other_pages_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.html")
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(str(tmp_path / "b.html"))
        (tmp_path / "c.html").write_text("<p>page")
        results = list(fetch_all([tmp_path, tmp_path / "a.html", "/dev/zero"]))
    errors = [each.error.partition(": ")[2] for each in results if isinstance(each, Failure)]
    kinds = ["a named pipe", "a socket", "a named pipe", "a device"]
    assert [each.partition(",")[0] for each in errors] == [f"is {kind}" for kind in kinds]
    assert [page.body for page in results if isinstance(page, Page)] == [b"<p>page"]


def test_a_named_pipe_is_no_archive_and_no_map_of_addresses(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.warc")
    (failure,) = fetch_all([tmp_path / "a.warc"])
    assert isinstance(failure, Failure)
    assert "a.warc: is a named pipe" in failure.error
    with pytest.raises(InputError, match=r"a\.warc: is a named pipe"):
        read_url_map(tmp_path / "a.warc")


def test_an_open_pipe_of_the_shell_is_read() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"<p>page")
    os.close(writer)
    assert fetch(f"/dev/fd/{reader}").body == b"<p>page"
    os.close(reader)
