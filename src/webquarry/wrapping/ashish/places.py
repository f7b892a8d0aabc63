"""From places in the markup to elements of the tree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np
import turbohtml

from webquarry.html.parsing import tame
from webquarry.model import Document

_NEVER = 1 << 62  # behind every place of a page


def elements_at(document: Document, markup: str, places: Sequence[int]) -> Iterator[int]:
    """For each place, in page order, the innermost element that is open there, as far as its tags tell.

    It is the root where that is not known: on a page whose tree is not that of its markup, because scripts ran or
    because it was tamed.
    """
    nodes = np.flatnonzero(document.tags >= 0).tolist()
    spans = _spans(markup)
    if len(spans) != len(nodes):
        yield from [nodes[0] if nodes else 0] * len(places)
        return
    closed = _closed(document, nodes, spans)
    opened = sorted((start, node) for node, (start, _) in zip(nodes, spans, strict=True) if start >= 0)
    starts = [start for start, _ in opened]
    last, node = -2, 0
    for place in places:
        index = bisect_right(starts, place) - 1
        if index != last:  # otherwise go on from where the last place was: elements are left once
            last, node = index, opened[index][1] if index >= 0 else nodes[0]
        while closed[node] <= place and int(document.parents[node]) in closed:
            node = int(document.parents[node])
        yield node


def _spans(markup: str) -> list[tuple[int, int]]:
    """Where the start tag of each element begins and its end tag ends; -1 and never for tags that are not written."""
    if tame(markup) != markup:
        return []
    try:
        tree = turbohtml.parse(markup, source_locations=True, allow_declarative_shadow_roots=False)
        return [_span(element) for element in tree.iter_elements()]
    except UnicodeDecodeError:  # lone surrogates in names
        return []


def _span(element: turbohtml.Element) -> tuple[int, int]:
    location = element.source_location
    if location is None:
        return -1, _NEVER
    return location.start_tag.start_offset, location.end_tag.end_offset if location.end_tag else _NEVER


def _closed(document: Document, nodes: Sequence[int], spans: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For each element the first place where it, or an element that holds it, has ended."""
    closed: dict[int, int] = {}
    for node, (_, end) in zip(nodes, spans, strict=True):
        closed[node] = min(end, closed.get(int(document.parents[node]), _NEVER))
    return closed
