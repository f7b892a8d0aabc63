"""Encode how nodes look as vectors of numbers, from CSS computed values as Chromium writes them.

Potvin and Villemaire, "When Different is Wrong", section 4.2: of 32 style properties a number is kept as it is, a
length in pixels loses its unit, a colour becomes red, green and blue, and a category becomes one 0/1 column for each
value that the CSS specifications list.  Repairs: values that the specifications do not list get a column too;
percentages are resolved against boxes, and `auto` that is left is 0; `text-decoration` counts its lines only; a node
that is not rendered has zeros, and a column of its own in each category.  `docs/decisions` says which colour spaces and
functions are left out.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.nouns import same_fields

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
PageNodes = tuple[Document, NDArray[np.int32]]
"""A document and some of its nodes: texts or elements."""
Pages = Iterable[PageNodes]


_SIDES = ("bottom", "left", "right", "top")
_BORDER_STYLES = "none hidden dotted dashed solid double groove ridge inset outset"
_VALUES = {
    **{f"border-{side}-style": _BORDER_STYLES for side in _SIDES},
    "font-style": "normal italic oblique",
    "position": "static relative absolute fixed sticky",
    "text-align": "start end left right center justify match-parent justify-all",
    "text-decoration": "none underline overline line-through blink spelling-error grammar-error",
    "visibility": "visible hidden collapse force-hidden",
}

CATEGORIES = {name: tuple(values.split()) for name, values in _VALUES.items()}
"""The values of each category: CSS Backgrounds and Borders 3, Fonts 4, Positioned Layout 3, Text 3, Text Decoration 4
(of the shorthand, the lines) and Display 4."""
COLOURS = frozenset(["color", "background-color", "outline-color", *(f"border-{side}-color" for side in _SIDES)])
RADII = frozenset(["border-top-left-radius", "border-top-right-radius"])

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_RGB_SPACES = "srgb|display-p3|rec2020|a98-rgb|prophoto-rgb"
_COLOUR = re.compile(rf"(rgba?\(|(?:ok)?l(?:ab|ch)\(|color\((?:{_RGB_SPACES}) )([^()]*)\)", re.IGNORECASE)
_COMPONENT = re.compile(rf"([+-]?{_NUMBER}|none)(%?)", re.IGNORECASE)
_TRANSPARENT = (0.0, 0.0, 0.0, 0.0)
# CSS Color 4, section 18: the matrices from Lab (relative to the white of D50) and Oklab to linear sRGB.
_LAB_TO_RGB = np.array(
    [[3.0222337, -1.617386, -0.4048477], [-0.9438483, 1.9162544, 0.0275939], [0.0693863, -0.2289768, 1.1595905]]
)
_OKLAB_TO_LMS = np.array([[1, 0.3963378, 0.2158038], [1, -0.1055613, -0.0638542], [1, -0.0894842, -1.2914855]])
_LMS_TO_RGB = np.array(
    [[4.0767417, -3.3077116, 0.2309699], [-1.268438, 2.6097574, -0.3413194], [-0.0041961, -0.7034186, 1.7076147]]
)


@lru_cache(maxsize=4096)
def parse_colour(value: str) -> tuple[float, float, float, float]:
    """Return red, green and blue from 0 to 255 and alpha from 0 to 1; transparent black for anything else.

    Colours that sRGB cannot show are clipped.  The components of other RGB spaces are taken for those of sRGB.

    >>> parse_colour("rgba(255, 0, 10, 0.5)"), parse_colour("color(srgb 0.2 0 1)")
    ((255.0, 0.0, 10.0, 0.5), (51.0, 0.0, 255.0, 1.0))
    """
    matched = _COLOUR.fullmatch(value.strip())
    parts = [_parse_component(*each) for each in _COMPONENT.findall(matched[2])] if matched else []
    if matched is None or len(parts) < 3:
        return _TRANSPARENT
    function, alpha = matched[1].lower().rstrip("("), parts[3] if len(parts) > 3 else 1.0
    if function.startswith("rgb"):
        return parts[0], parts[1], parts[2], alpha
    first, second, third = parts[:3]
    if function.endswith("lch"):
        second, third = second * np.cos(np.radians(third)), second * np.sin(np.radians(third))
    if function.startswith("ok"):
        shown = _compress(_LMS_TO_RGB @ (_OKLAB_TO_LMS @ [first, second, third]) ** 3)
    elif function.startswith("l"):
        middle = (first + 16) / 116
        roots = np.array([middle + second / 500, middle, middle - third / 200])
        shown = _compress(_LAB_TO_RGB @ np.where(roots > 6 / 29, roots**3, (roots - 4 / 29) * 108 / 841))
    else:
        shown = np.array([first, second, third])
    red, green, blue = np.round(np.clip(shown, 0, 1) * 255, 3).tolist()
    return red, green, blue, alpha


def _parse_component(number: str, percent: str) -> float:
    if number.lower() == "none":
        return 0.0  # as it is painted
    return float(number) / 100 if percent else float(number)


def _compress(light: Floats) -> Floats:
    """Apply the transfer function of sRGB."""
    light = np.maximum(light, 0)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


_PLAIN_LENGTH = re.compile(rf"([+-]?{_NUMBER})(%|px)?(?:\s|$)", re.IGNORECASE)
_LENGTH_UNIT = re.compile(rf"({_NUMBER})(%|px)", re.IGNORECASE)
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "calc": lambda value: value,
    "min": min,
    "max": max,
    "clamp": lambda low, value, high: max(low, min(value, high)),
}
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def parse_length(value: str, whole: float = 0.0) -> float:
    """Return a length in pixels, with percentages as shares of `whole`; of two lengths the first.

    `auto` and anything that is not a length are 0: browsers give the margins of boxes in pixels, and `auto` that is
    left, on inline text, has a used value of 0.

    >>> parse_length("16px"), parse_length("400"), parse_length("auto"), parse_length("10px 20px")
    (16.0, 400.0, 0.0, 10.0)
    >>> parse_length("calc(10% + 2px)", 200), parse_length("min(8px, 50%)", 10), parse_length("3.35544e+07px")
    (22.0, 5.0, 33554400.0)
    """
    if plain := _PLAIN_LENGTH.match(value):
        return _to_pixels(plain, whole)
    if "(" not in value:
        return 0.0
    try:
        # Without units the sums and functions of CSS are expressions of Python.
        return _evaluate(
            ast.parse(_LENGTH_UNIT.sub(lambda each: repr(_to_pixels(each, whole)), value), mode="eval").body
        )
    except (SyntaxError, ValueError, LookupError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return 0.0


def _to_pixels(length: re.Match[str], whole: float) -> float:
    return float(length[1]) * (whole / 100 if length[2] == "%" else 1)


def _evaluate(expression: ast.expr) -> float:
    match expression:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand)
        case ast.BinOp(left=left, op=sign, right=right):
            return _OPERATORS[type(sign)](_evaluate(left), _evaluate(right))
        case ast.Call(func=ast.Name(id=name), args=parts):
            return _FUNCTIONS[name](*map(_evaluate, parts))
    raise ValueError(expression)


def category_values(name: str, value: str) -> tuple[str, ...]:
    """Return the categories of a value: one, except for `text-decoration`, which can have several lines.

    >>> category_values("text-decoration", "underline overline dotted rgb(0, 0, 255)")
    ('underline', 'overline')
    >>> category_values("font-style", "oblique 10deg")
    ('oblique',)
    """
    words = value.split()
    if name == "text-decoration":
        return tuple(word for word in words if word in CATEGORIES[name]) or (value,)
    return (words[0],) if words else ("",)


_INLINE_DISPLAYS = frozenset(["inline", "contents", "ruby", "ruby-text"])
_INSETS = ("padding-left", "padding-right", "border-left-width", "border-right-width")


def resolve_percentage(document: Document, element: int, name: str, value: str) -> str:
    """Turn a length with percentages into pixels; without a box to refer to, percentages are 0.

    Computed styles keep percentages for radii, which refer to the width of the element itself, and for margins and
    paddings of inline elements, which refer to the content width of the block around them.
    """
    layout = document.layout
    if layout is None:
        return value
    whole = _width(layout, element) if name in RADII else _containing_width(document, layout, element)
    return f"{parse_length(value, whole):g}px"


def _containing_width(document: Document, layout: Layout, element: int) -> float:
    block = int(document.parents[element])
    while block > 0 and (
        not _style(layout, block, "font-size") or _style(layout, block, "display") in _INLINE_DISPLAYS
    ):
        block = int(document.parents[block])
    if block <= 0:
        return float(layout.viewport)
    return max(0.0, _width(layout, block) - sum(parse_length(_style(layout, block, side)) for side in _INSETS))


def _style(layout: Layout, element: int, name: str) -> str:
    return layout.style(element, name) if name in layout.properties else ""


def _width(layout: Layout, element: int) -> float:
    width = float(layout.boxes[element, 2])
    return width if width > 0 else 0.0  # NaN is not


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
