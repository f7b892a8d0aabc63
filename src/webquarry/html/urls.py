"""Absolute addresses of what a page links to and shows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webquarry.html.columns import Attributes

IMAGE_ATTRIBUTES = (
    *("data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "data-lazy-srcset"),
    *("src", "srcset", "poster"),
)
"""Where the address of an image stands, first that of one that a script loads when it is scrolled to."""
_NOWHERE = ("#", "javascript:", "data:", "about:", "blob:")
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx],?")

_NAME = r"[\w%@+~!,-][\w%@+~!,.-]*+"  # of a folder or a file, but not `..`
_PLAIN = re.compile(rf"/?{_NAME}(?>(?:/{_NAME})*)/?(?:\?[^\s#]++)?(?:#\S++)?")
"""Addresses from the root of a site, or from where the page is, that need no more than to be put behind it."""

Resolver = Callable[[str], str | None]


class Tree(Protocol):
    """What is asked of a document."""

    @property
    def url(self) -> str:
        """Its own address."""

    @property
    def attributes(self) -> tuple[Attributes, ...]:
        """Those of each node."""

    def has_tag(self, names: Collection[str]) -> NDArray[np.bool_]:
        """For each node whether it is an element of one of the names."""


def make_resolver(document: Tree) -> Resolver:
    """A function from addresses as written on a page to absolute ones; None for those that lead nowhere."""
    base = _base_address(document)
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
    """The address of the largest image of a set; an address alone is itself.

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


def _base_address(document: Tree) -> str:
    for node in document.has_tag(["base"]).nonzero()[0].tolist():
        if "href" in document.attributes[node]:
            return _join(document.url, document.attributes[node]["href"])
    return document.url


def _resolve(base: str, starts: Callable[[], tuple[str, str]], written: str) -> str | None:
    written = written.strip()
    if not written or written[:11].lower().startswith(_NOWHERE):
        return None
    if written.startswith(("http://", "https://")):
        return written  # as joining would, but that is slow
    if _PLAIN.fullmatch(written):
        root, here = starts()
        if here.endswith("/") and len(root) > 1:
            return root + written[1:] if written[0] == "/" else here + written
    return _join(base, written)


def _join(base: str, written: str) -> str:
    try:
        return urljoin(base, written.strip())
    except ValueError:  # of hosts in broken brackets
        return written


# MERGED html/file_addresses: The path that an address of a file has on disk.
def path_of(address: str) -> str:
    """The path in an address as files are called by it; raises ValueError for an address that is none.

    Names of files are bytes: those that are no text in the file system's encoding come out as `os.fsdecode` has them.

    >>> path_of("file:///pages/caf%C3%A9%20one.html#top")
    '/pages/café one.html'
    """
    return unquote(urlsplit(address).path, sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
