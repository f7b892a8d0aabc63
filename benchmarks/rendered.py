"""Render the records corpus once per run, for all parts that need it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import turbohtml

import webquarry as wq
from benchmarks.corpora import page_of
from benchmarks.listings import listings
from benchmarks.pool import show_progress
from webquarry.html.parsing import decode, parse_html
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page


@cache
def rendered_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """Render the records corpus; None for each page that fails."""
    return _render([listing.page for listing in listings(root, count)], "rendering the records corpus")


@cache
def unstyled_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """Render the same pages without author styles."""
    pages = [page_of(each.page.url, without_styles(decode(each.page.body))) for each in listings(root, count)]
    return _render(pages, "rendering it without CSS")


@cache
def static_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """Parse the same pages without rendering them."""
    return tuple(wq.clean(listing.page) for listing in listings(root, count))


def without_styles(markup: str) -> str:
    """Remove style sheets, style elements and style attributes.

    >>> without_styles('<link rel="alternate stylesheet" href=a.css><style>p {}</style><p style="color: red" class=a>x')
    '<html><head></head><body><p class="a">x</p></body></html>'
    """
    tree = parse_html(markup)
    sheets = [node for node in tree.select("link[rel]") if "stylesheet" in _relations(node)]
    for node in (*sheets, *tree.select("style")):
        node.extract()
    for node in tree.select("[style]"):
        del node.attrs["style"]
    return tree.html


def _relations(node: turbohtml.Element) -> str:
    said = node.attrs["rel"]
    return (" ".join(said) if isinstance(said, list) else str(said)).lower()


def _render(pages: Sequence[Page], label: str) -> tuple[Document | None, ...]:
    results = show_progress(wq.render_all(pages, offline=True), len(pages), label)
    return tuple(None if isinstance(result, Failure) else result for result in results)
