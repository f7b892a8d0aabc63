from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from webquarry.fetching.archives import MAX_HEADER_BYTES, Damage, Record, read_records
from webquarry.fetching.encodings import DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Archive

LIMIT = 100_000


def chopped(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def read(data: bytes, size: int = 1000, limit: int = LIMIT) -> list[Record | Damage]:
    return list(read_records(chopped(data, size), limit))


def contents(found: list[Record | Damage]) -> list[bytes]:
    return [record.data for record in found if isinstance(record, Record)]


def reasons(found: list[Record | Damage]) -> list[str]:
    return [damage.reason for damage in found if isinstance(damage, Damage)]


@pytest.mark.parametrize("size", [1, 3, 64, 100_000])
@pytest.mark.parametrize("newline", [b"\r\n", b"\n", b"\r\r\n"])
def test_cuts_a_file_into_its_records(archive: Archive, size: int, newline: bytes) -> None:
    records = [archive.record(b"content %d" % number, newline=newline) for number in range(3)]
    found = read(b"".join(records), size)
    assert contents(found) == [record.removesuffix(newline * 2) for record in records]
    assert reasons(found) == []


def test_an_empty_file_has_no_records() -> None:
    assert read(b"") == []


def test_content_may_look_like_a_record(archive: Archive) -> None:
    inner = b"\r\n\r\n" + archive.page(1)
    assert len(contents(read(archive.record(inner) + archive.page(2)))) == 2


@pytest.mark.parametrize("length", ["250", "100", "90000", "5"])
def test_a_wrong_length_does_not_hide_the_records_that_follow(archive: Archive, length: str) -> None:
    good = [archive.page(number) for number in range(4)]
    found = read(good[0] + archive.page(9, length=length) + b"".join(good[1:]))
    assert contents(found) == [record.removesuffix(b"\r\n\r\n") for record in good]
    assert len(reasons(found)) == 1


@pytest.mark.parametrize("length", ["abc", "-5", "", "1e3"])
def test_a_length_that_is_no_number_breaks_one_record(archive: Archive, length: str) -> None:
    found = read(archive.page(1) + archive.page(9, length=length) + archive.page(2))
    assert len(contents(found)) == 2
    assert reasons(found) == [f"the record at byte {len(archive.page(1))} has no complete header"]


def test_garbage_between_records_is_passed_over(archive: Archive) -> None:
    found = read(archive.page(1) + b"garbage\nmore of it\n" * 500 + archive.page(2))
    assert len(contents(found)) == 2
    assert reasons(found) == [f"no record begins at byte {len(archive.page(1))}"]


def test_garbage_at_the_end_is_told(archive: Archive) -> None:
    assert len(reasons(read(archive.page(1) + b"garbage"))) == 1


def test_a_record_that_is_cut_off_by_the_end_is_told(archive: Archive) -> None:
    found = read(archive.page(1) + archive.page(2)[:-20])
    assert len(contents(found)) == 1
    assert reasons(found) == [f"the record at byte {len(archive.page(1))} ends early"]


def test_a_record_above_the_limit_is_not_kept_whole(archive: Archive) -> None:
    long = archive.record(bytes(MAX_HEADER_BYTES + 2000))
    first, second = read(long + archive.page(1), limit=1000)
    assert isinstance(first, Record)
    assert not first.whole
    assert len(first.data) <= MAX_HEADER_BYTES
    assert second == Record(archive.page(1).removesuffix(b"\r\n\r\n"), whole=True)


def test_a_file_of_nothing_but_false_lengths_is_read_in_one_pass() -> None:
    """Looking at all that a false length claims would take hours for an archive that is made to."""
    count = 20_000
    found = read(b"WARC/1.0\nContent-Length: 60000000\n\n" * count, size=65536, limit=100_000_000)
    assert len(reasons(found)) == count


def test_a_stream_that_breaks_off_gives_what_came_before(archive: Archive) -> None:
    def broken() -> Iterator[bytes]:
        yield archive.page(1) + archive.page(2)[:50]
        raise DamagedError("torn")

    found = list(read_records(broken(), LIMIT))
    assert len(contents(found)) == 1
    assert reasons(found) == ["torn"]


def test_a_stream_that_breaks_off_between_records_is_told(archive: Archive) -> None:
    def broken() -> Iterator[bytes]:
        yield archive.page(1)
        raise DamagedError("torn")

    assert reasons(list(read_records(broken(), LIMIT))) == ["torn"]


@given(
    st.lists(st.sampled_from([b"WARC/1.0", b"\r\n", b"\n", b"Content-Length: 7", b"Content-Length: 99", b"x", b" "]))
)
def test_any_file_is_read_to_its_end(parts: list[bytes]) -> None:
    assert all(isinstance(found, Record | Damage) for found in read(b"".join(parts), size=5))
