"""Finding candidates: which elements and runs of siblings could be records of one kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.candidates import Candidates, Spans, gather_candidates
from webquarry.mining.leaves import Leaves
from webquarry.mining.sequences import find_sequences
from webquarry.model import Document

LEAST_SHARE = 0.02
"""Of the page's weight, for a group that is worth judging."""
MOST_PAIRS = 3_000_000
"""Records times their leaves, all candidates together: pages that ask for more are thousands of levels deep."""
WIDTH_STEP = 14, 0.08
"""Pixels, and share of the width, by which records of two kinds differ at least."""
MOST_CLASSES = 8
"""Types of records in one list; where each element has a class of its own, classes say nothing."""
INLINE = frozenset(
    "a abbr b bdi bdo big br button cite code del dfn em font i img input ins kbd label mark option q s samp select "
    "small span strike strong sub sup time tt u var wbr".split()
)
WRAPPING = frozenset(["a", "button", "label", "span"])
"""Inline elements that pages also wrap whole records in."""


def find_candidates(document: Document, leaves: Leaves) -> Candidates:
    """All groups of at least two records that hold a share of the page worth judging.

    Elements of the same tag path are a group, which brings records of one kind together whatever holds them; so are
    those of them that are as wide, and those of one parent.  Runs of siblings are others: see `sequences.py`.
    """
    groups: dict[bytes, Spans] = {}
    elements = _can_be_records(document, leaves)
    least = LEAST_SHARE * leaves.totals[0]
    for nodes in _partition(leaves, elements, leaves.paths[elements], least):
        for part in _parts(document, leaves, nodes, least):
            groups.setdefault(part.tobytes(), (part, document.ends[part].astype(np.int64)))
    for nodes in _of_one_class(document, leaves, elements):
        if leaves.totals[nodes].sum() >= least:
            groups.setdefault(nodes.tobytes(), (nodes, _stops_before_nested(document, leaves, nodes)))
    return gather_candidates(_affordable(leaves, [*groups.values(), *find_sequences(document, leaves)]))


def _can_be_records(document: Document, leaves: Leaves) -> NDArray[np.int64]:
    counts = leaves.starts[document.ends] - leaves.starts[:-1]
    can_be = _named(document, frozenset(document.tag_names) - INLINE - {"html", "body"}) & (counts > 0)
    return np.flatnonzero(can_be | (_named(document, WRAPPING) & (counts > 1)))


def _of_one_class(document: Document, leaves: Leaves, elements: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Elements of the same tag and class that stand at several depths, as posts and replies do."""
    groups: dict[tuple[int, str], list[int]] = {}
    tags = document.tags.tolist()
    for node in elements.tolist():
        name = document.attributes[node].get("class")
        if name:
            groups.setdefault((tags[node], name), []).append(node)
    for nodes in groups.values():
        if len(nodes) > 1 and np.ptp(leaves.depths[nodes]) > 0:
            yield np.array(nodes)


def _stops_before_nested(document: Document, leaves: Leaves, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each record ends, or where what holds the first of those nested in it begins."""
    stops = document.ends[nodes].astype(np.int64)
    for place in np.flatnonzero(nodes[1:] < stops[:-1]).tolist():
        holder = int(nodes[place + 1])
        while leaves.starts[document.parents[holder]] == leaves.starts[holder]:
            holder = int(document.parents[holder])
        stops[place] = max(holder, int(nodes[place]) + 1)
    return stops


def _named(document: Document, names: frozenset[str]) -> NDArray[np.bool_]:
    chosen = np.array([name in names for name in document.tag_names] + [False])
    return chosen[document.tags]


def _parts(document: Document, leaves: Leaves, nodes: NDArray[np.int64], least: float) -> Iterator[NDArray[np.int64]]:
    """The group itself, then those of it that are as wide, that have one parent, and that have one class there."""
    yield nodes
    parents = document.parents[nodes].astype(np.int64)
    if len(nodes) > 3 and document.layout is not None:
        yield from _partition(leaves, nodes, _steps(np.nan_to_num(document.layout.boxes[nodes, 2])), least)
    yield from _partition(leaves, nodes, parents, least)
    codes: dict[str, int] = {}
    classes = [codes.setdefault(document.attributes[node].get("class", ""), len(codes)) for node in nodes.tolist()]
    if 1 < len(codes) <= MOST_CLASSES:
        yield from _partition(leaves, nodes, parents * MOST_CLASSES + np.array(classes), least)


def _partition(
    leaves: Leaves, nodes: NDArray[np.int64], labels: NDArray[np.int64] | NDArray[np.uint64], least: float
) -> Iterator[NDArray[np.int64]]:
    """Nodes of one label, where there are several that hold enough."""
    order = np.argsort(labels, kind="stable")
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(labels[order])) + 1, [len(nodes)]])
    sums = np.concatenate([[0.0], np.cumsum(leaves.totals[nodes[order]])])[bounds]
    worthy = (np.diff(bounds) > 1) & (np.diff(sums) >= least)
    for start, stop in np.column_stack([bounds[:-1], bounds[1:]])[worthy].tolist():
        yield nodes[order[start:stop]]


def _steps(widths: NDArray[np.float32]) -> NDArray[np.int64]:
    """A label for each width, the same where they differ little.

    >>> _steps(np.array([300, 100, 310, 102], dtype=np.float32)).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(widths, kind="stable")
    least, share = WIDTH_STEP
    ordered = widths[order]
    is_step = np.diff(ordered) > np.maximum(least, share * ordered[1:])
    labels = np.zeros(len(widths), dtype=np.int64)
    labels[order[1:]] = np.cumsum(is_step)
    return labels


def _affordable(leaves: Leaves, groups: list[Spans]) -> list[Spans]:
    """The groups in their order until they hold too many leaves together."""
    counts = [int((leaves.starts[stop] - leaves.starts[first]).sum()) for first, stop in groups]
    affordable = int(np.searchsorted(np.cumsum(counts), MOST_PAIRS, side="right"))
    return groups[: max(1, affordable)]
