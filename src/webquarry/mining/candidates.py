"""Finding candidates: which elements and runs of siblings could be records of one kind."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.page.leaves import Leaves


# MERGED mining/records/candidates: Candidates as columns: groups of records that a page may be made of, befo
@dataclass(frozen=True)
class Candidates:
    """Columns with one entry a record, those of a group side by side, in document order within each."""

    first: NDArray[np.int64]
    """The first node of each record."""
    stop: NDArray[np.int64]
    """The number after the last node of each record."""
    groups: NDArray[np.int64]
    """The group of each record."""
    offsets: NDArray[np.int64]
    """Where each group begins, and where the last one ends."""

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.offsets) - 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of each group."""
        return np.diff(self.offsets)

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """First node and stop of each record, side by side."""
        return np.column_stack([self.first, self.stop])

    def first_groups(self, count: int) -> Candidates:
        """So many groups of these."""
        stop = int(self.offsets[count])
        return Candidates(self.first[:stop], self.stop[:stop], self.groups[:stop], self.offsets[: count + 1])

    def records(self, group: int) -> slice:
        """The places of a group's records."""
        return slice(int(self.offsets[group]), int(self.offsets[group + 1]))

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """For each group the sum of the values of its records."""
        return np.bincount(self.groups, values, self.count).astype(np.float64, copy=False)


Spans = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The first nodes of the records of a group, and the numbers after their last."""


def gather_candidates(groups: list[Spans]) -> Candidates:
    """Groups as columns."""
    sizes = [len(first) for first, _ in groups]
    none = [np.zeros(0, dtype=np.int64)]
    return Candidates(
        first=np.concatenate([first for first, _ in groups] or none).astype(np.int64),
        stop=np.concatenate([stop for _, stop in groups] or none).astype(np.int64),
        groups=np.repeat(np.arange(len(groups)), sizes),
        offsets=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
    )


# MERGED mining/records/siblings: Siblings: nodes of one parent.
def part_by_parent(document: Document, nodes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The nodes in parts of one parent each, in their order within each."""
    parents = document.parents[nodes]
    order = np.argsort(parents, kind="stable")
    return np.split(nodes[order], np.flatnonzero(np.diff(parents[order])) + 1)


# MERGED mining/records/sequences: Records that nothing wraps: runs of siblings that begin alike, as h3, p, p
LEAST_SHARE_SEQUENCES = 0.05
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
    is_large = leaves.totals >= max(1.0, LEAST_SHARE_SEQUENCES * leaves.totals[0])
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


# MERGED mining/records/menus: Menus: links side by side or below each other, however small their share of th
LEAST_ENTRIES = 3
MOST_LEVELS = 6
"""Elements around a link that hold nothing else."""


def find_menus(document: Document, leaves: Leaves, lone_links: NDArray[np.bool_]) -> Iterator[Spans]:
    """First nodes and stops of entries with one parent, each of which is a link and what is around it alone."""
    entries = leaves.owners[lone_links]
    for _ in range(MOST_LEVELS):
        above = document.parents[entries]
        entries = np.where(leaves.counts[above] == 1, above, entries)
    for nodes in part_by_parent(document, entries):
        if len(nodes) >= LEAST_ENTRIES:
            yield nodes.astype(np.int64), document.ends[nodes].astype(np.int64)


LEAST_SHARE = 0.02
"""Of the page's weight, for a group that is worth judging."""
MOST_PAIRS = 3_000_000
"""Records times their leaves, all candidates together: pages that ask for more are thousands of levels deep."""
WIDTH_STEP = 14, 0.08
"""Pixels, and share of the width, by which records of two kinds differ at least."""
INLINE = frozenset(
    "a abbr b bdi bdo big br button cite code del dfn em font i img input ins kbd label mark option q s samp select "
    "small span strike strong sub sup time tt u var wbr".split()
)
WRAPPING = frozenset(["a", "button", "label", "span"])
"""Inline elements that pages also wrap whole records in."""


