"""Label the nodes of a page by a CSS selector of its content."""

from __future__ import annotations

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.html.columns import Kind
from webquarry.html.xhtml_names import encode_local
from webquarry.model.document import Document
from webquarry.validating.content_labels import spread


def label_by_selector(document: Document, selector: str) -> NDArray[np.int8]:
    """Label as content what is in the elements that a CSS selector chooses, and all else as boilerplate."""
    return spread(document, {0: False} | dict.fromkeys(select(document, selector), True))


def select(document: Document, selector: str) -> list[int]:
    """Find the elements that a CSS selector chooses, in document order.

    They are chosen in a copy of the tree as it is, which a browser may have made.

    >>> select(Document("<div class=post><p>One</p></div><p>Two"), "div.post > p")
    [5]
    """
    nodes = np.flatnonzero(document.kinds == Kind.ELEMENT).tolist()
    copies = {node: _copy(document, node) for node in nodes}
    for node in nodes:
        if (parent := copies.get(int(document.parents[node]))) is not None:
            parent.append(copies[node])
    numbers = {id(copy): node for node, copy in copies.items()}
    tree = turbohtml.parse("")
    tree.select("html")[0].replace_with(copies[nodes[0]])
    try:
        return sorted(numbers[id(copy)] for copy in tree.select(selector))
    except turbohtml.SelectorSyntaxError as error:
        raise InputError(f"{selector!r} is not a CSS selector: {error}") from error


def _copy(document: Document, node: int) -> turbohtml.Element:
    """Copy an element alone; names that no markup could give are changed as in XHTML."""
    attributes = {encode_local(name): value for name, value in document.attributes[node].items()}
    return turbohtml.Element(encode_local(document.tag(node)), attributes)
