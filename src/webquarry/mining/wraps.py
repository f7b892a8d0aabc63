"""Wraps: breaks of lines in the midst of a sentence, which part nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LONG_LINE = 5
"""Words: shorter lines are facts below each other."""
GO_ON = 0.3
"""Of the lines after a break, those that start with a small letter: in a text that is broken anywhere, many do."""


def find_wraps(
    paths: NDArray[np.int32],
    owners: NDArray[np.int32],
    records: NDArray[np.int64],
    soft: NDArray[np.bool_],
    texts: Sequence[str],
) -> NDArray[np.bool_]:
    """For each leaf whether the line before goes on with it, although a `br` stands between."""
    wraps = np.zeros(len(owners), dtype=np.bool_)
    same = soft & (owners == np.roll(owners, 1)) & (records == np.roll(records, 1))
    same[:1] = False
    breaks: dict[int, list[int]] = defaultdict(list)
    for leaf in np.flatnonzero(same).tolist():
        breaks[int(paths[leaf])].append(leaf)
    for leaves in breaks.values():
        going_on = sum(texts[leaf].lstrip()[:1].islower() for leaf in leaves)
        long = sum(texts[leaf - 1].count(" ") >= LONG_LINE - 1 for leaf in leaves)
        if going_on >= GO_ON * len(leaves) and 2 * long >= len(leaves):
            wraps[leaves] = True
    return wraps