def find_candidates(document: Document, leaves: Leaves, lone_links: NDArray[np.bool_]) -> Candidates:
    """All groups of at least two records that hold a share of the page worth judging.

    Elements of the same tag path are a group, which brings records of one kind together whatever holds them; so are
    those of them that are as wide, that have one parent, and that have one class there.  Elements of one class at
    several depths are another kind of group, menus and runs of siblings are further ones.
    """
    elements = _can_be_records(document, leaves)
    classes = _class_codes(document, elements)
    least = LEAST_SHARE * leaves.totals[0]
    groups: dict[bytes, Spans] = {}
    for labels in _labellings(document, leaves, elements, classes):
        for nodes in _partition(leaves, elements, labels, least):
            groups.setdefault(nodes.tobytes(), (nodes, document.ends[nodes].astype(np.int64)))
    for nodes in _partition(leaves, elements, classes, least):
        if np.ptp(leaves.depths[nodes]) and document.attributes[nodes[0]].get("class"):
            groups.setdefault(nodes.tobytes(), (nodes, _stops_before_nested(document, leaves, nodes)))
    for first, stop in find_menus(document, leaves, lone_links):
        groups.setdefault(first.tobytes(), (first, stop))
    return _affordable(leaves, gather_candidates([*groups.values(), *find_sequences(document, leaves)]))


def _can_be_records(document: Document, leaves: Leaves) -> NDArray[np.int64]:
    can_be = document.has_tag(frozenset(document.tag_names) - INLINE - {"html", "body"}) & (leaves.counts > 0)
    return np.flatnonzero(can_be | (document.has_tag(WRAPPING) & (leaves.counts > 1)))


def _class_codes(document: Document, elements: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each element a number that it shares with those of the same tag and class."""
    codes: dict[tuple[int, str], int] = {}
    named = zip(document.tags[elements].tolist(), elements.tolist(), strict=True)
    keys = ((tag, document.attributes[node].get("class", "")) for tag, node in named)
    return np.array([codes.setdefault(key, len(codes)) for key in keys], dtype=np.int64)


def _labellings(
    document: Document, leaves: Leaves, elements: NDArray[np.int64], classes: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    """Ways to part the elements into groups: the same number for those of one."""
    paths: NDArray[np.int64] = np.unique(leaves.paths[elements], return_inverse=True)[1]
    yield paths
    if document.layout is not None:
        yield _width_steps(paths, np.nan_to_num(document.layout.boxes[elements, 2]))
    siblings = paths * len(document) + document.parents[elements]
    yield siblings
    yield siblings * (int(classes.max(initial=0)) + 1) + classes


def _stops_before_nested(document: Document, leaves: Leaves, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each record ends, or where what holds the first of those nested in it begins."""
    stops = document.ends[nodes].astype(np.int64)
    for place in np.flatnonzero(nodes[1:] < stops[:-1]).tolist():
        holder = int(nodes[place + 1])
        while leaves.starts[document.parents[holder]] == leaves.starts[holder]:
            holder = int(document.parents[holder])
        stops[place] = max(holder, int(nodes[place]) + 1)
    return stops


def _partition(
    leaves: Leaves, nodes: NDArray[np.int64], labels: NDArray[np.int64], least: float
) -> Iterator[NDArray[np.int64]]:
    """Nodes of one label, where there are several that hold enough."""
    order = np.argsort(labels, kind="stable")
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(labels[order])) + 1, [len(nodes)]])
    sums = np.concatenate([[0.0], np.cumsum(leaves.totals[nodes[order]])])[bounds]
    worthy = (np.diff(bounds) > 1) & (np.diff(sums) >= least)
    for start, stop in np.column_stack([bounds[:-1], bounds[1:]])[worthy].tolist():
        yield nodes[order[start:stop]]


def _width_steps(paths: NDArray[np.int64], widths: NDArray[np.float32]) -> NDArray[np.int64]:
    """A number for each width of a path, the same where they differ little.

    >>> _width_steps(np.zeros(4, dtype=np.int64), np.array([300, 100, 310, 102], dtype=np.float32)).tolist()
    [1, 0, 1, 0]
    """
    order = np.lexsort((widths, paths))
    least, share = WIDTH_STEP
    is_step = np.diff(widths[order]) > np.maximum(least, share * widths[order[1:]])
    steps = np.zeros(len(widths), dtype=np.int64)
    steps[order[1:]] = np.cumsum(is_step | (np.diff(paths[order]) > 0))
    return steps


def _affordable(leaves: Leaves, candidates: Candidates) -> Candidates:
    """The groups in their order until they hold too many leaves together; the first in any case."""
    pairs = np.cumsum(leaves.starts[candidates.stop] - leaves.starts[candidates.first])
    if not len(pairs) or pairs[-1] <= MOST_PAIRS:
        return candidates
    kept = max(1, int(np.searchsorted(pairs[candidates.offsets[1:] - 1], MOST_PAIRS, side="right")))
    return candidates.first_groups(kept)
