"""Tag paths: where in the tree elements stand, without their places among siblings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def path_codes(parents: NDArray[np.int32], tags: NDArray[np.int32], depths: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each element a number that it shares with all elements of the same tag path; -1 for other nodes.

    >>> parents, tags = np.array([-1, 0, 1, 1, 0], dtype=np.int32), np.array([-1, 0, 1, 1, 1], dtype=np.int32)
    >>> path_codes(parents, tags, depths_of(parents)).tolist()
    [-1, 0, 2, 2, 1]
    """
    codes = np.full(len(parents), -1, dtype=np.int32)
    width = int(tags.max(initial=0)) + 1
    elements = np.flatnonzero(tags >= 0)
    by_depth = elements[np.argsort(depths[elements], kind="stable")]
    bounds = np.flatnonzero(np.diff(depths[by_depth])) + 1
    known = 0
    for level in np.split(by_depth, bounds):
        keys = (codes[parents[level]].astype(np.int64) + 1) * width + tags[level]
        distinct, places = np.unique(keys, return_inverse=True)
        codes[level] = places + known
        known += len(distinct)
    return codes


def depths_of(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each node how many hold it.

    >>> depths_of(np.array([-1, 0, 1, 0], dtype=np.int32)).tolist()
    [0, 1, 2, 1]
    """
    depths = [0] * len(parents)
    for node, parent in enumerate(parents.tolist()):
        if parent >= 0:
            depths[node] = depths[parent] + 1
    return np.array(depths, dtype=np.int32)
