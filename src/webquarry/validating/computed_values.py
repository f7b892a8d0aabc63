"""Lengths as browsers write computed ones, in CSS pixels: `16px`, `50%`, `auto`, `calc(10% + 2px)`, `min(8px, 50%)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.model.layout import Layout

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?P<unit>%|[a-z]+)?|(?P<name>[a-z-]+)?(?P<mark>[(),*/+-]))",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:px)?(?:\s|$)", re.IGNORECASE)
_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "": lambda parts: parts[0],
    "calc": lambda parts: parts[0],
    "min": min,
    "max": max,
    "clamp": lambda parts: max(parts[0], min(parts[1], parts[2])),
}


def parse_length(value: str, whole: float = 0.0) -> float:
    """The pixels of a length, of which percentages are parts of `whole`; of two lengths the first.

    `auto` and whatever is no length are 0: what a browser has laid out has its margins in pixels, and where it keeps
    the word, on text that runs in a line, the margin that is used is 0.

    >>> parse_length("16px"), parse_length("400"), parse_length("auto"), parse_length("10px 20px")
    (16.0, 400.0, 0.0, 10.0)
    >>> parse_length("calc(10% + 2px)", 200), parse_length("min(8px, 50%)", 10), parse_length("3.35544e+07px")
    (22.0, 5.0, 33554400.0)
    """
    if plain := _PLAIN.match(value):
        return float(plain[1])
    try:
        return _Reader(value, whole).read_sum()
    except (ValueError, LookupError, ZeroDivisionError, RecursionError):
        return 0.0


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, value: str, whole: float) -> None:
        self._tokens = _TOKEN.finditer(value)
        self._whole = whole
        self._next: re.Match[str] | None = None
        self._advance()

    def read_sum(self) -> float:
        total = self._read_product()
        while (mark := self._mark()) in ("+", "-"):
            self._advance()
            total += self._read_product() * (1 if mark == "+" else -1)
        return total

    def _read_product(self) -> float:
        product = self._read_term()
        while (mark := self._mark()) in ("*", "/"):
            self._advance()
            term = self._read_term()
            product = product * term if mark == "*" else product / term
        return product

    def _read_term(self) -> float:
        token = self._next
        if token is None:
            raise ValueError(token)
        self._advance()
        if token["number"]:
            return float(token["number"]) * (self._whole / 100 if token["unit"] == "%" else 1)
        if token["mark"] in ("-", "+"):
            return self._read_term() * (-1 if token["mark"] == "-" else 1)
        if token["mark"] != "(":
            raise ValueError(token["mark"])
        return _FUNCTIONS[(token["name"] or "").lower()](list(self._read_arguments()))

    def _read_arguments(self) -> Iterator[float]:
        yield self.read_sum()
        while self._mark() == ",":
            self._advance()
            yield self.read_sum()
        self._advance()

    def _mark(self) -> str:
        return (self._next["mark"] or "") if self._next else ""

    def _advance(self) -> None:
        self._next = next(self._tokens, None)


# MERGED validating/looks/colours: Colours as browsers write computed ones: red, green and blue of sRGB from
# MERGED
# MERGED Transfer functions and primaries are those of CSS Color 4, sections 9 and 10; what sRGB cannot show
Floats = NDArray[np.float64]

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_COLOUR = re.compile(r"(rgba?|lab|lch|oklab|oklch|color)\((?:([a-z][a-z0-9-]*) )?([^()]*)\)$", re.IGNORECASE)
_PART = re.compile(rf"({_NUMBER}|none)(%?)", re.IGNORECASE)
_BLACK = (0.0, 0.0, 0.0, 0.0)

_D65, _D50 = (0.3127, 0.3290), (0.3457, 0.3585)
_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
_OKLAB_TO_LMS = np.array(
    [[1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def _white(place: tuple[float, float]) -> Floats:
    x, y = place
    return np.array([x / y, 1.0, (1 - x - y) / y])


def _to_xyz(primaries: tuple[tuple[float, float], ...], white: tuple[float, float]) -> Floats:
    """The matrix from linear light of these primaries to XYZ."""
    columns = np.array([_white(each) for each in primaries]).T
    scaled: Floats = columns * np.linalg.solve(columns, _white(white))
    return scaled


def _adapt() -> Floats:
    """The matrix that takes XYZ under D50 to XYZ under D65."""
    gains = (_BRADFORD @ _white(_D65)) / (_BRADFORD @ _white(_D50))
    adapted: Floats = np.linalg.inv(_BRADFORD) @ np.diag(gains) @ _BRADFORD
    return adapted


def _expand_srgb(parts: Floats) -> Floats:
    size = np.abs(parts)
    return np.sign(parts) * np.where(size <= 0.04045, size / 12.92, ((size + 0.055) / 1.055) ** 2.4)


def _compress_srgb(light: Floats) -> Floats:
    size = np.abs(light)
    return np.sign(light) * np.where(size <= 0.0031308, size * 12.92, 1.055 * size ** (1 / 2.4) - 0.055)


def _expand_rec2020(parts: Floats) -> Floats:
    return np.sign(parts) * np.abs(parts) ** 2.4


def _expand_a98(parts: Floats) -> Floats:
    return np.sign(parts) * np.abs(parts) ** (563 / 256)


def _expand_prophoto(parts: Floats) -> Floats:
    size = np.abs(parts)
    return np.sign(parts) * np.where(size <= 16 / 512, size / 16, size**1.8)


def _keep(parts: Floats) -> Floats:
    return parts


_FROM_D50 = _adapt()
_SRGB = _to_xyz(((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)), _D65)
_TO_SRGB: Floats = np.linalg.inv(_SRGB).astype(np.float64)
_P3 = _to_xyz(((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)), _D65)
_SPACES: dict[str, tuple[Callable[[Floats], Floats], Floats]] = {
    "srgb": (_expand_srgb, _SRGB),
    "srgb-linear": (_keep, _SRGB),
    "display-p3": (_expand_srgb, _P3),
    "display-p3-linear": (_keep, _P3),
    "rec2020": (_expand_rec2020, _to_xyz(((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)), _D65)),
    "a98-rgb": (_expand_a98, _to_xyz(((0.64, 0.33), (0.21, 0.71), (0.15, 0.06)), _D65)),
    "prophoto-rgb": (
        _expand_prophoto,
        _FROM_D50 @ _to_xyz(((0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105)), _D50),
    ),
    "xyz": (_keep, np.eye(3)),
    "xyz-d65": (_keep, np.eye(3)),
    "xyz-d50": (_keep, _FROM_D50),
}


@lru_cache(maxsize=4096)
def parse_colour(value: str) -> tuple[float, float, float, float]:
    """Red, green and blue from 0 to 255 and alpha from 0 to 1; black without any alpha for what is no colour.

    >>> parse_colour("rgba(255, 0, 10, 0.5)")
    (255.0, 0.0, 10.0, 0.5)
    >>> parse_colour("color(srgb 0.2 0 1)")
    (51.0, 0.0, 255.0, 1.0)
    """
    matched = _COLOUR.match(value.strip())
    if matched is None:
        return _BLACK
    function, space, inside = matched[1].lower(), (matched[2] or "").lower(), matched[3]
    parts = [_number(number, percent) for number, percent in _PART.findall(inside)]
    if len(parts) < 3:
        return _BLACK
    alpha = parts[3] if len(parts) > 3 else 1.0
    if function.startswith("rgb"):
        return parts[0], parts[1], parts[2], alpha
    if function == "color" and space not in _SPACES:
        return _BLACK
    red, green, blue = _to_srgb(function, space, np.array(parts[:3])).tolist()
    return red, green, blue, alpha


def _number(number: str, percent: str) -> float:
    """A component that is `none` counts as 0, as it does when it is painted."""
    if number.lower() == "none":
        return 0.0
    return float(number) / 100 if percent else float(number)


def _to_srgb(function: str, space: str, parts: Floats) -> Floats:
    if function.endswith("lch"):
        lightness, chroma, hue = parts.tolist()
        parts = np.array([lightness, chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))])
    if function.startswith("ok"):
        light = _LMS_TO_RGB @ (_OKLAB_TO_LMS @ parts) ** 3
    elif function == "color":
        expand, matrix = _SPACES[space]
        light = _TO_SRGB @ matrix @ expand(parts)
    else:
        light = _TO_SRGB @ _FROM_D50 @ _lab_to_xyz(parts)
    shown: Floats = np.round(np.clip(_compress_srgb(light), 0, 1) * 255, 3)
    return shown


def _lab_to_xyz(lab: Floats) -> Floats:
    """CIE Lab to XYZ, both under D50; the bounds are those of the CIE, exact."""
    kappa, epsilon = 24389 / 27, 216 / 24389
    middle = (lab[0] + 16) / 116
    roots = np.array([middle + lab[1] / 500, middle, middle - lab[2] / 200])
    shares = np.where(roots**3 > epsilon, roots**3, (116 * roots - 16) / kappa)
    scaled: Floats = shares * _white(_D50)
    return scaled


# MERGED validating/looks/css_values: What the 32 properties can be: colours, categories with their values, a
_SIDES_CSS_VALUES = ("bottom", "left", "right", "top")
_BORDER_STYLES = "none hidden dotted dashed solid double groove ridge inset outset"
_VALUES = {
    **{f"border-{side}-style": _BORDER_STYLES for side in _SIDES_CSS_VALUES},
    "font-style": "normal italic oblique",
    "position": "static relative absolute fixed sticky",
    "text-align": "start end left right center justify match-parent justify-all",
    "text-decoration": "none underline overline line-through blink spelling-error grammar-error",
    "visibility": "visible hidden collapse force-hidden",
}

CATEGORIES = {name: tuple(values.split()) for name, values in _VALUES.items()}
"""The values of each category: CSS Backgrounds and Borders 3, Fonts 4, Positioned Layout 3, Text 3, Text Decoration 4
(of the shorthand, the lines) and Display 4."""

COLOURS = frozenset(
    ["color", "background-color", "outline-color", *(f"border-{side}-color" for side in _SIDES_CSS_VALUES)]
)
RADII = frozenset(["border-top-left-radius", "border-top-right-radius"])
"""Their percentages are of the box of the element itself; those of margins and paddings are of the block around it."""

_LINES = frozenset(CATEGORIES["text-decoration"])


def category_values(name: str, value: str) -> tuple[str, ...]:
    """The categories that a value of a property is: one, but for lines of which a text can have several.

    >>> category_values("text-decoration", "underline overline dotted rgb(0, 0, 255)")
    ('underline', 'overline')
    >>> category_values("font-style", "oblique 10deg")
    ('oblique',)
    """
    words = value.split()
    if name == "text-decoration":
        return tuple(word for word in words if word in _LINES) or (value,)
    return (words[0],) if words else ("",)


# MERGED validating/looks/percentages: Percentages of lengths, resolved against the boxes that they are parts
# MERGED
# MERGED A browser gives pixels for most of what it has laid out.  It keeps percentages of radii, which are p
# MERGED of the element itself, and of margins and paddings of elements that run in a line, which are parts o
# MERGED width of the block around them.
_IN_LINE = frozenset(["inline", "contents", "ruby", "ruby-text"])
_SIDES = ("padding-left", "padding-right", "border-left-width", "border-right-width")


def resolve(document: Document, element: int, name: str, value: str) -> str:
    """The value of a property of an element, in pixels; nothing to be a part of counts as 0."""
    layout = document.layout
    if layout is None:
        return value
    whole = _width(layout, element) if name in RADII else _block_width(document, layout, element)
    return f"{parse_length(value, whole):g}px"


def _block_width(document: Document, layout: Layout, element: int) -> float:
    """The content width of the nearest block that holds the element."""
    block = int(document.parents[element])
    while block > 0 and _is_in_line(layout, block):
        block = int(document.parents[block])
    if block <= 0:
        return float(layout.viewport)
    return max(0.0, _width(layout, block) - sum(parse_length(_style(layout, block, side)) for side in _SIDES))


def _is_in_line(layout: Layout, element: int) -> bool:
    return not _style(layout, element, "font-size") or _style(layout, element, "display") in _IN_LINE


def _style(layout: Layout, element: int, name: str) -> str:
    return layout.style(element, name) if name in layout.properties else ""


def _width(layout: Layout, element: int) -> float:
    width = float(layout.boxes[element, 2])
    return width if width > 0 else 0.0
