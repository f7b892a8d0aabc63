"""Resolve the URLs of links and images of a page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from webquarry.html.columns import Tree

IMAGE_ATTRIBUTES = (
    *("data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "data-lazy-srcset"),
    *("src", "srcset", "poster"),
)
"""Attributes with the URL of an image, those of lazy loading scripts first."""
_NOWHERE = ("#", "javascript:", "data:", "about:", "blob:")
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx],?")

_NAME = r"[\w%@+~!,-][\w%@+~!,.-]*+"  # a folder or a file, but not `..`
_PLAIN = re.compile(rf"/?{_NAME}(?>(?:/{_NAME})*)/?(?:\?[^\s#]++)?(?:#\S++)?")
"""URLs relative to the site or the page that can be joined by concatenation."""

Resolver = Callable[[str], str | None]


def make_resolver(document: Tree) -> Resolver:
    """Make a function from written to absolute URLs; it returns None for those that lead nowhere."""
    base = _base_url(document)
    known: dict[str, str | None] = {}

    @cache
    def starts() -> tuple[str, str]:
        return _join(base, "/"), _join(base, ".")

    def resolve(written: str) -> str | None:
        if written not in known:
            known[written] = _resolve(base, starts, written)
        return known[written]

    return resolve


def largest(sources: str) -> str:
    """Return the URL of the largest image of a `srcset`; a single URL is itself.

    >>> largest("small.png 1x, large.png 2x"), largest("a,b.png")
    ('large.png', 'a,b.png')
    """
    words = sources.split()
    if len(words) == 1:
        return words[0]
    best, most = sources.partition(", ")[0].strip(), 0.0
    for address, size in pairwise(words):
        if (match := _SIZE.fullmatch(size)) and float(match[1]) > most:
            best, most = address, float(match[1])
    return best


def _base_url(document: Tree) -> str:
    for node in document.has_tag(["base"]).nonzero()[0].tolist():
        if "href" in document.attributes[node]:
            return _join(document.url, document.attributes[node]["href"])
    return document.url


def _resolve(base: str, starts: Callable[[], tuple[str, str]], written: str) -> str | None:
    written = written.strip()
    if not written or written[:11].lower().startswith(_NOWHERE):
        return None
    if written.startswith(("http://", "https://")):
        return written  # as `urljoin` would, which is slow
    if _PLAIN.fullmatch(written):
        root, here = starts()
        if here.endswith("/") and len(root) > 1:
            return root + written[1:] if written[0] == "/" else here + written
    return _join(base, written)


def _join(base: str, written: str) -> str:
    try:
        return urljoin(base, written.strip())
    except ValueError:  # broken brackets around a host
        return written


def path_of(address: str) -> str:
    """Return the path of a file URL; raise ValueError if it is malformed.

    Names that are not text in the file system's encoding are decoded as by `os.fsdecode`.

    >>> path_of("file:///pages/caf%C3%A9%20one.html#top")
    '/pages/café one.html'
    """
    return unquote(urlsplit(address).path, sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


_HOST = re.compile(r"\A(?:[a-z]+:)?//[^/]*")
_KEPT_PARAMETER = re.compile(r"(?:\w*id|p|item|product|v|q)=")  # others say how one came there, or what to sort by
_SIZED = re.compile(r"[-_@](?:\d+x\d*|x\d+|\d+w|[123]x|scaled|small|medium|large|thumb\w*|grande|compact)(?=\.|\Z|_)")


def fold_address(address: str) -> str:
    """Reduce an address to what identifies a page on its site.

    >>> fold_address("https://www.example.org/Lamps/one/?ref=list#top"), fold_address("file:///pages/one.html")
    ('lamps/one', 'pages/one.html')
    """
    path = _HOST.sub("", address.partition("#")[0])
    bare, _, query = path.partition("?")
    kept = "&".join(part for part in query.split("&") if _KEPT_PARAMETER.match(part))
    return unquote(bare).lower().strip("/") + (f"?{kept}" if kept else "")


def fold_image(address: str) -> str:
    """Reduce the address of an image to its file name, without its size.

    >>> fold_image("https://cdn.example.org/lamp_600x.jpg?v=1"), fold_image("/a/lamp-300x200.jpg")
    ('lamp.jpg', 'lamp.jpg')
    """
    name = unquote(re.split(r"[?#]", address, maxsplit=1)[0]).rstrip("/").rpartition("/")[2].lower()
    return _SIZED.sub("", name)
