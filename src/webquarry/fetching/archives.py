"""Read HTML pages from WARC archives, continuing behind damaged records.

The framing is our own and only the headers of a record are left to fastwarc: its iterator stops at
the first damaged gzip member, and a Content-Length that is too large makes it return the following
records as part of one page (`docs/decisions/0012-own-warc-framing.md`).
"""

from __future__ import annotations

import logging
import re
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from os import SEEK_END
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, cast
from zipfile import BadZipFile, ZipFile

from webquarry.errors import FetchError, InputError
from webquarry.fetching.encodings import (
    GZIP_WINDOW,
    PIECE_BYTES,
    DamagedError,
    decode,
    describing_headers,
    gather,
    over_limit,
)
from webquarry.fetching.inputs import RECORD_ENDINGS, WACZ_ENDING, check_file
from webquarry.model.page import Page

PAGE_TYPES = ("text/html", "application/xhtml+xml", "")
RECORD_START = b"WARC/"
# Some archives end lines with LF or CR CR LF.
_HEADER_END = re.compile(rb"\n\r{0,2}\n")
_CONTENT_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r*$", re.IGNORECASE | re.MULTILINE)
_BLANK = b"\r\n \t\0"
_USUAL_HEADER_BYTES = 2 * 2**10
MAX_HEADER_BYTES = 64 * 2**10
_MAX_PADDING_BYTES = 64  # blanks searched for the next record; the standard has 4
_GZIP_MAGIC = b"\x1f\x8b\x08"
CHUNK_BYTES = 64 * 2**10
_PROBE_BYTES = 512  # compressed bytes that are enough to unpack the start of a member
_CHUNK_SIZE_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")

_log = logging.getLogger("webquarry")


Place = tuple[int, int]
"""The start of a record: the offset in the file (of its gzip member, if compressed), and the offset in the member."""


@dataclass(frozen=True)
class Record:
    """The bytes of a record; only its beginning if it exceeds the limit (`whole` is false)."""

    data: bytes
    whole: bool
    position: int = field(default=0, compare=False)
    """Its first byte in the unpacked stream."""


@dataclass(frozen=True)
class Damage:
    """A stretch of the file that is not a readable record."""

    reason: str
    position: int = field(default=0, compare=False)


def read_warc(path: Path, *, max_bytes: int) -> Iterator[Page]:
    """Yield the HTML pages of an archive, or of those in a WACZ file, in order; skip broken records with a warning."""
    empty = True
    try:
        check_file(path)
        with path.open("rb") as packed, ExitStack() as opened:
            for file in open_archives(packed, path.name, opened).values():
                for _, page in read_archive(file, str(path), max_bytes=max_bytes):
                    empty = False
                    yield page
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except OSError as error:
        hint = "there is no such file; check the path" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path}: {hint}") from error
    if empty:
        raise InputError(f"{path}: this archive has no HTML pages; is it a WARC file?")


