"""Rendered documents of a corpus, made once in a run however many parts need them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import webquarry as wq
from benchmarks.corpora import page_of
from benchmarks.listings import listings
from benchmarks.pool import show_progress
from benchmarks.stripping import without_styles
from webquarry.html.decoding import decode
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page


@cache
def rendered_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """The documents of the records corpus; None for a page that could not be rendered."""
    return _render([listing.page for listing in listings(root, count)], "rendering the records corpus")


@cache
def unstyled_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """The same pages rendered without any author styles."""
    pages = [page_of(each.page.url, without_styles(decode(each.page.body))) for each in listings(root, count)]
    return _render(pages, "rendering it without CSS")


@cache
def static_listings(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """The same pages, not rendered."""
    return tuple(wq.clean(listing.page) for listing in listings(root, count))


def _render(pages: Sequence[Page], label: str) -> tuple[Document | None, ...]:
    results = show_progress(wq.render_all(pages), len(pages), label)
    return tuple(None if isinstance(result, Failure) else result for result in results)
