"""Two trees with one interface: the columns of a document, and turbohtml's tree of its markup.

Parsing with turbohtml costs half of building columns, and extraction with a wrapper costs little else; a rendered
document only has columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, Protocol, TypeVar

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.html.columns import MAX_DEPTH, Kind
from webquarry.html.parsing import parse_html, read_attributes
from webquarry.html.visibility import CELLS
from webquarry.model.document import Document

BREAK = "\0br"
"""Replaces the text of a `br`, which begins a new line.  No parsed text contains a null."""
RULE = "\0hr"
"""Replaces the text of an `hr`, which separates what is before it from what is after."""
BREAKING_TAGS = {"br": BREAK, "hr": RULE}
ODD_ATTRIBUTES = {"font": ("size", "color"), "input": ("type",), "dialog": ("open",)}
"""Attributes of certain elements that decide how their text looks, or whether it is visible."""

ANCHOR = "a-name"
"""Replaces the tag of an `a` without href.  It separates its own text from its neighbours, and adds nothing to elements
in it."""

_COMMENTS = turbohtml.XPath("//comment()")
_IS_DEEP = turbohtml.XPath(f"boolean({'/'.join('*' * (MAX_DEPTH + 1))})")

N = TypeVar("N")


Leaf = tuple[Any, str, Any, bool]
"""A text that is not blank, or a break or rule: node, text, parent, and whether blank text precedes it."""


Marks = tuple[str, str | None, str | None, str | None, tuple[str | None, ...]]
"""The markup of an element that can matter to the look of its text: tag, `class`, `style`, `hidden`, and attributes
that only certain elements have."""


class Tree(Protocol[N]):
    """A tree to read formats from.  N identifies a node."""

    def leaves(self, roots: Sequence[N] = (), most: int | None = None) -> list[Leaf]:
        """List texts and breaks in document order, of some elements or of all; at most `most`, if given."""

    def marks(self, element: N) -> Marks:
        """Read the marks of an element."""

    def tag(self, element: N) -> str:
        """Return the name of an element."""

    def attribute(self, element: N, name: str) -> str | None:
        """Return an attribute of an element; None if it has none of that name."""

    def parent(self, element: N) -> N | None:
        """Find the element that holds an element; None for the outermost."""

    def children(self, element: N | None) -> list[N]:
        """List the elements directly in an element, or the outermost ones."""

    def has(self, element: N, tag: str) -> bool:
        """Tell whether an element contains one with this name."""

    def named(self, tag: str) -> list[N]:
        """List the elements with a name, in document order."""

    def xpath(self, element: N) -> str:
        """Return the absolute XPath of an element."""


def cell_places(tree: Tree[N], row: N | None) -> dict[N, int]:
    """Number the cells of a row, from 0."""
    return {cell: place for place, cell in enumerate(cell for cell in tree.children(row) if tree.tag(cell) in CELLS)}


class ColumnsTree:
    """The columns of a document; a node is its number."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._parents = document.parents.tolist()

    @cached_property
    def _breaks(self) -> NDArray[np.bool_]:
        return self.document.has_tag(list(BREAKING_TAGS))

    @cached_property
    def _leaves(self) -> NDArray[np.int64]:
        return np.flatnonzero((self.document.kinds == Kind.TEXT) | self._breaks)

    def leaves(self, roots: Sequence[int] = (), most: int | None = None) -> list[Leaf]:
        """List texts and breaks in document order, of some elements or of all; at most `most`, if given."""
        document, is_break, wanted = self.document, self._breaks, self._leaves
        ranges = [(root, int(document.ends[root])) for root in roots] or [(0, len(document))]
        texts, parents = document.texts, self._parents
        found: list[Leaf] = []
        is_spaced = False
        for start, stop in ranges:
            for node in wanted[np.searchsorted(wanted, start) : np.searchsorted(wanted, stop)].tolist():
                text = BREAKING_TAGS[document.tag(node)] if is_break[node] else texts[node]
                if is_blank(text):
                    is_spaced = True
                    continue
                found.append((node, text, parents[node], is_spaced))
                is_spaced = False
                if len(found) == most:
                    return found
        return found

    def marks(self, element: int) -> Marks:
        """Read the marks of an element."""
        own, tag = self.document.attributes[element], self.document.tag(element)
        odd = tuple(own.get(name) for name in ODD_ATTRIBUTES[tag]) if tag in ODD_ATTRIBUTES else ()
        if tag == "a" and "href" not in own:
            tag = ANCHOR
        return tag, own.get("class"), own.get("style"), own.get("hidden"), odd

    def tag(self, element: int) -> str:
        """Return the name of an element."""
        return self.document.tag(element)

    def attribute(self, element: int, name: str) -> str | None:
        """Return an attribute of an element; None if it has none of that name."""
        return self.document.attributes[element].get(name)

    def parent(self, element: int) -> int | None:
        """Find the element that holds an element; None for the outermost."""
        parent: int = self._parents[element]
        return parent if parent > 0 else None

    def children(self, element: int | None) -> list[int]:
        """List the elements directly in an element, or the outermost ones."""
        return self._children.get(element or 0, [])

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for node in np.flatnonzero(self.document.tags >= 0).tolist():
            children.setdefault(self._parents[node], []).append(node)
        return children

    def has(self, element: int, tag: str) -> bool:
        """Tell whether an element contains one with this name."""
        return bool(self.document.has_tag([tag], slice(element, int(self.document.ends[element]))).any())

    def named(self, tag: str) -> list[int]:
        """List the elements with a name, in document order."""
        found: list[int] = np.flatnonzero(self.document.has_tag([tag])).tolist()
        return found

    def xpath(self, element: int) -> str:
        """Return the absolute XPath of an element."""
        return self.document.xpath(element)


