"""How nodes look, as vectors of numbers.

Potvin and Villemaire, "When Different is Wrong", section 4.2: of 32 style properties a number is kept as it is, a
length loses its unit after all are in pixels, a colour becomes red, green and blue, and a category a column for each
value that the CSS specifications list, 1 in that of the node and 0 in the others.  Repairs: values that the
specifications do not list get a column too; percentages are resolved against boxes, and `auto` that is left is 0
(`percentages.py`, `lengths.py`); of `text-decoration` the lines count; a node that is not rendered has zeros, and in
each category a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webquarry.model.equality import same_fields
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.validating.looks.colours import parse_colour
from webquarry.validating.looks.css_values import CATEGORIES, COLOURS, category_values
from webquarry.validating.looks.distinct import find_distinct
from webquarry.validating.looks.lengths import parse_length
from webquarry.validating.looks.styles import Pages, gather_styles

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
