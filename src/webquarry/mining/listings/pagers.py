"""Where a listing goes on: the address of its next page.

What the page says for machines comes first, then the number after the current one, then words, then arrows.  A link
that leads to another host or back to this page never counts.  It fails on pages that go on by scripts alone, on
forms, and on pagers of pictures without any label.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from webquarry.html.resolving import make_resolver
from webquarry.mining.listings.anchors import Anchor, elements, find_anchors, find_page, is_named
from webquarry.mining.listings.next_words import ARROWS, has_words, is_arrow, says_next
from webquarry.mining.listings.page_numbers import CALENDAR, Number, find_current, find_runs
from webquarry.model import Document

LONGEST_LABEL = 4
"""Words; what says more names an article, not a page."""
CLIMB = 4
"""Levels from a link to what may be its pager."""
PAGER_TEXT = 250
"""Characters of a pager at most."""
PAGER_NODES = 500
"""Nodes of a pager at most."""

_PAGER_NAME = re.compile(r"pag(e|es|er|ing|inat|ina)|seiten?|blaetter", re.IGNORECASE)
_NAMED_NEXT = re.compile(r"(^|[-_])next($|[-_])", re.IGNORECASE)
_DISABLED_NAME = re.compile(r"(^|[-_])(disabled|inactive)($|[-_])", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")


def find_next(document: Document) -> str | None:
    """The absolute address of the page that goes on where this one ends; None when there is none to be seen."""
    page = _Listing(document)
    candidates = (address for rule in RULES for address in rule(page))
    return next(candidates, None)


class _Listing:
    """A document, its links that could lead on, and its numbers."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.here = document.url.partition("#")[0]
        self.anchors = find_anchors(document)
        self.onward = [anchor for anchor in self.anchors if self.leads_on(anchor.address) and self._is_usable(anchor)]
        self.runs = find_runs(document, self.anchors)
        self._onward = {anchor.node for anchor in self.onward}
        self._numbers = [number.node for run in self.runs for number in run]

    def leads_on(self, address: str) -> bool:
        return address != self.here and _host(address) == _host(self.here) and _scheme(address) == _scheme(self.here)

    def onward_at(self, run: Sequence[Number], value: int) -> list[Anchor]:
        """The links of a number in a run, if they lead on."""
        return [each.anchor for each in run if each.value == value and each.anchor and each.anchor.node in self._onward]

    def around(self, node: int) -> Iterator[int]:
        """The node and those around it, as far as a pager may reach."""
        for _ in range(CLIMB):
            if node <= 0 or self.document.tag(node) in ("body", "html"):
                return
            yield node
            node = int(self.document.parents[node])

    def in_pager(self, anchor: Anchor) -> bool:
        """Whether a link stands among the pages of a listing, by name or by what is beside it."""
        for node in self.around(anchor.node):
            stop = int(self.document.ends[node])
            count = bisect_left(self._numbers, stop) - bisect_left(self._numbers, node)
            if stop - node > PAGER_NODES or count >= CALENDAR or len(self.document.text(node)) > PAGER_TEXT:
                return False
            if count >= 2 or is_named(self.document, node, _PAGER_NAME, "class", "id", "aria-label"):
                return True
        return differs_in_one_number(self.here, anchor.address)

    def _is_usable(self, anchor: Anchor) -> bool:
        attributes = self.document.attributes[anchor.node]
        return attributes.get("aria-disabled") != "true" and not any(
            is_named(self.document, node, _DISABLED_NAME, "class")
            for node in (anchor.node, int(self.document.parents[anchor.node]))
        )


def _by_relation(page: _Listing) -> Iterator[str]:
    """`<link rel=next>` and `<a rel=next>`, unless a title says that an article follows."""
    document = page.document
    resolve = make_resolver(document)
    for node in elements(document, "link"):
        attributes = document.attributes[node]
        if "next" not in (attributes.get("rel") or "").lower().split() or _names_article([attributes.get("title")]):
            continue
        address = find_page(resolve, attributes.get("href"))
        if address is not None and page.leads_on(address):
            yield address
    for anchor in page.onward:
        if "next" in anchor.relations and not _names_article(anchor.labels):
            yield anchor.address


def _by_number(page: _Listing) -> Iterator[str]:
    """The link with the number after the current one."""
    for run in page.runs:
        current = find_current(page.document, run, page.here)
        if current is not None:
            yield from (each.address for each in page.onward_at(run, current + 1))


