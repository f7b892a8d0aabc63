"""Pages from WARC archives: the HTML among their HTTP responses."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from webquarry.errors import FetchError, InputError
from webquarry.fetching.decoding import DamagedError, decode, describing_headers, gather, tell_too_long
from webquarry.fetching.gzip_streams import CHUNK, MAGIC, gzip_streams
from webquarry.fetching.warc_records import MARK, Damage, Record, read_records
from webquarry.model import Page

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
