"""The largest block is the text; others are it too where they stand beside it."""

from __future__ import annotations

import numpy as np

from webquarry.reading.boilerpipe.blocks import Blocks, Label

_MANY_WORDS = 100
"""Words of a block that is text wherever it stands, if equally deep as the largest; Boilerpipe's own number."""


def keep_largest(blocks: Blocks, *, least_beside: int | None = None) -> Blocks:
    """The blocks, of which only the one with the most words is content.

    With `least_beside`, so are those equally deep and of at least as many words, up to the first above them in the
    tree.
    """
    if len(blocks) < 2:
        return blocks
    places, largest = np.arange(len(blocks)), _largest(blocks)
    is_largest = places == largest
    marked = blocks.mark(Label.MIGHT_BE_CONTENT, ~is_largest).mark(Label.VERY_LIKELY_CONTENT, is_largest)
    if least_beside is None or largest < 0:
        return marked.decide(is_largest)
    level = blocks.levels[largest]
    above = np.concatenate([[-1], np.flatnonzero(blocks.levels < level), [len(blocks)]])
    after = np.searchsorted(above, largest)
    beside = (places > above[after - 1]) & (places < above[after]) & (blocks.levels == level)
    return marked.decide(is_largest | (beside & (blocks.words >= least_beside)))


def _largest(blocks: Blocks) -> int:
    return int(np.argmax(np.where(blocks.content, blocks.words, -1))) if blocks.content.any() else -1


def add_large_ones(blocks: Blocks) -> Blocks:
    """The blocks, with those of many words that are as deep as the largest."""
    likely = np.flatnonzero(blocks.content & blocks.has(Label.VERY_LIKELY_CONTENT))
    if not len(likely):
        return blocks
    is_large = (blocks.words >= _MANY_WORDS) & (blocks.levels == blocks.levels[likely[0]])
    return blocks.decide(blocks.content | is_large)


def add_list_at_end(blocks: Blocks) -> Blocks:
    """The blocks, with the items without links that follow the largest and are deeper in the tree."""
    content = blocks.content.copy()
    is_likely = content & blocks.has(Label.VERY_LIKELY_CONTENT)
    may_follow = blocks.has(Label.MIGHT_BE_CONTENT) & blocks.has(Label.ITEM) & (blocks.linked == 0)
    for place in np.flatnonzero(is_likely).tolist():
        follows = (may_follow & ~is_likely & (blocks.levels > blocks.levels[place]))[place + 1 :]
        stop = place + 1 + (len(follows) if follows.all() else int(np.argmin(follows)))
        content[place + 1 : stop] = True
    return blocks.decide(content)
