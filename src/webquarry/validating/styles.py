"""The styles of nodes of many documents, as codes that mean the same in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model import Document, Layout
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.validating.css_values import CATEGORIES, COLOURS
from webquarry.validating.distinct import find_distinct
from webquarry.validating.percentages import resolve

_LENGTHS = np.array([name not in COLOURS and name not in CATEGORIES for name in VISUAL_VALIDATION])

Codes = NDArray[np.int32]
Coded = tuple[Codes, NDArray[np.intp]]
"""The codes of some styles, and for each node which of them it has."""
Pages = Iterable[tuple[Document, NDArray[np.int32]]]
"""Documents, each with nodes of it: texts or elements."""


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
    tables: list[Codes] = [np.empty((0, len(VISUAL_VALIDATION)), np.int32)]
    places: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
    sizes, total = [], 0
    for document, nodes in pages:
        table, found = _code_styles(document, nodes, interned)
        tables.append(table)
        places.append(found + total)
        sizes.append(len(nodes))
        total += len(table)
    table = np.concatenate(tables)
    distinct = find_distinct(table)
    return Styles(table[distinct.first], tuple(interned), distinct.places[np.concatenate(places)], tuple(sizes))


def _code_styles(document: Document, nodes: NDArray[np.int32], interned: dict[str, int]) -> Coded:
    """The styles of a page by codes of all pages; the layout's own tell first which nodes have the same."""
    layout = document.layout
    if layout is None or not len(nodes):
        return np.zeros((min(1, len(nodes)), len(VISUAL_VALIDATION)), np.int32), np.zeros(len(nodes), np.intp)
    rows = _own_codes(document, layout, nodes)
    found = find_distinct(rows)
    given, missing = _find_properties(layout.properties)
    own = rows[found.first][:, given]
    own[:, missing] = -1
    known = np.array([interned.setdefault(value, len(interned)) for value in layout.values] + [0], dtype=np.int32)
    shares = np.array(["%" in value for value in layout.values] + [False])[own] & _LENGTHS
    if not shares.any():
        return known[own], found.places
    table = known[own[found.places]]
    elements = _elements(document, nodes)
    for row, column in np.argwhere(shares[found.places]).tolist():
        value = layout.values[own[found.places[row], column]]
        pixels = resolve(document, int(elements[row]), VISUAL_VALIDATION[column], value)
        table[row, column] = interned.setdefault(pixels, len(interned))
    resolved = find_distinct(table)
    return table[resolved.first], resolved.places


def _own_codes(document: Document, layout: Layout, nodes: NDArray[np.int32]) -> Codes:
    """The layout's codes of each node; -1 where it is not rendered.

    A snapshot gives texts the style of their holder, also where that has no box of its own (`display: contents`);
    white space that was folded away has none.
    """
    rows = layout.styles[nodes]
    bare = np.flatnonzero(rows[:, 0] < 0)
    if len(bare):
        rows[bare] = layout.styles[_elements(document, nodes[bare])]
    return rows


@lru_cache
def _find_properties(properties: tuple[str, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each of the 32 properties stands among those of a layout, and which of them are not there."""
    given = np.array([properties.index(name) if name in properties else 0 for name in VISUAL_VALIDATION])
    return given, np.flatnonzero([name not in properties for name in VISUAL_VALIDATION])


def _elements(document: Document, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The elements themselves, and those that hold the texts."""
    return np.where(document.kinds[nodes] == Kind.TEXT, document.parents[nodes], nodes)
