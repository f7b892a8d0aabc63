"""Finding: where the records of a listing stand on a page."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

import numpy as np

from webquarry.model import Kind, ListingRule
from webquarry.wrapping.listings.signatures import TEXT, Path, read_signature
from webquarry.wrapping.listings.views import View

LEAST_FIT = 0.3
"""Of what the signature of a region says, what must hold: pages of a site differ in their outer frames."""
_NAME_WEIGHT = 2
"""Of an `id`, in class names: it names one thing alone."""

Span = tuple[int, int]


def find_records(rule: ListingRule, view: View) -> list[Span]:
    """For each record its first node, and the number after its last.

    The region is the element that fits its signature best among those that hold records; equals are one region in
    several parts.
    """
    firsts = _choose(rule, view, _find_firsts(rule, view))
    if is_whole(rule):
        return [(first, view.ends[first]) for first in firsts]
    return [_span(view, first, firsts, rule.span) for first in firsts]


def is_whole(rule: ListingRule) -> bool:
    """Whether each record is one element."""
    return rule.span == 1 and not any(path and path[-1].tag == TEXT for path in read_signature(rule.record))


def fit(path: Path, view: View, node: int) -> int:
    """How much of a region's signature a node and what holds it fulfil, from the inside outwards."""
    total = 0
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag or (step.place and view.place(node) != step.place):
            break
        is_called = step.name and view.attributes[node].get("id") == step.name
        total += 1 + len(step.classes & view.classes(node)) + (_NAME_WEIGHT if is_called else 0)
        node = view.parents[node]
    return total


def most_fit(path: Path) -> int:
    """What the region fulfils that a signature was made of."""
    return sum(1 + len(step.classes) + (_NAME_WEIGHT if step.name else 0) for step in path)


def _find_firsts(rule: ListingRule, view: View) -> dict[int, list[int]]:
    """For each element that may be the region the first nodes of its records."""
    found: dict[int, list[int]] = defaultdict(list)
    holders = {path[-1].tag for path in read_signature(rule.region) if path}
    for path in read_signature(rule.record):
        if not path:
            continue
        for node in _nodes_of(view, path[-1].tag):
            holder = _climb(view, node, path)
            if holder is not None and view.name(holder) in holders and view.fits(path, node):
                found[holder].append(node)
    return found


def _nodes_of(view: View, tag: str) -> list[int]:
    document = view.document
    matches = document.kinds == Kind.TEXT if tag == TEXT else document.has_tag([tag])
    nodes: list[int] = np.flatnonzero(matches & ~document.hidden).tolist()
    return [node for node in nodes if tag != TEXT or not view.texts[node].isspace()]


def _climb(view: View, node: int, path: Path) -> int | None:
    """What holds the path that ends in a node; None when its tags are others."""
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag:
            return None
        node = view.parents[node]
    return node


def _choose(rule: ListingRule, view: View, found: dict[int, list[int]]) -> list[int]:
    paths = read_signature(rule.region)
    fits = {holder: max(fit(path, view, holder) for path in paths) for holder in found}
    best = max(fits.values(), default=0)
    if best < LEAST_FIT * max(map(most_fit, paths), default=0):
        return []
    firsts = sorted(node for holder, nodes in found.items() if fits[holder] == best for node in nodes)
    outer: list[int] = []
    for node in firsts:
        if not outer or node >= view.ends[outer[-1]]:
            outer.append(node)
    return outer


def _span(view: View, first: int, firsts: list[int], most: int) -> Span:
    """The siblings of a record: up to the next one, and no more than there may be."""
    place = bisect_right(firsts, first)
    limit = min(view.ends[view.parents[first]], firsts[place] if place < len(firsts) else len(view.tags))
    node, stop, count = first, first, 0
    while node < limit and (count < most or not most):
        if counts(view, node):
            count, stop = count + 1, view.ends[node]
        node = view.ends[node]
    return first, stop


def counts(view: View, node: int) -> bool:
    """Whether a sibling is one that a record's size is counted in."""
    return view.tags[node] >= 0 or (view.is_text[node] and not view.texts[node].isspace())
