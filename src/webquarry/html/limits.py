"""Lengths that XML readers refuse, and how a tree is brought under them.

libxml2 refuses a text, a comment or an attribute value of ten million bytes by default.  A longer
text is divided by an empty comment and a longer comment into several, so nothing is lost; a longer
attribute value (an image of many megabytes written into the page) is cut.
"""

from __future__ import annotations

from collections.abc import Iterator

import turbohtml
from turbohtml import Comment, Element, Node, Text

from webquarry.html.characters import escape_value

MAX_BYTES = 9_500_000
MAX_CHARACTERS = MAX_BYTES // 4
"""Characters that are never over the limit, whatever their encoding in UTF-8."""

LONGEST_REFERENCE = len("&quot;")
"""Characters that may be written for one."""
HARMLESS = MAX_BYTES // LONGEST_REFERENCE
"""Characters that are never over the limit, however they are written."""


def divide_long(tree: turbohtml.Document) -> None:
    """Divide or cut whatever in the tree is longer than XML readers accept."""
    for node in list(tree.descendants):
        if isinstance(node, Element):
            cut_attributes(node)
        elif isinstance(node, Text | Comment) and is_long(node.data):
            _divide(node)


def is_long(text: str) -> bool:
    """True when some reader may refuse a text of this length."""
    return len(text) > MAX_CHARACTERS and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES


def pieces(text: str) -> Iterator[str]:
    """The text in pieces that every reader accepts; an empty text is one piece."""
    return (text[start : start + MAX_CHARACTERS] for start in range(0, max(1, len(text)), MAX_CHARACTERS))


def cut_value(value: str) -> str:
    """The attribute value, or as much of it as is safe; readers count it as it is written, with references."""
    if len(value) <= HARMLESS or len(escape_value(value).encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return value
    return value[:HARMLESS]


def cut_attributes(element: Element) -> None:
    """Cut the attribute values of an element that are too long."""
    for name in element.attrs:
        value = element.attr(name) or ""
        if (cut := cut_value(value)) is not value:
            element.attrs[name] = cut


def _divide(node: Text | Comment) -> None:
    first, *rest = pieces(node.data)
    parts: list[Node] = []
    for piece in rest:
        parts += [Comment(piece)] if isinstance(node, Comment) else [Comment(""), Text(piece)]
    node.data = first
    node.insert_after(*parts)
