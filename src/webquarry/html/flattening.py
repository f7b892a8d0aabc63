"""Trees that are deeper than XML readers allow, made shallow without losing a node.

libxml2 refuses elements nested over 256 deep.  As a browser does at its own limit, an element
below the last allowed level becomes a sibling of the one that holds it: what follows its end
stands behind it, so the text keeps its order.

    <a>1<b>2<c>3</c>4</b>5</a>    with one level allowed:    <a>1</a><b>2</b><c>3</c>45
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import turbohtml
from turbohtml import DocumentFragment, Element, Node

MAX_DEPTH = 250
"""Levels of elements that are written, the root being the first; a few less than libxml2 reads."""

_STRIDE = 200


def flatten(tree: turbohtml.Document, elements: Sequence[Element]) -> None:
    """Lift every element below the last allowed level up to it; `elements` are all of the tree, in order."""
    if _may_be_deep(elements):
        for element in _elements_at(tree, MAX_DEPTH):
            _lift_descendants(element)


def flatten_templates(tree: turbohtml.Document) -> None:
    """Do the same inside templates, whose content is a tree of its own that paths do not enter."""
    for template in tree.select("template"):
        level = 1 + _count_ancestors(template)
        for content in template.children:
            for element in _elements_at(content, max(1, MAX_DEPTH - level)):
                _lift_descendants(element)


def _may_be_deep(elements: Sequence[Element]) -> bool:
    """False when no element can be too deep.

    In document order an element is at most one level deeper than the one before it, so every
    `_STRIDE`th tells the depth of all within as many levels.
    """
    return any(_count_ancestors(element) + _STRIDE >= MAX_DEPTH for element in elements[::_STRIDE])


def _count_ancestors(element: Element) -> int:
    return sum(isinstance(node, Element) for node in element.ancestors)


@lru_cache
def _path(level: int) -> turbohtml.XPath:
    return turbohtml.XPath("/".join("*" * level))


def _elements_at(root: Node, level: int) -> Iterable[Element]:
    found = _path(level)(root)
    return [node for node in found if isinstance(node, Element)] if isinstance(found, list) else []


def _lift_descendants(top: Element) -> None:
    last: Node = top
    closed: set[Node | None] = set()  # those that had to end because one of their children was lifted
    for node in list(top.descendants):
        parent = node.parent
        if isinstance(node, DocumentFragment) or (not isinstance(node, Element) and parent not in closed):
            continue
        closed.add(parent)
        last.insert_after(node)
        last = node
