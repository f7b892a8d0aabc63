"""Pages from WARC archives: the HTML among their HTTP responses."""

from __future__ import annotations

import logging
import re
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from os import SEEK_END
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from webquarry.errors import FetchError, InputError
from webquarry.fetching.encodings import (
    GZIP_WINDOW,
    PIECE,
    DamagedError,
    decode,
    describing_headers,
    gather,
    tell_too_long,
)
from webquarry.model.page import Page

# MERGED fetching/warc_records: Where the records of a WARC file begin and end, found again behind a broken o
# MERGED
# MERGED     WARC/1.0 CRLF headers CRLF CRLF  as many bytes as Content-Length says  CRLF CRLF  WARC/1.0 ...
# MERGED
# MERGED A record is trusted when two line ends, another record or the end follow it.  Otherwise its length i
# MERGED search goes on from its own first line, because such a length hides the records that follow.
MARK = b"WARC/"
# Line ends are LF or CR CR LF in some archives.
HEAD_END = re.compile(rb"\n\r{0,2}\n")
LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r*$", re.IGNORECASE | re.MULTILINE)
BLANK = b"\r\n \t\0"
USUAL_HEAD = 2 * 2**10
HEAD_LIMIT = 64 * 2**10
# Blank bytes behind a record that are looked over for the next one; the standard has 4.
PADDING = 64


@dataclass(frozen=True)
class Record:
    """The bytes of a record; not whole when it is longer than the limit."""

    data: bytes
    whole: bool


@dataclass(frozen=True)
class Damage:
    """Bytes that are no record, and why."""

    reason: str


def read_records(chunks: Iterator[bytes], max_bytes: int) -> Iterator[Record | Damage]:
    """All records of a WARC stream, and each damage that was passed over, in order."""
    tape = _Tape(chunks)
    while tape.skip_blank():
        if tape.peek(len(MARK)) != MARK:
            yield Damage(f"no record begins at byte {tape.position}")
            tape.skip_to_mark()
            continue
        found = _read_record(tape, max_bytes)
        yield found
        if isinstance(found, Damage):
            tape.skip(len(MARK))
            tape.skip_to_mark()
    if damage := tape.take_damage():
        yield Damage(damage)


def _read_record(tape: _Tape, max_bytes: int) -> Record | Damage:
    head = tape.peek(USUAL_HEAD)
    head_end = HEAD_END.search(head)
    if not head_end:
        head = tape.peek(HEAD_LIMIT)
        head_end = HEAD_END.search(head)
    length = LENGTH.search(head, 0, head_end.end()) if head_end else None
    if not head_end or not length:
        return Damage(tape.take_damage() or f"the record at byte {tape.position} has no complete header")
    size = head_end.end() + int(length.group(1))
    if size > max_bytes + HEAD_LIMIT:
        head = tape.peek(HEAD_LIMIT)
        tape.skip(size)
        return Record(head, whole=False)
    if tape.load(size + PADDING) < size:
        return Damage(tape.take_damage() or f"the record at byte {tape.position} ends early")
    if not _ends_a_record(tape.peek(PADDING, behind=size)):
        return Damage(f"the record at byte {tape.position} has a wrong length")
    data = tape.peek(size)
    tape.skip(size)
    return Record(data, whole=True)


def _ends_a_record(following: bytes) -> bool:
    behind = following.lstrip(BLANK)
    return not behind or behind.startswith(MARK) or following.startswith((b"\r\n\r\n", b"\n\n"))


