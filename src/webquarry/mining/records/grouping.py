"""Finding candidates: which elements and runs of siblings could be records of one kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.leaves import Leaves
from webquarry.mining.records.candidates import Candidates, Spans, gather_candidates
from webquarry.mining.records.menus import find_menus
from webquarry.mining.records.sequences import find_sequences
from webquarry.model import Document

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
