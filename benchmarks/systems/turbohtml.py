"""Clean with turbohtml, the parser that webquarry uses, and its own XHTML serialiser."""

from __future__ import annotations

from importlib import metadata

import turbohtml

from benchmarks.trees import Dump

TITLE = "turbohtml, as XHTML"
WRITES_XML = True
HAS_EXACT_TREE = True
_XML = turbohtml.Html(xml=True)
_NAMESPACES = {turbohtml.Namespace.HTML: "", turbohtml.Namespace.SVG: "svg", turbohtml.Namespace.MATHML: "math"}


def version() -> str:
    return metadata.version("turbohtml")


def parse(markup: str) -> turbohtml.Document:
    return turbohtml.parse(markup)


def clean(markup: str) -> str:
    return turbohtml.parse(markup).serialize(_XML)


def dump(markup: str) -> str:
    lines = Dump()
    waiting: list[tuple[turbohtml.Node, int]] = [(turbohtml.parse(markup), -1)]
    while waiting:
        node, depth = waiting.pop()
        match node:
            case turbohtml.Element():
                attributes = {name: node.attr(name) or "" for name in node.attrs}
                lines.element(depth, node.tag, attributes, _NAMESPACES[node.namespace])
            case turbohtml.Text():
                lines.text(depth, node.data)
            case turbohtml.Comment():
                lines.comment(depth, node.data)
            case turbohtml.Doctype():
                lines.doctype(depth, _doctype(node))
        inside = depth if isinstance(node, turbohtml.DocumentFragment) else depth + 1
        waiting += [(child, inside) for child in reversed(node.children)]
    return str(lines)


def _doctype(node: turbohtml.Doctype) -> str:
    if node.public_id is None and node.system_id is None:
        return node.name
    return f'{node.name} "{node.public_id or ""}" "{node.system_id or ""}"'
