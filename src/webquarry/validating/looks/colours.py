"""Colours as browsers write computed ones: red, green and blue of sRGB from 0 to 255, whatever space they are given in.

Transfer functions and primaries are those of CSS Color 4, sections 9 and 10; what sRGB cannot show is clipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
