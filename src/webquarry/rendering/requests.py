"""Answer the requests of a page: with itself, parts saved with it, files beside it, or resources from the web."""

from __future__ import annotations

import logging
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from webquarry.html.parsing import bounded
from webquarry.html.urls import path_of
from webquarry.model.page import Page

HOST = "http://disk.invalid/"
"""Pages on disk get addresses below it: its root is their web root. `.invalid` never resolves (RFC 6761)."""
_NO_ADDRESS = "http://page.invalid/"
_PARTS_HOST = "https://parts.invalid/"
"""Stands for `cid:` addresses, which the browser does not request. Not http: an https page would not request it."""
MAX_FETCHES_PER_PAGE = 1_000
MAX_FILE_BYTES = 64 * 2**20

_LEVELS_UP = 2
_INDEX_PAGES = ("index.html", "index.htm")
_CONTENT_TYPES = {
    **{f".{name}": f"image/{name}" for name in ("avif", "bmp", "gif", "jpeg", "png", "webp")},
    **{f".{name}": f"font/{name}" for name in ("otf", "ttf", "woff", "woff2")},
    ".css": "text/css",
    ".htm": "text/html",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".xhtml": "application/xhtml+xml",
}
_FETCHED_KINDS = frozenset(["Document", "Stylesheet", "Image", "Font"])
_FETCHED_KINDS_WITH_SCRIPTS = _FETCHED_KINDS | {"Script", "XHR", "Fetch"}

_REFERENCE = re.compile(
    r"<(?:link|base|object|image|use|feimage)\b|\bsrc(?:set)?\s*=\s*[\"']?+(?!data:)|\burl\(\s*[\"']?+(?!data:|#)"
    r"|@import|\b(?:background|poster|data)\s*=",
    re.IGNORECASE,
)
# A refresh would reload the empty document into which the page was put, and a policy would bind the next page.
# These http-equiv values do neither; most pages have one of them.
_HARMLESS = (
    "cache-control|cleartype|content-language|content-script-type|content-style-type|content-type|expires|imagetoolbar"
    "|last-modified|pragma|x-ua-compatible"
)
_RULE = re.compile(rf"http-equiv(?!\s*=\s*[\"']?\s*(?:{_HARMLESS})\s*[\"'\s>])", re.IGNORECASE)

_MOTIONS = ("animation", "transition", "marquee", "Marquee", "MARQUEE")
"""In the names of all properties and elements that start a movement."""

_SHEET_LINK = re.compile(r"<link\b[^>]*\brel\s*=\s*[\"']?\s*stylesheet\b[^>]*>", re.IGNORECASE)
# Links to style sheets that a handler of theirs applies once they have loaded: the page is shown with them.
_LATE_SHEET = re.compile(r"<link\b[^>]*\bonload\s*=[^>]*\bthis\.(?:media|rel)\b[^>]*>", re.IGNORECASE)
_LATE_MEDIUM = re.compile(r"\bmedia\s*=\s*(?:\"[^\"]*\"|'[^']*'|[\w-]+)", re.IGNORECASE)
_LATE_RELATION = re.compile(r"\brel\s*=\s*[\"']?\s*preload\b[\"']?", re.IGNORECASE)
_NO_LAYOUT = re.compile(r"font", re.IGNORECASE)  # in the address of a sheet that only has fonts
MAX_SHARE_OF_SHEETS = 0.5
"""The share of a page's style sheets up to which its layout is hardly its own."""
_LEAST_URGENT = "VeryLow"  # priority of sheets for other media, such as print

_log = logging.getLogger(__name__)

Load = Callable[[str], Page]


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    body: bytes
    content_type: str

    def to_params(self, request: str) -> dict[str, Any]:
        """Return the parameters of `Fetch.fulfillRequest`."""
        # Without the second header, fonts of another host are refused; nothing here needs a same-origin rule.
        headers = {"Content-Type": self.content_type, "Access-Control-Allow-Origin": "*"}
        return {
            "requestId": request,
            "responseCode": 200,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": b64encode(self.body).decode("ascii"),
        }


@dataclass(frozen=True)
class ShownPage:
    """What a browser was given to show a page, with which another one can show the same."""

    address: str
    markup: str
    answers: Mapping[str, Answer]
    """By address."""


