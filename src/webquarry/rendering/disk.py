"""Files beside a page on disk: which of them it may use.

A page is given style sheets, pictures, fonts, frames and scripts below its web root, and nothing else: no other
kinds of files, none whose path has a part that begins with a dot, none to which a link leads out.  The web root is
the first of the folders that the caller named and that hold the page.  Without one it is that of the page's own
folder, by `find_web_root`: so `site/articles/one.html` finds `../style.css` if there is a `site/index.html`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from webquarry.html.file_addresses import path_of
from webquarry.rendering.answers import Answer

HOST = "http://disk.invalid/"
"""Where pages on disk seem to be: the root of this host is their web root.  `.invalid` never resolves (RFC 6761)."""
LEVELS_UP = 2
MAX_BYTES = 64 * 2**20
INDEX_PAGES = ("index.html", "index.htm")
TYPES = {
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".css": "text/css",
    ".gif": "image/gif",
    ".htm": "text/html",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".otf": "font/otf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xhtml": "application/xhtml+xml",
}

_log = logging.getLogger(__name__)


class Disk:
    """The files that a page on disk may use; `address` is where the browser sees the page."""

    def __init__(self, url: str, roots: Iterable[Path] = ()) -> None:
        page = Path(path_of(url)).resolve()
        self._root = _find_root(page, roots)
        self._is_told = False
        self.address = HOST + quote(os.fsencode(page.relative_to(self._root).as_posix()))

    def answer(self, address: str) -> Answer | None:
        """What a request gets, or None when there is nothing to give."""
        if not address.startswith(HOST):
            return None
        try:
            path = (self._root / path_of(address).lstrip("/")).resolve()
            inside = path.relative_to(self._root)
        except (OSError, ValueError):
            return None
        content_type = TYPES.get(path.suffix.lower())
        if content_type is None or any(part.startswith(".") for part in inside.parts):
            return None
        try:
            if not path.is_file():
                self._tell_of_style_sheet(inside)
                return None
            return Answer(path.read_bytes(), content_type) if path.stat().st_size <= MAX_BYTES else None
        except OSError:
            return None

    def _tell_of_style_sheet(self, inside: Path) -> None:
        """Say how a style sheet above the root can be had: without one, pages look alike.

        A browser leaves out the `..` that would lead out of the root.
        """
        if self._is_told or inside.suffix.lower() != ".css":
            return
        for folder in self._root.parents[:LEVELS_UP]:
            if (folder / inside).is_file():
                self._is_told = True
                _log.warning(
                    "%s is not used by pages below %s; --root %s lets them", folder / inside, self._root, folder
                )
                return


def find_web_root(folder: Path) -> Path:
    """The folder whose files pages below `folder` may use: the nearest with an index page, or itself.

    It is looked for in this one and in those above it, two levels at most, and not where more stands than one site.
    """
    folder = folder.resolve()
    above = (each for each in folder.parents[:LEVELS_UP] if not is_above_sites(each))
    return next((each for each in (folder, *above) if any((each / name).is_file() for name in INDEX_PAGES)), folder)


def is_above_sites(folder: Path) -> bool:
    """Whether all that a user has is below a folder, or all of the disk."""
    try:
        home = Path.home().resolve()
    except RuntimeError:  # a user without a home
        return folder == folder.parent
    return folder == folder.parent or home.is_relative_to(folder)


def _find_root(page: Path, roots: Iterable[Path]) -> Path:
    named = (root for root in (each.resolve() for each in roots) if page.is_relative_to(root))
    return next(named, None) or find_web_root(page.parent)
