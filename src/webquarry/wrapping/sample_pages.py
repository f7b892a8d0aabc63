"""The sample pages that a wrapper is learnt from, as pieces with formats."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tag_paths import depths_of
from webquarry.model.document import Document
from webquarry.model.layout import Layout
from webquarry.page.looks import Look, indents, rendered_look, static_look
from webquarry.page.text_runs import COLON, RUN_IN, Piece
from webquarry.page.trees import ColumnsTree

# MERGED wrapping/grouping: What stands together in the tree of a page.
MOST = 0.95
"""Share of the headings that the content of a page holds."""


class Groups:
    """How near to each other the elements of a document stand."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = self._document.parents.tolist()
        return parents

    @cached_property
    def _depths(self) -> list[int]:
        depths: list[int] = depths_of(self._document.ends).tolist()
        return depths

    def closeness(self, first: int, second: int) -> int:
        """The depth of the smallest element that holds both."""
        parents, depths = self._parents, self._depths
        while first != second:
            if depths[first] < depths[second]:
                second = parents[second]
            else:
                first = parents[first]
        return depths[first]

    def smallest_around(self, elements: Sequence[int]) -> int:
        """The smallest element that holds most of some elements."""
        if not elements:
            return 0
        ordered = sorted(elements)
        here = ordered[len(ordered) // 2]
        ends = self._document.ends
        while here > 0:
            inside = bisect_left(ordered, ends[here]) - bisect_left(ordered, here)
            if inside >= MOST * len(ordered):
                break
            here = self._parents[here]
        return here


@dataclass(frozen=True)
class Format:
    """What pieces of one kind have in common."""

    signature: str
    look: Look

    @property
    def style(self) -> Format:
        """The format as a person sees it: a label looks the same whether its value is in its line or below."""
        return (
            Format(self.signature.removesuffix(RUN_IN) + COLON, self.look) if self.signature.endswith(RUN_IN) else self
        )


@dataclass(frozen=True)
class Sample:
    """A page as pieces that are seen, each with its format and how far it is set in."""

    document: Document
    pieces: list[Piece]
    formats: list[Format]
    indents: list[float]
    content: int = 0
    """The element that holds the headings."""

    @cached_property
    def tree(self) -> ColumnsTree:
        """Its nodes."""
        return ColumnsTree(self.document)

    @cached_property
    def groups(self) -> Groups:
        """What stands together on the page."""
        return Groups(self.document)


@dataclass(frozen=True)
class Samples:
    """The sample pages, read alike."""

    pages: list[Sample]
    classes: frozenset[str]
    """The class names that signatures are made of."""
    hidden: tuple[str, ...]
    """Steps of elements that no page shows, though their markup does not say so."""
    title: str
    """The signature of the heading that names a page."""

    @property
    def is_rendered(self) -> bool:
        """Whether all pages have a layout."""
        return all(page.document.layout is not None for page in self.pages)


def to_sample(document: Document, pieces: Iterable[Piece]) -> Sample:
    """A page as those of its pieces that are seen, with their formats."""
    is_hidden = document.hidden
    pieces = [piece for piece in pieces if not is_hidden[piece.node]]
    if document.layout is None:
        set_in = indents(document)
        formats = [Format(piece.signature, static_look(piece.signature)) for piece in pieces]
        return Sample(document, pieces, formats, [set_in[piece.node] + 8.0 * piece.indent for piece in pieces])
    looks: dict[int, Look] = {}
    for piece in pieces:
        if piece.element not in looks:
            looks[piece.element] = rendered_look(document.layout, piece.element)
    formats = [Format(piece.signature, looks[piece.element]) for piece in pieces]
    left = _beginnings(document, document.layout)
    return Sample(document, pieces, formats, [float(left[piece.node]) + 8.0 * piece.indent for piece in pieces])


def _beginnings(document: Document, layout: Layout) -> NDArray[np.float32]:
    """For each node how far from the side that its lines begin at it stands, in pixels."""
    left, width = layout.boxes[:, 0], layout.boxes[:, 2]
    directions = (document.attributes[node].get("dir", "").lower() for node in _outermost(document))
    return layout.width - left - width if "rtl" in directions else left


def _outermost(document: Document) -> list[int]:
    return [node for path in ("/html", "/html/body") if (node := document.node(path)) is not None]
