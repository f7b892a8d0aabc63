"""Records that nothing wraps: runs of siblings that begin alike, as h3, p, p, h3, p."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.leaves import Leaves
from webquarry.mining.records.candidates import Spans
from webquarry.mining.records.siblings import part_by_parent
from webquarry.model import Document

LEAST_SHARE = 0.05
"""Of the page's weight, for an element whose children may be parts of records."""
LEAST_CHILDREN = 4
ANCHORS = 3
"""How many ways to cut the children of one element are tried."""
OFTEN = 0.4
"""Share of the most frequent beginning's number that others need to be tried."""
HEADINGS = frozenset("caption dt h1 h2 h3 h4 h5 h6 legend summary".split())
STRAY = 0.2
"""Share of records that may hold a heading which they do not begin with."""
ALIKE = 0.4
"""Overlap of the first part of a record with its other parts above which they are records themselves."""


def find_sequences(document: Document, leaves: Leaves) -> Iterator[Spans]:
    """First nodes and stops of records that are runs of siblings."""
    is_large = leaves.totals >= max(1.0, LEAST_SHARE * leaves.totals[0])
    parts = np.flatnonzero((leaves.counts[1:] > 0) & is_large[document.parents[1:]]) + 1
    headings = np.concatenate([[0], np.cumsum(document.has_tag(HEADINGS))])  # before each node
    for children in part_by_parent(document, parts):
        if len(children) >= LEAST_CHILDREN:
            headed = headings[document.ends[children]] > headings[children]
            yield from _cut(document, leaves, children, headed.tolist())


def _cut(document: Document, leaves: Leaves, children: NDArray[np.int64], headed: list[bool]) -> Iterator[Spans]:
    """The ways in which children can be cut into records; `headed` tells which of them hold a heading."""
    parts, classes = _parts_of(document, leaves, children), _classes_of(document, children)
    if len(set(parts)) == len(set(classes)) == 1:
        return  # as in a plain list, whose entries need no cutting
    tried: set[tuple[int, ...]] = set()
    signs = [frozenset[Hashable](part | name) for part, name in zip(parts, classes, strict=True)]
    for places in _beginnings(signs, headed):
        if tuple(places) in tried:
            continue
        tried.add(tuple(places))
        stops = [*places[1:], _last_stop(parts, places)]
        runs = list(zip(places, stops, strict=True))
        is_long = median(stop - start for start, stop in runs) >= 2
        if is_long and not _begins_again(parts, runs) and not _ends_with_heading(headed, runs):
            yield children[places], document.ends[children[np.array(stops) - 1]].astype(np.int64)


def _ends_with_heading(headed: list[bool], runs: list[tuple[int, int]]) -> bool:
    """Whether records have a heading that they do not begin with: it heads what follows, not what it ends."""
    return sum(any(headed[start + 1 : stop]) and not headed[start] for start, stop in runs) > STRAY * len(runs)


def _parts_of(document: Document, leaves: Leaves, children: NDArray[np.int64]) -> list[frozenset[int]]:
    """For each child the paths to its leaves, its own tag among them."""
    starts, stop = leaves.starts[children], int(leaves.starts[document.ends[children[-1]]])
    inside = slice(int(starts[0]), stop)
    codes = (leaves.shapes[leaves.owners[inside]] * np.uint64(2) + leaves.is_image[inside]).tolist()
    bounds = [*(starts - starts[0]).tolist(), len(codes)]
    return [frozenset(codes[start:stop]) for start, stop in pairwise(bounds)]


def _classes_of(document: Document, children: NDArray[np.int64]) -> list[frozenset[str]]:
    """For each child its tag and class together, where it has a class."""
    names = [document.attributes[child].get("class", "") for child in children.tolist()]
    return [
        frozenset([f"{document.tag(child)}.{name}"] if name else [])
        for child, name in zip(children.tolist(), names, strict=True)
    ]


def _beginnings(signs: list[frozenset[Hashable]], headed: list[bool]) -> list[list[int]]:
    """Places of the children that records may begin with: those with a sign that comes back, but not in each."""
    places: dict[Hashable, list[int]] = {}
    for place, found_here in enumerate(signs):
        for sign in found_here:
            places.setdefault(sign, []).append(place)
    periodic = [
        found
        for found in places.values()
        if len(found) > 1 and median(after - before for before, after in pairwise(found)) >= 2
    ]
    most = max(map(len, periodic), default=0)
    frequent = [found for found in periodic if len(found) >= OFTEN * most or all(headed[place] for place in found)]
    return sorted(frequent, key=lambda found: (found[0], -len(found), found))[:ANCHORS]


def _last_stop(parts: list[frozenset[int]], places: list[int]) -> int:
    """Where the last record ends: it has only parts that others have, and no more of them than the longest."""
    known = frozenset[int]().union(*parts[places[0] : places[-1]])
    longest = max(after - before for before, after in pairwise(places))
    stop = places[-1] + 1
    while stop < min(len(parts), places[-1] + longest) and parts[stop] <= known:
        stop += 1
    return stop


def _begins_again(parts: list[frozenset[int]], runs: list[tuple[int, int]]) -> bool:
    """Whether the later parts of records look like their first: then each part is a record itself."""
    likest = [
        max((_overlap(parts[start], part) for part in parts[start + 1 : stop]), default=0.0) for start, stop in runs
    ]
    return sum(likest) > ALIKE * len(likest)


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / (len(one | other) or 1)
