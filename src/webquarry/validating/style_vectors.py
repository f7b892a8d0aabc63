"""Encode how nodes look as vectors of numbers.

Potvin and Villemaire, "When Different is Wrong", section 4.2: of 32 style properties a number is kept as it is, a
length in pixels loses its unit, a colour becomes red, green and blue, and a category becomes one 0/1 column for each
value that the CSS specifications list.  Repairs: values that the specifications do not list get a column too;
percentages are resolved against boxes, and `auto` that is left is 0 (`computed_values.py`); `text-decoration` counts
its lines only; a node that is not rendered has zeros, and a column of its own in each category.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.nouns import same_fields
from webquarry.validating.computed_values import (
    CATEGORIES,
    COLOURS,
    category_values,
    parse_colour,
    parse_length,
    resolve_percentage,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
PageNodes = tuple[Document, NDArray[np.int32]]
"""A document and some of its nodes: texts or elements."""
Pages = Iterable[PageNodes]


@dataclass(frozen=True, eq=False)
class Vectors:  # noqa: PLW1641 - arrays have no hash
    """The distinct style vectors of the nodes of some pages, and the vector of each node."""

    matrix: Floats
    """A row for each distinct vector, in the order of their first nodes."""
    names: tuple[str, ...]
    """Names of the columns, such as `color red`, `font-size`, `position static`."""
    spans: dict[str, slice]
    """For each property its columns."""
    rows: NDArray[np.intp]
    """For each node, page after page, its row."""
    counts: NDArray[np.int64]
    """For each row its number of nodes."""
    values: tuple[tuple[str, ...], ...] = field(repr=False)
    """For each row the 32 computed values of its first node, with percentages resolved to pixels."""
    sizes: tuple[int, ...]
    """For each page its number of nodes."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vectors):
            return NotImplemented
        return same_fields(self, other)

    @property
    def categories(self) -> tuple[slice, ...]:
        """The columns of each property that is a category."""
        return tuple(span for name, span in self.spans.items() if name in CATEGORIES)


def encode(pages: Pages, *, scaled: bool = False, alpha: bool = False) -> Vectors:
    """Encode the looks of nodes.

    With `scaled` every column goes from 0 to 1.  With `alpha` a colour has its alpha as a fourth column, from 0 to 1.
    """
    styles = gather_styles(pages)
    blocks: list[Floats] = []
    names: list[str] = []
    spans: dict[str, slice] = {}
    for column, name in enumerate(VISUAL_VALIDATION):
        used, places = np.unique(styles.codes[:, column], return_inverse=True)
        heads, block = _encode_property(name, [styles.values[code] for code in used.tolist()], alpha=alpha)
        spans[name] = slice(len(names), len(names) + len(heads))
        names += heads
        blocks.append(block[places])
    matrix = np.concatenate(blocks, axis=1) + 0.0  # turns -0, which has other bits, into 0
    found = find_distinct(matrix)
    rows = found.places[styles.places]
    matrix = matrix[found.first]
    return Vectors(
        matrix=_scale(matrix) if scaled else matrix,
        names=tuple(names),
        spans=spans,
        rows=rows,
        counts=np.bincount(rows, minlength=len(matrix)).astype(np.int64),
        values=tuple(tuple(styles.values[code] for code in codes) for codes in styles.codes[found.first].tolist()),
        sizes=styles.sizes,
    )


def _encode_property(name: str, values: Sequence[str], *, alpha: bool) -> tuple[list[str], Floats]:
    """Name the columns of a property, and encode each of its values as a row of them."""
    if name in COLOURS:
        parts = ("red", "green", "blue", "alpha")[: 4 if alpha else 3]
        colours = np.array([parse_colour(value) for value in values]).reshape(-1, 4)
        return [f"{name} {part}" for part in parts], colours[:, : len(parts)]
    if name in CATEGORIES:
        return _encode_category(name, values)
    return [name], np.array([[parse_length(value)] for value in values]).reshape(-1, 1)


def _encode_category(name: str, values: Sequence[str]) -> tuple[list[str], Floats]:
    marks = [category_values(name, value) for value in values]
    listed = CATEGORIES[name]
    unlisted = sorted({mark for each in marks for mark in each} - set(listed))
    places = {value: place for place, value in enumerate((*listed, *unlisted))}
    block = np.zeros((len(values), len(places)))
    for row, each in enumerate(marks):
        block[row, [places[mark] for mark in each]] = 1
    return [f"{name} {value or '(not rendered)'}" for value in places], block


def _scale(matrix: Floats) -> Floats:
    """Scale each column to 0..1; a column with a single value becomes 0."""
    if not len(matrix):
        return matrix
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    scaled: Floats = (matrix - low) / np.where(high > low, high - low, 1)
    return scaled


_IS_LENGTH = np.array([name not in COLOURS and name not in CATEGORIES for name in VISUAL_VALIDATION])
_MIN_NODES_ENCODED = 16_384  # nodes: most pages have too few to be worth a call each


