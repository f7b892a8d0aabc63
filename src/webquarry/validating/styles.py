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
        codes = _code_styles(document, nodes, interned)
        found = find_distinct(codes)
        places.append(found.places + total)
        tables.append(codes[found.first])
        sizes.append(len(nodes))
        total += len(found.first)
    table = np.concatenate(tables)
    found = find_distinct(table)
    return Styles(table[found.first], tuple(interned), found.places[np.concatenate(places)], tuple(sizes))


def _code_styles(document: Document, nodes: NDArray[np.int32], interned: dict[str, int]) -> Codes:
    layout = document.layout
    if layout is None or not len(nodes):
        return np.zeros((len(nodes), len(VISUAL_VALIDATION)), np.int32)
    own = _own_codes(document, layout, nodes)
    codes = np.array([interned.setdefault(value, len(interned)) for value in layout.values] + [0], dtype=np.int32)[own]
    are_shares = np.array(["%" in value for value in layout.values] + [False])
    if are_shares.any():
        elements = _elements(document, nodes)
        for row, column in np.argwhere(are_shares[own] & _LENGTHS).tolist():
            value = layout.values[own[row, column]]
            value = resolve(document, int(elements[row]), VISUAL_VALIDATION[column], value)
            codes[row, column] = interned.setdefault(value, len(interned))
    return codes


def _own_codes(document: Document, layout: Layout, nodes: NDArray[np.int32]) -> Codes:
    """The layout's codes of the 32 properties of each node; -1 where there is none.

    A snapshot gives texts the style of their holder, also where that has no box of its own (`display: contents`);
    white space that was folded away has none.
    """
    rows = layout.styles[nodes]
    bare = np.flatnonzero(rows[:, 0] < 0)
    if len(bare):
        rows[bare] = layout.styles[_elements(document, nodes[bare])]
    given, missing = _find_properties(layout.properties)
    codes = rows[:, given]
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