class MarkupTree:
    """turbohtml's tree of some markup; a node is its object."""

    def __init__(self, markup: str) -> None:
        self._tree = parse_html(markup)

    @property
    def is_deep(self) -> bool:
        """Tell whether columns hold the tree otherwise, because it has more levels than they do."""
        return bool(_IS_DEEP(self._tree))

    def leaves(self, roots: Sequence[Any] = (), most: int | None = None) -> list[Leaf]:
        """List texts and breaks in document order, of some elements or of all; at most `most`, if given."""
        return _collect(chain.from_iterable(root.descendants for root in roots or [self._tree]), most)

    def leaves_between(self, start: Any, stop: Any | None) -> list[Leaf]:
        """List texts and breaks from the start of an element to that of another, or to the end."""
        return _collect(takewhile(lambda node: node is not stop, chain(start.descendants, start.following)))

    def after(self, roots: Sequence[Any]) -> Any | None:
        """Find the first node after some elements; None if there is none."""
        return next(iter(roots[-1].following), None) if roots else None

    def select(self, selector: str) -> list[Any]:
        """List the elements that match a CSS selector, in document order."""
        return self._tree.select(selector)

    def marks(self, element: Any) -> Marks:
        """Read the marks of an element."""
        get, tag = element.attr, element.tag
        odd = tuple(map(get, ODD_ATTRIBUTES[tag])) if tag in ODD_ATTRIBUTES else ()
        if tag == "a" and get("href") is None:
            tag = ANCHOR
        return tag, get("class"), get("style"), get("hidden"), odd

    def tag(self, element: Any) -> str:
        """Return the name of an element."""
        name: str = element.tag
        return name

    def attribute(self, element: Any, name: str) -> str | None:
        """Return an attribute of an element; None if it has none of that name."""
        value: str | None = element.attr(name)
        return value

    def parent(self, element: Any) -> Any | None:
        """Find the element that holds an element; None for the outermost."""
        parent = element.parent
        if type(parent) is turbohtml.Element:
            return parent
        is_template = type(parent) is turbohtml.DocumentFragment  # it holds the content of one
        return parent.parent if is_template else None

    def children(self, element: Any | None) -> list[Any]:
        """List the elements directly in an element, or the outermost ones."""
        holder = self._tree if element is None else element
        return [child for child in holder.children if type(child) is turbohtml.Element]

    def has(self, element: Any, tag: str) -> bool:
        """Tell whether an element contains one with this name."""
        return element.find(tag) is not None

    def named(self, tag: str) -> list[Any]:
        """List the elements with a name, in document order."""
        return [element for element in self._tree.find_all(tag) if element.tag == tag]

    def xpath(self, element: Any) -> str:
        """Return the absolute XPath of an element."""
        address: str = element.xpath_path()
        return address

    def comments(self) -> Iterator[str]:
        """List the texts of comments."""
        found: Any = _COMMENTS(self._tree)
        return (node.data for node in found)

    def attributes_of(self, tag: str) -> Iterator[dict[str, str]]:
        """List the attributes of the elements with a name."""
        return map(read_attributes, self.named(tag))


def _collect(nodes: Iterable[Any], most: int | None = None) -> list[Leaf]:
    text_type, element_type = turbohtml.Text, turbohtml.Element
    found: list[Leaf] = []
    is_spaced = False
    for node in nodes:
        kind = type(node)
        if kind is text_type:
            text = node.data
            if text.isspace() and "\xa0" not in text:  # is_blank, inlined for speed
                is_spaced = True
                continue
        elif kind is element_type and (tag := node.tag) in BREAKING_TAGS:
            text = BREAKING_TAGS[tag]
        else:
            continue
        found.append((node, text, node.parent, is_spaced))
        is_spaced = False
        if len(found) == most:
            break
    return found


def is_blank(text: str) -> bool:
    """Tell whether a text takes no room; a no-break space indents what follows."""
    return not text or (text.isspace() and "\xa0" not in text)
