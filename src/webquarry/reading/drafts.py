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
_PROSE, _HEADING, _OTHER = 0, -1, -2
"""The codes of the reasons for which blocks are kept."""


class Draft:
    """The blocks of a page with the first reason that spoke against each, if any did."""

    def __init__(self, document: Document, blocks: Blocks) -> None:
        self.document = document
        self.blocks = blocks
        self.kept: NDArray[np.bool_] = np.ones(len(blocks), dtype=np.bool_)
        self._reasons = {_PROSE: "prose", _HEADING: "heading", _OTHER: "in the content"}
        self._reason_of = np.zeros(len(blocks), dtype=np.int64)

    def drop(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Leave out those of the chosen blocks that are still in."""
        code = -len(self._reasons)  # below zero: above it are those that come with codes
        self._reasons[code] = reason
        self._drop(chosen & self.kept, code)

    def keep(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Take back what spoke against those of the chosen blocks that were left out."""
        code = -len(self._reasons)
        self._reasons[code] = reason
        self._reason_of = np.where(chosen & ~self.kept, code, self._reason_of)
        self.kept |= chosen

    def drop_in(self, codes: NDArray[np.int32], reasons: dict[int, str]) -> None:
        """Leave out what stands in nodes that have a code; the outermost gives the reason."""
        nodes = np.flatnonzero(codes)
        if not len(nodes):
            return
        reach = np.maximum.accumulate(self.document.ends[nodes])
        is_outermost = np.append(np.True_, nodes[1:] >= reach[:-1])
        outermost, reach, firsts = nodes[is_outermost], reach[np.append(is_outermost[1:], np.True_)], self.blocks.firsts
        holders = outermost.searchsorted(firsts, side="right") - 1
        self._reasons |= reasons
        self._drop((holders >= 0) & (firsts < reach[holders]) & self.kept, codes[outermost[holders]])

    def _drop(self, gone: NDArray[np.bool_], codes: int | NDArray[np.int32]) -> None:
        self._reason_of = np.where(gone, codes, self._reason_of)
        self.kept &= ~gone

    def finish(self, method: str) -> Article:
        """The article; the score of a block grows with its prose, above or below the line between kept and not."""
        blocks, kept = self.blocks, self.kept
        free = np.where(blocks.is_prose | blocks.is_heading, 1.0, 0.5) * (blocks.letters - blocks.linked)
        scores = _KEPT * np.minimum(free / _CLEAR, 1) + np.where(kept, 1 - _KEPT, 0)
        scores[~kept] *= 0.99  # below the line also where it is clear prose
        kind = np.where(blocks.is_prose, _PROSE, np.where(blocks.is_heading, _HEADING, _OTHER))
        is_plain = kept & (self._reason_of == _PROSE)  # nothing ever spoke against it
        reason_of = np.where(is_plain, kind, self._reason_of)[blocks.of_texts].tolist()
        return Article(
            document=self.document,
            method=method,
            nodes=blocks.texts,
            kept=kept[blocks.of_texts],
            scores=scores[blocks.of_texts].astype(np.float32),
            reasons=tuple([self._reasons[code] for code in reason_of]),
        )