@dataclass(frozen=True)
class Styles:
    """The distinct styles of the nodes of some pages, with codes that are shared by all pages."""

    codes: Codes
    """For each style and each of the 32 properties the place of its value in `values`."""
    values: tuple[str, ...]
    """The first is empty: the value of nodes that are not rendered."""
    places: NDArray[np.intp]
    """For each node, page after page, its style."""
    sizes: tuple[int, ...]
    """For each page its number of nodes."""


def gather_styles(pages: Pages) -> Styles:
    """Gather the styles of all nodes; a text has the style of its element."""
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
    held: list[PageNodes] = []
    count = 0
    for page in pages:
        held.append(page)
        count += len(page[1])
        if count >= _MIN_NODES_ENCODED:
            yield held
            held, count = [], 0
    if held:
        yield held


def _code_styles(document: Document, nodes: NDArray[np.int32], interned: dict[str, int]) -> Codes:
    """Return for each node the codes of its 32 values."""
    layout = document.layout
    if layout is None:
        return np.zeros((len(nodes), len(VISUAL_VALIDATION)), np.int32)
    own = _layout_codes(document, layout, nodes)
    known = np.array([interned.setdefault(value, len(interned)) for value in layout.values] + [0], dtype=np.int32)
    codes: Codes = known[own]
    if "%" in "".join(layout.values):
        has_percentage = np.array(["%" in value for value in layout.values] + [False])
        elements = _elements_of(document, nodes)
        for row, column in np.argwhere(has_percentage[own] & _IS_LENGTH).tolist():
            name, value = VISUAL_VALIDATION[column], layout.values[own[row, column]]
            pixels = resolve_percentage(document, int(elements[row]), name, value)
            codes[row, column] = interned.setdefault(pixels, len(interned))
    return codes


def _layout_codes(document: Document, layout: Layout, nodes: NDArray[np.int32]) -> Codes:
    """Return for each node the layout's codes of the 32 properties; -1 where it has none.

    Snapshots give texts the style of their element, even where that has no box (`display: contents`), but none to
    collapsed white space.
    """
    given, missing = _find_properties(layout.properties)
    codes = layout.styles[nodes[:, None], given]
    bare = np.flatnonzero(codes[:, 0] < 0)
    if len(bare):
        codes[bare] = layout.styles[_elements_of(document, nodes[bare])[:, None], given]
    if len(missing):
        codes[:, missing] = -1
    return codes


@lru_cache
def _find_properties(properties: tuple[str, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the places of the 32 properties among those of a layout, and which of the 32 it lacks."""
    given = np.array([properties.index(name) if name in properties else 0 for name in VISUAL_VALIDATION])
    return given, np.flatnonzero([name not in properties for name in VISUAL_VALIDATION])


def _elements_of(document: Document, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(document.kinds[nodes] == Kind.TEXT, document.parents[nodes], nodes)


_MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio, odd: its powers differ in all their bits
_ROWS_HASHED = 65_536  # rows hashed at a time, to keep copies small


class Distinct(NamedTuple):
    """The distinct rows of a table, in the order in which they first occur."""

    first: NDArray[np.intp]
    """For each distinct row the place of its first occurrence."""
    places: NDArray[np.intp]
    """For each row of the table the number of its distinct row."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each distinct row occurs."""
        return np.bincount(self.places, minlength=len(self.first)).astype(np.int64)


def find_distinct(rows: NDArray[Any]) -> Distinct:
    """Find the distinct rows, bit by bit, of a table of 4- or 8-byte numbers.

    Rows are compared by a hash, because sorting them takes many times as long; they are sorted only if hashes collide.
    """
    rows = np.ascontiguousarray(rows)
    is_odd = rows.itemsize * rows.shape[1] % 8
    bits = rows.view(np.uint32).astype(np.uint64) if is_odd else rows.view(np.uint64)
    found = _find_distinct_numbers(_hash(bits).tolist())
    if _are_equal(bits, found.first[found.places]):
        return found
    return _find_distinct_numbers(np.unique(bits, axis=0, return_inverse=True)[1].reshape(-1).tolist())


def _find_distinct_numbers(numbers: list[int]) -> Distinct:
    known = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    places = np.fromiter(map(known.__getitem__, numbers), np.intp, len(numbers))
    return Distinct(np.flatnonzero(np.diff(np.maximum.accumulate(places), prepend=-1)), places)


def _hash(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    powers = np.array([pow(_MULTIPLIER, place + 1, 2**64) for place in range(bits.shape[1])], dtype=np.uint64)
    hashes = np.empty(len(bits), dtype=np.uint64)
    for start in range(0, len(bits), _ROWS_HASHED):
        block = bits[start : start + _ROWS_HASHED]
        # Round floats differ in their upper bits only, which a product loses.
        hashes[start : start + _ROWS_HASHED] = (block ^ (block >> np.uint64(32))) @ powers
    return hashes


def _are_equal(bits: NDArray[np.uint64], twins: NDArray[np.intp]) -> bool:
    """Tell whether each row equals the one at its place in `twins`."""
    starts = range(0, len(bits), _ROWS_HASHED)
    return all(np.array_equal(bits[at : at + _ROWS_HASHED], bits[twins[at : at + _ROWS_HASHED]]) for at in starts)
