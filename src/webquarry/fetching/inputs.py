"""What an input names: an address, a file, an archive, a folder of pages or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webquarry.errors import FetchError, InputError
from webquarry.fetching.encodings import gather, gunzip
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from email.message import Message

# MERGED fetching/mhtml: MHTML: a page and what it needs, saved as the parts of one e-mail message (RFC 2557)
PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Part:
    """One resource of a saved page, its transfer encoding undone."""

    location: str | None
    """The address that it came from."""
    content_id: str | None
    content_type: str
    """With its parameters, as written."""
    body: bytes


@dataclass(frozen=True)
class Snapshot:
    """A saved page: the part to show first, and all of them in the order of the file."""

    root: Part
    parts: tuple[Part, ...]


def parse_mhtml(data: bytes) -> Snapshot:
    """The parts of an MHTML file; its root is the part that `start` names, or else the first page among them."""
    from email.parser import BytesParser  # noqa: PLC0415  slow to import, and most pages are plain HTML

    message: Message = BytesParser().parsebytes(data)
    leaves = [_part(leaf) for leaf in message.walk() if not leaf.is_multipart()]
    start = _trimmed(message.get_param("start"))
    pages = [leaf for leaf in leaves if leaf.content_type.partition(";")[0].strip().lower() in PAGE_TYPES]
    if not pages:
        raise InputError("it holds no HTML part; save the page again as MHTML, or as HTML")
    root = next((page for page in pages if start and page.content_id == start), pages[0])
    snapshot_location = _trimmed(message.get("Snapshot-Content-Location"))
    if root.location is None and snapshot_location:
        placed = Part(snapshot_location, root.content_id, root.content_type, root.body)
        leaves[leaves.index(root)] = placed
        root = placed
    return Snapshot(root, tuple(leaves))


def _part(message: Message) -> Part:
    body = message.get_payload(decode=True)
    return Part(
        location=_trimmed(message.get("Content-Location")),
        content_id=_trimmed(message.get("Content-ID")),
        content_type=_trimmed(message.get("Content-Type")) or message.get_content_type(),
        body=body if isinstance(body, bytes) else b"",
    )


def _trimmed(value: object) -> str | None:
    """A header's text without folding and angle brackets; long addresses are folded over several lines."""
    text = "".join(_lines(value)).strip().removeprefix("<").removesuffix(">")
    return text or None


def _lines(value: object) -> Iterator[str]:
    if value is not None:
        yield from (line.strip() for line in str(value).splitlines())


# MERGED fetching/files: Pages from files and from standard input.
MHTML_ENDINGS = (".mhtml", ".mht")
PAGE_ENDINGS = (".html", ".htm", ".xhtml", *MHTML_ENDINGS)
# What browsers put beside a page that they save: its frames and advertisements, not pages of their own.
COMPANION_FOLDER = "_files"
CHUNK = 2**20


def list_pages(folder: Path) -> list[Path | Failure]:
    """Every page below a folder, sorted by path; a failure stands for a folder in it that cannot be read."""
    found: dict[Path, Path | Failure] = {}

    def pass_over(error: OSError) -> None:
        place = Path(error.filename or folder)
        told = f"{place}: {_reason(error)}"
        if place == folder:
            raise InputError(told) from error
        found[place] = Failure(str(place), told)

    for place, folders, names in os.walk(folder, onerror=pass_over):
        folders[:] = [name for name in folders if not name.endswith(COMPANION_FOLDER)]
        pages = (Path(place, name) for name in names if _plain_name(name).endswith(PAGE_ENDINGS))
        found.update((page, page) for page in pages)
    if not found:
        endings = " ".join(PAGE_ENDINGS)
        raise InputError(f"{folder}: no pages below this folder; looked for {endings}, each also with .gz")
    return [found[path] for path in sorted(found)]


def read_file(path: Path, *, max_bytes: int) -> Page:
    """The page in a file, unpacked from gzip and MHTML as its name says."""
    try:
        with path.open("rb") as file:
            body = _read(file, gzipped=path.name.lower().endswith(".gz"), max_bytes=max_bytes)
        if _plain_name(path.name).endswith(MHTML_ENDINGS):
            return _page_of_mhtml(path, body)
    except OSError as error:
        raise InputError(f"{path}: {_reason(error)}") from error
    except (FetchError, InputError) as error:
        raise InputError(f"{path}: {error}") from error
    return Page(url=file_uri(path), body=body)


