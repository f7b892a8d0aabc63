"""Generated listings of any length, to see how time grows with the number of nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import webquarry as wq
from benchmarks.corpora import page_of
from benchmarks.pool import show_progress
from webquarry.model.document import Document
from webquarry.model.page import Failure

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
"""Nodes, about."""
_SECONDS = 300.0  # for a page; the longest take a browser ten on a machine with nothing else to do


def _item(number: int) -> str:
    picture = f'<img width="40" height="40" alt="picture {number}">' if number % 3 else ""
    return (
        f'<li class="item">{picture}<h3><a href="/{number}">Thing number {number}</a></h3>'
        f"<p>It has {number % 7} parts and <em>lasts</em> {number % 11} years.</p><span>EUR {number}.50</span></li>"
    )


def _row(number: int) -> str:
    return f'<tr><td>{number}</td><td><a href="/{number}">Town {number}</a></td><td>{number * 7}</td><td>yes</td></tr>'


def _entry(number: int) -> str:
    return f'<h3><a href="/{number}">Entry {number}</a></h3><p>Said on day {number % 31} by <b>someone</b>.</p>'


KINDS: dict[str, tuple[str, Callable[[int], str], str, int]] = {
    "list": ("<ul>", _item, "</ul>", 12),
    "table": ("<table>", _row, "</table>", 10),
    "headings": ("<div>", _entry, "</div>", 8),
}
"""For each kind what opens the listing, a record, what closes it, and about how many nodes a record has."""


def make_markup(kind: str, nodes: int) -> str:
    """A page of one long listing with about so many nodes."""
    opened, make, closed, size = KINDS[kind]
    records = "".join(make(number) for number in range(max(1, nodes // size)))
    return f"<!DOCTYPE html><title>Long</title><h1>Long</h1>{opened}{records}{closed}"


@cache
def rendered_long_pages(most: int) -> dict[tuple[str, int], Document]:
    """The pages of each kind and size up to the most nodes, rendered; without those that the browser did not manage."""
    wanted = [(kind, size) for kind in KINDS for size in SIZES if size <= most]
    pages = [page_of("https://long.example/", make_markup(kind, size)) for kind, size in wanted]
    results = show_progress(wq.render_all(pages, timeout=_SECONDS), len(pages), "rendering long pages")
    return {key: result for key, result in zip(wanted, results, strict=True) if not isinstance(result, Failure)}
