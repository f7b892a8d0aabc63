"""Blocks that stand close together become one, and what is not content goes."""

from __future__ import annotations

import numpy as np

from webquarry.reading.boilerpipe.blocks import Blocks, Label

_MOST_BETWEEN = 1
"""Blocks of the page that may have been dropped between two that are fused; Boilerpipe's own number."""


def fuse_near(blocks: Blocks, *, content_only: bool = False, same_level: bool = False) -> Blocks:
    """The blocks, each that is content joined to the one before if that is near.

    The one before becomes content with it, unless `content_only` asks that it is so already; `same_level` asks that
    they are equally deep in the tree.
    """
    joins = np.zeros(len(blocks), dtype=np.bool_)
    joins[1:] = blocks.content[1:] & (blocks.starts[1:] - blocks.stops[:-1] - 1 <= _MOST_BETWEEN)
    if content_only:
        joins[1:] &= blocks.content[:-1]
    if same_level:
        joins[1:] &= blocks.levels[1:] == blocks.levels[:-1]
    return blocks.fuse(joins)


def drop_boilerplate(blocks: Blocks, *, keep_title: bool = False) -> Blocks:
    """The blocks that are content, and with `keep_title` the title in any case."""
    return blocks.keep(blocks.content | blocks.has(Label.TITLE) if keep_title else blocks.content)
