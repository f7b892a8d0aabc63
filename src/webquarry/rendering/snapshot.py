"""One document of the browser's snapshot as columns.

Elements that style sheets generate, such as `::before`, are no nodes.  The content of a shadow root stands in the
place of its host's, as it is shown; the content of templates and instructions is not in a snapshot.
"""

from __future__ import annotations

from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import NO_ATTRIBUTES, Attributes, Columns
from webquarry.html.kinds import Kind

_KINDS = np.array([int(kind) for kind in Kind], dtype=np.uint8)
_CDATA = 4  # the DOM standard's number; a text like any other to us
_FOREIGN_ROOTS = {"svg": 1, "math": 2}


class Snapshot:
    """The nodes of a document that are kept.  An empty string has the number -1: `strings` must end with one."""

    def __init__(self, document: dict[str, Any], strings: list[str]) -> None:
        self.strings = strings
        self.document = document
        self.url = strings[document["documentURL"]]
        nodes = document["nodes"]
        parents = np.array(nodes["parentIndex"], dtype=np.int32)
        kinds = np.array(nodes["nodeType"], dtype=np.uint8)
        kinds[kinds == _CDATA] = Kind.TEXT
        self.kept = _find_kept(parents, kinds, nodes["pseudoType"]["index"])
        self.renumbered = np.cumsum(self.kept, dtype=np.int32) - 1
        held = parents[self.kept]
        self.kinds = kinds[self.kept]
        self.parents = np.where(held < 0, -1, self.renumbered[held]).astype(np.int32)
        names = [strings[code] for code in compress(nodes["nodeName"], self.kept.tolist())]
        self.names = [_element_name(name) for name in names]
        self.upper = [name != lower for name, lower in zip(names, self.names, strict=True)]

    def numbers(self) -> NDArray[np.int32]:
        """Each node's own number, for want of another document's."""
        return np.arange(len(self.kinds), dtype=np.int32)

    def columns(self) -> Columns:
        """The columns of the kept nodes."""
        nodes = self.document["nodes"]
        kept = self.kept.tolist()
        elements = (self.kinds == Kind.ELEMENT).tolist()
        codes: dict[str, int] = {}
        tags = [
            codes.setdefault(name, len(codes)) if is_element else -1
            for name, is_element in zip(self.names, elements, strict=True)
        ]
        texts = [self.strings[code] for code in compress(nodes["nodeValue"], kept)]
        for node in np.flatnonzero(self.kinds == Kind.DOCTYPE).tolist():
            texts[node] = self._doctype(self.names[node])
        for node in np.flatnonzero(self.kinds == Kind.INSTRUCTION).tolist():
            texts[node] = f"{self.names[node]} {texts[node]}"
        return Columns(
            kinds=self.kinds,
            parents=self.parents,
            tags=np.array(tags, dtype=np.int32),
            namespaces=self._namespaces(),
            tag_names=tuple(codes),
            texts=tuple(texts),
            attributes=tuple(self._attributes(flat) for flat in compress(nodes["attributes"], kept)),
        )

    def holders(self) -> list[tuple[int, int]]:
        """The nodes that hold frames, each with the number of its document."""
        held = self.document["nodes"]["contentDocumentIndex"]
        return [
            (int(self.renumbered[node]), number)
            for node, number in zip(held["index"], held["value"], strict=True)
            if self.kept[node]
        ]

    def _attributes(self, flat: list[int]) -> Attributes:
        if not flat:
            return NO_ATTRIBUTES
        strings = self.strings
        return {strings[name]: strings[value] for name, value in zip(flat[::2], flat[1::2], strict=True)}

    def _doctype(self, name: str) -> str:
        ids = [self.strings[self.document[key]] for key in ("publicId", "systemId")]
        return f'{name} "{ids[0]}" "{ids[1]}"' if any(ids) else name

    def _namespaces(self) -> NDArray[np.uint8]:
        """HTML's names are in upper case in a snapshot; others belong to the `svg` or `math` around them."""
        spaces = np.zeros(len(self.kinds), dtype=np.uint8)
        for node in np.flatnonzero((self.kinds == Kind.ELEMENT) & ~np.array(self.upper)).tolist():
            spaces[node] = _FOREIGN_ROOTS.get(self.names[node]) or spaces[self.parents[node]]
        return spaces


def _find_kept(parents: NDArray[np.int32], kinds: NDArray[np.uint8], generated: list[int]) -> NDArray[np.bool_]:
    kept = np.isin(kinds, _KINDS)
    kept[generated] = False
    while True:
        narrowed = kept & (kept[parents] | (parents < 0))
        if np.array_equal(narrowed, kept):
            return kept
        kept = narrowed


def _element_name(name: str) -> str:
    """The name as it is written: HTML's in lower case, foreign ones as they are.

    >>> _element_name("O:P"), _element_name("linearGradient")
    ('o:p', 'linearGradient')
    """
    return name if any("a" <= letter <= "z" for letter in name) else name.lower()
