"""The absolute addresses of links and images."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import urljoin

import numpy as np

from webquarry.model import Document

IMAGE_ATTRIBUTES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-srcset",
    "data-lazy-srcset",
    "src",
    "srcset",
    "poster",
)
"""Where the address of an image stands, what a script would load first."""
_NOWHERE = ("#", "javascript:", "data:", "about:", "blob:")
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx],?")

Resolver = Callable[[str], str | None]


def make_resolver(document: Document) -> Resolver:
    """A function from addresses as written on a page to absolute ones; None for those that lead nowhere."""
    base = _base(document)

    def resolve(written: str) -> str | None:
        written = written.strip()
        if not written or written[:11].lower().startswith(_NOWHERE):
            return None
        return written if written.startswith(("http://", "https://")) else _join(base, written)

    return resolve


def largest(sources: str) -> str:
    """The address of the largest image of a set; an address alone is itself.

    >>> largest("small.png 1x, large.png 2x"), largest("a,b.png")
    ('large.png', 'a,b.png')
    """
    words = sources.split()
    best, most = sources.partition(", ")[0].strip(), 0.0
    for address, size in pairwise(words):
        if (match := _SIZE.fullmatch(size)) and float(match[1]) > most:
            best, most = address, float(match[1])
    return best


def _base(document: Document) -> str:
    for node in np.flatnonzero(document.has_tag(["base"])).tolist():
        if "href" in document.attributes[node]:
            return _join(document.url, document.attributes[node]["href"])
    return document.url


def _join(base: str, written: str) -> str:
    try:
        return urljoin(base, written.strip())
    except ValueError:  # of hosts in broken brackets
        return written
