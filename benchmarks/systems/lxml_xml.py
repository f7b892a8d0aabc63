"""Parse with lxml's HTML parser (libxml2) and write XML."""

from __future__ import annotations

from importlib import metadata

import lxml.etree
import lxml.html

from benchmarks.trees import Dump

TITLE = "lxml, as XML"
WRITES_XML = True
HAS_EXACT_TREE = False


def version() -> str:
    return metadata.version("lxml")


def parse(markup: str) -> lxml.html.HtmlElement:
    parser = lxml.html.HTMLParser(encoding="utf-8")
    return lxml.html.document_fromstring(markup.encode("utf-8", "ignore"), parser=parser)


def clean(markup: str) -> str:
    return lxml.html.tostring(parse(markup), method="xml", encoding="unicode")


def dump(markup: str) -> str:
    return dump_tree(parse(markup))


def dump_tree(root: lxml.etree._Element) -> str:
    """Dump the elements and texts of any lxml tree."""
    lines = Dump()
    depth = -1
    for event, node in lxml.etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            depth += 1
            lines.element(depth, lxml.etree.QName(node).localname, {})
            if node.text:
                lines.text(depth + 1, node.text)
            continue
        if node.tail:
            lines.text(depth, node.tail)
        if event == "end":
            depth -= 1
    return str(lines)
