"""Tell which texts are struck through, or called old, as old prices are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.page.column_words import split_words

_STRUCK_TAGS = frozenset(["del", "s", "strike"])
_LINE_THROUGH = "line-through"
_OLD_CLASSES = frozenset("compare crossed msrp old rrp strike strikethrough striked uvp was".split())
MAX_LEVELS = 6  # elements around a text that may strike it through
MAX_CALLED_LEVELS = 2  # elements around a text whose classes are about this text

Nodes = NDArray[np.int64]
Flags = NDArray[np.bool_]


def are_struck(document: Document, elements: Nodes) -> Flags:
    """Tell for each element whether it or one around it has a line through its text, by tag, style or class."""
    around = [elements]
    while len(around) < MAX_LEVELS and around[-1].any():
        around.append(np.maximum(document.parents[around[-1]], 0))
    levels = np.stack(around)
    is_marked = np.zeros(len(document), dtype=np.bool_)
    is_marked[_find_marked(document, _distinct(document, levels))] = True
    struck: Flags = np.logical_or.reduce(is_marked[levels], axis=0)
    is_marked[_find_called_old(document, _distinct(document, levels[:MAX_CALLED_LEVELS]))] = True
    struck |= np.logical_or.reduce(is_marked[levels[:MAX_CALLED_LEVELS]], axis=0)
    return struck


def _distinct(document: Document, nodes: Nodes) -> Nodes:
    is_one = np.zeros(len(document), dtype=np.bool_)
    is_one[nodes] = True
    return is_one.nonzero()[0]


def _find_marked(document: Document, nodes: Nodes) -> Nodes:
    """Find the nodes that have a line through their text by their own tag or style."""
    is_struck = document.has_tag(_STRUCK_TAGS, nodes)
    layout, attributes = document.layout, document.attributes
    if layout is not None:
        codes = layout.styles[nodes, layout.properties.index("text-decoration")]
        lines = [code for code in set(codes.tolist()) if code >= 0 and _LINE_THROUGH in layout.values[code]]
        for code in lines:
            is_struck |= codes == code
    elif "style" in document.attribute_names:
        is_struck |= [_LINE_THROUGH in attributes[node].get("style", "") for node in nodes.tolist()]
    return nodes[is_struck]


def _find_called_old(document: Document, nodes: Nodes) -> list[int]:
    attributes = document.attributes
    return [
        node
        for node in nodes.tolist()
        if "class" in (own := attributes[node]) and not _OLD_CLASSES.isdisjoint(split_words(own["class"]))
    ]
