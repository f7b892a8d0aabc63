"""The text of a page without white space, and which nodes stand for which stretch of it.

Systems differ in the spaces that they see between words, never in the words: texts are compared without any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.html.kinds import Kind
from webquarry.model.document import Document
from webquarry.values.folding import fold

UNTOLD = frozenset("script style template noscript".split())
"""Elements whose text no extraction has as text of what is around them."""

Span = tuple[int, int]
"""Where a stretch of text begins and ends, in characters that are not white space."""


def key_of(text: str) -> str:
    """The text as it is compared: plain characters, no case, no white space.

    >>> key_of("It\\u2019s  Nine\\n") == key_of("it's nine")
    True
    """
    return "".join(fold(text).split()).casefold()


class Spans:
    """Where each node of a document stands in its text."""

    def __init__(self, document: Document) -> None:
        self._document = document
        told = (document.kinds == Kind.TEXT) & ~find_inside(document.ends, document.has_tag(UNTOLD))
        self._texts = np.flatnonzero(told)
        keys = [key_of(document.texts[node]) for node in self._texts.tolist()]
        self._whole = "".join(keys)
        before = np.zeros(len(document) + 1, dtype=np.int64)
        before[self._texts + 1] = list(map(len, keys))
        self._starts = np.cumsum(before)  # characters before each node, and one more

    @property
    def size(self) -> int:
        """The length of the whole text."""
        return len(self._whole)

    def span(self, node: int) -> Span:
        """The stretch of a node."""
        return int(self._starts[node]), int(self._starts[self._document.ends[node]])

    def key(self, node: int) -> str:
        """The text of a node, as it is compared."""
        start, stop = self.span(node)
        return self._whole[start:stop]

    def first_node(self, span: Span) -> int:
        """The text with which a stretch begins."""
        return int(np.searchsorted(self._starts, span[0], side="right")) - 1

    def nodes(self, span: Span) -> list[int]:
        """All nodes that stand for a stretch and nothing else, from the outermost inwards."""
        node = self.first_node(span)
        found = []
        while node > 0 and self._starts[node] == span[0]:
            if self.span(node) == span:
                found.append(node)
            if self._starts[self._document.ends[node]] > span[1]:
                break
            node = int(self._document.parents[node])
        return found[::-1]

    def find_all(self, keys: Iterable[str]) -> dict[str, list[Span]]:
        """For each key the stretches that are it and that a node stands for, in the order of the page.

        Only nodes as long as one of the keys are looked at, so that it takes little more than one pass.
        """
        wanted = set(keys) - {""}
        found: defaultdict[str, dict[Span, None]] = defaultdict(dict)
        sizes = np.fromiter({len(key) for key in wanted}, dtype=np.int64)
        for start, stop in self._distinct[np.isin(self._distinct[:, 1] - self._distinct[:, 0], sizes)].tolist():
            key = self._whole[start:stop]
            if key in wanted:
                found[key][start, stop] = None
        return {key: list(spans) for key, spans in found.items()}

    @cached_property
    def _distinct(self) -> NDArray[np.int64]:
        """The stretches of all nodes that have text, each once, in order."""
        pairs = np.stack((self._starts[:-1], self._starts[self._document.ends]), axis=1)
        distinct: NDArray[np.int64] = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        return distinct
