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
        self._parents, self._tags, self._attributes = document.parents, document.tags, document.attributes
        self._struck_tags = frozenset(code for code, name in enumerate(document.tag_names) if name in _STRUCK_TAGS)
        self._layout = document.layout
        self._known: dict[int, bool] = {}
        self._marked: dict[int, bool] = {}

    def is_struck(self, element: int) -> bool:
        """Tell whether an element or one around it has a line through its text, by tag, style or class."""
        if element not in self._known:
            self._known[element] = self._find(element)
        return self._known[element]

    def _find(self, element: int) -> bool:
        node, marked = element, self._marked
        for level in range(MAX_LEVELS):
            if node < 0:
                return False
            if node not in marked:  # records share the elements around them
                marked[node] = self._has_line_through(node)
            if marked[node] or (level < MAX_CALLED_LEVELS and self._is_called_old(node)):
                return True
            node = int(self._parents[node])
        return False

    def _is_called_old(self, node: int) -> bool:
        classes = self._attributes[node].get("class")
        return classes is not None and not _OLD_CLASSES.isdisjoint(split_words(classes))

    def _has_line_through(self, node: int) -> bool:
        tag = int(self._tags[node])
        if tag in self._struck_tags:
            return True
        if self._layout is not None:
            return _LINE_THROUGH in self._layout.style(node, "text-decoration")
        return tag >= 0 and _LINE_THROUGH in self._attributes[node].get("style", "")