class Responder:
    """Answers the requests of one page; `address` is the one under which the browser sees it.

    `has_motion` tells whether the page or a style sheet of it may start an animation or a transition.  With `keep`,
    answers are kept for `shown`.
    """

    def __init__(
        self,
        page: Page,
        markup: str,
        *,
        roots: Iterable[Path] = (),
        load: Load | None = None,
        scripts: bool = False,
        keep: bool = False,
    ) -> None:
        self._kept: dict[str, Answer] | None = {} if keep else None
        self._parts = {_without_fragment(part.url): part for part in page.parts}
        on_disk = page.url.startswith("file:") and not page.parts
        self._disk = Disk(page.url, roots) if on_disk else None
        on_web = page.url.startswith(("http://", "https://"))
        self._load = load if on_web and not page.parts else None
        self._fetched_kinds = _FETCHED_KINDS_WITH_SCRIPTS if scripts else _FETCHED_KINDS
        self._fetches = 0
        self.has_parts = bool(page.parts)
        self.address = self._disk.address if self._disk else _without_fragment(page.url) if on_web else _NO_ADDRESS
        markup = markup if scripts else _LATE_SHEET.sub(_apply_sheet, markup)
        self.markup = _encodable(markup.replace("cid:", _PARTS_HOST) if page.parts else markup)
        has_resources = bool(self._disk or self._load or self._parts)
        self.sets_rules = sets_rules(self.markup)
        self.needs_address = scripts or self.sets_rules or (has_resources and refers_to_resources(self.markup))
        self.has_motion = any(word in self.markup for word in _MOTIONS)
        # A page without an address does not even request its style sheets.
        links = [] if has_resources else _SHEET_LINK.findall(self.markup)
        self._sheets = {link: False for link in links if not _NO_LAYOUT.search(link)}
        self._has_resources = has_resources

    def page(self) -> Answer:
        """Answer with the page itself."""
        return Answer(self.markup.encode(), "text/html; charset=utf-8")

    def note(self, address: str, kind: str, priority: str, answer: Answer | None) -> None:
        """Remember whether a style sheet was there, and the answer if answers are kept."""
        if self._kept is not None and answer is not None:
            self._kept[address] = answer
        is_shown = kind == "Stylesheet" and priority != _LEAST_URGENT and not _NO_LAYOUT.search(address)
        if not (is_shown and self._has_resources):
            return
        self._sheets[address] = answer is not None
        if answer is not None and not self.has_motion:
            self.has_motion = any(word.encode() in answer.body for word in _MOTIONS)

    def shown(self) -> ShownPage:
        """Return what the browser was given."""
        return ShownPage(self.address, self.markup, dict(self._kept or {}))

    def answer_locally(self, address: str) -> Answer | None:
        """Answer from the parts of the page or from disk, without waiting."""
        part = self._parts.get(_part_address(address)) or self._parts.get(address)
        if part is not None:
            return _answer_with(part)
        return self._disk.answer(address) if self._disk else None

    def may_fetch(self, address: str, kind: str, method: str) -> bool:
        """Tell whether `load` should answer a request."""
        if self._load is None or method != "GET" or kind not in self._fetched_kinds:
            return False
        if self._fetches >= MAX_FETCHES_PER_PAGE:
            return False
        self._fetches += 1
        return address.startswith(("http://", "https://"))

    def fetch(self, address: str) -> Answer | None:
        """Answer with what `load` returns; None if it refuses or fails."""
        if self._load is None:
            return None
        try:
            return _answer_with(self._load(address))
        except Exception as error:  # noqa: BLE001 - a page is shown without what fails, whatever the reason
            _log.debug("%s: %s", address, error)
            return None

    def describe_missing_sheets(self) -> str:
        """Say how many style sheets the page lacks and what may help; empty if it has all."""
        missing = [address for address, is_there in self._sheets.items() if not is_there]
        if not missing:
            return ""
        return f"missing style sheets: {len(missing)} of {len(self._sheets)}; the layout may be off{self._advise()}"

    def lacks_styles(self, *, has_rules: bool) -> bool:
        """Tell whether the page has half of its style sheets or fewer; without any, whether it has no rules either."""
        if not self._sheets:
            return not has_rules
        return sum(self._sheets.values()) <= MAX_SHARE_OF_SHEETS * len(self._sheets)

    def _advise(self) -> str:
        if self._disk is None:
            return ""
        folder = self._disk.folder_above
        return f" (use --root {folder})" if folder else " (--root names the folder of the site)"

    def restore_addresses(self, text: str) -> str:
        """Undo the replacement of `cid:` addresses in a text of the rendered page."""
        return text.replace(_PARTS_HOST, "cid:")


