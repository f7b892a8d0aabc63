"""A page as the vote sees it: its texts and what holds them, each with bytes, votes and classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.html.tag_paths import depths_of, tag_paths
from webquarry.model.document import Document
from webquarry.model.layout import Layout

# MERGED validating/votes/classes: Style classes: which nodes of a site's pages stand in the same place and l
# MERGED
# MERGED A class is a path of steps from the root to a node.  The coarse one is made of tags alone.  The fine
# MERGED look of each element: with a layout its style vector, else its class names.  Pages of one template s
# MERGED they name or paint an outer element anew on each page, as with `post-1234`, they share the coarse on
STYLES = 32
"""Properties of the style vector: the first of a layout, those of Potvin and Villemaire, section 4.2."""
_OF_A_PAGE = re.compile(r"\d{3}")
"""A class name with such a number names one page, not a place in the template."""
_TEXT = crc32(b"#text")
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_CODE = np.uint64(33)  # bits to leave out of 64 for a code that is not negative in 32


class Classes(NamedTuple):
    """For each node the numbers of its classes; they mean the same on all pages."""

    fine: NDArray[np.uint64]
    coarse: NDArray[np.uint64]


def classes_of(document: Document) -> Classes:
    """The classes of all nodes; a text's is one step below that of the element that holds it."""
    depths = depths_of(document.ends)
    tags = _tag_steps(document)
    looks = _named_steps(document, tags) if document.layout is None else _painted_steps(document.layout, tags)
    fine, coarse = (tag_paths(document.parents, _with_texts(document, steps), depths) for steps in (looks, tags))
    return Classes(fine, coarse)


def _tag_steps(document: Document) -> NDArray[np.uint64]:
    codes = np.array([crc32(name.encode()) for name in (*document.tag_names, "")], dtype=np.uint64)
    return codes[document.tags]


def _named_steps(document: Document, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    attributes, codes = document.attributes, dict[str, int]()
    elements = np.flatnonzero(document.tags >= 0).tolist()
    named = [(node, own["class"]) for node in elements if (own := attributes[node]) and "class" in own]
    for _, names in named:
        if names not in codes:
            codes[names] = _code_names(names)
    steps = tags * _MIXER
    steps[[node for node, _ in named]] += np.array([codes[names] for _, names in named], dtype=np.uint64)
    return steps * _MIXER


def _code_names(names: str) -> int:
    shared = {name for name in names.split() if _OF_A_PAGE.search(name) is None}
    return crc32(" ".join(sorted(shared)).encode("utf-8", "replace"))


def _painted_steps(layout: Layout, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = np.array([crc32(value.encode("utf-8", "replace")) for value in (*layout.values, "")], dtype=np.uint64)
    steps = tags * _MIXER
    for codes in layout.styles[:, :STYLES].T:
        steps = (steps + values[codes]) * _MIXER
    return steps


def _with_texts(document: Document, steps: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The steps as codes, with one for all texts; -1 for what is neither element nor text."""
    codes = (steps * _MIXER >> _CODE).astype(np.int32)
    codes[document.tags < 0] = -1
    codes[document.kinds == Kind.TEXT] = _TEXT >> 1
    return codes


LABEL = 100
"""Bytes of a title, a date or a byline; longer texts are running text."""


@dataclass(frozen=True, eq=False)
class Ballot:
    """The texts of a page with what voters said of them; columns are of `nodes`, except where said otherwise."""

    document: Document
    texts: NDArray[np.int32]
    """Those that a reader sees and that are not blank."""
    votes: NDArray[np.float64]
    """For each text the share of the voters that called it content."""
    refused: Mapping[int, str]
    """Texts that a voter left out for what they are, such as advertisements, each with the reason."""

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The texts and all that holds them, in document order: first the document itself."""
        return np.flatnonzero(self._sum_below(np.ones(len(self.texts))))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """For each text where it stands among the nodes."""
        return np.searchsorted(self.nodes, self.texts)

    @cached_property
    def holders(self) -> NDArray[np.int64]:
        """Where the holder of each node stands among the nodes; for the document itself 0."""
        return np.searchsorted(self.nodes, self.document.parents[self.nodes])

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many nodes hold each."""
        return depths_of(self.document.ends)[self.nodes]

    @cached_property
    def keys(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Their classes, fine and coarse."""
        fine, coarse = classes_of(self.document)
        return fine[self.nodes], coarse[self.nodes]

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """How much text they hold."""
        return self._sum_below(self._lengths)[self.nodes]

    @cached_property
    def running(self) -> NDArray[np.float64]:
        """How many of these bytes stand in texts that are longer than a label."""
        return self._sum_below(np.where(self._lengths > LABEL, self._lengths, 0.0))[self.nodes]

    @cached_property
    def called(self) -> NDArray[np.float64]:
        """How many of these bytes were called content."""
        return self._sum_below(self._lengths * self.votes)[self.nodes]

    @cached_property
    def contents(self) -> list[bytes]:
        """What each text says, without white space around it."""
        texts = map(self.document.texts.__getitem__, self.texts.tolist())
        return [text.strip().encode("utf-8", "replace") for text in texts]

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        return np.array([*map(len, self.contents)], dtype=np.float64)

    def _sum_below(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each node of the document the sum of the numbers of the texts in it."""
        before = np.zeros(len(self.document) + 1)
        before[self.texts + 1] = numbers
        before = np.cumsum(before)
        return before[self.document.ends] - before[:-1]


def cast(
    document: Document,
    voter: NDArray[np.int32],
    *others: NDArray[np.int32],
    refused: Mapping[int, str] | None = None,
) -> Ballot:
    """The ballot of a page; each voter names the texts that it calls content."""
    texts = document.seen_texts
    votes = np.stack([np.isin(texts, called) for called in (voter, *others)])
    return Ballot(document, texts, votes.mean(axis=0), refused or {})


def cast_all(
    documents: Sequence[Document],
    voters: Sequence[Sequence[NDArray[np.int32]]],
    refused: Sequence[Mapping[int, str]] | None,
) -> list[Ballot]:
    """The ballots of some pages; each voter names for each page the texts that it calls content."""
    refusals = [{}] * len(documents) if refused is None else refused
    pages = zip(documents, refusals, *voters, strict=True)
    return [cast(document, *called, refused=refusal) for document, refusal, *called in pages]


# MERGED validating/votes/sites: Which pages are of one site: those of one host that are made from one templa
# MERGED
# MERGED What pages of a template have in common is furniture: texts that stand in the same place, word for w
# MERGED footers.  Pages that have none in common are strangers, though they lie in one folder.
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
