"""Links: the absolute addresses of links and images."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from urllib.parse import urljoin

import numpy as np

from webquarry.model import Document

_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "data-lazy-srcset")
"""Where pages keep the address of an image that a script loads when it is scrolled to."""
_NOWHERE = ("#", "javascript:", "data:", "about:", "blob:")
_SOURCES = (*_LAZY, "src", "srcset", "poster")
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx],?")

_NAME = r"[\w%@+~!,-][\w%@+~!,.-]*+"  # of a folder or a file, but not `..`
_PLAIN = re.compile(rf"/?{_NAME}(?:/{_NAME})*+/?(?:\?[^\s#]++)?(?:#\S++)?")
"""Addresses from the root of a site, or from where the page is, that need no more than to be put behind it."""

Resolver = Callable[[str], str | None]


def make_resolver(document: Document) -> Resolver:
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


def find_links(document: Document, nodes: Sequence[int], first: int) -> list[int]:
    """For each node the link with an address that it is or stands in; -1 without one.

    Links are looked for from what holds the first node of all records: a record may be what a link holds.
    """
    owners = np.array(nodes, dtype=np.int64)
    low, high = max(int(document.parents[first]), 0), int(owners.max()) + 1
    links = np.flatnonzero(document.has_tag(["a"], slice(low, high))) + low
    if not len(links):
        return [-1] * len(nodes)
    before = links[np.maximum(np.searchsorted(links, owners, side="right") - 1, 0)]
    holds = (before <= owners) & (owners < document.ends[before])
    found = np.where(holds, before, -1).tolist()
    attributes = document.attributes
    return [link if link >= 0 and "href" in attributes[link] else -1 for link in found]


def image_address(document: Document, node: int, resolve: Resolver) -> str | None:
    """The absolute address of the image that a node is, or holds; None when it has none, as drawings."""
    for inner in range(node, int(document.ends[node])):
        if inner == node or document.tag(inner) in ("img", "source"):
            attributes = document.attributes[inner]
            for name in _SOURCES:
                if name in attributes and (address := resolve(_largest(attributes[name]))) is not None:
                    return address
    return None


def _largest(sources: str) -> str:
    """The address of the largest image of a set; an address alone is itself.

    >>> _largest("small.png 1x, large.png 2x"), _largest("a,b.png")
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


def _base_address(document: Document) -> str:
    for node in np.flatnonzero(document.has_tag(["base"])).tolist():
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
