"""Collect decisions about the blocks of a page, with reasons, and find the root of its content."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks, Spans

_MAX_SCORED_PROSE = 100
"""Letters of prose from which the score of a block no longer grows."""
_MIN_KEPT_SCORE = 0.5
_PROSE, _HEADING, _OTHER, _MARK = 0, -1, -2, -3
"""Codes of the reasons for which blocks are kept, and of one for which a text of a block is not."""

Codes = int | tuple[NDArray[np.int64], NDArray[np.int64]]
"""Codes of reasons: one for all blocks, or nodes with one each, the outermost around a block giving the reason."""


class Draft:
    """Blocks of a page, with the reason that decided about each."""

    def __init__(self, document: Document, blocks: Blocks) -> None:
        self.document = document
        self.blocks = blocks
        self.kept: NDArray[np.bool_] = np.ones(len(blocks), dtype=np.bool_)
        self._reasons = {_PROSE: "prose", _HEADING: "heading", _OTHER: "in the content", _MARK: "mark of a heading"}
        self._decisions: list[tuple[NDArray[np.bool_], Codes]] = []
        """The blocks that each decision changed, and the codes of its reasons."""

    def drop(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Drop the chosen blocks."""
        self._drop(chosen, self._code(reason))

    def keep(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Keep the chosen blocks again."""
        self._decisions.append((chosen & ~self.kept, self._code(reason)))
        self.kept = self.kept | chosen

    def drop_in(self, nodes: NDArray[np.int64], codes: NDArray[np.int64], reasons: dict[int, str]) -> None:
        """Drop what is in some nodes; the code of the outermost node gives the reason."""
        self._reasons |= reasons
        self._drop(self.blocks.spans.cover(nodes), (nodes, codes))

    def _drop(self, chosen: NDArray[np.bool_], codes: Codes) -> None:
        self._decisions.append((chosen & self.kept, codes))
        self.kept = self.kept & ~chosen

    def _code(self, reason: str) -> int:
        code = -len(self._reasons)  # negative: `drop_in` has the positive codes
        self._reasons[code] = reason
        return code

    def finish(self, method: str) -> Article:
        """Make the article."""
        blocks = self.blocks
        return Article(
            document=self.document,
            method=method,
            nodes=blocks.texts,
            kept=self.kept[blocks.of_texts] & ~self._are_marks,
            scores=self._find_scores,
            reasons=self._find_reasons,
        )

    def _find_scores(self) -> NDArray[np.float32]:
        """Score texts by the prose of their block, from `_MIN_KEPT_SCORE` on if it is kept, else below."""
        blocks, kept = self.blocks, self.kept
        free = np.where(blocks.is_prose | blocks.is_heading, 1.0, 0.5) * blocks.free
        scores = _MIN_KEPT_SCORE * np.minimum(free / _MAX_SCORED_PROSE, 1) + np.where(kept, 1 - _MIN_KEPT_SCORE, 0)
        scores[~kept] *= 0.99
        return scores[blocks.of_texts].astype(np.float32)

    def _find_reasons(self) -> tuple[str, ...]:
        blocks = self.blocks
        reason_of = np.zeros(len(blocks), dtype=np.int64)
        for changed, codes in self._decisions:
            reason_of = np.where(changed, codes if isinstance(codes, int) else _spread(blocks.spans, *codes), reason_of)
        kind = np.where(blocks.is_prose, _PROSE, np.where(blocks.is_heading, _HEADING, _OTHER))
        is_plain = self.kept & (reason_of == _PROSE)  # never dropped
        of_texts = np.where(is_plain, kind, reason_of)[blocks.of_texts]
        of_texts[self._are_marks & self.kept[blocks.of_texts]] = _MARK
        return tuple([self._reasons[code] for code in of_texts.tolist()])

    @cached_property
    def _are_marks(self) -> NDArray[np.bool_]:
        """Tell for each text whether it is the permalink sign of a heading, such as a pilcrow."""
        document, blocks = self.document, self.blocks
        are_marks = blocks.is_heading[blocks.of_texts]
        are_marks &= document.has_tag(["a"], document.parents[blocks.texts])
        places = are_marks.nonzero()[0]
        linked = [document.texts[node] for node in blocks.texts[places].tolist()]
        are_marks[places] = [not any(map(str.isalnum, text)) for text in linked]
        return are_marks


def _spread(spans: Spans, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each block the code of the outermost node around it; 0 where there is none."""
    starts, stops = spans.starts[nodes], spans.stops[nodes]
    is_outermost = np.ones(len(nodes), dtype=np.bool_)
    is_outermost[1:] = starts[1:] >= np.maximum.accumulate(stops)[:-1]
    changes = np.zeros(spans.size + 1, dtype=np.int64)
    changes[starts[is_outermost]] = codes[is_outermost]
    changes[stops[is_outermost]] -= codes[is_outermost]
    return changes[:-1].cumsum()


_MIN_SHARE_OF_ROOT = 0.85
"""Share of the prose that makes an element inside of the root the root itself."""
_PARTS = frozenset("blockquote dl li ol p pre table tbody tr ul".split())
"""Elements that are part of a text and never hold all of it."""


def find_root(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> int | None:
    """Find the innermost element with all chosen blocks that can hold a text; None when no block is chosen."""
    places = chosen.nonzero()[0]
    if not len(places):
        return None
    spans = blocks.spans
    elements = spans.elements
    holders = elements[(spans.starts[elements] <= places[0]) & (spans.stops[elements] > places[-1])]
    return int(holders[~document.has_tag(_PARTS, holders)][-1])


def narrow_root(document: Document, blocks: Blocks, root: int, prose: NDArray[np.float64]) -> int:
    """Find the innermost element with nearly all prose of the root, without cutting off paragraphs beside it.

    A summary before it or lines about the author behind it stay outside.
    """
    elements = blocks.spans.elements
    sums = blocks.spans.sum_in(prose, elements)
    chain = elements[
        (sums >= _MIN_SHARE_OF_ROOT * prose.sum()) & (elements >= root)
    ]  # each is a child of the one before
    stays = _hold_paragraphs(document, chain, elements[sums > 0]).nonzero()[0]
    places = chain[: stays[0] + 1 if len(stays) else None]
    places = places[~document.has_tag(_PARTS, places)]
    return int(places[-1]) if len(places) else root


def _hold_paragraphs(document: Document, chain: NDArray[np.int64], elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell for each element of the chain whether it has paragraphs of its own, such as a lead."""
    hold = np.zeros(len(document), dtype=np.bool_)
    hold[document.parents[elements[document.has_tag(["p"], elements)]]] = True
    return hold[chain]
