"""The words of a page, and those of what is made of it.

The words that a page has are those of lexbor's tree, a parser that ours has nothing in common with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import lxml.etree
from selectolax.lexbor import LexborNode

from benchmarks.counting import words_of
from benchmarks.systems import System
from benchmarks.systems.selectolax import children, parse
from webquarry.model.document import Document

NOT_TEXT = frozenset("iframe noembed noframes script selectedcontent style template title".split())
"""Elements whose text is none of the page, or a copy of what stands elsewhere."""

NOT_SHOWN = NOT_TEXT | frozenset(
    "area audio base basefont canvas datalist desc head link meta metadata object param rp source track video".split()
)
"""Elements that a browser gives no text of: HTML standard, 15.3.1, and those with fallback content."""

_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_XML = lxml.etree.XMLParser(remove_comments=True, remove_pis=True, huge_tree=True, recover=True)


def words_of_html(markup: str, *, unseen: frozenset[str], may_hide: bool = False) -> Counter[str]:
    """The words that lexbor finds, outside the unseen elements; with `may_hide` without what the markup hides."""
    root = parse(markup).root
    return words_of(_texts(root, unseen, may_hide) if root is not None else ())


def words_of_xml(written: str) -> Counter[str]:
    """The words of an XML document as lxml reads it; of a broken one those up to the break."""
    root = lxml.etree.fromstring(written.encode("utf-8", "replace"), _XML)
    if root is None:
        return Counter()
    lxml.etree.strip_elements(root, *(f"{{*}}{name}" for name in NOT_TEXT), with_tail=False)
    return words_of(str(text) for text in root.itertext())


def words_of_output(system: System, markup: str) -> Counter[str]:
    """The words of what a system writes; none when it raises."""
    try:
        written = system.clean(markup)
    except Exception:  # noqa: BLE001 - whatever a system raises, it wrote no word
        return Counter()
    return words_of_xml(written) if system.WRITES_XML else words_of_html(written, unseen=NOT_TEXT)


def words_of_document(markup: str) -> Counter[str]:
    """The words that our Document tells a reader sees."""
    return words_of([Document(markup).text()])


def _texts(root: LexborNode, unseen: frozenset[str], may_hide: bool) -> Iterator[str]:
    waiting = [root]
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
