"""Author and date as they stand beside the heading of an article, for its readers' eyes."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from webquarry.html.kinds import Kind
from webquarry.model.document import Document
from webquarry.reading.metadata.statements import Statements

_BEFORE, _AFTER = 6, 15
"""Texts before and behind the heading that are looked at: a byline stands there, or none does."""
_NODES_A_TEXT = 10
"""Nodes that are looked through for a text: there are four or so for each."""
_HOLDERS = 3
"""Elements around a text whose classes count."""
_AUTHOR = re.compile(r"(?<![a-z])(?:author|byline|username|contributor)(?!s?[-_ ]?(?:bio|box|date|meta|image|avatar))")
_LABEL = re.compile(
    r"\A[\W_]*(?:(?:first |last )?(?:published|posted|updated|modified|reviewed|created|date|on|veröffentlicht|stand"
    r"|publié|publicado|pubblicato|am|le|el|il)\b[\s:]*)+",
    re.IGNORECASE,
)
_REVISED = re.compile(r"updat|modif|revi|review|edited|aktualisiert|actualiz|mis à jour|aggiorn", re.IGNORECASE)
_BY = re.compile(r"(?:(?:written|posted|published|article|words|story) )?(?:by|von|par|por)\b:?\s*", re.IGNORECASE)
_NO_NAME = re.compile(r"(?:visit|view|follow|more|read|see|all|about|share)\b|.*[:?!|]\Z", re.IGNORECASE)
_DIGIT = frozenset("0123456789")
_LONGEST_DATE, _SHORTEST_NAME, _LONGEST_NAME = 60, 3, 50  # characters


def read_shown(document: Document, heading: int, is_date: Callable[[str], bool]) -> Statements:
    """What stands beside the heading: dates, and texts that are marked as authors or follow a "by"."""
    authors: list[str] = []
    dates: list[str] = []
    revisions: list[str] = []
    after_by = False
    for node in _beside(document, heading):
        text = " ".join(document.texts[node].split())
        stated = _stamp(document, node) or (_LABEL.sub("", text) if _may_be_date(text) else "")
        by = _BY.match(text)
        name = text[by.end() :] if by else text
        if stated and is_date(stated):
            (revisions if _REVISED.search(text) else dates).append(stated)
        elif not authors and _may_be_name(name):
            is_named = name[0].isupper() and (after_by or by is not None)
            if is_named or _AUTHOR.search(_marks(document, node)):
                authors.append(name)
        after_by = not name
    return Statements(authors=tuple(authors), dates=(*dates, *revisions))


def _may_be_date(text: str) -> bool:
    return len(text) <= _LONGEST_DATE and not _DIGIT.isdisjoint(text)


def _may_be_name(text: str) -> bool:
    return _SHORTEST_NAME <= len(text) <= _LONGEST_NAME and not _NO_NAME.match(text)


def _stamp(document: Document, node: int) -> str:
    """What the `time` element that holds a text says for machines."""
    for _ in range(2):
        node = int(document.parents[node])
        if "datetime" in (own := document.attributes[node]):
            return own["datetime"]
    return ""


def _beside(document: Document, heading: int) -> list[int]:
    end = int(document.ends[heading])
    before = _texts(document, max(0, heading - _NODES_A_TEXT * _BEFORE), heading)
    return before[-_BEFORE:] + _texts(document, end, end + _NODES_A_TEXT * _AFTER)[:_AFTER]


def _texts(document: Document, start: int, stop: int) -> list[int]:
    """Texts that a reader sees, of the nodes from one to before another."""
    seen = (document.kinds[start:stop] == Kind.TEXT) & ~document.hidden[start:stop]
    return [node for node in (np.flatnonzero(seen) + start).tolist() if not document.texts[node].isspace()]


def _marks(document: Document, node: int) -> str:
    """The classes and the like of elements around a text, in small letters."""
    marks = []
    for _ in range(_HOLDERS):
        node = int(document.parents[node])
        if node <= 0:
            break
        own = document.attributes[node]
        marks.append(f"{own.get('class', '')} {own.get('rel', '')} {own.get('id', '')}")
    return " ".join(marks).lower()
