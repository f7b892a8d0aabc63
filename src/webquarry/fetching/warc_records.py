"""Where the records of a WARC file begin and end, found again behind a broken one.

    WARC/1.0 CRLF headers CRLF CRLF  as many bytes as Content-Length says  CRLF CRLF  WARC/1.0 ...

A record is trusted when two line ends, another record or the end follow it.  Otherwise its length is wrong, and the
search goes on from its own first line, because such a length hides the records that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webquarry.fetching.decoding import DamagedError

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
