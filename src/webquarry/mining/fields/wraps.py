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
    paths: NDArray[np.uint64],
    starts: NDArray[np.bool_],
    soft: NDArray[np.bool_],
    texts: Sequence[str],
) -> NDArray[np.bool_]:
    """For each leaf whether the line before goes on with it, although a `br` stands between.

    For each are given the tag path of its element, whether it starts a line, whether but a `br` parts it from a
    text of the same element, and its text.
    """
    wraps = np.zeros(len(paths), dtype=np.bool_)
    breaks: dict[int, list[int]] = defaultdict(list)
    for leaf in np.flatnonzero(soft).tolist():
        breaks[int(paths[leaf])].append(leaf)
    if not breaks:
        return wraps
    spaces = np.array([text.count(" ") for text in texts])
    until = np.cumsum(spaces)
    firsts = np.maximum.accumulate(np.where(starts, np.arange(len(starts)), 0))
    for leaves in breaks.values():
        going_on = sum(texts[leaf].lstrip()[:1].islower() for leaf in leaves)
        before = np.array(leaves) - 1
        long = int((until[before] - until[firsts[before]] + spaces[firsts[before]] >= LONG_LINE - 1).sum())
        if going_on >= GO_ON * len(leaves) and 2 * long >= len(leaves):
            wraps[leaves] = True
    return wraps
