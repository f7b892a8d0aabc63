"""Resolve the URLs of links and images of a page, and find the address on the web of a saved page."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from webquarry.html.columns import Tree

LAZY_IMAGE_ATTRIBUTES = (
    *("data-src", "data-original", "data-lazy-src", "data-lazy", "data-lazyload", "data-delayed-url", "data-echo"),
)
"""Attributes in which scripts find the URL of an image that they load later."""
IMAGE_ATTRIBUTES = (*LAZY_IMAGE_ATTRIBUTES, "data-srcset", "data-lazy-srcset", "src", "srcset", "poster")
"""Attributes with the URL of an image, those of lazy loading scripts first."""
_ROUTES = ("#/", "#!")  # of pages that scripts make
_NOWHERE = ("#", "javascript:", "data:", "about:", "blob:")
_NO_PAGE = (*_NOWHERE, "mailto:", "tel:")
_LONGEST_SCHEME = max(map(len, _NO_PAGE))
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx],?")

_COMMENT = 8  # the kind of a node, as in the DOM standard; `columns` is slow to import

_NAME = r"[\w%@+~!,-][\w%@+~!,.-]*+"  # a folder or a file, but not `..`
_PLAIN = re.compile(rf"(/|(?>(?:\.\./)+))?{_NAME}(?>(?:/{_NAME})*)/?(?:\?[^\s#]++)?(?:#\S++)?")
"""URLs relative to the site or to folders around the page, which can be joined by concatenation."""

_WEB = re.compile(r"https?://(?:[^/?#@]*@)?(?:www\.)?([^/?#\s]+)", re.IGNORECASE)
"""Addresses of the web, with their host."""
_COMPANION = re.compile(r"(?:\./)?[^/?#:]+_files/")
"""Files that a browser saved beside the page; nothing tells where they came from."""
_SAVED = re.compile(
    r"\s*(?:(?i:saved from url=\(\d+\))(\S+)"  # Chromium, Firefox, Internet Explorer
    r"|Page saved with SingleFile\s+url:\s*(\S+)"
    r"|Mirrored from (\S+) by HTTrack)"  # without a scheme
)

Resolver = Callable[[str], str | None]


class Written(Protocol):
    """The parts of a page that can tell its address."""

    def comments(self) -> Iterable[str]:
        """List the texts of comments."""

    def attributes_of(self, tag: str) -> Iterable[Mapping[str, str]]:
        """List the attributes of the elements with a tag."""


class _WrittenColumns:
    """These parts in the columns of a document."""

    def __init__(self, document: Tree) -> None:
        self._document = document

    def comments(self) -> Iterator[str]:
        return (self._document.texts[node] for node in (self._document.kinds == _COMMENT).nonzero()[0].tolist())

    def attributes_of(self, tag: str) -> Iterator[Mapping[str, str]]:
        return (self._document.attributes[node] for node in self._document.has_tag([tag]).nonzero()[0].tolist())


def make_resolver(document: Tree, written: Written | None = None) -> Resolver:
    """Make a function from written to absolute URLs; it returns None for those that lead nowhere.

    What is written on the page is read from the document's columns, unless it is given: building them takes time.
    """
    known: dict[str, str | None] = {}

    @cache
    def find_base() -> tuple[str, bool]:
        """Find the address that links are relative to, and whether files may be beside the page instead."""
        address = document.web_address if written is None else find_web_address(document, written)
        base = next(_written_bases(written or _WrittenColumns(document)), None)
        return (address, address != document.url) if base is None else (join_address(address, base), False)

    @cache
    def find_folder(written: str) -> str:
        return join_address(find_base()[0], written)

    def resolve_relative(each: str) -> str | None:
        base, has_companions = find_base()
        if has_companions and _COMPANION.match(each) is not None:
            return join_address(document.url, each)
        return _resolve(base, find_folder, each)

    def resolve(each: str) -> str | None:
        if each not in known:
            bare = each.strip()
            is_absolute = bare.startswith(("http://", "https://"))  # `urljoin` would leave it so, but is slow
            known[each] = bare if is_absolute else resolve_relative(bare)
        return known[each]

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


def find_web_address(document: Tree, written: Written | None = None) -> str:
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
    written = written or _WrittenColumns(document)
    return next(_addresses_by_savers(written), None) or next(_plausible_addresses(written), None) or document.url


def _addresses_by_savers(written: Written) -> Iterator[str]:
    for text in written.comments():
        match = _SAVED.match(text)
        address = match and (match[1] or match[2] or f"https://{match[3]}")
        if address and _WEB.match(address):
            yield address


def _plausible_addresses(written: Written) -> Iterator[str]:
    stated = [address for each in _stated_addresses(written) if _WEB.match(address := each.strip())]
    links = _count_links(written) if stated else Counter()
    relative = links.pop("", 0)
    most = max(links.values(), default=0)
    for address in stated:
        match = _WEB.match(address)
        if match is not None and links[match[1].lower()] + relative >= most:
            yield address


def _stated_addresses(written: Written) -> Iterator[str]:
    heads = [*written.attributes_of("link"), *written.attributes_of("meta")]
    yield from (each.get("href", "") for each in heads if "canonical" in each.get("rel", "").lower().split())
    yield from (each.get("content", "") for each in heads if each.get("property", "").lower() == "og:url")
    yield from _written_bases(written)


def _written_bases(written: Written) -> Iterator[str]:
    return (each["href"] for each in written.attributes_of("base") if "href" in each)


def _count_links(written: Written) -> Counter[str]:
    """Count the links of a page by host; those that are relative have none."""
    own = [each.get("href", "").strip() for each in written.attributes_of("a")]
    leading = [each for each in own if each and not each[:_LONGEST_SCHEME].lower().startswith(_NO_PAGE)]
    hosts = (_WEB.match(f"https:{each}" if each.startswith("//") else each) for each in leading)
    return Counter(match[1].lower() if match else "" for match in hosts)


def _resolve(base: str, find_folder: Callable[[str], str], written: str) -> str | None:
    if not written or (written[:_LONGEST_SCHEME].lower().startswith(_NOWHERE) and not written.startswith(_ROUTES)):
        return None
    if (match := _PLAIN.fullmatch(written)) and find_folder(".").endswith("/") and len(find_folder("/")) > 1:
        above = match[1] or ""
        return find_folder(above or ".") + written[len(above) :]
    return join_address(base, written)


def join_address(base: str, written: str) -> str:
    """Make an address absolute; one that cannot be parsed stays as it is."""
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


def split_host(address: str) -> tuple[str, str]:
    """Split an address into its host and what follows, without escapes.

    >>> split_host("https://Example.org/a%20b?c=1"), split_host("file:///pages/one.html")
    (('example.org', '/a b?c=1'), ('', '/pages/one.html'))
    """
    start = _HOST.match(address)
    host = start[0].rpartition("/")[2].partition("?")[0].lower() if start else ""
    return host, unquote(address[start.end() :] if start else address)


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