class _Tape:
    """A stream that can be looked at before it is moved on."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = bytearray()
        self._start = 0
        self._damage: str | None = None
        self.position = 0

    def load(self, size: int) -> int:
        """Have so many bytes at hand, fewer at the end; how many they are."""
        while len(self._buffer) - self._start < size and self._fill():
            pass
        return len(self._buffer) - self._start

    def peek(self, size: int, *, behind: int = 0) -> bytes:
        """The next bytes, or those behind so many others, fewer at the end."""
        self.load(behind + size)
        start = self._start + behind
        return bytes(self._buffer[start : start + size])

    def skip(self, size: int) -> None:
        self.position += size
        self._start += size
        while self._start > len(self._buffer) and self._fill():
            pass

    def skip_blank(self) -> bool:
        """Move on to what is not blank, if there is any."""
        while data := self.peek(PADDING):
            blanks = len(data) - len(data.lstrip(BLANK))
            self.skip(blanks)
            if blanks < len(data):
                return True
        return False

    def skip_to_mark(self) -> None:
        """Move on to the next line that a record could begin with, or to the end."""
        wanted = b"\n" + MARK
        while (found := self._buffer.find(wanted, self._start)) < 0:
            keep = min(len(wanted) - 1, len(self._buffer) - self._start)
            self.skip(len(self._buffer) - self._start - keep)
            if not self._fill():
                self.skip(keep)
                return
        self.skip(found + 1 - self._start)

    def take_damage(self) -> str | None:
        """Why the stream ended before its end, told once."""
        damage, self._damage = self._damage, None
        return damage

    def _fill(self) -> bool:
        try:
            chunk = next(self._chunks, None)
        except DamagedError as error:
            # What came before is whole and still to be read.
            self._damage, chunk = str(error), None
        if chunk is None:
            return False
        # Cutting off what is behind only now and then keeps the whole pass linear.
        if self._start > len(self._buffer) // 2:
            behind = min(self._start, len(self._buffer))
            del self._buffer[:behind]
            self._start -= behind
        self._buffer += chunk
        return True


# MERGED fetching/gzip_streams: The members of a gzip file, going on behind those that are damaged.
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


PAGE_TYPES = ("text/html", "application/xhtml+xml", "")
CHUNK_SIZE_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")

logger = logging.getLogger("webquarry")


def read_warc(path: Path, *, max_bytes: int) -> Iterator[Page]:
    """The pages of an archive, in order; a broken record is passed over with a warning."""
    empty = True
    try:
        with path.open("rb") as file:
            for found in _read(file, max_bytes):
                page = _page_or_damage(found, max_bytes)
                if isinstance(page, Damage):
                    logger.warning("%s: passed over a broken record: %s", path, page.reason)
                elif page:
                    empty = False
                    yield page
    except OSError as error:
        hint = "there is no such file; check the path" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path}: {hint}") from error
    if empty:
        raise InputError(f"{path}: no HTML pages among the records of this archive; check that it is a WARC file")


def _read(file: BinaryIO, max_bytes: int) -> Iterator[Record | Damage]:
    packed = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    streams = gzip_streams(file, MARK) if packed else iter([iter(partial(file.read, CHUNK), b"")])
    for stream in streams:
        yield from read_records(stream, max_bytes)


def _page_or_damage(found: Record | Damage, max_bytes: int) -> Page | Damage | None:
    if isinstance(found, Damage):
        return found
    try:
        return _page(found, max_bytes)
    except (FetchError, OSError, ValueError) as error:
        return Damage(str(error))


def _page(record: Record, max_bytes: int) -> Page | None:
    """The page in a record, or None when it holds something else."""
    warc = _parser()
    parsed = warc.WarcRecord.from_reader(BytesIO(record.data), quirks_mode=True)
    if parsed.record_type != warc.WarcRecordType.response or not parsed.is_http:
        return None
    parsed.parse_http(quirks_mode=True, strict_mode=False)
    headers, url = parsed.http_headers, (parsed.headers.get("WARC-Target-URI") or "").strip("<> ")
    status = headers.status_code
    if status is None or not 200 <= status < 400 or _type(headers.get("Content-Type")) not in PAGE_TYPES:
        return None
    if not record.whole:
        raise FetchError(f"{url} is {tell_too_long(max_bytes)}")
    try:
        body = _plain_body(parsed.reader.read(), headers.get, max_bytes)
    except FetchError as error:
        raise FetchError(f"{url}: {error}") from error
    return Page(url=url, body=body, status=status, headers=describing_headers(headers.items()))


@cache
def _parser() -> ModuleType:
    """The library that reads headers; pages from elsewhere do not need it."""
    with warnings.catch_warnings():
        # It warns of its own old names while it is imported.
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("fastwarc.warc")


def _type(content_type: str | None) -> str:
    return (content_type or "").partition(";")[0].strip().lower()


def _plain_body(stored: bytes, header: Callable[[str], str | None], max_bytes: int) -> bytes:
    body = _dechunked(stored) if "chunked" in (header("Transfer-Encoding") or "").lower() else stored
    try:
        return gather(decode([body], header("Content-Encoding") or ""), max_bytes)
    except DamagedError:
        # Some crawlers store the body decoded, under the headers that it was sent with.
        if body.lstrip().startswith(b"<"):
            return body
        raise


def _dechunked(body: bytes) -> bytes:
    """The body without chunked framing."""
    # Some crawlers store the body without the framing, under the header that announces it.
    if not CHUNK_SIZE_LINE.match(body):
        return body
    chunks, position = [], 0
    while (line := CHUNK_SIZE_LINE.match(body, position)) and (size := int(line.group(1), 16)):
        chunks.append(body[line.end() : line.end() + size])
        position = line.end() + size
        position += 2 if body.startswith(b"\r\n", position) else 1
    if not line or position > len(body):
        raise DamagedError("its chunked body ends early")
    return b"".join(chunks)
