"""Undo content codings piece by piece, so that a small body that unpacks to a huge one never fills memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli  # type: ignore[import-untyped]

from webquarry.errors import FetchError

PIECE_BYTES = 256 * 2**10
"""Output produced at a time."""
GZIP_WINDOW = zlib.MAX_WBITS | 16
MAX_LAYERS = 3  # each further layer multiplies what a decompression bomb can do

MAX_ZSTD_BYTES = 256 * 2**20  # of a compressed body, which is unpacked when all of it is there

_TRANSFER_HEADERS = ("content-encoding", "content-length", "transfer-encoding")

Decoder = Callable[[Iterable[bytes]], Iterator[bytes]]


class DamagedError(FetchError):
    """A body that ends early or is not coded as its header says."""


def decode(chunks: Iterable[bytes], content_encoding: str) -> Iterator[bytes]:
    """Undo the codings of a Content-Encoding header, in bounded pieces.

    Unknown codings are ignored, as browsers do: servers put character sets and "none" there.
    """
    codings = [coding.strip().lower() for coding in content_encoding.split(",")]
    layers = [_DECODERS[coding] for coding in reversed(codings) if coding in _DECODERS]
    if len(layers) > MAX_LAYERS:
        raise DamagedError(f"the body is compressed {len(layers)} times over; no honest server does that")
    pieces: Iterable[bytes] = chunks
    for layer in layers:
        pieces = layer(pieces)
    return iter(pieces)


def describing_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Drop the headers that describe the body as it was sent, coded and framed."""
    return tuple((name, value) for name, value in headers if name.lower() not in _TRANSFER_HEADERS)


def gather(pieces: Iterable[bytes], max_bytes: int) -> bytes:
    """Join the pieces of a body; raise FetchError if it exceeds the limit."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            raise FetchError(f"it is {over_limit(max_bytes)}")
    return bytes(body)


def over_limit(max_bytes: int) -> str:
    """Describe a body above the limit; the command line has no option for it."""
    return f"longer than the limit of {max_bytes:,} bytes; in Python, raise max_bytes"


def gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack all members of a gzip stream; ignore trailing bytes that are not a member."""
    decoder = None
    for chunk in chunks:
        data = chunk
        while data:
            if decoder is None or decoder.eof:
                if decoder is not None and not data.startswith(b"\x1f"):
                    return
                decoder = zlib.decompressobj(GZIP_WINDOW)
            yield from _decompress(decoder, data)
            data = decoder.unused_data
    if decoder is not None and not decoder.eof:
        raise DamagedError("the gzip data ends early")


def inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack a `deflate` body, sent with a zlib header, as the standard asks, or without."""
    decoder = None
    for chunk in chunks:
        if decoder is None and chunk:
            decoder = zlib.decompressobj(zlib.MAX_WBITS if _has_zlib_header(chunk) else -zlib.MAX_WBITS)
        if decoder is not None:
            yield from _decompress(decoder, chunk)
    if decoder is not None and not decoder.eof:
        raise DamagedError("the deflate data ends early")


def unbrotli(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack a `br` body."""
    decoder = brotli.Decompressor()
    fed = False
    try:
        for chunk in chunks:
            fed = fed or bool(chunk)
            piece = decoder.process(chunk, output_buffer_limit=PIECE_BYTES)
            while piece:
                yield piece
                piece = b"" if decoder.is_finished() else decoder.process(b"", output_buffer_limit=PIECE_BYTES)
    except brotli.error as error:
        raise DamagedError("the body is not the brotli data that its header announces") from error
    if fed and not decoder.is_finished():
        raise DamagedError("the brotli data ends early")


def unzstd(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack a `zstd` body; servers send it although we do not ask for it."""
    import pyarrow as pa  # noqa: PLC0415  slow to import, and few bodies need it

    packed = pa.BufferReader(gather(chunks, MAX_ZSTD_BYTES))
    try:
        with pa.CompressedInputStream(packed, "zstd") as stream:
            while piece := stream.read(PIECE_BYTES):
                yield piece
    except OSError as error:
        raise DamagedError("the body ends early, or is not the zstd data that its header announces") from error


def _decompress(decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    try:
        piece = decoder.decompress(data, PIECE_BYTES)
        while piece:
            yield piece
            piece = decoder.decompress(decoder.unconsumed_tail, PIECE_BYTES)
    except zlib.error as error:
        raise DamagedError("the compressed data is damaged, or not what its header announces") from error


def _has_zlib_header(data: bytes) -> bool:
    # RFC 1950, section 2.2: method 8 in the low bits, and both bytes a multiple of 31 (one byte alone decides less).
    return data[0] & 0x0F == 8 and (len(data) < 2 or int.from_bytes(data[:2], "big") % 31 == 0)


_DECODERS: dict[str, Decoder] = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": inflate,
    "br": unbrotli,
    "zstd": unzstd,
}
