"""Name the files for the results of the pages of a run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from webquarry.html.urls import path_of

_UNSAFE = re.compile(r"[^\w.,=@+-]+")
_PAGE_ENDINGS = re.compile(r"(\.(x?html?|mht(ml)?))?(\.gz)?$", re.IGNORECASE)
_LONGEST = 160  # bytes of a name; file systems allow 255, and a number and an ending follow


class ResultNames:
    """Gives each page a unique path: that of its file below an input folder, else one from its address.

    >>> names = ResultNames([], ".xhtml")
    >>> str(names.give("https://example.org/a/b.html?c=1")), str(names.give("stdin:"))
    ('example.org/a/b_c=1.xhtml', 'stdin.xhtml')
    """

    def __init__(self, folders: Iterable[Path], ending: str) -> None:
        self._folders = [folder.resolve() for folder in folders]
        self._ending = ending
        self._given: set[str] = set()

    def give(self, url: str) -> PurePosixPath:
        """Make a path for the result of this page, different from all before."""
        # without endings, so that the folder of one page is never the file of another
        parts = [_safe(_PAGE_ENDINGS.sub("", part)) for part in self._parts(url)]
        path = PurePosixPath(*filter(None, parts)) if any(parts) else PurePosixPath("page")
        number = 1
        while (candidate := self._numbered(path, number)).as_posix().lower() in self._given:
            number += 1
        self._given.add(candidate.as_posix().lower())
        return candidate

    def _parts(self, url: str) -> list[str]:
        try:
            split = urlsplit(url)
        except ValueError:  # the address of a saved page can be any text
            return [url]
        path = PurePosixPath(path_of(url))
        if split.scheme == "file":
            inside = (path.relative_to(folder) for folder in self._folders if path.is_relative_to(folder))
            kept = next(inside, PurePosixPath(path.name))
            return [*kept.parent.parts, kept.name]
        if split.scheme not in ("http", "https"):
            return [split.scheme or "page", *path.parts]
        name = _PAGE_ENDINGS.sub("", path.name) or "index"
        return [split.netloc, *path.parent.parts, f"{name}_{split.query}" if split.query else name]

    def _numbered(self, path: PurePosixPath, number: int) -> PurePosixPath:
        return path.with_name(f"{path.name}{f'-{number}' if number > 1 else ''}{self._ending}")


def _safe(part: str) -> str:
    """Replace what could lead out of the folder, or is not allowed in file names."""
    return _UNSAFE.sub("_", part).strip("._").encode()[:_LONGEST].decode("utf-8", "ignore")
