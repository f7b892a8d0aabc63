"""Tell what a page is for if it is not to be read: a feed, a reference to another page, a shell that scripts fill."""

from __future__ import annotations

import re

import numpy as np

from webquarry.html.urls import make_resolver
from webquarry.model.document import Document

_FEEDS = {"rss": "channel", "feed": "entry", "rdf:rdf": "channel"}
"""Elements that hold a feed, each with one that feeds have inside of it."""
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*url\s*=\s*[\"']?([^\"'>]+)", re.IGNORECASE)
_MAX_LETTERS_OF_REFERENCE = 400
"""Letters of a page that only refers to another: `You are being redirected` in a few words and languages."""
_MAX_LETTERS_OF_SHELL = 1_000
"""Letters of a page before its scripts have run: a menu and a footer at most."""
_DATA_TYPES = ("json", "template", "text/plain", "text/html")
"""Parts of the types of scripts that do not run."""


def is_feed(document: Document) -> bool:
    """Tell whether a document is an RSS or Atom feed, whatever its file is called.

    >>> is_feed(Document("<?xml version='1.0'?><rss version='2.0'><channel><title>A</title></channel></rss>"))
    True
    >>> is_feed(Document("<p>An <code>rss</code> element holds a channel."))
    False
    """
    names = document.tag_names
    return any(outer in names and inner in names for outer, inner in _FEEDS.items())


def find_reference(document: Document) -> str:
    """Find the address that a page refers to at once, if it does nothing else; empty if it does.

    >>> find_reference(Document("<meta http-equiv=refresh content='0; url=/new'><p>Moved.", url="https://example.org/"))
    'https://example.org/new'
    """
    for node in document.has_tag(["meta"]).nonzero()[0].tolist():
        own = document.attributes[node]
        match = _REFRESH.match(own.get("content", "")) if own.get("http-equiv", "").lower() == "refresh" else None
        if match is not None and _count_letters(document) <= _MAX_LETTERS_OF_REFERENCE:
            return make_resolver(document)(match[1].strip()) or ""
    return ""


def is_filled_by_scripts(document: Document) -> bool:
    """Tell whether a page shows hardly any text, and has scripts that may load it."""
    scripts = np.flatnonzero(document.has_tag(["script"])).tolist()
    types = (document.attributes[node].get("type", "").lower() for node in scripts)
    runs = any(not any(part in name for part in _DATA_TYPES) for name in types)
    return runs and document.kind != "scripts" and _count_letters(document) <= _MAX_LETTERS_OF_SHELL


def _count_letters(document: Document) -> int:
    texts = document.texts
    return sum(len(texts[node].strip()) for node in document.seen_texts.tolist())


def explain_nothing(document: Document) -> str:
    """Say why a page has no main text, and what to do; empty if nothing explains it."""
    if is_feed(document):
        return "it is a feed, which names pages, and not an article"
    if address := find_reference(document):
        return f"it only refers to {address}"
    if is_filled_by_scripts(document):
        return "try --scripts, as scripts may load it"
    return ""
