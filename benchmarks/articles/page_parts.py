"""Write the parts that pages of every kind share: the document, lists of links, repeated elements, stated data."""

from __future__ import annotations

import json
from collections.abc import Callable

from benchmarks.articles.made_sites import Prose

T = "data-true"
"""Marks the content; it means nothing to any reader."""
Make = Callable[[Prose], str]


def page(title: str, body: str, head: str = "", classes: str = "") -> str:
    """Write a document."""
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title>{head}</head>"
        f"<body class='{classes}'>{body}</body></html>"
    )


def json_ld(**stated: object) -> str:
    """Write data that the page states."""
    text = json.dumps({"@context": "https://schema.org", **stated})
    return f"<script type='application/ld+json'>{text}</script>"


def links(prose: Prose, count: int, words: int = 2, item: str = "<li><a href='/{0}'>{1}</a></li>") -> str:
    """Write links, each of some words."""
    return "".join(item.format(prose.number(1, 9999), prose.words(words)) for _ in range(count))


def join(make: Callable[[int], str], count: int) -> str:
    """Write an element again and again; it is given its place."""
    return "".join(make(place) for place in range(count))
