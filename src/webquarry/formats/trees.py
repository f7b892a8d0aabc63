"""Trees to read formats from: the columns of a document, or turbohtml's own tree of its markup.

Both answer the same few questions about nodes.  Reading a tree of turbohtml costs a third of building columns, which
is most of what it costs to extract; a rendered document has columns alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import turbohtml

from webquarry.html.columns import Attributes
from webquarry.html.kinds import Kind
from webquarry.html.parsing import parse_html
from webquarry.html.visibility import CELLS
from webquarry.model import Document

BREAK = None
"""In the place of a text: a `br` begins a new line."""
RULE = "\f"
"""In the place of a text: an `hr` parts what is before it from what is after."""
BLANK = " "
"""In the place of a text that is blank, without no-break spaces, which set in."""

_BREAKING = {"br": BREAK, "hr": RULE}

N = TypeVar("N")


def is_blank(text: str) -> bool:
    """Whether a text takes no room."""
    return text.isspace() and "\xa0" not in text


class Tree(Protocol[N]):
    """What formats are read from.  N is what a node is known by."""

    def leaves(self) -> Iterator[tuple[N, str | None, N]]:
        """Texts and breaks in document order: the node, its text, and its parent."""

    def parent(self, element: N) -> N | None:
        """The element that holds an element; None for the outermost."""

    def tag(self, element: N) -> str:
        """The name of an element."""

    def attributes(self, element: N) -> Attributes:
        """The attributes of an element."""

    def attribute(self, element: N, name: str) -> str | None:
        """An attribute of an element."""

    def cells(self, element: N) -> tuple[int, int]:
        """The place of a cell in its row, from 1, and the number of cells in it."""

    def children(self, element: N) -> list[N]:
        """The elements directly in an element."""

    def xpath(self, element: N) -> str:
        """The absolute address of an element."""


class ColumnsTree:
    """The columns of a document; a node is its number."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._parents = document.parents.tolist()

    def leaves(self) -> Iterator[tuple[int, str | None, int]]:
        """Texts and breaks in document order."""
        document = self.document
        is_break = document.has_tag(["br", "hr"])
        texts, parents = document.texts, self._parents
        for node in np.flatnonzero((document.kinds == Kind.TEXT) | is_break).tolist():
            text = texts[node]
            if is_break[node]:
                yield node, BREAK if document.tag(node) == "br" else RULE, parents[node]
            else:
                yield node, BLANK if is_blank(text) else text, parents[node]

    def parent(self, element: int) -> int | None:
        """The element that holds an element."""
        parent: int = self._parents[element]
        return parent if parent > 0 else None

    def tag(self, element: int) -> str:
        """The name of an element."""
        return self.document.tag(element)

    def attributes(self, element: int) -> Attributes:
        """The attributes of an element."""
        return self.document.attributes[element]

    def attribute(self, element: int, name: str) -> str | None:
        """One attribute of an element."""
        return self.document.attributes[element].get(name)

    def cells(self, element: int) -> tuple[int, int]:
        """The place of a cell in its row, and how many there are."""
        row = [child for child in self.children(self._parents[element]) if self.tag(child) in CELLS]
        return row.index(element) + 1, len(row)

    def children(self, element: int) -> list[int]:
        """The elements directly in an element."""
        return self._children.get(element, [])

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for node in np.flatnonzero(self.document.tags >= 0).tolist():
            children.setdefault(self._parents[node], []).append(node)
        return children

    def xpath(self, element: int) -> str:
        """The absolute address of an element."""
        return self.document.xpath(element)


class MarkupTree:
    """turbohtml's tree of some markup; a node is its object."""

    def __init__(self, markup: str) -> None:
        self._tree = parse_html(markup)

    def leaves(self) -> Iterator[tuple[Any, str | None, Any]]:
        """Texts and breaks in document order."""
        text_type, element_type = turbohtml.Text, turbohtml.Element
        nodes: Iterable[Any] = self._tree.descendants
        for node in nodes:
            kind = type(node)
            if kind is text_type:
                text = node.data
                yield node, BLANK if is_blank(text) else text, node.parent
            elif kind is element_type and node.tag in _BREAKING:
                yield node, _BREAKING[node.tag], node.parent

    def parent(self, element: Any) -> Any | None:
        """The element that holds an element."""
        parent = element.parent
        if isinstance(parent, turbohtml.DocumentFragment):  # of a template, which is not shown
            parent = parent.parent
        return parent if isinstance(parent, turbohtml.Element) else None

    def tag(self, element: Any) -> str:
        """The name of an element."""
        return element.tag  # type: ignore[no-any-return]

    def attributes(self, element: Any) -> Attributes:
        """The attributes of an element."""
        return {name: element.attr(name) or "" for name in element.attrs}

    def attribute(self, element: Any, name: str) -> str | None:
        """One attribute of an element."""
        return element.attr(name)  # type: ignore[no-any-return]

    def cells(self, element: Any) -> tuple[int, int]:
        """The place of a cell in its row, and how many there are."""
        row = [child for child in self.children(element.parent) if child.tag in CELLS]
        return row.index(element) + 1, len(row)

    def children(self, element: Any) -> list[Any]:
        """The elements directly in an element."""
        return [child for child in element.children if isinstance(child, turbohtml.Element)]

    def xpath(self, element: Any) -> str:
        """The absolute address of an element."""
        return element.xpath_path()  # type: ignore[no-any-return]
