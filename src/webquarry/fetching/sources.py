"""What an input names: an address, a file, an archive, a folder of pages or standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from webquarry.errors import InputError
from webquarry.fetching.files import list_pages
from webquarry.html.file_addresses import path_of
from webquarry.model import Failure

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
