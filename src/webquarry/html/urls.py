"""Resolve the URLs of links and images of a page, and find the address on the web of a saved page."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
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

_COMMENT = 8  # the kind of a node, as in the DOM standard; `columns` is slow to import

_NAME = r"[\w%@+~!,-][\w%@+~!,.-]*+"  # a folder or a file, but not `..`
_PLAIN = re.compile(rf"/?{_NAME}(?>(?:/{_NAME})*)/?(?:\?[^\s#]++)?(?:#\S++)?")
"""URLs relative to the site or the page that can be joined by concatenation."""

_WEB = re.compile(r"https?://(?:[^/?#@]*@)?(?:www\.)?([^/?#\s]+)", re.IGNORECASE)
"""Addresses of the web, with their host."""
_COMPANION = re.compile(r"(?:\./)?[^/?#:]+_files/")
"""Files that a browser saved beside the page; nothing tells where they came from."""
_SAVED_FROM = re.compile(r"\s*saved from url=\(\d+\)(\S+)", re.IGNORECASE)  # Chromium, Firefox, Internet Explorer
_SAVED_BY_SINGLEFILE = re.compile(r"\s*Page saved with SingleFile\s+url:\s*(\S+)")
_SAVED_BY_HTTRACK = re.compile(r"\s*Mirrored from (\S+) by HTTrack")  # without a scheme

Resolver = Callable[[str], str | None]


def make_resolver(document: Tree) -> Resolver:
    """Make a function from written to absolute URLs; it returns None for those that lead nowhere."""
    address = document.web_address
    written_base = next(_written_bases(document), None)
    base = address if written_base is None else _join(address, written_base)
    has_companions = written_base is None and address != document.url
    known: dict[str, str | None] = {}

    @cache
    def starts() -> tuple[str, str]:
        return _join(base, "/"), _join(base, ".")

    def resolve(written: str) -> str | None:
        if written not in known:
            is_companion = has_companions and _COMPANION.match(written.strip()) is not None
            known[written] = _join(document.url, written) if is_companion else _resolve(base, starts, written)
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


def find_web_address(document: Tree) -> str:
    """Find the address that a page has on the web: the given one, its URL, or the one that it states itself.

    A saved page states it in the comment of the program that saved it, else as its canonical link, as `og:url` or by an
    absolute `base`.  These three are written by the site, and a copied article names the original: so a statement
    counts only if no other host has more of the page's links; relative links speak for every host.  A page that
    states none keeps its URL.  The canonical link of page 2 of a listing often names page 1, which is right for
    resolving links.
    """
    if document.address:
        return document.address
    if _WEB.match(document.url):
        return document.url
    return next(_addresses_by_savers(document), None) or next(_plausible_addresses(document), None) or document.url


def _addresses_by_savers(document: Tree) -> Iterator[str]:
    for node in (document.kinds == _COMMENT).nonzero()[0].tolist():
        text = document.texts[node]
        if (match := _SAVED_FROM.match(text) or _SAVED_BY_SINGLEFILE.match(text)) and _WEB.match(match[1]):
            yield match[1]
        elif (match := _SAVED_BY_HTTRACK.match(text)) and _WEB.match(f"https://{match[1]}"):
            yield f"https://{match[1]}"


def _plausible_addresses(document: Tree) -> Iterator[str]:
    stated = [address for each in _stated_addresses(document) if _WEB.match(address := each.strip())]
    links = _count_links(document) if stated else Counter()
    relative = links.pop("", 0)
    most = max(links.values(), default=0)
    for address in stated:
        match = _WEB.match(address)
        if match is not None and links[match[1].lower()] + relative >= most:
            yield address


def _stated_addresses(document: Tree) -> Iterator[str]:
    heads = [document.attributes[node] for node in document.has_tag(["link", "meta"]).nonzero()[0].tolist()]
    yield from (each.get("href", "") for each in heads if "canonical" in each.get("rel", "").lower().split())
    yield from (each.get("content", "") for each in heads if each.get("property", "").lower() == "og:url")
    yield from _written_bases(document)


def _written_bases(document: Tree) -> Iterator[str]:
    own = (document.attributes[node] for node in document.has_tag(["base"]).nonzero()[0].tolist())
    return (each["href"] for each in own if "href" in each)


def _count_links(document: Tree) -> Counter[str]:
    """Count the links of a page by host; those that are relative have none."""
    attributes, links = document.attributes, document.has_tag(["a"]).nonzero()[0].tolist()
    own = [attributes[node].get("href", "").strip() for node in links]
    written = [each for each in own if each and not each.lower().startswith((*_NOWHERE, "mailto:", "tel:"))]
    hosts = (_WEB.match(f"https:{each}" if each.startswith("//") else each) for each in written)
    return Counter(match[1].lower() if match else "" for match in hosts)


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
