"""The blocks of a page, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray


class Label(IntFlag):
    """What is known of a block besides its numbers."""

    HEADING = 1
    ITEM = 2
    TITLE = 4
    ENDS_TEXT = 8
    MIGHT_BE_CONTENT = 16
    VERY_LIKELY_CONTENT = 32


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a page, in order.  They are fused and dropped; each keeps the places of those it was made of."""

    title: str
    """Of the page."""
    texts: tuple[str, ...]
    """Of the blocks of the page as it was built, in one line each."""
    words: NDArray[np.int64]
    linked: NDArray[np.int64]
    """Words in links."""
    line_words: NDArray[np.int64]
    """Words in full lines, and in `lines` how many these are."""
    lines: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The first place among the blocks of the page as it was built, and in `stops` the last."""
    stops: NDArray[np.int64]
    levels: NDArray[np.int64]
    """How deep they stand."""
    labels: NDArray[np.int64]
    """Each a sum of `Label`."""
    content: NDArray[np.bool_]
    homes: NDArray[np.int64]
    """For each block of the page as it was built the one that it is in; -1 when that was dropped."""

    def __len__(self) -> int:
        return len(self.words)

    @property
    def link_densities(self) -> NDArray[np.float64]:
        """The share of words that are in links."""
        return self.linked / np.maximum(self.words, 1)

    @property
    def text_densities(self) -> NDArray[np.float64]:
        """Words a line."""
        return self.line_words / self.lines

    @property
    def chosen(self) -> NDArray[np.bool_]:
        """For each block of the page as it was built whether it is content."""
        return np.append(self.content, False)[self.homes]

    def read_texts(self) -> Sequence[str]:
        """The text of each block, a space between those that it was made of."""
        if len(self.texts) == len(self):
            return self.texts
        parts: list[list[str]] = [[] for _ in range(len(self) + 1)]  # the last is of what was dropped
        for home, text in zip(self.homes.tolist(), self.texts, strict=True):
            parts[home].append(text)
        return [" ".join(each) for each in parts[:-1]]

    def has(self, label: Label) -> NDArray[np.bool_]:
        """For each block whether it has a label."""
        return (self.labels & int(label)).astype(np.bool_)

    def mark(self, label: Label, chosen: NDArray[np.bool_]) -> Blocks:
        """The blocks, some with a label more."""
        return replace(self, labels=np.where(chosen, self.labels | int(label), self.labels))

    def decide(self, content: NDArray[np.bool_]) -> Blocks:
        """The blocks with another verdict."""
        return replace(self, content=content)

    def fuse(self, joins: NDArray[np.bool_]) -> Blocks:
        """The blocks, some joined to the one before; any that is content makes all of them content."""
        if not joins.any():
            return self
        places = np.flatnonzero(~joins)
        return Blocks(
            title=self.title,
            texts=self.texts,
            words=np.add.reduceat(self.words, places),
            linked=np.add.reduceat(self.linked, places),
            line_words=np.add.reduceat(self.line_words, places),
            lines=np.add.reduceat(self.lines, places),
            starts=self.starts[places],
            stops=np.maximum.reduceat(self.stops, places),
            levels=np.minimum.reduceat(self.levels, places),
            labels=np.bitwise_or.reduceat(self.labels, places),
            content=np.logical_or.reduceat(self.content, places),
            homes=self._moved(np.cumsum(~joins) - 1),
        )

    def keep(self, kept: NDArray[np.bool_]) -> Blocks:
        """Some of the blocks."""
        if kept.all():
            return self
        return Blocks(
            title=self.title,
            texts=self.texts,
            words=self.words[kept],
            linked=self.linked[kept],
            line_words=self.line_words[kept],
            lines=self.lines[kept],
            starts=self.starts[kept],
            stops=self.stops[kept],
            levels=self.levels[kept],
            labels=self.labels[kept],
            content=self.content[kept],
            homes=self._moved(np.where(kept, np.cumsum(kept) - 1, -1)),
        )

    def _moved(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.append(places, -1)[self.homes]
