from __future__ import annotations

import gzip
import logging
import zlib
from typing import TYPE_CHECKING

import brotli
import pytest

from webquarry.errors import InputError
from webquarry.fetching.archives import read_warc
from webquarry.model.page import Page

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Archive

HTML = "Content-Type: text/html; charset=utf-8"
BODY = b"<p>body</p>" * 20
LIMIT = 100_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.warc"


def pages(file: Path, content: bytes, max_bytes: int = LIMIT) -> list[Page]:
    file.write_bytes(content)
    return list(read_warc(file, max_bytes=max_bytes))


def chunked(body: bytes) -> bytes:
    return b"".join(b"%x;x=y\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:])) + b"0\r\n\r\n"


def test_a_response_is_a_page_with_address_status_and_headers(archive: Archive, file: Path) -> None:
    record = archive.response(BODY, HTML, "X-Served: y", status="203 Odd", url="http://example.org/a?b")
    expected = Page(
        "http://example.org/a?b", BODY, 203, (("Content-Type", "text/html; charset=utf-8"), ("X-Served", "y"))
    )
    assert pages(file, record) == [expected]


@pytest.mark.parametrize("pack", [b"".join, lambda records: gzip.compress(b"".join(records))])
def test_plain_and_packed_archives_give_the_same_pages(archive: Archive, file: Path, pack: object) -> None:
    records = [archive.page(number) for number in range(3)]
    assert [page.body for page in pages(file, pack(records))] == [b"<p>page %d</p>" % number for number in range(3)]  # type: ignore[operator]


def test_each_record_may_be_packed_by_itself(archive: Archive, file: Path) -> None:
    found = pages(file, archive.gzip_each(archive.page(1), archive.page(2)))
    assert [page.url for page in found] == ["http://example.org/1", "http://example.org/2"]


@pytest.mark.parametrize(
    ("headers", "stored"),
    [
        (["Transfer-Encoding: chunked"], chunked(BODY)),
        (["Content-Encoding: gzip"], gzip.compress(BODY, mtime=0)),
        (["Content-Encoding: deflate"], zlib.compress(BODY)),
        (["Content-Encoding: br"], brotli.compress(BODY)),
        (["Content-Encoding: gzip", "Transfer-Encoding: chunked"], chunked(gzip.compress(BODY, mtime=0))),
        (["Transfer-Encoding: chunked"], BODY),
        (["Content-Encoding: gzip"], BODY),
        (["Content-Encoding: br", "Transfer-Encoding: chunked"], BODY),
    ],
)
def test_bodies_are_given_plain_however_they_were_stored(
    archive: Archive, file: Path, headers: list[str], stored: bytes
) -> None:
    (page,) = pages(file, archive.response(stored, HTML, *headers))
    assert page.body == BODY
    assert page.headers == (("Content-Type", "text/html; charset=utf-8"),)


@pytest.mark.parametrize("content_type", ["text/html", "Text/HTML ; charset=x", "application/xhtml+xml", None])
def test_html_and_what_has_no_type_is_a_page(archive: Archive, file: Path, content_type: str | None) -> None:
    headers = [] if content_type is None else [f"Content-Type: {content_type}"]
    assert len(pages(file, archive.response(BODY, *headers))) == 1


def test_other_records_are_no_pages(archive: Archive, file: Path) -> None:
    others = [
        archive.response(b"GIF89a", "Content-Type: image/gif"),
        archive.response(b"gone", HTML, status="404 Not Found"),
        archive.response(b"broken", HTML, status="500 Oops"),
        archive.record(b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        archive.record(b"software: x", kind="warcinfo"),
        archive.record(b"HTTP/1.1 200 OK\r\n\r\n", kind="revisit"),
        archive.record(b"not http at all"),
    ]
    assert [page.url for page in pages(file, b"".join(others) + archive.page(7))] == ["http://example.org/7"]


def test_addresses_in_angle_brackets_are_read(archive: Archive, file: Path) -> None:
    assert pages(file, archive.response(BODY, HTML, url="<http://example.org/w>"))[0].url == "http://example.org/w"


def test_a_broken_record_is_skipped_with_a_warning(
    archive: Archive, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = pages(file, archive.page(1) + archive.page(9, length="400") + archive.page(2) + archive.page(3))
    assert [page.url[-1] for page in found] == ["1", "2", "3"]
    (warning,) = caplog.records
    assert (warning.name, warning.levelno) == ("webquarry", logging.WARNING)
    assert warning.getMessage() == (
        f"{file}: skipped a broken record: the record at byte {len(archive.page(1))} has a wrong length"
    )


def test_a_broken_gzip_member_is_skipped_with_a_warning(
    archive: Archive, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = archive.gzip_each(archive.page(9))[:-20]
    found = pages(file, archive.gzip_each(archive.page(1)) + broken + archive.gzip_each(archive.page(2)))
    assert [page.url[-1] for page in found] == ["1", "2"]
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "broken",
    [
        ("Transfer-Encoding: chunked", chunked(BODY)[:-20], "its chunked body ends early"),
        ("Content-Encoding: gzip", gzip.compress(BODY, mtime=0)[:-9], "the gzip data ends early"),
        ("Content-Encoding: br", b"\xff\xff", "the body is not the brotli data that its header announces"),
        (
            "Content-Encoding: gzip",
            gzip.compress(bytes(LIMIT + 1), mtime=0),
            "it is longer than the limit of 100,000 bytes",
        ),
    ],
)
def test_a_broken_body_is_skipped_with_a_warning_that_names_the_page(
    archive: Archive, file: Path, caplog: pytest.LogCaptureFixture, broken: tuple[str, bytes, str]
) -> None:
    header, stored, reason = broken
    bad = archive.response(stored, HTML, header, url="http://example.org/bad")
    assert [page.url[-1] for page in pages(file, bad + archive.page(2))] == ["2"]
    assert f"http://example.org/bad: {reason}" in caplog.text


def test_a_page_above_the_limit_is_skipped_with_a_warning(
    archive: Archive, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    long = archive.response(bytes(200_000), HTML, url="http://example.org/long")
    film = archive.response(bytes(200_000), "Content-Type: video/mp4", url="http://example.org/film")
    assert len(pages(file, long + film + archive.page(2), max_bytes=1000)) == 1
    (warning,) = caplog.records
    assert (
        "http://example.org/long is longer than the limit of 1,000 bytes; in Python, raise max_bytes"
        in warning.getMessage()
    )


@pytest.mark.parametrize(
    "content", [b"", b"<html>no archive</html>", gzip.compress(b"<html>", mtime=0), b"\x1f\x8b\x08"]
)
def test_an_archive_without_pages_is_an_error(file: Path, content: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.warc: this archive has no HTML pages"):
        pages(file, content)


def test_a_missing_archive_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.warc: there is no such file; check the path"):
        list(read_warc(tmp_path / "gone.warc", max_bytes=LIMIT))


def test_pages_come_as_they_are_read(archive: Archive, file: Path) -> None:
    file.write_bytes(archive.page(1) + b"garbage" * 1000)
    stream = read_warc(file, max_bytes=LIMIT)
    assert next(stream).url == "http://example.org/1"
    stream.close()  # type: ignore[attr-defined]
