"""Trees to read formats from: the columns of a document, or turbohtml's own tree of its markup.

Both answer the same few questions about nodes.  Reading a tree of turbohtml costs half of building columns, and
extracting costs little else; a rendered document has columns alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, Protocol, TypeVar

import numpy as np
import turbohtml

from webquarry.html.columns import Kind
from webquarry.html.parsing import parse_html
from webquarry.html.visibility import CELLS
from webquarry.model.document import Document

BREAK = "\0br"
"""In the place of a text: a `br` begins a new line.  No parsed text has a null."""
RULE = "\0hr"
"""In the place of a text: an `hr` parts what is before it from what is after."""
_BREAKING = {"br": BREAK, "hr": RULE}
_ODD = {"font": ("size", "color"), "input": ("type",), "dialog": ("open",)}
"""Attributes of single elements that decide how their text looks, or whether it is seen."""

ANCHOR = "a-name"
"""In the place of its tag: an `a` that leads nowhere.  It parts its own text from what is beside it, and adds nothing
to elements in it."""

N = TypeVar("N")


Leaf = tuple[Any, str, Any, bool]
"""A text that is not blank, or a break or rule: its node, the text, its parent, and whether blank text is before it."""


Marks = tuple[str, str | None, str | None, str | None, tuple[str | None, ...]]
"""What the markup says of an element that can matter to the look of its text: its tag, `class`, `style`, `hidden`,
and what is odd about single elements."""


class Tree(Protocol[N]):
    """What formats are read from.  N is what a node is known by."""

    def leaves(self, roots: Sequence[N] = ()) -> list[Leaf]:
        """Texts and breaks in document order, of some elements or of all."""

    def marks(self, element: N) -> Marks:
        """What the markup says of an element."""

    def tag(self, element: N) -> str:
        """The name of an element."""

    def parent(self, element: N) -> N | None:
        """The element that holds an element; None for the outermost."""

    def children(self, element: N | None) -> list[N]:
        """The elements directly in an element, or the outermost ones."""

    def has(self, element: N, tag: str) -> bool:
        """Whether an element of a name stands in an element."""

    def named(self, tag: str) -> list[N]:
        """The elements of a name, in document order."""

    def xpath(self, element: N) -> str:
        """The absolute address of an element."""


def cell_places(tree: Tree[N], row: N | None) -> dict[N, int]:
    """The cells of a row, each with its place, from 0."""
    return {cell: place for place, cell in enumerate(cell for cell in tree.children(row) if tree.tag(cell) in CELLS)}


class ColumnsTree:
    """The columns of a document; a node is its number."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._parents = document.parents.tolist()

    def leaves(self, roots: Sequence[int] = ()) -> list[Leaf]:
        """Texts and breaks in document order, of some elements or of all."""
        document = self.document
        is_break = document.has_tag(list(_BREAKING))
        wanted = np.flatnonzero((document.kinds == Kind.TEXT) | is_break)
        ranges = [(root, int(document.ends[root])) for root in roots] or [(0, len(document))]
        texts, parents = document.texts, self._parents
        found: list[Leaf] = []
        is_spaced = False
        for start, stop in ranges:
            for node in wanted[np.searchsorted(wanted, start) : np.searchsorted(wanted, stop)].tolist():
                text = _BREAKING[document.tag(node)] if is_break[node] else texts[node]
                if is_blank(text):
                    is_spaced = True
                    continue
                found.append((node, text, parents[node], is_spaced))
                is_spaced = False
        return found

    def marks(self, element: int) -> Marks:
        """What the markup says of an element."""
        said, tag = self.document.attributes[element], self.document.tag(element)
        odd = tuple(said.get(name) for name in _ODD[tag]) if tag in _ODD else ()
        if tag == "a" and "href" not in said:
            tag = ANCHOR
        return tag, said.get("class"), said.get("style"), said.get("hidden"), odd

    def tag(self, element: int) -> str:
        """The name of an element."""
        return self.document.tag(element)

    def parent(self, element: int) -> int | None:
        """The element that holds an element; None for the outermost."""
        parent: int = self._parents[element]
        return parent if parent > 0 else None

    def children(self, element: int | None) -> list[int]:
        """The elements directly in an element, or the outermost ones."""
        return self._children.get(element or 0, [])

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for node in np.flatnonzero(self.document.tags >= 0).tolist():
            children.setdefault(self._parents[node], []).append(node)
        return children

    def has(self, element: int, tag: str) -> bool:
        """Whether an element of a name stands in an element."""
        return bool(self.document.has_tag([tag], slice(element, int(self.document.ends[element]))).any())

    def named(self, tag: str) -> list[int]:
        """The elements of a name, in document order."""
        found: list[int] = np.flatnonzero(self.document.has_tag([tag])).tolist()
        return found

    def xpath(self, element: int) -> str:
        """The absolute address of an element."""
        return self.document.xpath(element)