class Disk:
    """The files that a page on disk may use; `address` is the one under which the browser sees the page.

    A page gets style sheets, pictures, fonts, frames and scripts below its web root and nothing else:
    no other kinds of files, no path with a part that begins with a dot, no link that leads out. The
    web root is the first of the `roots` that holds the page, or else that of `find_web_root`: so
    `site/articles/one.html` finds `../style.css` if there is a `site/index.html`.
    """

    def __init__(self, url: str, roots: Iterable[Path] = ()) -> None:
        page = Path(path_of(url)).resolve()
        given = (root for root in (each.resolve() for each in roots) if page.is_relative_to(root))
        self._root = next(given, None) or find_web_root(page.parent)
        self.folder_above: Path | None = None
        """A folder above the web root that has a style sheet of the page."""
        self.address = HOST + quote(os.fsencode(page.relative_to(self._root).as_posix()))

    def answer(self, address: str) -> Answer | None:
        """Answer with a file; None if there is none that the page may use."""
        if not address.startswith(HOST):
            return None
        try:
            path = (self._root / path_of(address).lstrip("/")).resolve()
            inside = path.relative_to(self._root)
        except (OSError, ValueError):
            return None
        content_type = _CONTENT_TYPES.get(path.suffix.lower())
        if content_type is None or any(part.startswith(".") for part in inside.parts):
            return None
        try:
            if not path.is_file():
                self._find_sheet_above(inside)
                return None
            return Answer(path.read_bytes(), content_type) if path.stat().st_size <= MAX_FILE_BYTES else None
        except OSError:
            return None

    def _find_sheet_above(self, inside: Path) -> None:
        """Remember a folder above the root where a style sheet is: the browser drops the `..` that would lead there."""
        if self.folder_above is None and inside.suffix.lower() == ".css":
            above = (folder for folder in self._root.parents[:_LEVELS_UP] if (folder / inside).is_file())
            self.folder_above = next(above, None)


def find_web_root(folder: Path) -> Path:
    """Find the folder whose files the pages below `folder` may use: the nearest with an index page, or itself.

    At most two levels above it are searched, and none that holds more than one site.
    """
    folder = folder.resolve()
    above = (each for each in folder.parents[:_LEVELS_UP] if not is_above_sites(each))
    return next((each for each in (folder, *above) if any((each / name).is_file() for name in _INDEX_PAGES)), folder)


def is_above_sites(folder: Path) -> bool:
    """Tell whether a folder holds the home folder of the user, or the whole disk."""
    try:
        home = Path.home().resolve()
    except RuntimeError:  # a user without a home
        return folder == folder.parent
    return folder == folder.parent or home.is_relative_to(folder)


def refers_to_resources(markup: str) -> bool:
    """Tell whether the page seems to need style sheets, pictures or the like from outside."""
    return _REFERENCE.search(markup) is not None


def sets_rules(markup: str) -> bool:
    """Tell whether the page may set a policy or refresh itself."""
    return _RULE.search(markup) is not None


def _apply_sheet(link: re.Match[str]) -> str:
    r"""Make a style sheet apply at once that waits for its own script.

    >>> _LATE_SHEET.sub(_apply_sheet, "<link rel=stylesheet media=print onload=this.media='all' href=a.css>")
    '<link rel=stylesheet media="all" onload=this.media=\'all\' href=a.css>'
    >>> _LATE_SHEET.sub(_apply_sheet, "<link rel=preload as=style href=a.css onload=this.rel='stylesheet'>")
    '<link rel="stylesheet" as=style href=a.css onload=this.rel=\'stylesheet\'>'
    """
    tag = _LATE_RELATION.sub('rel="stylesheet"', link[0], count=1)
    return _LATE_MEDIUM.sub('media="all"', tag, count=1) if "this.media" in tag else tag


def _encodable(markup: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by U+FFFD."""
    return bounded(markup).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _answer_with(page: Page) -> Answer:
    return Answer(page.body, page.header("content-type") or "")


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]


def _part_address(address: str) -> str:
    if address.startswith(_PARTS_HOST):
        return f"cid:{unquote(address.removeprefix(_PARTS_HOST))}"
    return quote(address, safe="/:?=&%#")
