"""Resolve what a user names (address, file, archive, folder, standard input); read pages and CSV rows from files."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from email.parser import BytesParser
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from webquarry.errors import FetchError, InputError
from webquarry.fetching.encodings import gather, gunzip
from webquarry.html import page_lists
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page
from webquarry.model.wording import describe_special_file

if TYPE_CHECKING:
    from email.message import Message

MHTML_ENDINGS = (".mhtml", ".mht")
PAGE_ENDINGS = (".html", ".htm", ".xhtml", *MHTML_ENDINGS)
RECORD_ENDINGS = (".warc", ".warc.gz")
WACZ_ENDING = ".wacz"
"""The ending of WACZ files, which are ZIP files of archives."""
ARCHIVE_ENDINGS = (*RECORD_ENDINGS, WACZ_ENDING)
# Browsers put frames and advertisements of a saved page into such a folder; they are not pages of their own.
_COMPANION_FOLDER_ENDING = "_files"
_CHUNK_BYTES = 2**20
_SNIFFED_BYTES = 2**13
"""The number of bytes read to recognize a sitemap or feed."""
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
"""At least two letters, so that a drive such as C: does not match."""
_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@")
_WITH_QUERY = re.compile(r"\.x?html?[?@][^.]*$")
"""Names of pages with the query of their address, as wget gives them."""
_PLAIN_IN_PATHS = "/!$&'()*+,;=@"  # RFC 3986, section 3.3
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


class Kind(Enum):
    """Kinds of sources."""

    ADDRESS = "address"
    FILE = "file"
    ARCHIVE = "archive"
    STDIN = "standard input"


@dataclass(frozen=True)
class Source:
    """One place to read from; only an archive holds more than one page."""

    kind: Kind
    name: str
    address: str = ""
    """The address on the web of a file, if a sitemap or feed on disk names it."""
    may_list: bool = field(default=False, compare=False)
    """True for an input of its own, which may be a sitemap or feed; not for a page of a folder."""

    @property
    def path(self) -> Path:
        """The path of a file or an archive."""
        return Path(self.name)


def expand(inputs: Iterable[str | Path]) -> Iterator[Source | Failure]:
    """Yield the sources of all inputs in order, with a Failure for each input or folder that has none."""
    for named in inputs:
        try:
            yield from sources_of(named)
        except InputError as error:
            yield Failure(page=str(named), error=str(error))


def sources_of(named: str | Path) -> list[Source | Failure]:
    """Return the sources that an input names: one for each page of a folder, otherwise a single one.

    A subfolder that cannot be read yields a Failure.
    """
    if isinstance(named, str):
        if named == "-":
            return [Source(Kind.STDIN, named, may_list=True)]
        scheme = SCHEME.match(named)
        if scheme:
            return _sources_of_address(named, scheme.group(1).lower())
        if not named:
            raise InputError("an input is empty; name a file, a folder, an http address or - for standard input")
    return _sources_of_path(Path(named))


def may_hold_many(named: str) -> bool:
    """Tell whether an input may hold several pages, an archive, a sitemap or a feed; a folder always does.

    A file is a sitemap or feed by what is in it, an address only by its name.
    """
    if named.lower().endswith(ARCHIVE_ENDINGS):
        return True
    if SCHEME.match(named) and not named.lower().startswith("file:"):
        return page_lists.has_name_of_list(named)
    path = Path(path_of(named) if named.lower().startswith("file:") else named)
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            packed = file.read(_SNIFFED_BYTES)
        is_packed = path.name.lower().endswith(".gz")
        head = next(gunzip([packed]), b"") if is_packed else packed
    except (OSError, FetchError, ValueError):  # reading it will report that
        return False
    return page_lists.sniff(head, may_be_text=_without_gz(path.name).endswith(".txt")) is not None


def without_credentials(address: str) -> str:
    """Remove user and password from an address, so that they do not show up in results and messages."""
    return _CREDENTIALS.sub("", address, count=1)


def _sources_of_address(address: str, scheme: str) -> list[Source | Failure]:
    if scheme in ("http", "https"):
        return [Source(Kind.ADDRESS, address, may_list=True)]
    if scheme == "file":
        try:
            path = path_of(address)
        except ValueError as error:
            raise InputError(f"{address}: not a valid file address; name the file by its path") from error
        return _sources_of_path(Path(path))
    raise InputError(f"{address}: {scheme} addresses cannot be fetched; use http or https")


def _sources_of_path(path: Path) -> list[Source | Failure]:
    if not _is_possible(path):
        raise InputError(f"{str(path)!r}: not a valid file name; check the path")
    if _is_folder(path):
        return [page if isinstance(page, Failure) else Source(Kind.FILE, str(page)) for page in list_pages(path)]
    kind = Kind.ARCHIVE if path.name.lower().endswith(ARCHIVE_ENDINGS) else Kind.FILE
    return [Source(kind, str(path), may_list=kind is Kind.FILE)]


def _is_possible(path: Path) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # the name is too long; reading it will report that
        return False


def list_pages(folder: Path) -> list[Path | Failure]:
    """List every page below a folder, sorted by path, with a Failure for each subfolder that cannot be read."""
    found: dict[Path, Path | Failure] = {}

    def record_failure(error: OSError) -> None:
        place = Path(error.filename or folder)
        message = f"{place}: {_reason(error)}"
        if place == folder:
            raise InputError(message) from error
        found[place] = Failure(str(place), message)

    for place, folders, names in os.walk(folder, onerror=record_failure):
        folders[:] = [name for name in folders if not name.endswith(_COMPANION_FOLDER_ENDING)]
        pages = (Path(place, name) for name in names if _is_page(name))
        found.update((page, page) for page in pages)
    if not found:
        endings = " ".join(PAGE_ENDINGS)
        raise InputError(f"{folder}: this folder contains no pages; looked for {endings}, each also with .gz")
    return [found[path] for path in sorted(found)]


def read_file(path: Path, *, max_bytes: int) -> Page:
    """Read the page in a file, unpacking gzip and MHTML according to its name."""
    try:
        check_file(path)
        with path.open("rb") as file:
            return parse_page(file, file_uri(path), name=path.name, max_bytes=max_bytes)
    except OSError as error:
        raise InputError(f"{path}: {_reason(error)}") from error
    except (FetchError, InputError) as error:
        raise InputError(f"{path}: {error}") from error


def parse_page(file: BinaryIO, url: str, *, name: str = "", max_bytes: int) -> Page:
    """Read the page in an open file, unpacking gzip and MHTML according to its name, or that in its address."""
    name = (name or url).lower()
    body = _read(file, gzipped=name.endswith(".gz"), max_bytes=max_bytes)
    return parse_mhtml(body, url=url) if _without_gz(name).endswith(MHTML_ENDINGS) else Page(url=url, body=body)


def check_file(path: Path) -> None:
    """Raise for a pipe, a socket or a device: reading it may never end."""
    what = describe_special_file(str(path), path.stat().st_mode)
    if what:
        raise InputError(f"is {what}, not a file; pass its content through standard input, as -")


def read_stdin(*, max_bytes: int) -> Page:
    """Read the page on standard input."""
    try:
        return Page(url="stdin:", body=_read(sys.stdin.buffer, gzipped=False, max_bytes=max_bytes))
    except OSError as error:
        raise InputError(f"standard input: {_reason(error)}") from error
    except FetchError as error:
        raise InputError(f"standard input: {error}") from error


def file_uri(path: Path) -> str:
    """Return the absolute file: address of a path, escaped no more than it must be, as links in pages are.

    >>> file_uri(Path("/pages/100%?page=2.html"))
    'file:///pages/100%25%3Fpage=2.html'
    """
    return "file://" + quote(os.fsencode(os.path.normpath(path.absolute())), safe=_PLAIN_IN_PATHS)


def _read(file: BinaryIO, *, gzipped: bool, max_bytes: int) -> bytes:
    chunks: Iterator[bytes] = iter(partial(file.read, _CHUNK_BYTES), b"")
    return gather(gunzip(chunks) if gzipped else chunks, max_bytes)


def _is_page(name: str) -> bool:
    """Tell whether a file is a page by its name.

    >>> [_is_page(each) for each in ("a.html", "a.htm.gz", "index.html?page=2", "index.html@page=2", "a.html.txt")]
    [True, True, True, True, False]
    """
    return _without_gz(name).endswith(PAGE_ENDINGS) or _WITH_QUERY.search(name.lower()) is not None


def _without_gz(name: str) -> str:
    return name.lower().removesuffix(".gz")


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder; check the path"
    return f"cannot be read ({error.strerror or error})"


@dataclass(frozen=True)
class _Part:
    """One resource in an MHTML file, with its transfer encoding undone."""

    location: str | None
    content_id: str | None
    content_type: str
    """As written, with parameters."""
    body: bytes

    def to_page(self, url: str) -> Page:
        return Page(url=url, body=self.body, headers=(("Content-Type", self.content_type),))


def parse_mhtml(data: bytes, *, url: str) -> Page:
    """Parse an MHTML file (RFC 2557): a page and the resources saved with it, which become its `parts`.

    The page is the part that `start` names, or else the first HTML part; `url` is its address if the
    file has none. Each other part is listed under its location and under its `cid:` address.
    """
    message: Message = BytesParser().parsebytes(data)
    parts = [_read_part(leaf) for leaf in message.walk() if not leaf.is_multipart()]
    start = _unfold(message.get_param("start"))
    html = [part for part in parts if part.content_type.partition(";")[0].strip().lower() in _PAGE_TYPES]
    if not html:
        raise InputError("it has no HTML part; save the page again as MHTML, or as HTML")
    root = next((part for part in html if start and part.content_id == start), html[0])
    address = root.location or _unfold(message.get("Snapshot-Content-Location")) or url
    named = [
        part.to_page(name)
        for part in parts
        if part is not root
        for name in (part.location, f"cid:{part.content_id}" if part.content_id else None)
        if name
    ]
    return replace(root.to_page(address), parts=tuple(named))


def _read_part(message: Message) -> _Part:
    body = message.get_payload(decode=True)
    return _Part(
        location=_unfold(message.get("Content-Location")),
        content_id=_unfold(message.get("Content-ID")),
        content_type=_unfold(message.get("Content-Type")) or message.get_content_type(),
        body=body if isinstance(body, bytes) else b"",
    )


def _unfold(value: object) -> str | None:
    """Join a header that was folded over several lines, and strip its angle brackets."""
    lines = "" if value is None else str(value)
    return "".join(line.strip() for line in lines.splitlines()).strip().removeprefix("<").removesuffix(">") or None


def parse_rows(content: bytes, shown: str) -> list[dict[str, str]]:
    """Read the rows of a CSV file by the names in its header row; missing cells are empty.

    `shown` names the file in errors.

    >>> parse_rows(b"file;url\\na.html\\n", "urls.csv")
    [{'file': 'a.html', 'url': ''}]
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{shown}: line {line} is not in UTF-8; save the file as CSV in UTF-8") from error
    first = text.lstrip().partition("\n")[0]
    # Spreadsheets write semicolons where commas are decimal.
    separator = "," if "," in first else next((mark for mark in ";\t" if mark in first), ",")
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        rows = [row for row in table if any(map(str.strip, row))]
    except csv.Error as error:
        raise InputError(f"{shown}: this is not CSV ({error})") from error
    if not rows:
        raise InputError(f"{shown}: the file is empty; its first line names the columns")
    names = [name.strip() for name in rows[0]]
    return [dict(zip(names, row + [""] * (len(names) - len(row)), strict=False)) for row in rows[1:]]
