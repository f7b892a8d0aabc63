"""Which pages are of one site: those of one host that are made from one template.

What pages of a template have in common is furniture: texts that stand in the same place, word for word, as in menus and
footers.  Pages that have none in common are strangers, though they lie in one folder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.validating.votes.ballots import Ballot

FEWEST_SHARED = 4
"""Texts in the same place that make two pages of one site.  In the corpora pages of a site have 12 and more in common,
and 99 in 100 pairs of strangers 2 at most."""
UNKNOWN, ANY = "", "*"
"""In the place of a host: of pages that state none, and of all pages."""
_HOST = re.compile(r"https?://(?:www\.)?([^/?#]+)", re.IGNORECASE)


class Sites:
    """The sites of pages that come one after the other; its memory grows with the sites and not with the pages.

    Pages of two hosts are of two sites.  A page that states no host may be of any.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        """For each site its host; nothing where no page states one."""
        self._owners: dict[int, int] = {}  # of texts in their places on a host: the site whose first page had it first

    def place(self, ballot: Ballot) -> int:
        """The number of the site that a page is of, which is a new one if it is like none before."""
        host = host_of(ballot.document)
        marks = _marks(ballot)
        site = self._find(marks, (host, UNKNOWN) if host else (ANY,))
        if site is None:
            site = len(self.names)
            self.names.append(host)
        elif self.names[site] or not host:
            return site
        self.names[site] = host
        for name in (host or UNKNOWN, ANY):
            for mark in _on_host(marks, name):
                self._owners.setdefault(mark, site)
        return site

    def _find(self, marks: NDArray[np.uint64], hosts: Iterable[str]) -> int | None:
        for host in hosts:
            shared = Counter(self._owners[mark] for mark in _on_host(marks, host) if mark in self._owners)
            [(site, count)] = shared.most_common(1) or [(0, 0)]
            if count >= FEWEST_SHARED:
                return site
        return None


def host_of(document: Document) -> str:
    """The host of a page, by its address or else by what it states itself; nothing where neither tells.

    >>> host_of(Document("", url="https://www.example.org/a.html"))
    'example.org'
    >>> host_of(Document('<link rel="canonical" href="https://example.org/a">', url="file:///tmp/a.html"))
    'example.org'
    """
    found = _HOST.match(document.url)
    if found is None:
        found = next(filter(None, map(_HOST.match, _stated_addresses(document))), None)
    return found.group(1).lower() if found else ""


def _stated_addresses(document: Document) -> list[str]:
    own = [document.attributes[node] for node in np.flatnonzero(document.has_tag(["link", "meta"])).tolist()]
    canonical = [each.get("href", "") for each in own if each.get("rel", "").lower() == "canonical"]
    return canonical + [each.get("content", "") for each in own if each.get("property", "").lower() == "og:url"]


def _marks(ballot: Ballot) -> NDArray[np.uint64]:
    """The texts of a page in their places, as numbers."""
    _, coarse = ballot.keys
    texts = ballot.document.texts
    words = [crc32(texts[node].strip().encode("utf-8", "replace")) for node in ballot.texts.tolist()]
    return np.unique(coarse[ballot.places] ^ np.array(words, dtype=np.uint64))


def _on_host(marks: NDArray[np.uint64], host: str) -> list[int]:
    found: list[int] = (marks ^ np.uint64(crc32(host.encode("utf-8", "replace")) << 32)).tolist()
    return found
