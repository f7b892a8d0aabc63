"""The members of a gzip file, going on behind those that are damaged."""

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


def gzip_streams(file: BinaryIO, expected: bytes) -> Iterator[Iterator[bytes]]:
    """The pieces of all members, as one stream for each run of them that is not interrupted.

    Where a member is damaged, or bytes lie between two of them, a stream ends in a DamagedError, and the next begins
    with the first member behind it that unpacks to the expected bytes.  Each has to be read to its end, or to its
    error, before the next is asked for.
    """
    run = _Run(file)
    while not run.at_end():
        yield run.read()
        run.skip_to(expected)


class _Run:
    """Members that follow one another."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = 0

    def at_end(self) -> bool:
        self._file.seek(self._start)
        return not self._file.read(1)

    def read(self) -> Iterator[bytes]:
        while not self.at_end():
            self._file.seek(self._start)
            if self._file.read(len(MAGIC)) != MAGIC:
                raise DamagedError(f"no gzip member begins at byte {self._start}")
            yield from self._read_member()

    def skip_to(self, expected: bytes) -> None:
        """Move on to a member that unpacks to the expected bytes, or to the end of the file."""
        position = None if self.at_end() else _find(self._file, MAGIC, self._start + 1)
        while position is not None and not _begins_with(self._file, position, expected):
            position = _find(self._file, MAGIC, position + 1)
        self._start = self._file.seek(0, SEEK_END) if position is None else position

    def _read_member(self) -> Iterator[bytes]:
        decoder = zlib.decompressobj(GZIP_WINDOW)
        self._file.seek(self._start)
        try:
            while not decoder.eof:
                data = decoder.unconsumed_tail or self._file.read(CHUNK)
                if not data:
                    raise DamagedError(f"the gzip member at byte {self._start} ends early")
                yield decoder.decompress(data, PIECE)
        except zlib.error as error:
            raise DamagedError(f"the gzip member at byte {self._start} is damaged") from error
        self._start = self._file.tell() - len(decoder.unused_data)


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
