"""Files beside a page on disk: which of them it may use.

A page is given style sheets, pictures, fonts, frames and scripts below its web root, and nothing else: no other
kinds of files, none whose path has a part that begins with a dot, none to which a link leads out.  The web root is
the first of the folders that the caller named and that hold the page.  Without one it is the page's own folder, or
the nearest of the folders above it, two levels at most, that has an index page: so `site/articles/one.html` finds
`../style.css` if there is a `site/index.html`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

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


class Disk:
    """The files that a page on disk may use; `address` is where the browser sees the page."""

    def __init__(self, url: str, roots: Iterable[Path] = ()) -> None:
        page = Path(unquote(urlsplit(url).path)).resolve()
        self._root = _find_root(page, roots)
        self.address = HOST + quote(page.relative_to(self._root).as_posix())

    def answer(self, address: str) -> Answer | None:
        """What a request gets, or None when there is nothing to give."""
        if not address.startswith(HOST):
            return None
        try:
            path = (self._root / unquote(urlsplit(address).path).lstrip("/")).resolve()
            inside = path.relative_to(self._root)
        except (OSError, ValueError):
            return None
        content_type = TYPES.get(path.suffix.lower())
        if content_type is None or any(part.startswith(".") for part in inside.parts):
            return None
        try:
            if not path.is_file() or path.stat().st_size > MAX_BYTES:
                return None
            return Answer(path.read_bytes(), content_type)
        except OSError:
            return None


def _find_root(page: Path, roots: Iterable[Path]) -> Path:
    for root in roots:
        resolved = root.resolve()
        if page.is_relative_to(resolved):
            return resolved
    for folder in page.parents[: LEVELS_UP + 1]:
        if any((folder / name).is_file() for name in INDEX_PAGES):
            return folder
    return page.parent
