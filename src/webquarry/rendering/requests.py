"""What the requests of a page get: the page itself, parts saved with it, files beside it, or what `load` fetches."""

from __future__ import annotations

import logging
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from webquarry.errors import RenderError
from webquarry.html.parsing import bounded
from webquarry.html.urls import path_of
from webquarry.model.page import Page


# MERGED rendering/answers: What the browser gets for a request.
@dataclass(frozen=True)
class Answer:
    """A body and its type."""

    body: bytes
    content_type: str

    def to_params(self, request: str) -> dict[str, Any]:
        """The parameters of `Fetch.fulfillRequest`."""
        # Without the second header fonts of another host are refused; nothing here needs a same-origin rule.
        headers = {"Content-Type": self.content_type, "Access-Control-Allow-Origin": "*"}
        return {
            "requestId": request,
            "responseCode": 200,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": b64encode(self.body).decode("ascii"),
        }


# MERGED rendering/disk: Files beside a page on disk: which of them it may use.
# MERGED
# MERGED A page is given style sheets, pictures, fonts, frames and scripts below its web root, and nothing el
# MERGED kinds of files, none whose path has a part that begins with a dot, none to which a link leads out.
# MERGED the first of the folders that the caller named and that hold the page.  Without one it is that of th
# MERGED folder, by `find_web_root`: so `site/articles/one.html` finds `../style.css` if there is a `site/ind
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


# MERGED rendering/content: What of a page the browser has to be told: its markup, and whether also its addre
MAX_TAGS = 250_000
"""A page of 400,000 nodes takes a browser 46 s and 1.4 GB; this many tags make up to half as many elements."""
WITHOUT = "its markup can be read without a browser, by --static or clean"
"""What to do about a page that a browser cannot lay out."""

_REFERS = re.compile(
    r"<(?:link|base|object|image|use|feimage)\b|\bsrc(?:set)?\s*=\s*[\"']?+(?!data:)|\burl\(\s*[\"']?+(?!data:|#)"
    r"|@import|\b(?:background|poster|data)\s*=",
    re.IGNORECASE,
)
# A refresh would load the empty document again into which the page was put, and a policy would bind the next page.
# These do nothing of the kind in a browser; most pages have one of them.
_HARMLESS = (
    "cache-control|cleartype|content-language|content-script-type|content-style-type|content-type|expires|imagetoolbar"
    "|last-modified|pragma|x-ua-compatible"
)
_SETS_RULES = re.compile(rf"http-equiv(?!\s*=\s*[\"']?\s*(?:{_HARMLESS})\s*[\"'\s>])", re.IGNORECASE)


def check_size(url: str, markup: str) -> None:
    """Refuse a page that would take a browser minutes."""
    tags = markup.count("<")
    if tags > MAX_TAGS:
        raise RenderError(f"{url}: too large to render ({tags:,} tags, at most {MAX_TAGS:,}); {WITHOUT}")


def content_of(markup: str) -> str:
    """The markup as the browser gets it; lone surrogates, which UTF-8 cannot hold, become U+FFFD."""
    return bounded(markup).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def refers_to_resources(markup: str) -> bool:
    """Whether the page seems to need style sheets, pictures or the like that it does not hold itself."""
    return _REFERS.search(markup) is not None


def sets_rules(markup: str) -> bool:
    """Whether the page may set a policy or refresh itself."""
    return _SETS_RULES.search(markup) is not None


Load = Callable[[str], Page]

NO_ADDRESS = "http://page.invalid/"
PARTS = "https://parts.invalid/"
"""Where the browser sees parts of an archive that have no address: it does not ask for `cid:` addresses, and for
those of http it does not ask from a page of https."""
MAX_FETCHES = 1_000
"""Resources of one page that are fetched from the web."""

_FETCHED = frozenset(["Document", "Stylesheet", "Image", "Font"])
_FETCHED_BY_SCRIPTS = _FETCHED | {"Script", "XHR", "Fetch"}


class Serving:
    """The answers to the requests of one page; `address` is where the browser sees it."""

    def __init__(
        self, page: Page, markup: str, *, roots: Iterable[Path] = (), load: Load | None = None, scripts: bool = False
    ) -> None:
        self._parts = {_without_fragment(part.url): part for part in page.parts}
        on_disk = page.url.startswith("file:") and not page.parts
        self._disk = Disk(page.url, roots) if on_disk else None
        on_web = page.url.startswith(("http://", "https://"))
        self._load = load if on_web and not page.parts else None
        self._fetched = _FETCHED_BY_SCRIPTS if scripts else _FETCHED
        self._fetches = 0
        self.address = self._disk.address if self._disk else _without_fragment(page.url) if on_web else NO_ADDRESS
        self.markup = content_of(markup.replace("cid:", PARTS) if page.parts else markup)
        can_give = bool(self._disk or self._load or self._parts)
        self.sets_rules = sets_rules(self.markup)
        self.needs_address = scripts or self.sets_rules or (can_give and refers_to_resources(self.markup))

    def page(self) -> Answer:
        """The page itself."""
        return Answer(self.markup.encode(), "text/html; charset=utf-8")

    def at_hand(self, address: str) -> Answer | None:
        """What can be given at once."""
        part = self._parts.get(_part_address(address)) or self._parts.get(address)
        if part is not None:
            return _answer_of(part)
        return self._disk.answer(address) if self._disk else None

    def may_fetch(self, address: str, kind: str, method: str) -> bool:
        """Whether a request is one that `load` is to answer."""
        if self._load is None or method != "GET" or kind not in self._fetched or self._fetches >= MAX_FETCHES:
            return False
        self._fetches += 1
        return address.startswith(("http://", "https://"))

    def fetch(self, address: str) -> Answer | None:
        """What `load` gives; None when it refuses or fails."""
        if self._load is None:
            return None
        try:
            return _answer_of(self._load(address))
        except Exception as error:  # noqa: BLE001 - a page is shown without what fails, whatever the reason
            _log.debug("%s: %s", address, error)
            return None

    def original(self, text: str) -> str:
        """A text of the rendered page as the page had it."""
        return text.replace(PARTS, "cid:") if self._parts else text


def _answer_of(page: Page) -> Answer:
    return Answer(page.body, page.header("content-type") or "")


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]


def _part_address(address: str) -> str:
    return (
        f"cid:{unquote(address.removeprefix(PARTS))}" if address.startswith(PARTS) else quote(address, safe="/:?=&%#")
    )
