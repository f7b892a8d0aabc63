"""What has been decided so far about the blocks of a page, and why."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks, Spans

_CLEAR = 100
"""Letters of prose that speak for a block as clearly as any more."""
_KEPT = 0.5
"""The score from which on a block is kept."""
_PROSE, _HEADING, _OTHER, _MARK = 0, -1, -2, -3
"""The codes of the reasons for which blocks are kept, and of one for which a text of them is not."""

Codes = int | tuple[NDArray[np.int64], NDArray[np.int64]]
"""Of reasons: one for all blocks, or nodes with one each, of which the outermost that a block stands in counts."""


class Draft:
    """The blocks of a page with the first reason that spoke against each, if any did."""

    def __init__(self, document: Document, blocks: Blocks) -> None:
        self.document = document
        self.blocks = blocks
        self.kept: NDArray[np.bool_] = np.ones(len(blocks), dtype=np.bool_)
        self._reasons = {_PROSE: "prose", _HEADING: "heading", _OTHER: "in the content", _MARK: "mark of a heading"}
        self._decisions: list[tuple[NDArray[np.bool_], Codes]] = []
        """In their order, the blocks that changed sides, and the codes of the reasons."""

    def drop(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Leave out those of the chosen blocks that are still in."""
        self._drop(chosen, self._code(reason))

    def keep(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Take back what spoke against those of the chosen blocks that were left out."""
        self._decisions.append((chosen & ~self.kept, self._code(reason)))
        self.kept = self.kept | chosen

    def drop_in(self, nodes: NDArray[np.int64], codes: NDArray[np.int64], reasons: dict[int, str]) -> None:
        """Leave out what stands in nodes, each of which has a code; the outermost gives the reason."""
        self._reasons |= reasons
        self._drop(self.blocks.spans.cover(nodes), (nodes, codes))

    def _drop(self, chosen: NDArray[np.bool_], codes: Codes) -> None:
        self._decisions.append((chosen & self.kept, codes))
        self.kept = self.kept & ~chosen

    def _code(self, reason: str) -> int:
        code = -len(self._reasons)  # below zero: above it are those that come with codes
        self._reasons[code] = reason
        return code

    def finish(self, method: str) -> Article:
        """The article."""
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
        """The score of a block grows with its prose, above or below the line between kept and not."""
        blocks, kept = self.blocks, self.kept
        free = np.where(blocks.is_prose | blocks.is_heading, 1.0, 0.5) * blocks.free
        scores = _KEPT * np.minimum(free / _CLEAR, 1) + np.where(kept, 1 - _KEPT, 0)
        scores[~kept] *= 0.99  # below the line also where it is clear prose
        return scores[blocks.of_texts].astype(np.float32)

    def _find_reasons(self) -> tuple[str, ...]:
        blocks = self.blocks
        reason_of = np.zeros(len(blocks), dtype=np.int64)
        for changed, codes in self._decisions:
            reason_of = np.where(changed, codes if isinstance(codes, int) else _spread(blocks.spans, *codes), reason_of)
        kind = np.where(blocks.is_prose, _PROSE, np.where(blocks.is_heading, _HEADING, _OTHER))
        is_plain = self.kept & (reason_of == _PROSE)  # nothing ever spoke against it
        of_texts = np.where(is_plain, kind, reason_of)[blocks.of_texts]
        of_texts[self._are_marks & self.kept[blocks.of_texts]] = _MARK
        return tuple([self._reasons[code] for code in of_texts.tolist()])

    @cached_property
    def _are_marks(self) -> NDArray[np.bool_]:
        """For each text whether it is the sign in a heading by which others link to it, such as a pilcrow."""
        document, blocks = self.document, self.blocks
        are_marks = blocks.is_heading[blocks.of_texts]
        are_marks &= document.has_tag(["a"], document.parents[blocks.texts])
        places = are_marks.nonzero()[0]
        linked = [document.texts[node] for node in blocks.texts[places].tolist()]
        are_marks[places] = [not any(map(str.isalnum, text)) for text in linked]
        return are_marks


def _spread(spans: Spans, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each block the code of the outermost node that it stands in; 0 where there is none."""
    starts, stops = spans.starts[nodes], spans.stops[nodes]
    is_outermost = np.ones(len(nodes), dtype=np.bool_)
    is_outermost[1:] = starts[1:] >= np.maximum.accumulate(stops)[:-1]
    changes = np.zeros(spans.size + 1, dtype=np.int64)
    changes[starts[is_outermost]] = codes[is_outermost]
    changes[stops[is_outermost]] -= codes[is_outermost]  # what is outermost does not overlap
    return changes[:-1].cumsum()


# MERGED reading/roots: The root of the content: the element that holds the main text and as little else as c
_NEARLY_ALL = 0.85
"""The share of the prose that makes a part of the root the root."""
_PARTS = frozenset("blockquote dl li ol p pre table tbody tr ul".split())
"""Elements that are parts of a text, and no place for all of it."""


def find_root(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> int | None:
    """The innermost element that holds all chosen blocks, and is a place for text; None when there are none."""
    places = chosen.nonzero()[0]
    if not len(places):
        return None
    spans = blocks.spans
    elements = spans.elements
    holders = elements[(spans.starts[elements] <= places[0]) & (spans.stops[elements] > places[-1])]
    return int(holders[~document.has_tag(_PARTS, holders)][-1])


def narrow_root(document: Document, blocks: Blocks, root: int, prose: NDArray[np.float64]) -> int:
    """The innermost element that holds nearly all prose of the root, and leaves none of its own paragraphs outside.

    What stands before and behind is left outside, such as a summary or the lines about the author.
    """
    elements = blocks.spans.elements
    sums = blocks.spans.sum_in(prose, elements)
    chain = elements[(sums >= _NEARLY_ALL * prose.sum()) & (elements >= root)]  # each is a child of the one before
    stays = _hold_paragraphs(document, chain, elements[sums > 0]).nonzero()[0]
    places = chain[: stays[0] + 1 if len(stays) else None]
    places = places[~document.has_tag(_PARTS, places)]
    return int(places[-1]) if len(places) else root


def _hold_paragraphs(document: Document, chain: NDArray[np.int64], elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each element of the chain whether it has paragraphs of its own, such as a lead: they are part of the text."""
    hold = np.zeros(len(document), dtype=np.bool_)
    hold[document.parents[elements[document.has_tag(["p"], elements)]]] = True
    return hold[chain]
