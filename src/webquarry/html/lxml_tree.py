"""Build an lxml tree from columns."""

from __future__ import annotations

import lxml.etree
import lxml.html

from webquarry.html.columns import Columns, Kind
from webquarry.html.xhtml_names import encode_local, legal_comment, legal_text


def build_lxml(columns: Columns) -> lxml.html.HtmlElement:
    """Build a tree without namespaces, so that plain names find elements in XPath and CSS.

    Names and characters that lxml refuses are changed as in XHTML.
    """
    nodes: list[lxml.html.HtmlElement | None] = []
    outside: list[lxml.html.HtmlElement] = []  # the root, and the comments around it
    for number, (kind, parent) in enumerate(zip(columns.kinds.tolist(), columns.parents.tolist(), strict=True)):
        node = _make_node(columns, number, kind)
        nodes.append(node)
        holder = nodes[parent] if parent >= 0 else None
        if node is None:
            if kind == Kind.TEXT and holder is not None:
                _append_text(holder, legal_text(columns.texts[number]))
        elif holder is not None:
            holder.append(node)
        else:
            outside.append(node)
    return _join(outside)


def _make_node(columns: Columns, number: int, kind: int) -> lxml.html.HtmlElement | None:
    """Make the lxml node for an element, comment or instruction; lxml has no others."""
    made: object = None
    if kind == Kind.ELEMENT:
        attributes = {encode_local(key): legal_text(value) for key, value in columns.attributes[number].items()}
        made = lxml.html.html_parser.makeelement(encode_local(columns.tag_names[columns.tags[number]]), attributes)
    elif kind == Kind.COMMENT:
        made = lxml.etree.Comment(legal_comment(columns.texts[number]))
    elif kind == Kind.INSTRUCTION:
        target, _, data = columns.texts[number].partition(" ")
        made = lxml.etree.ProcessingInstruction(target, legal_text(data))
    return made  # type: ignore[return-value]  # lxml's comments are elements too


def _append_text(holder: lxml.html.HtmlElement, text: str) -> None:
    if len(holder):
        holder[-1].tail = (holder[-1].tail or "") + text
    else:
        holder.text = (holder.text or "") + text


def _join(outside: list[lxml.html.HtmlElement]) -> lxml.html.HtmlElement:
    """Put comments and instructions around the root and return it."""
    place = next(place for place, node in enumerate(outside) if isinstance(node.tag, str))
    root = outside[place]
    for node in outside[:place]:
        root.addprevious(node)
    for node in reversed(outside[place + 1 :]):
        root.addnext(node)
    return root