def read_stdin(*, max_bytes: int) -> Page:
    """The page on standard input."""
    try:
        return Page(url="stdin:", body=_read(sys.stdin.buffer, gzipped=False, max_bytes=max_bytes))
    except OSError as error:
        raise InputError(f"standard input: {_reason(error)}") from error
    except FetchError as error:
        raise InputError(f"standard input: {error}") from error


def file_uri(path: Path) -> str:
    """The absolute file: address of a path."""
    return Path(os.path.normpath(path.absolute())).as_uri()


def _page_of_mhtml(path: Path, data: bytes) -> Page:
    snapshot = parse_mhtml(data)
    root = snapshot.root
    return Page(
        url=root.location or file_uri(path),
        body=root.body,
        headers=(("Content-Type", root.content_type),),
        parts=tuple(page for part in snapshot.parts if part is not root for page in _pages_of_part(part)),
    )


def _pages_of_part(part: Part) -> Iterator[Page]:
    """The part under each of its names."""
    for address in (part.location, f"cid:{part.content_id}" if part.content_id else None):
        if address:
            yield Page(url=address, body=part.body, headers=(("Content-Type", part.content_type),))


def _read(file: BinaryIO, *, gzipped: bool, max_bytes: int) -> bytes:
    chunks: Iterator[bytes] = iter(partial(file.read, CHUNK), b"")
    return gather(gunzip(chunks) if gzipped else chunks, max_bytes)


def _plain_name(name: str) -> str:
    return name.lower().removesuffix(".gz")


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder; check the path"
    return f"cannot be read ({error.strerror or error})"


WARC_ENDINGS = (".warc", ".warc.gz")
# Two letters at least, so that a drive such as C: is not taken for one.
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@")


class Kind(Enum):
    """Where the pages of a source are."""

    ADDRESS = "address"
    FILE = "file"
    ARCHIVE = "archive"
    STDIN = "standard input"


@dataclass(frozen=True)
class Source:
    """One place to read from; only an archive gives more than one page."""

    kind: Kind
    name: str

    @property
    def path(self) -> Path:
        """The place of a file or an archive."""
        return Path(self.name)


def sources_of(named: str | Path) -> list[Source | Failure]:
    """The places that an input names: those of all its pages for a folder, otherwise one.

    A failure stands for a folder in a folder that cannot be read.
    """
    if isinstance(named, str):
        if named == "-":
            return [Source(Kind.STDIN, named)]
        scheme = SCHEME.match(named)
        if scheme:
            return _of_address(named, scheme.group(1).lower())
        if not named:
            raise InputError("an input is empty; name a file, a folder, an http address or - for standard input")
    return _of_path(Path(named))


def without_credentials(address: str) -> str:
    """An address fit to be shown: user and password are for the server alone, not for results and error lines."""
    return CREDENTIALS.sub("", address, count=1)


def expand(inputs: Iterable[str | Path]) -> Iterator[Source | Failure]:
    """The places that inputs name, in their order; a failure stands for an input, or a folder in it, that has none."""
    for named in inputs:
        try:
            yield from sources_of(named)
        except InputError as error:
            yield Failure(page=str(named), error=str(error))


def _of_address(address: str, scheme: str) -> list[Source | Failure]:
    if scheme in ("http", "https"):
        return [Source(Kind.ADDRESS, address)]
    if scheme == "file":
        try:
            path = path_of(address)
        except ValueError as error:
            raise InputError(f"{address}: this is no address of a file; name the file by its path") from error
        return _of_path(Path(path))
    raise InputError(f"{address}: {scheme} addresses cannot be fetched; use http or https")


def _of_path(path: Path) -> list[Source | Failure]:
    if not _can_be(path):
        raise InputError(f"{str(path)!r}: no file can have such a name; check the path")
    if _is_folder(path):
        return [page if isinstance(page, Failure) else Source(Kind.FILE, str(page)) for page in list_pages(path)]
    kind = Kind.ARCHIVE if path.name.lower().endswith(WARC_ENDINGS) else Kind.FILE
    return [Source(kind, str(path))]


def _can_be(path: Path) -> bool:
    """Whether a file can have such a name: bytes without a zero."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # the name is too long; reading it will say so
        return False
