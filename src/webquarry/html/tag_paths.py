"""Compute tag paths: the tags from the root to an element, without places among siblings.

A path is a 64-bit hash of the tags on the way. The hash of the rest below any element on the path follows from the two,
so paths can be compared from the root, or from the elements that records begin with.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_MAX_LEVELS = 2_000
"""Deeper elements share the path of their parent: trees as deep are faults or attacks."""


def depths_of(ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count the ancestors of each node, from the numbers after their last descendants.

    >>> depths_of(np.array([4, 3, 3, 4], dtype=np.int32)).tolist()
    [0, 1, 2, 1]
    """
    count = len(ends)
    return np.arange(count) - np.cumsum(np.bincount(ends, minlength=count + 1))[:count]


def tag_paths(parents: NDArray[np.int32], tags: NDArray[np.int32], depths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash the tag path of each element; other nodes have that of their parent.

    >>> parents, tags = np.array([-1, 0, 1, 1, 0], dtype=np.int32), np.array([-1, 0, 1, 1, 1], dtype=np.int32)
    >>> paths = tag_paths(parents, tags, np.array([0, 1, 2, 2, 1])).tolist()
    >>> paths[2] == paths[3], paths[2] == paths[4]
    (True, False)
    """
    paths = np.zeros(len(parents), dtype=np.uint64)
    elements = np.flatnonzero(tags >= 0)
    by_depth = elements[np.argsort(depths[elements], kind="stable")]
    bounds = np.searchsorted(depths[by_depth], np.arange(1, _MAX_LEVELS + 1))
    names = tags.astype(np.uint64) + np.uint64(1)
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        if start == len(by_depth):
            break
        level = by_depth[start:stop]
        paths[level] = paths[parents[level]] * _BASE + names[level]
    deepest = by_depth[bounds[-1] :]
    for node in deepest.tolist():
        paths[node] = paths[parents[node]]
    others = np.flatnonzero(tags < 0)[1:]
    paths[others] = paths[parents[others]]
    return paths


def paths_below(inner: NDArray[np.uint64], outer: NDArray[np.uint64], levels: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash the paths from outer elements to inner ones so many levels below them.

    >>> parents, tags = np.array([-1, 0, 1, 0, 3], dtype=np.int32), np.array([-1, 0, 1, 2, 1], dtype=np.int32)
    >>> paths = tag_paths(parents, tags, np.array([0, 1, 2, 1, 2]))
    >>> below = paths_below(paths[[2, 4]], paths[[1, 3]], np.array([1, 1]))
    >>> bool(below[0] == below[1])
    True
    """
    highest = int(levels.max(initial=0))
    powers = np.cumprod(np.concatenate([[np.uint64(1)], np.full(highest, _BASE)]), dtype=np.uint64)
    rest: NDArray[np.uint64] = inner - outer * powers[levels]
    return rest


def places_among(parents: NDArray[np.int32], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number the chosen nodes among those with the same parent, from 1; 0 for all others.

    >>> places_among(np.array([-1, 0, 0, 1, 0], dtype=np.int32), np.array([False, True, False, True, True])).tolist()
    [0, 1, 0, 1, 2]
    """
    places = np.zeros(len(parents), dtype=np.int64)
    nodes = np.flatnonzero(chosen)
    ordered = nodes[np.argsort(parents[nodes], kind="stable")]
    holders = parents[ordered]
    places[ordered] = np.arange(len(ordered)) - np.searchsorted(holders, holders) + 1
    return places
