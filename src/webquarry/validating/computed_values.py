"""Read CSS computed values as Chromium writes them: colours, lengths and categories.

`docs/decisions` says which colour spaces and functions are left out.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document, Layout

Floats = NDArray[np.float64]

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
