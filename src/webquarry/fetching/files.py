"""Pages from files and from standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from webquarry.errors import FetchError, InputError
from webquarry.fetching.decoding import gather, gunzip
from webquarry.fetching.mhtml import Part, parse_mhtml
from webquarry.model import Failure, Page

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
