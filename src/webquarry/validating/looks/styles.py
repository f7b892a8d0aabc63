"""The styles of nodes of many documents, as codes that mean the same in all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model import Document, Layout
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.validating.looks.css_values import CATEGORIES, COLOURS
from webquarry.validating.looks.distinct import find_distinct
from webquarry.validating.looks.percentages import resolve

_LENGTHS = np.array([name not in COLOURS and name not in CATEGORIES for name in VISUAL_VALIDATION])

Codes = NDArray[np.int32]
PageNodes = tuple[Document, NDArray[np.int32]]
"""A document and nodes of it: texts or elements."""
Pages = Iterable[PageNodes]

_BATCH = 16_384  # nodes


@dataclass(frozen=True)
class Styles:
    """The distinct styles of the nodes of some pages."""

    codes: Codes
    """For each style and each of the 32 properties the place of its value in `values`."""
    values: tuple[str, ...]
    """The first is empty: what a node has that is not rendered."""
    places: NDArray[np.intp]
    """For each node, page after page, its style."""
    sizes: tuple[int, ...]
    """How many nodes each page gave."""


def gather_styles(pages: Pages) -> Styles:
    """The styles of all nodes.

    A text has the style of the element that holds it.  What is not rendered has empty values.
    """
    interned: dict[str, int] = {"": 0}
    sizes: list[int] = []
    tables: list[Codes] = [np.empty((0, len(VISUAL_VALIDATION)), np.int32)]
    places: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
    total = 0
    for batch in _batch(pages):
        codes = np.concatenate([_code_styles(document, nodes, interned) for document, nodes in batch])
        found = find_distinct(codes)
        tables.append(codes[found.first])
        places.append(found.places + total)
        total += len(found.first)
        sizes += [len(nodes) for _, nodes in batch]
    table = np.concatenate(tables)
    found = find_distinct(table)
    return Styles(table[found.first], tuple(interned), found.places[np.concatenate(places)], tuple(sizes))


def _batch(pages: Pages) -> Iterator[list[PageNodes]]:
    """Several pages at a time: most have too few nodes to be worth many calls."""
    held: list[PageNodes] = []
    count = 0
    for page in pages:
        held.append(page)
        count += len(page[1])
        if count >= _BATCH:
            yield held
            held, count = [], 0
    if held:
        yield held


def _code_styles(document: Document, nodes: NDArray[np.int32], interned: dict[str, int]) -> Codes:
    """For each node the codes of its 32 values."""
    layout = document.layout
    if layout is None:
        return np.zeros((len(nodes), len(VISUAL_VALIDATION)), np.int32)
    own = _own_codes(document, layout, nodes)
    known = np.array([interned.setdefault(value, len(interned)) for value in layout.values] + [0], dtype=np.int32)
    codes: Codes = known[own]
    if "%" in "".join(layout.values):
        shares = np.array(["%" in value for value in layout.values] + [False])
        elements = _elements(document, nodes)
        for row, column in np.argwhere(shares[own] & _LENGTHS).tolist():
            name, value = VISUAL_VALIDATION[column], layout.values[own[row, column]]
            pixels = resolve(document, int(elements[row]), name, value)
            codes[row, column] = interned.setdefault(pixels, len(interned))
    return codes


def _own_codes(document: Document, layout: Layout, nodes: NDArray[np.int32]) -> Codes:
    """For each node the layout's codes of the 32 properties; -1 where there is none.

    A snapshot gives texts the style of their holder, also where that has no box of its own (`display: contents`);
    white space that was folded away has none.
    """
    given, missing = _find_properties(layout.properties)
    codes = layout.styles[nodes[:, None], given]
    bare = np.flatnonzero(codes[:, 0] < 0)
    if len(bare):
        codes[bare] = layout.styles[_elements(document, nodes[bare])[:, None], given]
    if len(missing):
        codes[:, missing] = -1
    return codes


@lru_cache
def _find_properties(properties: tuple[str, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each of the 32 properties stands among those of a layout, and which of them are not there."""
    given = np.array([properties.index(name) if name in properties else 0 for name in VISUAL_VALIDATION])
    return given, np.flatnonzero([name not in properties for name in VISUAL_VALIDATION])


def _elements(document: Document, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The elements themselves, and those that hold the texts."""
    return np.where(document.kinds[nodes] == Kind.TEXT, document.parents[nodes], nodes)
