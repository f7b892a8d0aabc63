"""Candidates: groups of records that a page may be made of, before any is judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of each group."""
        return np.diff(self.offsets)

    def records(self, group: int) -> slice:
        """The places of a group's records."""
        return slice(int(self.offsets[group]), int(self.offsets[group + 1]))

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """For each group the sum of the values of its records."""
        return np.bincount(self.groups, values, self.count).astype(np.float64, copy=False)


Spans = tuple[NDArray[np.int64], NDArray[np.int64]]


def gather_candidates(groups: list[Spans]) -> Candidates:
    """Groups, each the first nodes and stops of its records, as columns."""
    sizes = [len(first) for first, _ in groups]
    none = [np.zeros(0, dtype=np.int64)]
    return Candidates(
        first=np.concatenate([first for first, _ in groups] or none).astype(np.int64),
        stop=np.concatenate([stop for _, stop in groups] or none).astype(np.int64),
        groups=np.repeat(np.arange(len(groups)), sizes),
        offsets=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
    )


def find_candidates(document: Document, leaves: Leaves) -> Candidates:
    """All groups of at least two records that hold a share of the page worth judging.

    Elements of the same tag path are a group, which brings records of one kind together whatever holds them; so are
    those of them that are as wide, and those of one parent.  Runs of siblings are others: see `sequences.py`.
    """
    groups: dict[bytes, Spans] = {}
    elements = _can_be_records(document, leaves)
    weights = leaves.totals
    least = LEAST_SHARE * weights[0]
    for nodes in _of_one_path(leaves, elements):
        if weights[nodes].sum() >= least:
            for part in _parts(document, nodes):
                if len(part) > 1 and weights[part].sum() >= least:
                    groups.setdefault(part.tobytes(), (part, document.ends[part].astype(np.int64)))
    for nodes in _of_one_class(document, leaves, elements):
        if weights[nodes].sum() >= least:
            groups.setdefault(nodes.tobytes(), (nodes, _stops_before_nested(document, leaves, nodes)))
    return gather_candidates(_affordable(leaves, [*groups.values(), *find_sequences(document, leaves)]))


def _can_be_records(document: Document, leaves: Leaves) -> NDArray[np.int64]:
    counts = leaves.starts[document.ends] - leaves.starts[:-1]
    can_be = _named(document, frozenset(document.tag_names) - INLINE - {"html", "body"}) & (counts > 0)
    return np.flatnonzero(can_be | (_named(document, WRAPPING) & (counts > 1)))


def _of_one_path(leaves: Leaves, elements: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    ordered = elements[np.argsort(leaves.paths[elements], kind="stable")]
    bounds = np.flatnonzero(np.diff(leaves.paths[ordered])) + 1
    return (nodes for nodes in np.split(ordered, bounds) if len(nodes) > 1)


def _of_one_class(document: Document, leaves: Leaves, elements: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Elements of the same tag and class that stand at several depths, as posts and replies do."""
    groups: dict[tuple[int, str], list[int]] = {}
    tags = document.tags.tolist()
    for node in elements.tolist():
        name = document.attributes[node].get("class")
        if name:
            groups.setdefault((tags[node], name), []).append(node)
    for nodes in groups.values():
        depths = leaves.depths[nodes]
        if len(nodes) > 1 and depths.min() < depths.max():
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


def _parts(document: Document, nodes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    yield nodes
    if len(nodes) > 3 and document.layout is not None:
        widths = document.layout.boxes[nodes, 2]
        yield from _split(nodes, _steps(np.nan_to_num(widths)))
    yield from _split(nodes, document.parents[nodes])
    names: dict[tuple[int, str], int] = {}
    classes = [document.attributes[node].get("class", "") for node in nodes.tolist()]
    if len(set(classes)) <= MOST_CLASSES:
        keys = zip(document.parents[nodes].tolist(), classes, strict=True)
        yield from _split(nodes, np.array([names.setdefault(key, len(names)) for key in keys], dtype=np.int32))


def _split(nodes: NDArray[np.int64], labels: NDArray[np.int32]) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(labels, kind="stable")
    bounds = np.flatnonzero(np.diff(labels[order])) + 1
    if len(bounds):
        yield from np.split(nodes[order], bounds)


def _steps(widths: NDArray[np.float32]) -> NDArray[np.int32]:
    """A label for each width, the same where they differ little.

    >>> _steps(np.array([300, 100, 310, 102], dtype=np.float32)).tolist()
    [1, 0, 1, 0]
    """
    order = np.argsort(widths, kind="stable")
    least, share = WIDTH_STEP
    ordered = widths[order]
    is_step = np.diff(ordered) > np.maximum(least, share * ordered[1:])
    labels = np.zeros(len(widths), dtype=np.int32)
    labels[order[1:]] = np.cumsum(is_step)
    return labels


def _affordable(leaves: Leaves, groups: list[Spans]) -> list[Spans]:
    """The groups in their order until they hold too many leaves together."""
    counts = [int((leaves.starts[stop] - leaves.starts[first]).sum()) for first, stop in groups]
    affordable = int(np.searchsorted(np.cumsum(counts), MOST_PAIRS, side="right"))
    return groups[: max(1, affordable)]