def open_archives(file: BinaryIO, name: str, opened: ExitStack) -> dict[str, BinaryIO]:
    """Return the archives in a file by name: those of a WACZ file, or the file itself under an empty name."""
    if not name.lower().endswith(WACZ_ENDING):
        return {"": file}
    try:
        packed = opened.enter_context(ZipFile(file))
        names = sorted(each for each in packed.namelist() if each.lower().endswith(RECORD_ENDINGS))
        return {each: cast("BinaryIO", opened.enter_context(packed.open(each))) for each in names}
    except (BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InputError(f"not a WACZ file, which is a ZIP file of archives ({error})") from error


def read_archive(
    file: BinaryIO, name: str, *, max_bytes: int, start: Place = (0, 0), end: int | None = None
) -> Iterator[tuple[Place, Page]]:
    """Yield the HTML pages of an archive, each with its place; skip broken records with a warning.

    A part of an archive has the records that start at the byte `start` or later, and before the byte `end`.
    """
    for place, record in _read_records_of_file(file, max_bytes, start[0]):
        if end is not None and place[0] >= end:
            return
        page = record if isinstance(record, Damage) else _read_page_or_damage(record, max_bytes)
        if isinstance(page, Damage):
            _log.warning("%s: skipped a broken record: %s", name, page.reason)
        elif page and place >= start:
            yield place, page


def _read_records_of_file(file: BinaryIO, max_bytes: int, start: int) -> Iterator[tuple[Place, Record | Damage]]:
    file.seek(0)
    gzipped = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    if not gzipped:
        file.seek(start)
        for found in read_records(iter(partial(file.read, CHUNK_BYTES), b""), max_bytes):
            yield (start + found.position, 0), found
        return
    for stream in gzip_streams(file, RECORD_START, start):
        for found in read_records(stream, max_bytes):
            yield stream.find_place(found.position), found


def _read_page_or_damage(record: Record, max_bytes: int) -> Page | Damage | None:
    try:
        return _read_page(record, max_bytes)
    except (FetchError, OSError, ValueError) as error:
        return Damage(str(error))


def _read_page(record: Record, max_bytes: int) -> Page | None:
    """Return the page in a record, or None if it holds anything but a successful HTML response."""
    warc = load_warc_format()
    parsed = warc.WarcRecord.from_reader(BytesIO(record.data), quirks_mode=True)
    if parsed.record_type == warc.WarcRecordType.resource:
        return _read_resource(parsed, record, max_bytes)
    if parsed.record_type != warc.WarcRecordType.response or not parsed.is_http:
        return None
    parsed.parse_http(quirks_mode=True, strict_mode=False)
    headers, url = parsed.http_headers, (parsed.headers.get("WARC-Target-URI") or "").strip("<> ")
    status, content_type = headers.status_code, headers.get("Content-Type") or ""
    if status is None or not 200 <= status < 400:
        return None
    if content_type.partition(";")[0].strip().lower() not in PAGE_TYPES:
        return None
    if not record.whole:
        raise FetchError(f"{url} is {over_limit(max_bytes)}")
    try:
        body = _decode_body(parsed.reader.read(), headers.get, max_bytes)
    except FetchError as error:
        raise FetchError(f"{url}: {error}") from error
    return Page(url=url, body=body, status=status, headers=describing_headers(headers.items()))


def _read_resource(parsed: Any, record: Record, max_bytes: int) -> Page | None:
    """Return the page in a `resource` record, which has no HTTP response."""
    url, content_type = (parsed.headers.get("WARC-Target-URI") or "").strip("<> "), parsed.headers.get("Content-Type")
    if not content_type or content_type.partition(";")[0].strip().lower() not in PAGE_TYPES:
        return None
    if not record.whole:
        raise FetchError(f"{url} is {over_limit(max_bytes)}")
    return Page(url=url, body=parsed.reader.read(), headers=(("content-type", content_type),))


@cache
def load_warc_format() -> ModuleType:
    """Import fastwarc on first use; only archives need it."""
    with warnings.catch_warnings():
        # It warns of its own deprecated names while it is imported.
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("fastwarc.warc")


def _decode_body(stored: bytes, header: Callable[[str], str | None], max_bytes: int) -> bytes:
    body = _join_chunks(stored) if "chunked" in (header("Transfer-Encoding") or "").lower() else stored
    try:
        return gather(decode([body], header("Content-Encoding") or ""), max_bytes)
    except DamagedError:
        # Some crawlers store the decoded body under the headers it was sent with.
        if body.lstrip().startswith(b"<"):
            return body
        raise


def _join_chunks(body: bytes) -> bytes:
    """Undo chunked transfer encoding."""
    # Some crawlers store the joined body under the header that announces chunks.
    if not _CHUNK_SIZE_LINE.match(body):
        return body
    chunks, position = [], 0
    while (line := _CHUNK_SIZE_LINE.match(body, position)) and (size := int(line.group(1), 16)):
        chunks.append(body[line.end() : line.end() + size])
        position = line.end() + size
        position += 2 if body.startswith(b"\r\n", position) else 1
    if not line or position > len(body):
        raise DamagedError("its chunked body ends early")
    return b"".join(chunks)


def read_records(chunks: Iterator[bytes], max_bytes: int) -> Iterator[Record | Damage]:
    r"""Split a WARC stream into its records, reporting damage in between.

        WARC/1.0 CRLF headers CRLF CRLF  Content-Length bytes  CRLF CRLF  WARC/1.0 ...

    A record is accepted if two line ends, another record or the end of the stream follow it.
    Otherwise its length is wrong and may cover further records, so the search for the next one
    resumes just behind its first line.
    """
    stream = _PeekableStream(chunks)
    while stream.skip_blank():
        if stream.peek(len(RECORD_START)) != RECORD_START:
            yield Damage(f"no record begins at byte {stream.position}", stream.position)
            stream.skip_to_record_start()
            continue
        found = _read_record(stream, max_bytes)
        yield found
        if isinstance(found, Damage):
            stream.skip(len(RECORD_START))
            stream.skip_to_record_start()
    if damage := stream.pop_damage():
        yield Damage(damage, stream.position)


def _read_record(stream: _PeekableStream, max_bytes: int) -> Record | Damage:
    position = stream.position
    header = stream.peek(_USUAL_HEADER_BYTES)
    header_end = _HEADER_END.search(header)
    if not header_end:
        header = stream.peek(MAX_HEADER_BYTES)
        header_end = _HEADER_END.search(header)
    length = _CONTENT_LENGTH.search(header, 0, header_end.end()) if header_end else None
    if not header_end or not length:
        return Damage(stream.pop_damage() or f"the record at byte {stream.position} has no complete header", position)
    size = header_end.end() + int(length.group(1))
    if size > max_bytes + MAX_HEADER_BYTES:
        header = stream.peek(MAX_HEADER_BYTES)
        stream.skip(size)
        return Record(header, whole=False, position=position)
    if stream.load(size + _MAX_PADDING_BYTES) < size:
        return Damage(stream.pop_damage() or f"the record at byte {position} ends early", position)
    if not _ends_a_record(stream.peek(_MAX_PADDING_BYTES, offset=size)):
        return Damage(f"the record at byte {position} has a wrong length", position)
    data = stream.peek(size)
    stream.skip(size)
    return Record(data, whole=True, position=position)


def _ends_a_record(following: bytes) -> bool:
    rest = following.lstrip(_BLANK)
    return not rest or rest.startswith(RECORD_START) or following.startswith((b"\r\n\r\n", b"\n\n"))


class _PeekableStream:
    """A byte stream that can be inspected before it is consumed."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = bytearray()
        self._start = 0
        self._damage: str | None = None
        self.position = 0

    def load(self, size: int) -> int:
        """Buffer at least `size` bytes, fewer at the end; return how many are buffered."""
        while len(self._buffer) - self._start < size and self._fill():
            pass
        return len(self._buffer) - self._start

    def peek(self, size: int, *, offset: int = 0) -> bytes:
        """Return the `size` bytes after `offset`, fewer at the end."""
        self.load(offset + size)
        start = self._start + offset
        return bytes(self._buffer[start : start + size])

    def skip(self, size: int) -> None:
        self.position += size
        self._start += size
        while self._start > len(self._buffer) and self._fill():
            pass

    def skip_blank(self) -> bool:
        """Skip blank bytes; return false at the end of the stream."""
        while data := self.peek(_MAX_PADDING_BYTES):
            blanks = len(data) - len(data.lstrip(_BLANK))
            self.skip(blanks)
            if blanks < len(data):
                return True
        return False

    def skip_to_record_start(self) -> None:
        """Skip to the next line that could begin a record, or to the end."""
        wanted = b"\n" + RECORD_START
        while (found := self._buffer.find(wanted, self._start)) < 0:
            keep = min(len(wanted) - 1, len(self._buffer) - self._start)
            self.skip(len(self._buffer) - self._start - keep)
            if not self._fill():
                self.skip(keep)
                return
        self.skip(found + 1 - self._start)

    def pop_damage(self) -> str | None:
        """Return once why the stream broke off."""
        damage, self._damage = self._damage, None
        return damage

    def _fill(self) -> bool:
        try:
            chunk = next(self._chunks, None)
        except DamagedError as error:
            # What came before is intact and still has to be read.
            self._damage, chunk = str(error), None
        if chunk is None:
            return False
        # Discarding consumed bytes only now and then keeps the whole pass linear.
        if self._start > len(self._buffer) // 2:
            consumed = min(self._start, len(self._buffer))
            del self._buffer[:consumed]
            self._start -= consumed
        self._buffer += chunk
        return True


class UnpackedRun:
    """The content of gzip members that follow each other."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file, self._end = file, end
        self.position = start
        """Where the next member begins."""
        self._members: deque[Place] = deque([(0, start)])
        """The first byte of members in the unpacked stream, and in the file."""
        self._chunks = self._unpack()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def find_place(self, unpacked: int) -> Place:
        """Find the place of a byte of the unpacked stream; further calls must not go back."""
        while len(self._members) > 1 and self._members[1][0] <= unpacked:
            self._members.popleft()
        begins, member = self._members[0]
        return member, unpacked - begins

    def _unpack(self) -> Iterator[bytes]:
        unpacked = 0
        while self.position < self._end:
            if unpacked:
                self._members.append((unpacked, self.position))
            member = unpack_member(self._file, self.position)
            while True:
                try:
                    chunk = next(member)
                except StopIteration as ended:
                    self.position = ended.value
                    break
                unpacked += len(chunk)
                yield chunk


def gzip_streams(file: BinaryIO, expected: bytes, start: int = 0) -> Iterator[UnpackedRun]:
    """Unpack the members of a gzip file, one stream for each uninterrupted run of them.

    At a damaged member, or at bytes between two members, a stream ends in a DamagedError. The next
    one begins with the first member behind it that unpacks to the expected bytes; so does the first
    one if `start` is not the beginning of the file. Each stream must be read to its end or error
    before the next is requested.
    """
    end = file.seek(0, SEEK_END)
    if start:
        start = find_member(file, start, expected) or end
    while start < end:
        run = UnpackedRun(file, start, end)
        yield run
        start = run.position
        if start < end:
            start = find_member(file, start + 1, expected) or end


def unpack_member(file: BinaryIO, start: int) -> Generator[bytes, None, int]:
    """Yield the content of the member at a position; return where it ends."""
    file.seek(start)
    if file.read(len(_GZIP_MAGIC)) != _GZIP_MAGIC:
        raise DamagedError(f"no gzip member begins at byte {start}")
    file.seek(start)
    decoder = zlib.decompressobj(GZIP_WINDOW)
    try:
        while not decoder.eof:
            data = decoder.unconsumed_tail or file.read(CHUNK_BYTES)
            if not data:
                raise DamagedError(f"the gzip member at byte {start} ends early")
            yield decoder.decompress(data, PIECE_BYTES)
    except zlib.error as error:
        raise DamagedError(f"the gzip member at byte {start} is damaged") from error
    return file.tell() - len(decoder.unused_data)


def find_member(file: BinaryIO, start: int, expected: bytes) -> int | None:
    """Find the first member from a position on that unpacks to the expected bytes."""
    position = _find_magic(file, start)
    while position is not None and not _unpacks_to(file, position, expected):
        position = _find_magic(file, position + 1)
    return position


def _unpacks_to(file: BinaryIO, start: int, expected: bytes) -> bool:
    file.seek(start)
    try:
        return zlib.decompressobj(GZIP_WINDOW).decompress(file.read(_PROBE_BYTES), len(expected)) == expected
    except zlib.error:
        return False


def _find_magic(file: BinaryIO, start: int) -> int | None:
    """Find the first bytes from a position on that could begin a member."""
    file.seek(start)
    window, offset = b"", start
    while chunk := file.read(CHUNK_BYTES):
        window += chunk
        found = window.find(_GZIP_MAGIC)
        if found >= 0:
            return offset + found
        kept = window[-(len(_GZIP_MAGIC) - 1) :]
        offset += len(window) - len(kept)
        window = kept
    return None
