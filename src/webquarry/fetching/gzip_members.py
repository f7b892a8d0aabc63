"""The members of a gzip file one by one, going on behind those that are damaged."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from os import SEEK_END
from typing import BinaryIO

from webquarry.fetching.decoding import GZIP_WINDOW, PIECE, DamagedError

MAGIC = b"\x1f\x8b\x08"
CHUNK = 64 * 2**10
# Enough compressed bytes to unpack the beginning of a member.
TASTE = 512


def gzip_members(file: BinaryIO, expected: bytes) -> Iterator[Iterator[bytes]]:
    """The pieces of each member that begins with the expected bytes.

    Where a member is damaged, or bytes lie between two of them, the pieces end in a DamagedError; the next member can
    then still be read.  Each has to be read to its end, or to its error, before the next is asked for.
    """
    start = 0
    while not _at_end(file, start):
        if _begins_with(file, start, expected):
            member = _Member(file, start)
            yield iter(member)
            start = member.end or _next_member(file, start + 1, expected)
        else:
            yield _gap(start)
            start = _next_member(file, start + 1, expected)


class _Member:
    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._start = start
        self.end: int | None = None

    def __iter__(self) -> Iterator[bytes]:
        decoder = zlib.decompressobj(GZIP_WINDOW)
        self._file.seek(self._start)
        try:
            while not decoder.eof:
                data = decoder.unconsumed_tail or self._file.read(CHUNK)
                if not data:
                    raise DamagedError("the gzip data ends early")
                yield decoder.decompress(data, PIECE)
        except zlib.error as error:
            raise DamagedError("the gzip data is damaged") from error
        self.end = self._file.tell() - len(decoder.unused_data)


def _gap(start: int) -> Iterator[bytes]:
    raise DamagedError(f"no gzip member with a record begins at byte {start}")
    yield b""


def _at_end(file: BinaryIO, position: int) -> bool:
    file.seek(position)
    return not file.read(1)


def _next_member(file: BinaryIO, start: int, expected: bytes) -> int:
    """The offset of the first member at or behind an offset; the end of the file when there is none."""
    position = _find(file, MAGIC, start)
    while position is not None and not _begins_with(file, position, expected):
        position = _find(file, MAGIC, position + 1)
    return file.seek(0, SEEK_END) if position is None else position


def _begins_with(file: BinaryIO, start: int, expected: bytes) -> bool:
    file.seek(start)
    try:
        return zlib.decompressobj(GZIP_WINDOW).decompress(file.read(TASTE), len(expected)) == expected
    except zlib.error:
        return False


def _find(file: BinaryIO, wanted: bytes, start: int) -> int | None:
    file.seek(start)
    window, offset = b"", start
    while chunk := file.read(CHUNK):
        window += chunk
        found = window.find(wanted)
        if found >= 0:
            return offset + found
        kept = window[-(len(wanted) - 1) :]
        offset += len(window) - len(kept)
        window = kept
    return None