def _by_words(page: _Listing) -> Iterator[str]:
    """The link that says so: when several do and lead to different pages, the one in a pager."""
    yield from _single(page, [anchor for anchor in page.onward if _is_next(anchor.labels)])


def _by_gap(page: _Listing) -> Iterator[str]:
    """The link after the one number that is missing among the links: some pagers leave the current page out."""
    for run in page.runs:
        linked = [number for number in run if number.anchor is not None]
        values = [number.value for number in linked]
        if len(values) < 2 or len(linked) < len(run) or values[0] > 2:
            continue
        missing = [value for value in range(1, values[-1]) if value not in values]
        if len(missing) == 1:
            following = page.onward_at(run, missing[0] + 1)
            yield from (each.address for each in following if page.in_pager(each))


def _by_shape(page: _Listing) -> Iterator[str]:
    """The arrow that points on, or the link named so in the markup, in a pager."""
    placed = [anchor for anchor in page.onward if _shape(page.document, anchor) is not None]
    inside = [anchor for anchor in placed if page.in_pager(anchor) and not _names_article(anchor.labels)]
    best = min((_shape(page.document, anchor) or 0 for anchor in inside), default=0)
    yield from _single(page, [anchor for anchor in inside if (_shape(page.document, anchor) or 0) == best])


RULES: tuple[Callable[[_Listing], Iterator[str]], ...] = (_by_relation, _by_number, _by_words, _by_gap, _by_shape)
"""The surest first."""


def _single(page: _Listing, anchors: Sequence[Anchor]) -> Iterator[str]:
    """The one address to which links lead; of several, that in a pager or else that of this page's own path."""
    placed = [anchor for anchor in anchors if page.in_pager(anchor)]
    own = [anchor for anchor in placed or anchors if _path(anchor.address) == _path(page.here)]
    for chosen in (anchors, placed, own):
        addresses = {anchor.address for anchor in chosen}
        if len(addresses) == 1:
            yield from addresses
            return


def _is_next(labels: Sequence[str]) -> bool:
    """Whether one label says so and no other says what else it is, as in `<a title="Next month">next</a>`."""
    return any(map(says_next, labels)) and all(says_next(label) for label in labels if has_words(label))


def _names_article(labels: Iterable[str | None]) -> bool:
    return any(len((label or "").split()) > LONGEST_LABEL and not says_next(label or "") for label in labels)


def _shape(document: Document, anchor: Anchor) -> int | None:
    """How sure the shape of a link is that it leads on, lowest best; None when it does not look so."""
    arrows = ["".join(label.split()) for label in anchor.labels if is_arrow(label)]
    if arrows:
        return 1 + ARROWS.index(arrows[0].rstrip("\ufe0e\ufe0f"))
    if any(map(has_words, anchor.labels)):
        return None
    nodes = (anchor.node, int(document.parents[anchor.node]))
    return 0 if any(is_named(document, node, _NAMED_NEXT, "class", "id") for node in nodes) else None


def differs_in_one_number(one: str, other: str) -> bool:
    """Whether two addresses are the same but for one number, or one of them has a number at the end and the other none.

    >>> differs_in_one_number("https://a.example/list?p=2&q=x", "https://a.example/list?p=3&q=x")
    True
    >>> differs_in_one_number("https://a.example/list", "https://a.example/list?page=2")
    True
    >>> differs_in_one_number("https://a.example/list", "https://a.example/terms")
    False
    """
    if _NUMBERS.sub("0", one) == _NUMBERS.sub("0", other):
        pairs = zip(_NUMBERS.findall(one), _NUMBERS.findall(other), strict=True)
        return [mine != theirs for mine, theirs in pairs].count(True) == 1
    shorter, longer = sorted((one.rstrip("/"), other.rstrip("/")), key=len)
    return longer.startswith(shorter) and re.fullmatch(r"[/?&;]?[a-z_]*[-=/_]?\d+", longer[len(shorter) :]) is not None


def _path(address: str) -> str:
    return address.partition("?")[0]


def _host(address: str) -> str:
    """The host of an address as people think of it.

    >>> _host("https://user@www.Example.org:8080/a?b#c")
    'example.org:8080'
    """
    place = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0]
    return place.rpartition("@")[2].lower().removeprefix("www.")


def _scheme(address: str) -> str:
    """What is fetched in the same way: `http`, also for https, or `file`."""
    return address.partition(":")[0].lower().removesuffix("s")
