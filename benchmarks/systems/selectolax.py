"""Clean with selectolax (lexbor), which only writes HTML; also the reference for lost words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata

from selectolax.lexbor import LexborHTMLParser, LexborNode

from benchmarks.trees import Dump

TITLE = "selectolax (lexbor)"
WRITES_XML = False
HAS_EXACT_TREE = False
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def version() -> str:
    return metadata.version("selectolax")


def parse(markup: str) -> LexborHTMLParser:
    return LexborHTMLParser(markup.encode("utf-8", "ignore"))


def clean(markup: str) -> str:
    return parse(markup).html or ""


def dump(markup: str) -> str:
    lines = Dump()
    root = parse(markup).root
    waiting = [(root, 0)] if root is not None else []
    while waiting:
        node, depth = waiting.pop()
        if node.is_text_node:
            lines.text(depth, node.text_content or "")
        elif node.is_element_node:
            lines.element(depth, node.tag or "", {})
        waiting += [(child, depth + 1) for child in reversed([*children(node), *_content(node)])]
    return str(lines)


def read_texts(markup: str, *, unseen: frozenset[str], may_hide: bool) -> Iterator[str]:
    """Yield the texts outside the unseen elements; with `may_hide` also skip what the markup hides."""
    root = parse(markup).root
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if node.is_text_node:
            yield node.text_content or ""
        elif node.tag not in unseen and not (may_hide and _is_hidden(node)):
            waiting += reversed([*children(node)])


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
        return True
    if node.tag == "dialog" and "open" not in attributes:
        return True
    return _HIDING_STYLE.search(attributes.get("style") or "") is not None


def children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _content(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the content of a template, which is not among its children."""
    for fragment in (node.template_fragments() or ()) if node.tag == "template" else ():
        yield from children(fragment)
