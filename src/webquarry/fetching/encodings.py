"""Content codings undone piece by piece, so that a small body that unpacks to a huge one never fills the memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator

from webquarry.errors import FetchError

# Bytes of output at a time.
PIECE = 256 * 2**10
GZIP_WINDOW = zlib.MAX_WBITS | 16
# Nobody needs more layers; each one multiplies what a bomb can do.
MAX_LAYERS = 3

_OF_THE_SENT_BODY = ("content-encoding", "content-length", "transfer-encoding")

Decoder = Callable[[Iterable[bytes]], Iterator[bytes]]


class DamagedError(FetchError):
    """The body ends early or is not coded as its header says."""


def decode(chunks: Iterable[bytes], content_encoding: str) -> Iterator[bytes]:
    """The body without the codings of a Content-Encoding header, in bounded pieces.

    Unknown codings are passed over as browsers do: servers put character sets and "none" there.
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
    """The headers without those that describe the body as it was sent, coded and framed."""
    return tuple((name, value) for name, value in headers if name.lower() not in _OF_THE_SENT_BODY)


def gather(pieces: Iterable[bytes], max_bytes: int) -> bytes:
    """The whole body, unless it is longer than the limit."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            raise FetchError(f"it is {tell_too_long(max_bytes)}")
    return bytes(body)


def tell_too_long(max_bytes: int) -> str:
    """What is said of a body that is longer than the limit; the command has no option for it."""
    return f"longer than {max_bytes:,} bytes, the most that is read; in Python max_bytes allows more"


def gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """All members of a gzip stream; what follows the last one and is no member is left out."""
    decoder = None
    for chunk in chunks:
        data = chunk
        while data:
            if decoder is None or decoder.eof:
                if decoder is not None and not data.startswith(b"\x1f"):
                    return
                decoder = zlib.decompressobj(GZIP_WINDOW)
            yield from _inflate(decoder, data)
            data = decoder.unused_data
    if decoder is not None and not decoder.eof:
        raise DamagedError("the gzip data ends early")


def inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A `deflate` body, which servers send with a zlib header, as the standard asks, or without."""
    decoder = None
    for chunk in chunks:
        if decoder is None and chunk:
            decoder = zlib.decompressobj(zlib.MAX_WBITS if _has_zlib_header(chunk) else -zlib.MAX_WBITS)
        if decoder is not None:
            yield from _inflate(decoder, chunk)
    if decoder is not None and not decoder.eof:
        raise DamagedError("the deflate data ends early")


def unbrotli(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A `br` body."""
    import brotli  # type: ignore[import-untyped]  # noqa: PLC0415  few bodies need it

    decoder = brotli.Decompressor()
    fed = False
    try:
        for chunk in chunks:
            fed = fed or bool(chunk)
            piece = decoder.process(chunk, output_buffer_limit=PIECE)
            while piece:
                yield piece
                piece = b"" if decoder.is_finished() else decoder.process(b"", output_buffer_limit=PIECE)
    except brotli.error as error:
        raise DamagedError("the body is not the brotli data that its header announces") from error
    if fed and not decoder.is_finished():
        raise DamagedError("the brotli data ends early")


def _inflate(decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    try:
        piece = decoder.decompress(data, PIECE)
        while piece:
            yield piece
            piece = decoder.decompress(decoder.unconsumed_tail, PIECE)
    except zlib.error as error:
        raise DamagedError("the body is not the compressed data that its header announces") from error


def _has_zlib_header(data: bytes) -> bool:
    # RFC 1950, section 2.2: method 8 in the low bits, and both bytes a multiple of 31 (one byte alone decides less).
    return data[0] & 0x0F == 8 and (len(data) < 2 or int.from_bytes(data[:2], "big") % 31 == 0)


_DECODERS: dict[str, Decoder] = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": inflate,
    "br": unbrotli,
}
