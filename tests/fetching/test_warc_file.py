"""Archives that pages are added to, read back by us and by fastwarc."""

from __future__ import annotations

import gzip
import os
import warnings

import pytest

from webquarry.errors import InputError
from webquarry.fetching.archives import read_warc
from webquarry.fetching.warc_file import WarcFile
from webquarry.model.page import Page

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of its own names
    from fastwarc.warc import ArchiveIterator, WarcRecordType

A = Page("https://example.org/a", b"<p>One \xe9", 200, (("content-type", "text/html; charset=latin-1"), ("x", "y")))
B = Page("https://example.org/b?x=1#é", b"<p>Two", 203, (("content-type", "text/html"),))
FILE = Page("file:///pages/c.html", b"<p>Three")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "new" / "pages.warc.gz"


def write(place, *pages: Page) -> WarcFile:
    archive = WarcFile(place)
    for page in pages:
        archive.add(page.url, page)
    archive.close()
    return archive


def urls(place) -> list[str]:
    return [page.url for page in read_warc(place, max_bytes=10**6)]


def test_pages_are_read_back_as_they_were(place):
    write(place, A, B)
    assert list(read_warc(place, max_bytes=10**6)) == [A, B]


def test_a_page_from_disk_is_read_back_too(place):
    write(place, FILE)
    (page,) = read_warc(place, max_bytes=10**6)
    assert (page.url, page.body) == (FILE.url, FILE.body)


def test_another_reader_finds_the_same_records_and_right_digests(place):
    write(place, A, FILE)
    with place.open("rb") as file:
        found = [
            (record.record_type, record.headers.get("WARC-Target-URI"), record.verify_block_digest())
            for record in ArchiveIterator(file, parse_http=False)
        ]
    assert found == [
        (WarcRecordType.warcinfo, None, True),
        (WarcRecordType.response, A.url, True),
        (WarcRecordType.resource, FILE.url, True),
    ]


def test_an_archive_knows_its_pages_also_by_the_names_they_were_asked_for(place):
    archive = WarcFile(place)
    archive.add("http://example.org/old", A)
    archive.close()
    again = WarcFile(place)
    again.close()
    assert again.known == {"http://example.org/old", A.url}


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_an_unfinished_record_is_cut_off_and_the_archive_goes_on(place, cut):
    write(place, A, B)
    with place.open("r+b") as file:
        file.truncate(place.stat().st_size - cut)
    archive = WarcFile(place)
    assert archive.cut_off > 0
    assert B.url not in archive.known
    archive.add(B.url, B)
    archive.close()
    assert urls(place) == [A.url, B.url]


def test_damage_in_the_middle_is_refused_and_nothing_is_lost(place):
    write(place, A, B)
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 255
    place.write_bytes(content)
    with pytest.raises(InputError, match="records follow it; name another file"):
        WarcFile(place)
    assert place.read_bytes() == content


@pytest.mark.parametrize("content", [b"hello", gzip.compress(b"hello", mtime=0)])
def test_a_file_that_is_no_archive_is_left_as_it_is(tmp_path, content):
    (tmp_path / "x.warc.gz").write_bytes(content)
    with pytest.raises(InputError, match="is not a gzipped WARC file"):
        WarcFile(tmp_path / "x.warc.gz")
    assert (tmp_path / "x.warc.gz").read_bytes() == content


def test_a_second_run_is_refused_while_the_first_writes(place):
    archive = WarcFile(place)
    with pytest.raises(InputError, match="another run is writing to it"):
        WarcFile(place)
    archive.add(A.url, A)
    archive.close()
    assert urls(place) == [A.url]


def test_an_archive_without_pages_is_not_left_behind(place):
    write(place)
    assert not place.exists()


def test_a_full_disk_leaves_whole_records(place, monkeypatch):
    archive = WarcFile(place)
    archive.add(A.url, A)
    full = open("/dev/full", "wb", buffering=0)  # noqa: PTH123, SIM115 - closed below
    real = os.dup(archive._file.fileno())
    os.dup2(full.fileno(), archive._file.fileno())
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        archive.add(B.url, B)
    os.dup2(real, archive._file.fileno())
    os.close(real)
    full.close()
    archive.close()
    assert urls(place) == [A.url]


def test_headers_cannot_break_out_of_their_lines(place):
    bad = Page(A.url, A.body, 299, (("content-type", "text/html"), ("x", "a\r\n\r\n<p>injected")))
    write(place, bad)
    (page,) = read_warc(place, max_bytes=10**6)
    assert page.body == A.body
