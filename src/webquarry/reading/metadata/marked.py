"""What is marked on the page itself: microdata, RDFa, `time`, `rel=author`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from webquarry.model.document import Document
from webquarry.reading.metadata.statements import Statements

_AUTHORS = ("author", "creator")
_DATES = ("datePublished", "dateCreated")
_REVISIONS = ("dateModified",)
_WANTED = frozenset((*_AUTHORS, *_DATES, *_REVISIONS))
_OTHERS = re.compile(r"Comment|Answer|Review|Rating|Person|Organization|ListItem|Offer|Image|Video")
"""Types of items that are not what the page is about."""
_MOST = 100
"""Properties of a page, and nodes of a property, that are looked at: an article's own are among the first."""
_VALUES_IN = ("content", "datetime")
"""Attributes that hold a value in the place of the text."""


def read_marked(document: Document) -> Statements:
    """What is stated of the first item that is not a comment or the like."""
    marked = list(_own(document, islice(_find_properties(document), _MOST)))
    authors = [node for node, name in marked if name in _AUTHORS] or _links_to_author(document)
    return Statements(
        authors=tuple(_name(document, node) for node in _first_scope(document, authors)),
        dates=tuple(_values(document, marked, _DATES)),
        page_dates=tuple(_values(document, marked, _REVISIONS)),
    )


def _find_properties(document: Document) -> Iterator[tuple[int, str]]:
    """Elements with the property that they are marked as; of a name with a prefix what follows it."""
    attributes = document.attributes
    elements = np.flatnonzero(document.tags >= 0).tolist()
    for node in [each for each in elements if "itemprop" in (own := attributes[each]) or "property" in own]:
        own = attributes[node]
        for name in f"{own.get('itemprop', '')} {own.get('property', '')}".split():
            if (bare := name.rpartition(":")[2]) in _WANTED:
                yield node, bare


def _own(document: Document, marked: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Those that are not of a comment, an answer or the like."""
    for node, name in marked:
        scope = _scope(document, node)
        if scope < 0 or not _OTHERS.search(_type(document, scope)):
            yield node, name


def _scope(document: Document, node: int) -> int:
    """The item that a property is of; -1 when it is of none."""
    above = int(document.parents[node])
    while above > 0 and not ({"itemscope", "typeof"} & document.attributes[above].keys()):
        above = int(document.parents[above])
    return above if above > 0 else -1


def _type(document: Document, scope: int) -> str:
    own = document.attributes[scope]
    return own.get("itemtype", "") + own.get("typeof", "")


def _first_scope(document: Document, nodes: list[int]) -> list[int]:
    return [node for node in nodes if _scope(document, node) == _scope(document, nodes[0])]


def _values(document: Document, marked: list[tuple[int, str]], names: tuple[str, ...]) -> Iterator[str]:
    for wanted in names:
        for node, name in marked:
            if name == wanted:
                yield _value(document, node)


def _value(document: Document, node: int) -> str:
    own = document.attributes[node]
    return next((own[name] for name in _VALUES_IN if own.get(name)), "") or document.text(node)


def _name(document: Document, node: int) -> str:
    """The name of a person, who is often an item with a name in it."""
    for below in range(node + 1, min(node + _MOST, int(document.ends[node]))):
        own = document.attributes[below]
        if "name" in f"{own.get('itemprop', '')} {own.get('property', '')}".replace(":", " ").split():
            return _value(document, below)
    return _value(document, node)


def _links_to_author(document: Document) -> list[int]:
    attributes = document.attributes
    links = np.flatnonzero(document.has_tag(["a"]) & ~document.hidden).tolist()
    return [node for node in links if "author" in attributes[node].get("rel", "").split()][:1]
