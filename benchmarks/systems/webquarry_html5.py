"""Clean with our default method, `html5`, which builds the tree of the HTML standard."""

from __future__ import annotations

from importlib import metadata

from benchmarks.trees import Dump
from webquarry.html.columns import Kind
from webquarry.model.document import Document

TITLE = "webquarry, html5"
WRITES_XML = True
HAS_EXACT_TREE = True
_NAMESPACES = ("", "svg", "math")


def version() -> str:
    return metadata.version("webquarry")


def clean(markup: str) -> str:
    return Document(markup).to_xhtml()


def dump(markup: str) -> str:
    """Dump the columns of the Document."""
    document = Document(markup)
    lines = Dump()
    depths: list[int] = []
    for node, parent in enumerate(document.parents.tolist()):
        depths.append(depths[parent] + 1 if parent >= 0 else -1)
        depth, text = depths[node], document.texts[node]
        match document.kinds[node]:
            case Kind.ELEMENT:
                namespace = _NAMESPACES[document.namespaces[node]]
                lines.element(depth, document.tag(node), document.attributes[node], namespace)
            case Kind.TEXT:
                lines.text(depth, text)
            case Kind.COMMENT:
                lines.comment(depth, text)
            case Kind.DOCTYPE:
                lines.doctype(depth, text)
    return str(lines)
