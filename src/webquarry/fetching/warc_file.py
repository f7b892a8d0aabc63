"""Write pages to a WARC archive, or continue one that an earlier run started.

An archive grows at its end, a gzip member for each record, so everything in it is whole except for a record that was
being written when the process was killed: that one is cut off when the archive is opened again.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from webquarry.errors import InputError
from webquarry.fetching.archives import MAX_HEADER_BYTES, RECORD_START, find_member, load_warc_format, unpack_member
from webquarry.fetching.encodings import DamagedError
from webquarry.model.page import Page

ENDING = ".warc.gz"
INPUT_HEADER = "Quarry-Input"
"""The header with the address that was asked for, if redirects led to another one."""
_NAMES = re.compile(
    rf"^(?:WARC-Target-URI|{INPUT_HEADER}):[ \t]*<?(.*?)>?[ \t]*\r?$".encode(), re.IGNORECASE | re.MULTILINE
)
_LINE_BREAKS = re.compile(r"[\r\n]+")


class WarcFile:
    """An archive that pages are added to."""

    def __init__(self, path: Path) -> None:
        """Open an archive, or create one; raise if it cannot be written, or is damaged before its end."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)  # a buffer would write what failed once more when it is closed
        except OSError as error:
            raise _refused(path, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise InputError(
                f"{path}: another run is writing to it; wait until it ends, or name another file"
            ) from error
        self.known: set[str] = set()
        """The names of the pages that are in the archive."""
        self._end = 0
        self._is_new = not os.fstat(self._file.fileno()).st_size
        try:
            for end, names in _list_records(self._file, path):
                self._end = end
                self.known |= names
            self.cut_off = os.fstat(self._file.fileno()).st_size - self._end
            """Bytes of an unfinished record that were removed."""
            self._file.truncate(self._end)
            if not self._end:
                self._write(_describe_archive())
        except BaseException:
            self.close()
            raise

    def add(self, name: str, page: Page) -> None:
        """Add a page that was asked for by this name; a page from disk becomes a record without an HTTP response."""
        address = page.address or page.url
        headers = {"WARC-Target-URI": address, "WARC-Date": _date_of(page)}
        if name != address:
            headers[INPUT_HEADER] = name
        if page.url.startswith("file:"):
            headers["Content-Type"] = page.header("content-type") or "text/html"
            self._write(_make_record("resource", headers, page.body))
        else:
            headers["Content-Type"] = "application/http; msgtype=response"
            self._write(_make_record("response", headers, _to_response(page)))
        self.known |= {name, address}

    def close(self) -> None:
        """Close the archive; remove a new one that has no page."""
        if self._is_new and not self.known and not self._file.closed:
            with suppress(OSError):
                self.path.unlink()
        self._file.close()

    def _write(self, record: bytes) -> None:
        """Write a record at the end, or leave the archive as it was."""
        try:
            left = memoryview(gzip.compress(record, mtime=0))
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise _refused(self.path, error) from error
        self._end = self._file.tell()


def _refused(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written: {error.strerror or error}; make room or name another file with -o")


def _list_records(file: BinaryIO, path: Path) -> Iterator[tuple[int, set[str]]]:
    """List the whole records of an archive: where each ends, and the names of its page."""
    size, position = os.fstat(file.fileno()).st_size, 0
    while position < size:
        try:
            position, head = _read_member(file, position)
        except DamagedError as error:
            if find_member(file, position + 1, RECORD_START):
                raise InputError(f"{path}: {error}, and records follow it; name another file with -o") from error
            if not position:
                raise InputError(f"{path}: is not a gzipped WARC file; name another file with -o") from error
            return
        header = head.partition(b"\r\n\r\n")[0]
        yield position, {name.decode("utf-8", "replace") for name in _NAMES.findall(header)}


def _read_member(file: BinaryIO, start: int) -> tuple[int, bytes]:
    """Read a gzip member; return its end, and the start of its content."""
    head, end = bytearray(), start

    def unpack() -> Generator[bytes, None, None]:
        nonlocal end
        end = yield from unpack_member(file, start)

    for piece in unpack():
        head += piece[: MAX_HEADER_BYTES - len(head)]
    if not head.startswith(RECORD_START):
        raise DamagedError(f"no WARC record begins at byte {start}")
    return end, bytes(head)


def _describe_archive() -> bytes:
    content = b"software: webquarry\r\nformat: WARC File Format 1.1\r\n"
    headers = {"WARC-Date": _format_date(datetime.now(UTC)), "Content-Type": "application/warc-fields"}
    return _make_record("warcinfo", headers, content)


def _make_record(kind: str, headers: dict[str, str], content: bytes) -> bytes:
    warc = load_warc_format()
    record = warc.WarcRecord()
    record.init_headers(record_type=getattr(warc.WarcRecordType, kind))
    for name, value in headers.items():
        record.headers[name] = _LINE_BREAKS.sub(" ", value)
    record.set_bytes_content(content)
    stream = BytesIO()
    record.write(stream, checksum_data=True)
    return stream.getvalue()


def _to_response(page: Page) -> bytes:
    """Write an HTTP response with the body as it is after decoding."""
    try:
        phrase = HTTPStatus(page.status).phrase
    except ValueError:
        phrase = ""
    headers = [*page.headers, ("Content-Length", str(len(page.body)))]
    lines = [f"HTTP/1.1 {page.status} {phrase}", *(f"{name}: {_LINE_BREAKS.sub(' ', text)}" for name, text in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + page.body


def _date_of(page: Page) -> str:
    """Return the time when the server sent a page, which is earlier for cached pages."""
    now = datetime.now(UTC)
    with suppress(ValueError):
        sent = parsedate_to_datetime(page.header("date") or "")
        return _format_date(min(now, sent.astimezone(UTC)))
    return _format_date(now)


def _format_date(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
