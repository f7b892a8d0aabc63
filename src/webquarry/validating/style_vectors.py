"""How nodes look, as vectors of numbers.

Potvin and Villemaire, "When Different is Wrong", section 4.2: of 32 style properties a number is kept as it is, a
length loses its unit after all are in pixels, a colour becomes red, green and blue, and a category a column for each
value that the CSS specifications list, 1 in that of the node and 0 in the others.  Repairs: values that the
specifications do not list get a column too; percentages are resolved against boxes, and `auto` that is left is 0
(`percentages.py`, `lengths.py`); of `text-decoration` the lines count; a node that is not rendered has zeros, and in
each category a column of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.layout import VISUAL_VALIDATION, Layout
from webquarry.model.nouns import same_fields
from webquarry.validating.computed_values import (
    CATEGORIES,
    COLOURS,
    category_values,
    parse_colour,
    parse_length,
    resolve,
)

# MERGED validating/looks/distinct: Equal rows as one row with a multiplicity.
_MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio, odd: its powers differ in all their bits
_BLOCK = 65_536  # rows that are hashed at a time: the copies that it takes stay small


class Distinct(NamedTuple):
    """The rows of a table that differ, in the order in which they first occur."""

    first: NDArray[np.intp]
    """Where each occurs first."""
    places: NDArray[np.intp]
    """For each row of the table which of them it is."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each occurs."""
        return np.bincount(self.places, minlength=len(self.first)).astype(np.int64)


def find_distinct(rows: NDArray[Any]) -> Distinct:
    """The rows of a table, of numbers of 4 or 8 bytes, that differ in their bits.

    Rows are told apart by a hash, as sorting rows takes many times as long.  Should two different rows have the same
    one, rows are sorted after all.
    """
    bits = _as_bits(rows)
    found = _find_distinct_numbers(_hash(bits).tolist())
    if _are_equal(bits, found.first[found.places]):
        return found
    return _find_distinct_numbers(np.unique(bits, axis=0, return_inverse=True)[1].reshape(-1).tolist())


def _as_bits(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """The rows as few numbers of 8 bytes each."""
    rows = np.ascontiguousarray(rows)
    if rows.itemsize * rows.shape[1] % 8:
        return rows.view(np.uint32).astype(np.uint64)
    return rows.view(np.uint64)


def _find_distinct_numbers(numbers: list[int]) -> Distinct:
    known = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    places = np.fromiter(map(known.__getitem__, numbers), np.intp, len(numbers))
    return Distinct(np.flatnonzero(np.diff(np.maximum.accumulate(places), prepend=-1)), places)


def _hash(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashes = np.empty(len(bits), dtype=np.uint64)
    for start in range(0, len(bits), _BLOCK):
        block = bits[start : start + _BLOCK]
        # Round floats differ in their upper bits only, which a product loses.
        hashes[start : start + _BLOCK] = (block ^ (block >> np.uint64(32))) @ _powers(bits.shape[1])
    return hashes


@lru_cache
def _powers(count: int) -> NDArray[np.uint64]:
    return np.array([pow(_MULTIPLIER, place + 1, 2**64) for place in range(count)], dtype=np.uint64)


def _are_equal(bits: NDArray[np.uint64], twins: NDArray[np.intp]) -> bool:
    """Whether each row equals the one at the place that is given for it."""
    starts = range(0, len(bits), _BLOCK)
    return all(np.array_equal(bits[at : at + _BLOCK], bits[twins[at : at + _BLOCK]]) for at in starts)


# MERGED validating/looks/styles: The styles of nodes of many documents, as codes that mean the same in all o
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


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Vectors:  # noqa: PLW1641 - arrays have no hash
    """How the nodes of some pages look: the distinct vectors, and which of them each node has."""

    matrix: Floats
    """A row for each distinct vector, in the order of their first nodes."""
    names: tuple[str, ...]
    """Of the columns, as `color red`, `font-size`, `position static`."""
    spans: dict[str, slice]
    """For each property its columns."""
    rows: NDArray[np.intp]
    """For each node, page after page, its row."""
    counts: NDArray[np.int64]
    """For each row how many nodes have it."""
    values: tuple[tuple[str, ...], ...] = field(repr=False)
    """For each row what its first node has for each of the 32 properties; percentages are resolved to pixels."""
    sizes: tuple[int, ...]
    """How many nodes each page gave."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vectors):
            return NotImplemented
        return same_fields(self, other)

    @property
    def categories(self) -> tuple[slice, ...]:
        """The columns of each property that is a category."""
        return tuple(span for name, span in self.spans.items() if name in CATEGORIES)

    def by_page(self, scores: Floats) -> list[Floats]:
        """Scores of rows as scores of nodes, page by page."""
        return np.split(scores[self.rows], np.cumsum(self.sizes)[:-1]) if self.sizes else []


def encode(pages: Pages, *, scaled: bool = False, alpha: bool = False) -> Vectors:
    """How the nodes of some pages look.

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
    matrix = np.concatenate(blocks, axis=1) + 0.0  # makes 0 of -0, which has other bits
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
    """The names of the columns of a property, and a row for each of its values."""
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
    others = sorted({mark for each in marks for mark in each} - set(listed))
    places = {value: place for place, value in enumerate((*listed, *others))}
    block = np.zeros((len(values), len(places)))
    for row, each in enumerate(marks):
        block[row, [places[mark] for mark in each]] = 1
    return [f"{name} {value or '(not rendered)'}" for value in places], block


def _scale(matrix: Floats) -> Floats:
    """Each column from 0 to 1; a column of one value is 0."""
    if not len(matrix):
        return matrix
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    scaled: Floats = (matrix - low) / np.where(high > low, high - low, 1)
    return scaled