class MarkupTree:
    """turbohtml's tree of some markup; a node is its object."""

    def __init__(self, markup: str) -> None:
        self._tree = parse_html(markup)

    def leaves(self, roots: Sequence[Any] = ()) -> list[Leaf]:
        """Texts and breaks in document order, of some elements or of all."""
        return _collect(chain.from_iterable(root.descendants for root in roots or [self._tree]))

    def leaves_between(self, start: Any, stop: Any | None) -> list[Leaf]:
        """Texts and breaks from the beginning of an element to that of another, or to the end."""
        return _collect(takewhile(lambda node: node is not stop, chain(start.descendants, start.following)))

    def after(self, roots: Sequence[Any]) -> Any | None:
        """The first node behind some elements; None when there is none, or they are none."""
        return next(iter(roots[-1].following), None) if roots else None

    def select(self, selector: str) -> list[Any]:
        """The elements that a CSS selector chooses, in document order."""
        return self._tree.select(selector)

    def marks(self, element: Any) -> Marks:
        """What the markup says of an element."""
        get, tag = element.attr, element.tag
        odd = tuple(map(get, _ODD[tag])) if tag in _ODD else ()
        if tag == "a" and get("href") is None:
            tag = ANCHOR
        return tag, get("class"), get("style"), get("hidden"), odd

    def tag(self, element: Any) -> str:
        """The name of an element."""
        name: str = element.tag
        return name

    def parent(self, element: Any) -> Any | None:
        """The element that holds an element; None for the outermost."""
        parent = element.parent
        if type(parent) is turbohtml.DocumentFragment:  # of a template, which is not shown
            parent = parent.parent
        return parent if type(parent) is turbohtml.Element else None

    def children(self, element: Any | None) -> list[Any]:
        """The elements directly in an element, or the outermost ones."""
        holder = self._tree if element is None else element
        return [child for child in holder.children if type(child) is turbohtml.Element]

    def has(self, element: Any, tag: str) -> bool:
        """Whether an element of a name stands in an element."""
        return element.find(tag) is not None

    def named(self, tag: str) -> list[Any]:
        """The elements of a name, in document order."""
        return [element for element in self._tree.find_all(tag) if element.tag == tag]

    def xpath(self, element: Any) -> str:
        """The absolute address of an element."""
        address: str = element.xpath_path()
        return address


def _collect(nodes: Iterable[Any]) -> list[Leaf]:
    text_type, element_type = turbohtml.Text, turbohtml.Element
    found: list[Leaf] = []
    is_spaced = False
    for node in nodes:
        kind = type(node)
        if kind is text_type:
            text = node.data
            if text.isspace() and "\xa0" not in text:  # as is_blank, without a call for each text of a page
                is_spaced = True
                continue
        elif kind is element_type and (tag := node.tag) in _BREAKING:
            text = _BREAKING[tag]
        else:
            continue
        found.append((node, text, node.parent, is_spaced))
        is_spaced = False
    return found


def is_blank(text: str) -> bool:
    """Whether a text takes no room; a no-break space sets in what follows."""
    return not text or (text.isspace() and "\xa0" not in text)
