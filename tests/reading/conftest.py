"""Blocks written by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from webquarry.reading.boilerpipe import Blocks


def make_blocks(
    words: Sequence[int],
    *,
    linked: Sequence[int] = (),
    content: Sequence[int] = (),
    labels: Sequence[int] = (),
    levels: Sequence[int] = (),
    places: Sequence[int] = (),
    lines: Sequence[int] = (),
    texts: Sequence[str] = (),
    title: str = "",
) -> Blocks:
    """Blocks with these numbers; where some are not given they are 0, and lines are 1."""
    size = len(words)
    none = [0] * size
    offsets = np.array(places or range(size), dtype=np.int64)
    homes = np.full(offsets.max(initial=-1) + 1, -1, dtype=np.int64)
    homes[offsets] = np.arange(size)
    return Blocks(
        title=title,
        texts=tuple(texts or [""] * len(homes)),
        words=np.array(words, dtype=np.int64),
        linked=np.array(linked or none, dtype=np.int64),
        line_words=np.array(words, dtype=np.int64),
        lines=np.array(lines or [1] * size, dtype=np.int64),
        starts=offsets,
        stops=offsets,
        levels=np.array(levels or none, dtype=np.int64),
        labels=np.array([int(each) for each in labels or none], dtype=np.int64),
        content=np.array(content or none, dtype=np.bool_),
        homes=homes,
    )


@pytest.fixture(scope="session")
def blocks() -> Callable[..., Blocks]:
    return make_blocks
