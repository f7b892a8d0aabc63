"""Compute tag paths: the tags from the root to an element, without places among siblings.

A path is a 64-bit hash of the tags on the way. The hash of the rest below any element on the path follows from the two,
so paths can be compared from the root, or from the elements that records begin with.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_INVERSE = np.uint64(pow(int(_BASE), -1, 2**64))
"""The product of both is 1, as overflow is dropped."""


def depths_of(ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count the ancestors of each node, from the numbers after their last descendants.

    >>> depths_of(np.array([4, 3, 3, 4], dtype=np.int32)).tolist()
    [0, 1, 2, 1]
    """
    count = len(ends)
    return np.arange(count) - np.cumsum(np.bincount(ends, minlength=count + 1))[:count]


def tag_paths(ends: NDArray[np.int32], tags: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Hash the tag path of each element; other nodes have that of their parent.

    The hash is the sum of the tags on the way, each times a power of the base.  A tag times a negative power can be
    added where its element begins and subtracted where it ends, which needs no walk from level to level.

    >>> ends, tags = np.array([5, 4, 3, 4, 5], dtype=np.int32), np.array([-1, 0, 1, 1, 1], dtype=np.int32)
    >>> paths = tag_paths(ends, tags).tolist()
    >>> paths[2] == paths[3], paths[2] == paths[4]
    (True, False)
    """
    is_element = tags >= 0
    elements = np.flatnonzero(is_element)
    stops = ends[elements]
    levels = np.cumsum(is_element - np.bincount(stops, minlength=len(tags) + 1)[:-1])
    highest = int(levels.max(initial=0))
    steps = np.zeros(len(tags) + 1, dtype=np.uint64)
    steps[elements] = (tags[elements].astype(np.uint64) + np.uint64(1)) * _powers(_INVERSE, highest)[levels[elements]]
    np.subtract.at(steps, stops, steps[elements])
    return np.cumsum(steps[:-1]) * _powers(_BASE, highest)[levels]


def _powers(base: np.uint64, highest: int) -> NDArray[np.uint64]:
    powers = np.full(highest + 1, base)
    powers[0] = 1
    return np.cumprod(powers)


def paths_below(inner: NDArray[np.uint64], outer: NDArray[np.uint64], levels: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash the paths from outer elements to inner ones, which are the given number of levels below them.

    >>> ends, tags = np.array([5, 3, 3, 5, 5], dtype=np.int32), np.array([-1, 0, 1, 2, 1], dtype=np.int32)
    >>> paths = tag_paths(ends, tags)
    >>> below = paths_below(paths[[2, 4]], paths[[1, 3]], np.array([1, 1]))
    >>> bool(below[0] == below[1])
    True
    """
    highest = int(levels.max(initial=0))
    rest: NDArray[np.uint64] = inner - outer * _powers(_BASE, highest)[levels]
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
