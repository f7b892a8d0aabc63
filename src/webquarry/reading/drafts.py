"""What has been decided so far about the blocks of a page, and why."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Article, Document
from webquarry.reading.blocks import Blocks

_CLEAR = 100
"""Letters of prose that speak for a block as clearly as any more."""
_KEPT = 0.5
"""The score from which on a block is kept."""


class Draft:
    """The blocks of a page with the first reason that spoke against each, if any did."""

    def __init__(self, document: Document, blocks: Blocks) -> None:
        self.document = document
        self.blocks = blocks
        self.kept: NDArray[np.bool_] = np.ones(len(blocks), dtype=np.bool_)
        self._reasons = [""]
        self._reason_of = np.zeros(len(blocks), dtype=np.int64)

    def drop(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Leave out those of the chosen blocks that are still in."""
        gone = chosen & self.kept
        if gone.any():
            self._reason_of[gone] = len(self._reasons)
            self._reasons.append(reason)
            self.kept &= ~gone

    def drop_in(self, codes: NDArray[np.int32], reasons: dict[int, str]) -> None:
        """Leave out what stands in nodes that have a code; the outermost gives the reason."""
        nodes = np.flatnonzero(codes)
        ends = self.document.ends[nodes]
        outermost = nodes[nodes >= np.maximum.accumulate(np.concatenate([[0], ends]))[:-1]]
        if not len(outermost):
            return
        before = outermost[np.maximum(np.searchsorted(outermost, self.blocks.firsts, side="right") - 1, 0)]
        firsts = self.blocks.firsts
        holding = np.where((before <= firsts) & (firsts < self.document.ends[before]), codes[before], 0)
        for code in np.unique(holding[holding > 0]).tolist():
            self.drop(holding == code, reasons[code])

    def finish(self, method: str) -> Article:
        """The article; the score of a block grows with its prose, above or below the line between kept and not."""
        blocks, kept = self.blocks, self.kept
        free = np.where(blocks.is_prose | blocks.is_heading, 1.0, 0.5) * (blocks.letters - blocks.linked)
        scores = _KEPT * np.minimum(free / _CLEAR, 1) + np.where(kept, 1 - _KEPT, 0)
        scores[~kept] *= 0.99  # below the line also where it is clear prose
        names = np.array(self._reasons, dtype=object)[self._reason_of]
        names[kept] = np.where(blocks.is_prose, "prose", np.where(blocks.is_heading, "heading", "in the content"))[kept]
        return Article(
            document=self.document,
            method=method,
            nodes=blocks.texts,
            kept=kept[blocks.of_texts],
            scores=scores[blocks.of_texts].astype(np.float32),
            reasons=tuple(names[blocks.of_texts].tolist()),
        )
