"""Bring a tree under the limits of XML readers for lengths and depth.

libxml2 refuses a text, a comment or an attribute value of ten million bytes by default. A longer text is divided by an
empty comment and a longer comment into several, so nothing is lost; a longer attribute value (an image of many
megabytes written into the page) is cut.

libxml2 also refuses elements nested over 256 deep. As in a browser at its own limit, an element below the last allowed
level becomes a sibling of its parent, and what follows its end comes behind it, so the text keeps its order. With one
level allowed:

    <a>1<b>2<c>3</c>4</b>5</a>    becomes    <a>1</a><b>2</b><c>3</c>45
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import turbohtml
from turbohtml import Comment, DocumentFragment, Element, Node, Text

from webquarry.html.parsing import read_attributes
from webquarry.html.xhtml_names import escape_value

MAX_BYTES = 9_500_000
MAX_CHARACTERS = MAX_BYTES // 4
"""Characters that are never over the limit in UTF-8."""

LONGEST_REFERENCE = len("&quot;")
"""Characters that one character may take when escaped."""
HARMLESS = MAX_BYTES // LONGEST_REFERENCE
"""Characters that are never over the limit, however they are escaped."""


def divide_long(tree: turbohtml.Document) -> None:
    """Divide or cut what is longer than XML readers accept."""
    for node in list(tree.descendants):
        if isinstance(node, Element):
            cut_attributes(node)
        elif isinstance(node, Text | Comment) and is_long(node.data):
            _divide(node)


def is_long(text: str) -> bool:
    """Tell whether some reader may refuse a text of this length."""
    return len(text) > MAX_CHARACTERS and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES


def pieces(text: str) -> Iterator[str]:
    """Divide a text into pieces that every reader accepts; an empty text is one piece."""
    return (text[start : start + MAX_CHARACTERS] for start in range(0, max(1, len(text)), MAX_CHARACTERS))


def cut_value(value: str) -> str:
    """Cut an attribute value that is too long; readers count it as it is written, with references."""
    if len(value) <= HARMLESS or len(escape_value(value).encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return value
    return value[:HARMLESS]


def cut_attributes(element: Element) -> None:
    """Cut the attribute values of an element that are too long."""
    for name, value in read_attributes(element).items():
        if (cut := cut_value(value)) is not value:
            element.attrs[name] = cut


def _divide(node: Text | Comment) -> None:
    first, *rest = pieces(node.data)
    parts: list[Node] = []
    for piece in rest:
        parts += [Comment(piece)] if isinstance(node, Comment) else [Comment(""), Text(piece)]
    node.data = first
    node.insert_after(*parts)


MAX_DEPTH = 250
"""Levels of elements, the root being the first; a few less than libxml2 reads."""

_STRIDE = 200  # elements from one that is counted to the next


def flatten(tree: turbohtml.Document, elements: Sequence[Element]) -> None:
    """Lift elements below the last allowed level up to it; `elements` are all of the tree, in order."""
    if _may_be_deep(elements):
        for element in _elements_at(tree, MAX_DEPTH):
            _lift_descendants(element)


def flatten_templates(tree: turbohtml.Document) -> None:
    """Flatten the content of templates, which is a tree of its own that paths do not enter."""
    for template in tree.select("template"):
        level = 1 + _count_ancestors(template)
        for content in template.children:
            for element in _elements_at(content, max(1, MAX_DEPTH - level)):
                _lift_descendants(element)


def _may_be_deep(elements: Sequence[Element]) -> bool:
    """Tell whether some element may be too deep.

    In document order an element is at most one level deeper than the one before it, so every `_STRIDE`th tells the
    depth of all within as many levels.
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
    closed: set[Node | None] = set()  # parents that ended because a child was lifted
    for node in list(top.descendants):
        parent = node.parent
        if isinstance(node, DocumentFragment) or (not isinstance(node, Element) and parent not in closed):
            continue
        closed.add(parent)
        last.insert_after(node)
        last = node
