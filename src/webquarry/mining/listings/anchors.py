"""The links of a document, each with its labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webquarry.html.kinds import Kind
from webquarry.html.resolving import Resolver, make_resolver
from webquarry.model import Document

LARGEST = 60
"""Nodes of a link that is looked into: one around a whole card has no label."""
_PAGE = re.compile(r"(https?|file)://", re.IGNORECASE)


@dataclass(frozen=True)
class Anchor:
    """A link that a person sees and that leads to a page."""

    node: int
    address: str
    """Without fragment."""
    labels: tuple[str, ...]
    """What is written in it, and what its aria-label, its title and the alt of its images say; never empty texts."""
    relations: frozenset[str]
    """The words of its `rel`."""


def find_anchors(document: Document) -> list[Anchor]:
    """All links in document order."""
    resolve, hidden = make_resolver(document), document.hidden
    anchors = []
    for node in elements(document, "a"):
        address = None if hidden[node] else find_page(resolve, document.attributes[node].get("href"))
        if address is not None:
            relations = frozenset((document.attributes[node].get("rel") or "").lower().split())
            anchors.append(Anchor(node, address, tuple(_labels(document, node)), relations))
    return anchors


def find_page(resolve: Resolver, written: str | None) -> str | None:
    """The absolute address, without fragment, of the page that a link leads to; None when it leads to none."""
    address = resolve(written or "")
    return address.partition("#")[0] if address is not None and _PAGE.match(address) else None


def elements(document: Document, tag: str) -> Iterator[int]:
    """All elements of a tag, in document order."""
    yield from document.has_tag([tag]).nonzero()[0].tolist()


def is_named(document: Document, node: int, pattern: re.Pattern[str], *attributes: str) -> bool:
    """Whether a word of one of the attributes fits."""
    values = document.attributes[node]
    return any(pattern.search(word) is not None for name in attributes for word in (values.get(name) or "").split())


def _labels(document: Document, node: int) -> Iterator[str]:
    stop = int(document.ends[node])
    if stop - node <= LARGEST:
        yield from filter(None, [_text(document, node, stop)])
    for inner in range(node, min(stop, node + LARGEST)):
        for name in ("aria-label", "title", "alt"):
            label = " ".join((document.attributes[inner].get(name) or "").split())
            if label:
                yield label


def _text(document: Document, node: int, stop: int) -> str:
    hidden = document.hidden
    texts = [
        document.texts[inner] for inner in range(node, stop) if document.kinds[inner] == Kind.TEXT and not hidden[inner]
    ]
    return " ".join(" ".join(texts).split())
