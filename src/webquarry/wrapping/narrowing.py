"""Which part of a page must be read, when only some of its sections are wanted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from webquarry.formats.elements import Elements
from webquarry.formats.pieces import gather_pieces
from webquarry.formats.selectors import to_selector
from webquarry.formats.trees import Leaf, MarkupTree
from webquarry.model import TokenFormat
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.titles import without_title

MOST_CANDIDATES = 500
"""Elements that may be outermost headings; with more, reading the whole page costs no more."""


class Narrowing:
    """Finds the outermost sections that are wanted by their headings, so that nothing else is looked at."""

    def __init__(self, tokens: Sequence[TokenFormat], wanted: Collection[str]) -> None:
        outermost = min((token.level for token in tokens), default=0)
        self._signatures = {token.signature for token in tokens if token.level == outermost}
        self._wanted = frozenset(wanted)
        self._selector = to_selector(self._signatures)

    def leaves(self, tree: MarkupTree, elements: Elements, content: Sequence[Any], title: str) -> list[Leaf] | None:
        """The leaves of the wanted sections in the content; None when all of it must be read to find them."""
        candidates = tree.select(self._selector) if self._selector else []
        if not 0 < len(candidates) <= MOST_CANDIDATES:
            return None
        headings = [(element, name) for element in candidates if (name := self._name(tree, elements, element, title))]
        found: list[Leaf] = []
        for place, (element, name) in enumerate(headings):
            if name in self._wanted:
                end = headings[place + 1][0] if place + 1 < len(headings) else tree.after(content)
                found += tree.leaves_between(element, end)
        return found or None

    def _name(self, tree: MarkupTree, elements: Elements, element: Any, title: str) -> str:
        """The name of the heading that an element is, without the title of the page where it repeats that."""
        pieces = gather_pieces(elements, tree.leaves([element]))
        if not pieces or pieces[0].signature not in self._signatures:
            return ""
        name, shorter = heading_name(pieces[0].text), without_title(pieces[0].text, title) if title else ""
        return heading_name(shorter) if shorter and name not in self._wanted else name
