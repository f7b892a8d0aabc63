from __future__ import annotations

import gzip
import zlib
from functools import partial

import brotli
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from webquarry.errors import FetchError
from webquarry.fetching.encodings import PIECE_BYTES, DamagedError, decode, describing_headers, gather, gunzip

TEXT = b"<p>some text that repeats, some text that repeats</p>" * 50


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def zstd(data: bytes) -> bytes:
    packed = pa.BufferOutputStream()
    with pa.CompressedOutputStream(packed, "zstd") as stream:
        stream.write(data)
    return bytes(packed.getvalue().to_pybytes())


CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": partial(brotli.compress, quality=5),  # the best takes seconds for a bomb, and makes it no smaller
    "zstd": zstd,
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_undoes_a_coding_however_the_bytes_arrive(coding: str, size: int) -> None:
    packed = CODINGS[coding](TEXT)
    chunks = [packed[start : start + size] for start in range(0, len(packed), size)]
    assert b"".join(decode(chunks, coding)) == TEXT


@given(st.binary(), st.sampled_from(sorted(CODINGS)))
def test_any_body_comes_back_as_it_was(body: bytes, coding: str) -> None:
    assert b"".join(decode([CODINGS[coding](body)], coding)) == body


@given(st.binary(), st.sampled_from(sorted(CODINGS)))
def test_any_bytes_are_decoded_or_called_damaged(body: bytes, coding: str) -> None:
    try:
        gather(decode([body], coding), 10_000_000)
    except FetchError:
        return


def test_deflate_without_the_zlib_header_is_read_as_browsers_do() -> None:
    assert b"".join(decode([raw_deflate(TEXT)], "deflate")) == TEXT


def test_several_codings_are_undone_from_the_last_to_the_first() -> None:
    assert b"".join(decode([brotli.compress(gzip.compress(TEXT))], "gzip, BR")) == TEXT


@pytest.mark.parametrize("coding", ["", "identity", "none", "utf-8"])
def test_what_is_no_coding_leaves_the_body_alone(coding: str) -> None:
    assert b"".join(decode([TEXT], coding)) == TEXT


@pytest.mark.parametrize("coding", CODINGS)
def test_an_empty_body_has_no_coding(coding: str) -> None:
    assert b"".join(decode([], coding)) == b""


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_that_ends_early_is_damaged(coding: str) -> None:
    with pytest.raises(DamagedError, match="ends early"):
        list(decode([CODINGS[coding](TEXT)[:-5]], coding))


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_body_that_is_not_coded_at_all_is_damaged(coding: str) -> None:
    with pytest.raises(DamagedError, match="announces"):
        list(decode([b"<p>plain</p>"], coding))


def test_all_members_of_a_gzip_stream_are_read() -> None:
    assert b"".join(gunzip([gzip.compress(b"one") + gzip.compress(b"two")])) == b"onetwo"


def test_padding_behind_a_gzip_stream_is_left_out() -> None:
    assert b"".join(gunzip([gzip.compress(b"one") + b"\0\0\0"])) == b"one"


@pytest.mark.parametrize("coding", CODINGS)
def test_a_bomb_is_unpacked_in_small_pieces(coding: str) -> None:
    bomb = CODINGS[coding](bytes(20_000_000))
    first = next(decode([bomb], coding))
    assert len(first) <= 4 * PIECE_BYTES


@pytest.mark.parametrize("coding", CODINGS)
def test_a_bomb_ends_at_the_limit(coding: str) -> None:
    bomb = CODINGS[coding](bytes(20_000_000))
    with pytest.raises(FetchError, match="longer than the limit of 1,000 bytes; in Python, raise max_bytes"):
        gather(decode([bomb], coding), 1000)


def test_a_bomb_of_many_layers_is_not_unpacked() -> None:
    with pytest.raises(DamagedError, match="4 times over"):
        decode([b""], "gzip, gzip, gzip, gzip")


def test_a_body_of_exactly_the_limit_is_read() -> None:
    assert gather([b"ab", b"cd"], 4) == b"abcd"


def test_headers_of_the_sent_body_do_not_describe_the_decoded_one() -> None:
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("content-length", "3"), ("X", "1")]
    assert describing_headers(headers) == (("Content-Type", "text/html"), ("X", "1"))
