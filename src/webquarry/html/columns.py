"""A tree as columns: one entry a node, in document order, the document itself being node 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import dropwhile
from types import MappingProxyType

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml.treebuild import parse_into

from webquarry.html.characters import without_surrogates
from webquarry.html.kinds import Kind
from webquarry.html.names import decode_name
from webquarry.html.namespaces import DECLARABLE, MATHML, NAMESPACE_OF, SVG, UNDECLARED, XHTML
from webquarry.html.parsing import FORMATTING, MAX_CLONES, bounded, expected_elements, parse_html, parse_ours, tame

Attributes = Mapping[str, str]
NO_ATTRIBUTES: Attributes = MappingProxyType({})


NAMESPACES = (XHTML, SVG, MATHML)
"""The namespaces of elements; the column holds the place in this tuple."""

_ELEMENT, _TEXT = int(Kind.ELEMENT), int(Kind.TEXT)


@dataclass(frozen=True, eq=False)
class Columns:
    """The nodes of a tree.  `tags` holds places in `tag_names`, -1 for what is no element."""

    kinds: NDArray[np.uint8]
    parents: NDArray[np.int32]
    tags: NDArray[np.int32]
    namespaces: NDArray[np.uint8]
    tag_names: tuple[str, ...]
    texts: tuple[str, ...]
    attributes: tuple[Attributes, ...]


def build_columns(markup: str) -> Columns:
    """The columns of the tree that a browser would build, or of our own XHTML read back."""
    try:
        return _finish(_read(markup))
    except UnicodeDecodeError:  # turbohtml cannot give the name of an attribute that has a lone surrogate
        return _finish(_read(without_surrogates(markup)))


def _read(markup: str) -> _Rows:
    tree = parse_ours(markup)
    if tree is not None:
        return _walk_ours(tree)
    has_template = "<template" in markup or "<TEMPLATE" in markup
    if has_template and "shadowrootmode" in markup.lower():  # parse_into drops what is in a shadow root
        return _walk(parse_html(markup))
    try:
        return _parse(bounded(markup), limit=2 * expected_elements(markup))
    except _InflatedError:
        return _parse(tame(markup), limit=None)


class _InflatedError(Exception):
    """The tree has more nodes than its markup accounts for."""


class _Rows:
    """Nodes as they come.  turbohtml calls the methods, a handle is the number of a node, and each
    node is appended to its parent before the next one comes."""

    def __init__(self, limit: int | None = None) -> None:
        self.kinds = bytearray()
        self.parents: list[int] = [-1]
        self.values: list[str] = []  # the tag of an element, the text of any other node
        self.attributes: dict[int, Attributes] = {}
        self.foreign: dict[int, str] = {}
        self._limit = limit
        self._clones = 0  # characters of attributes on elements that may have been opened again

    def create_document(self) -> int:
        return self._add(Kind.DOCUMENT, "")

    def create_doctype(self, name: str, public_id: str | None, system_id: str | None) -> int:
        ids = "" if public_id is None and system_id is None else f' "{public_id or ""}" "{system_id or ""}"'
        return self._add(Kind.DOCTYPE, name + ids)

    def create_element(self, name: str, namespace: str, attrs: tuple[tuple[str, str | None], ...]) -> int:
        self.kinds.append(_ELEMENT)
        number = len(self.values)
        self.values.append(name)
        if attrs:
            self.attributes[number] = {key: value or "" for key, value in attrs}
            if name in FORMATTING:
                self._clones += sum(len(value or "") for _, value in attrs)
        if namespace != XHTML:
            self.foreign[number] = namespace
        if self._limit is not None and (number > self._limit or self._clones > MAX_CLONES):
            raise _InflatedError
        return number

    def create_text(self, data: str) -> int:
        self.kinds.append(_TEXT)
        self.values.append(data)
        return len(self.values) - 1

    def create_comment(self, data: str) -> int:
        return self._add(Kind.COMMENT, data)

    def create_pi(self, target: str, data: str) -> int:
        return self._add(Kind.INSTRUCTION, f"{target} {data}")

    def append(self, parent: int, child: int) -> None:  # noqa: ARG002 - turbohtml gives both
        self.parents.append(parent)

    def _add(self, kind: int, value: str) -> int:
        self.kinds.append(kind)
        self.values.append(value)
        return len(self.values) - 1


def _parse(markup: str, limit: int | None) -> _Rows:
    rows = _Rows(limit)
    parse_into(markup, rows)
    _adopt_strays(rows)
    return rows


def _adopt_strays(rows: _Rows) -> None:
    """Give to the body what turbohtml, on very deep pages, leaves behind the root."""
    if rows.parents.count(0) <= 1:
        return
    outside = [node for node, parent in enumerate(rows.parents) if parent == 0]
    root, *behind = dropwhile(lambda node: rows.kinds[node] != _ELEMENT, outside)
    strays = list(dropwhile(lambda node: rows.kinds[node] not in (_ELEMENT, _TEXT), behind))
    if strays:
        body = max(node for node in range(root, strays[0]) if rows.parents[node] == root)
        for node in strays:
            rows.parents[node] = body


def _walk(tree: turbohtml.Document) -> _Rows:
    """The rows of a tree at hand; the content of a template stands below it."""
    rows = _Rows()
    waiting: list[tuple[turbohtml.Node, int]] = [(tree, -1)]
    while waiting:
        node, parent = waiting.pop()
        if isinstance(node, turbohtml.DocumentFragment):
            number = parent
        else:
            number = _add_node(rows, node)
            if parent >= 0:
                rows.append(parent, number)
        waiting += [(child, number) for child in reversed(node.children)]
    return rows


def _add_node(rows: _Rows, node: turbohtml.Node) -> int:
    match node:
        case turbohtml.Element():
            attributes = tuple((name, node.attr(name)) for name in node.attrs)
            return rows.create_element(node.tag, NAMESPACE_OF[node.namespace], attributes)
        case turbohtml.Text() | turbohtml.CData():
            return rows.create_text(node.data)
        case turbohtml.Comment():
            return rows.create_comment(node.data)
        case turbohtml.ProcessingInstruction():
            return rows.create_pi(node.target, node.data)
        case turbohtml.Doctype():
            return rows.create_doctype(node.name, node.public_id, node.system_id)
        case _:
            return rows.create_document()


def _walk_ours(tree: turbohtml.Document) -> _Rows:
    """The rows of our own XHTML, with names decoded and without the declarations that we added."""
    rows = _walk(tree)
    for number, parent in enumerate(rows.parents):
        if rows.kinds[number] != Kind.ELEMENT:
            continue
        attributes = rows.attributes.get(number, NO_ATTRIBUTES)
        namespace = attributes.get("xmlns", rows.foreign.get(parent, XHTML))
        if namespace != XHTML:
            rows.foreign[number] = namespace
        rows.values[number] = decode_name(rows.values[number])
        rows.attributes[number] = {
            decode_name(name): value
            for name, value in attributes.items()
            if (name, value) not in DECLARABLE and not (name.startswith("xmlns:") and value.startswith(UNDECLARED))
        }
    return rows


def _finish(rows: _Rows) -> Columns:
    kinds = np.frombuffer(bytes(rows.kinds), dtype=np.uint8)
    elements = np.flatnonzero(kinds == Kind.ELEMENT)
    texts = np.array(rows.values, dtype=object)
    codes: dict[str, int] = {}
    tags = np.full(len(kinds), -1, dtype=np.int32)
    tags[elements] = [codes.setdefault(name, len(codes)) for name in texts[elements].tolist()]
    texts[elements] = ""
    attributes = np.full(len(kinds), NO_ATTRIBUTES, dtype=object)
    attributes[list(rows.attributes)] = list(rows.attributes.values())
    namespaces = np.zeros(len(kinds), dtype=np.uint8)
    namespaces[list(rows.foreign)] = [NAMESPACES.index(namespace) for namespace in rows.foreign.values()]
    return Columns(
        kinds=kinds,
        parents=np.array(rows.parents, dtype=np.int32),
        tags=tags,
        namespaces=namespaces,
        tag_names=tuple(codes),
        texts=tuple(texts.tolist()),
        attributes=tuple(attributes.tolist()),
    )


def find_inside(ends: NDArray[np.int32], chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each node whether it is one of those chosen or stands in one.

    >>> find_inside(np.array([4, 3, 3, 4], dtype=np.int32), np.array([False, True, False, False])).tolist()
    [False, True, True, False]
    """
    nodes, size = np.flatnonzero(chosen), len(chosen) + 1
    changes = np.bincount(nodes, minlength=size) - np.bincount(ends[nodes], minlength=size)
    return np.cumsum(changes)[:-1] > 0


def subtree_ends(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each node the number after its last descendant.

    >>> subtree_ends(np.array([-1, 0, 1, 0], dtype=np.int32)).tolist()
    [4, 3, 3, 4]
    """
    ends = list(range(1, len(parents) + 1))
    holders = parents.tolist()
    for node in range(len(ends) - 1, 0, -1):
        if ends[node] > ends[holders[node]]:  # noqa: PLR1730 - faster than max, in a loop over all nodes
            ends[holders[node]] = ends[node]
    return np.array(ends, dtype=np.int32)
