"""Web pages are distinguished from other files."""

from __future__ import annotations

import gzip
import random

import pytest

import webquarry as wq
from webquarry.cleaning.html5 import read_markup

NO_PAGES = {
    "PDF": b"%PDF-1.7\n1 0 obj <</Type /Catalog>>",
    "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "GIF": b"GIF89a\x01\0\x01\0",
    "ZIP": b"PK\x03\x04\x14\0\0\0",
    "gzip": gzip.compress(b"<p>x", mtime=0),
    "bzip2": b"BZh91AY&SY",
    "program": b"\x7fELF\x02\x01\x01",
    "database": b"SQLite format 3\0",
    "font": b"wOF2\0\1\0\0",
    "binary": bytes(range(32)) * 20,
    "binary data": random.Random(7).randbytes(4_000),
}


@pytest.mark.parametrize("kind", NO_PAGES)
def test_a_file_that_is_not_a_page_is_refused_by_name_and_kind(method, kind):
    page = wq.Page(url="https://example.org/x", body=NO_PAGES[kind])
    with pytest.raises(wq.InputError, match=rf"^https://example\.org/x: not a web page but .*{kind}"):
        wq.clean(page, method=method)


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_are_not_a_page(seed):
    with pytest.raises(wq.InputError, match="not a web page but binary data"):
        read_markup(wq.Page(url="https://example.org/x", body=random.Random(seed).randbytes(4_000)))


@pytest.mark.parametrize(
    "content_type", ["image/png", "IMAGE/PNG", "application/pdf", "application/octet-stream", "video/mp4"]
)
def test_what_its_server_calls_a_picture_is_refused(content_type):
    page = wq.Page(url="https://example.org/x", body=b"no tag in it", headers=(("Content-Type", content_type),))
    with pytest.raises(wq.InputError, match=rf"^https://example\.org/x: .*{content_type}"):
        read_markup(page)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"plain text",
        b"<p>a\x01\x02\x1bb",
        b"\0<p>" + b"x\0" * 50,
        b"words \x08 and \x01 words, more of them than of the others",
        "<p>é".encode("utf-16"),
        "no tag, but a mark".encode("utf-16"),
        "<p>no mark, but tags".encode("utf-16-le"),
        "<p>no mark, but tags".encode("utf-16-be"),
        b"<p>" + bytes(range(32)) * 20,
        b"<!-- %PDF- -->",
        b"   %PDF-1.7 is how they begin",
        b"\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf",
    ],
)
def test_a_page_with_a_few_control_characters_is_read(body):
    assert isinstance(read_markup(wq.Page(url="https://example.org/", body=body)), str)


def test_a_page_that_its_server_calls_a_picture_is_read_when_it_has_tags():
    page = wq.Page(url="https://example.org/", body=b"<p>x", headers=(("content-type", "image/png"),))
    assert read_markup(page) == "<p>x"


def test_the_header_tells_the_encoding():
    page = wq.Page(
        url="https://example.org/", body=b"<p>\xc4", headers=(("content-type", "text/html; charset=koi8-r"),)
    )
    assert read_markup(page) == "<p>д"
