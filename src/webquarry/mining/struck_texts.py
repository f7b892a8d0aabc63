"""Tell which texts are struck through, or called old, as old prices are."""

from __future__ import annotations

from webquarry.mining.column_words import split_words
from webquarry.model.document import Document

_STRUCK_TAGS = frozenset(["del", "s", "strike"])
_LINE_THROUGH = "line-through"
_OLD_CLASSES = frozenset("compare crossed msrp old rrp strike strikethrough striked uvp was".split())
MAX_LEVELS = 6  # elements around a text that may strike it through
MAX_CALLED_LEVELS = 2  # elements around a text whose classes are about this text


class StruckTexts:
    """Answers for the elements of a document whether their texts are struck through."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[int, bool] = {}
        self._marked: dict[int, bool] = {}

    def is_struck(self, element: int) -> bool:
        """Tell whether an element or one around it has a line through its text, by tag, style or class."""
        if element not in self._known:
            self._known[element] = self._find(element)
        return self._known[element]

    def _find(self, element: int) -> bool:
        document, node = self._document, element
        for level in range(MAX_LEVELS):
            if node < 0:
                return False
            if node not in self._marked:  # records share the elements around them
                self._marked[node] = document.tag(node) in _STRUCK_TAGS or _LINE_THROUGH in self._decoration(node)
            if self._marked[node]:
                return True
            if level < MAX_CALLED_LEVELS and self._is_called_old(node):
                return True
            node = int(document.parents[node])
        return False

    def _is_called_old(self, node: int) -> bool:
        return not _OLD_CLASSES.isdisjoint(split_words(self._document.attributes[node].get("class", "")))

    def _decoration(self, node: int) -> str:
        if self._document.layout is not None:
            return self._document.layout.style(node, "text-decoration")
        return self._document.attributes[node].get("style", "") if self._document.tags[node] >= 0 else ""
