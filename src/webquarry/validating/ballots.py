"""Prepare pages for the vote: the texts of a page with votes, bytes and style classes, and the site of each page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.html.node_paths import depths_of, tag_paths
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.page.leaves import find_line_holders

MAX_LABEL_BYTES = 100
"""The limit of a title, a date or a byline; longer texts are running text."""


@dataclass(frozen=True, eq=False)
class Ballot:
    """The texts of a page with what voters said of them.

    Unless noted otherwise, a column has an entry for each of `nodes`.
    """

    document: Document
    texts: NDArray[np.int32]
    """The texts that a reader sees and that are not blank."""
    votes: NDArray[np.float64]
    """For each text the share of the voters that called it content."""
    refused: Mapping[int, str]
    """Texts that a voter left out for what they are, such as advertisements, each with the reason."""

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The texts and their ancestors, in document order, beginning with the document itself."""
        return np.flatnonzero(self._sum_below(np.ones(len(self.texts))))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """For each text its place among the nodes."""
        return np.searchsorted(self.nodes, self.texts)

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """The place of each node's parent among the nodes; 0 for the document itself."""
        return np.searchsorted(self.nodes, self.document.parents[self.nodes])

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """The number of ancestors."""
        return depths_of(self.document.ends)[self.nodes]

    @cached_property
    def ends(self) -> NDArray[np.int32]:
        """The number after that of the last descendant."""
        return self.document.ends[self.nodes]

    @cached_property
    def lines(self) -> NDArray[np.intp]:
        """For each text the number of its line."""
        return np.unique(find_line_holders(self.document, self.texts), return_inverse=True)[1]

    @cached_property
    def host(self) -> str:
        """The host of the page, or empty."""
        return host_of(self.document)

    @cached_property
    def classes(self) -> Classes:
        """The style classes."""
        fine, coarse = classes_of(self.document)
        return Classes(fine[self.nodes], coarse[self.nodes])

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """Bytes of text."""
        return self._sum_below(self._lengths)[self.nodes]

    @cached_property
    def running(self) -> NDArray[np.float64]:
        """Bytes in texts that are longer than a label."""
        return self._sum_below(np.where(self._lengths > MAX_LABEL_BYTES, self._lengths, 0.0))[self.nodes]

    @cached_property
    def called(self) -> NDArray[np.float64]:
        """Bytes that were called content."""
        return self._sum_below(self._lengths * self.votes)[self.nodes]

    @cached_property
    def contents(self) -> list[bytes]:
        """For each text its words, without white space around them."""
        texts = map(self.document.texts.__getitem__, self.texts.tolist())
        return [text.strip().encode("utf-8", "replace") for text in texts]

    @cached_property
    def marks(self) -> NDArray[np.uint64]:
        """For each text a number that the same words in the same place have on all pages."""
        words = np.array([crc32(text) for text in self.contents], dtype=np.uint64)
        return self.classes.coarse[self.places] ^ words

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        return np.array([*map(len, self.contents)], dtype=np.float64)

    def __getstate__(self) -> dict[str, Any]:
        """Compute all columns, so that a copy in another process needs the tree of the document for none."""
        return {name: getattr(self, name) for name in _COPIED}

    def _sum_below(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum for each node of the document the numbers of the texts in it."""
        before = np.zeros(len(self.document) + 1)
        before[self.texts + 1] = numbers
        before = np.cumsum(before)
        return before[self.document.ends] - before[:-1]


_COPIED: tuple[str, ...] = ("document", "texts", "votes", "refused", "nodes", "places", "parents", "depths", "ends")
_COPIED += ("lines", "host", "classes", "sizes", "running", "called", "marks")


def cast(
    document: Document,
    voter: NDArray[np.int32],
    *others: NDArray[np.int32],
    refused: Mapping[int, str] | None = None,
) -> Ballot:
    """Make the ballot of a page; each voter names the texts that it calls content."""
    texts = document.seen_texts
    votes = np.stack([np.isin(texts, called) for called in (voter, *others)])
    return Ballot(document, texts, votes.mean(axis=0), refused or {})


def cast_all(
    documents: Sequence[Document],
    voters: Sequence[Sequence[NDArray[np.int32]]],
    refused: Sequence[Mapping[int, str]] | None,
) -> list[Ballot]:
    """Make the ballots of some pages; each voter names for each page the texts that it calls content."""
    refusals = [{}] * len(documents) if refused is None else refused
    pages = zip(documents, refusals, *voters, strict=True)
    return [cast(document, *called, refused=refusal) for document, refusal, *called in pages]


_NUMBER_OF_PAGE = re.compile(r"\d{3}")
"""A class name with such a number names one page, not a place in the template."""
_TEXT = crc32(b"#text")
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_CODE_SHIFT = np.uint64(33)  # leaves a non-negative code of 32 bits


class Classes(NamedTuple):
    """For each node the numbers of its style classes, which mean the same on all pages.

    A class is the path of steps from the root to a node.  Steps of the coarse class are tags alone.  Those of the fine
    one also have the look of each element: its style vector if the page has a layout, else its class names.  Pages of
    one template share both; where an outer element has a new name or look on each page, as with `post-1234`, they
    still share the coarse one.
    """

    fine: NDArray[np.uint64]
    coarse: NDArray[np.uint64]


def classes_of(document: Document) -> Classes:
    """Compute the classes of all nodes; that of a text is one step below that of its element."""
    codes = np.array([crc32(name.encode()) for name in (*document.tag_names, "")], dtype=np.uint64)
    tags = codes[document.tags]
    looks = _named_steps(document, tags) if document.layout is None else _painted_steps(document.layout, tags)
    fine, coarse = (tag_paths(document.ends, _with_texts(document, steps)) for steps in (looks, tags))
    return Classes(fine, coarse)


def _named_steps(document: Document, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    attributes, codes = document.attributes, dict[str, int]()
    elements = np.flatnonzero(document.tags >= 0).tolist()
    named = [(node, own["class"]) for node in elements if (own := attributes[node]) and "class" in own]
    for _, names in named:
        if names not in codes:
            shared = {name for name in names.split() if _NUMBER_OF_PAGE.search(name) is None}
            codes[names] = crc32(" ".join(sorted(shared)).encode("utf-8", "replace"))
    steps = tags * _MIXER
    steps[[node for node, _ in named]] += np.array([codes[names] for _, names in named], dtype=np.uint64)
    return steps * _MIXER


def _painted_steps(layout: Layout, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = np.array([crc32(value.encode("utf-8", "replace")) for value in (*layout.values, "")], dtype=np.uint64)
    steps = tags * _MIXER
    for codes in layout.styles[:, : len(VISUAL_VALIDATION)].T:
        steps = (steps + values[codes]) * _MIXER
    return steps


def _with_texts(document: Document, steps: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Turn steps into codes, with one code for all texts, and -1 for what is neither element nor text."""
    codes = (steps * _MIXER >> _CODE_SHIFT).astype(np.int32)
    codes[document.tags < 0] = -1
    codes[document.kinds == Kind.TEXT] = _TEXT >> 1
    return codes


MIN_SHARED_TEXTS = 4
"""Texts in the same place that make two pages of one site.  In the corpora pages of a site have 12 and more in common,
and 99 in 100 pairs of strangers 2 at most."""
_NO_HOST, _ANY_HOST = "", "*"
_HOST = re.compile(r"https?://(?:www\.)?([^/?#]+)", re.IGNORECASE)


class Sites:
    """The sites of pages that come one after the other; its memory grows with the sites and not with the pages.

    Pages are of one site when they have one host and are made from one template: they share boilerplate, texts in the
    same place word for word, as in menus and footers.  Pages of two hosts are of two sites; a page that states no host
    may be of any.  Pages without common boilerplate are strangers, even in one folder.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        """For each site its host; empty where no page states one."""
        self._owners: dict[int, int] = {}  # mark of a text in its place on a host -> the site that first had it

    def place(self, ballot: Ballot) -> int:
        """Return the number of a page's site, a new one if the page is like none before."""
        host = ballot.host
        marks = np.unique(ballot.marks)
        site = self._find(marks, (host, _NO_HOST) if host else (_ANY_HOST,))
        if site is None:
            site = len(self.names)
            self.names.append(host)
        elif self.names[site] or not host:
            return site
        self.names[site] = host
        for name in (host or _NO_HOST, _ANY_HOST):
            for mark in _on_host(marks, name):
                self._owners.setdefault(mark, site)
        return site

    def _find(self, marks: NDArray[np.uint64], hosts: Sequence[str]) -> int | None:
        for host in hosts:
            shared = Counter(self._owners[mark] for mark in _on_host(marks, host) if mark in self._owners)
            [(site, count)] = shared.most_common(1) or [(0, 0)]
            if count >= MIN_SHARED_TEXTS:
                return site
        return None


def group_by_site(documents: Sequence[Document]) -> list[list[int]]:
    """Group the places of documents by site."""
    sites, nobody = Sites(), np.zeros(0, dtype=np.int32)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        groups[sites.place(cast(document, nobody))].append(place)
    return list(groups.values())


def _on_host(marks: NDArray[np.uint64], host: str) -> list[int]:
    found: list[int] = (marks ^ np.uint64(crc32(host.encode("utf-8", "replace")) << 32)).tolist()
    return found


def host_of(document: Document) -> str:
    """Return the host of a page, by its address or else by what it states itself; empty if neither tells.

    >>> host_of(Document("", url="https://www.example.org/a.html"))
    'example.org'
    >>> host_of(Document('<link rel="canonical" href="https://example.org/a">', url="file:///tmp/a.html"))
    'example.org'
    """
    found = _HOST.match(document.web_address)
    return found.group(1).lower() if found else ""
