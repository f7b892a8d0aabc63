from __future__ import annotations

import gzip
import io
import random

import pytest

from webquarry.fetching.archives import CHUNK_BYTES, gzip_streams
from webquarry.fetching.encodings import DamagedError

NOISE = random.Random(7).randbytes


def read(data: bytes) -> list[bytes | str]:
    """The content of each stream, and the error that it ended in."""
    found: list[bytes | str] = []
    for stream in gzip_streams(io.BytesIO(data), b"WARC/"):
        content = bytearray()
        try:
            for piece in stream:
                content += piece
        except DamagedError as error:
            found += [bytes(content), str(error)]
        else:
            found.append(bytes(content))
    return found


def member(name: bytes, size: int = 0) -> bytes:
    return gzip.compress(b"WARC/" + name + NOISE(size))


def test_members_that_follow_one_another_are_one_stream() -> None:
    assert read(member(b"a") + member(b"b")) == [b"WARC/aWARC/b"]


def test_a_record_may_lie_across_members() -> None:
    assert read(member(b"a") + gzip.compress(b"rest") + member(b"b")) == [b"WARC/arestWARC/b"]


def test_a_member_longer_than_a_chunk_is_read_whole() -> None:
    content = b"WARC/" + NOISE(3 * CHUNK_BYTES)
    assert read(gzip.compress(content)) == [content]


def test_an_empty_file_has_no_streams() -> None:
    assert read(b"") == []


def test_goes_on_behind_a_member_with_a_flipped_bit() -> None:
    broken = bytearray(member(b"x", 3000))
    broken[1000] ^= 0xFF
    first = member(b"a")
    found = read(first + bytes(broken) + member(b"b"))
    assert found[0] == b"WARC/a"
    assert found[1:] == [f"the gzip member at byte {len(first)} is damaged", b"WARC/b"]


def test_goes_on_behind_a_member_that_is_cut_off() -> None:
    found = read(member(b"x", 3000)[:900] + member(b"b") + member(b"c"))
    assert found[-1] == b"WARC/bWARC/c"
    assert len(found) == 3


def test_a_wrong_checksum_is_damage() -> None:
    assert read(member(b"x")[:-8] + b"12345678" + member(b"b"))[1:] == [
        "the gzip member at byte 0 is damaged",
        b"WARC/b",
    ]


def test_bytes_between_members_are_passed_over() -> None:
    first = member(b"a")
    found = read(first + b"what is this" + member(b"b"))
    assert found == [b"WARC/a", f"no gzip member begins at byte {len(first)}", b"WARC/b"]


@pytest.mark.parametrize("distance", [0, CHUNK_BYTES - 2, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 1])
def test_finds_the_next_member_wherever_it_lies(distance: int) -> None:
    assert read(member(b"a") + b"." * (1 + distance) + member(b"b"))[-1] == b"WARC/b"


def test_a_file_that_ends_in_damage_ends() -> None:
    first = member(b"a")
    assert read(first + member(b"x", 100)[:50])[-1] == f"the gzip member at byte {len(first)} ends early"


def test_looks_past_what_only_looks_like_a_member() -> None:
    assert read(member(b"a") + b"junk\x1f\x8b\x08junk" + gzip.compress(b"other") + b"?" + member(b"b"))[-1] == b"WARC/b"
