"""Colours as people call them."""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from functools import lru_cache

_RGB = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")
_HUES = (
    (15, "red"),
    (40, "orange"),
    (70, "yellow"),
    (165, "green"),
    (195, "turquoise"),
    (255, "blue"),
    (290, "purple"),
    (340, "pink"),
    (360, "red"),
)
"""Up to which angle of the colour circle, in degrees, a colour has a name."""
_GREY = 0.12
"""Less of a hue than this share of what there can be is not seen as one."""
_BLACK, _WHITE = 0.1, 0.96
"""Lightness up to which a colour is black, and from which it is white."""
_DARK = 0.3
"""Orange that is no lighter is brown."""


@lru_cache(maxsize=4096)
def name_colour(value: str) -> str:
    """A computed colour in words; what is no colour of red, green and blue stays as it is.

    >>> name_colour("rgb(153, 153, 153)"), name_colour("rgba(0, 0, 0, 0)"), name_colour("rgb(200, 0, 0)")
    ('grey (#999999)', 'none', 'red (#c80000)')
    """
    found = _RGB.fullmatch(value)
    if found is None:
        return value
    red, green, blue, alpha = found.groups()
    if alpha is not None and float(alpha) == 0:
        return "none"
    parts = [int(part) for part in (red, green, blue)]
    return f"{_name(*parts)} (#{''.join(f'{part:02x}' for part in parts)})"


def _name(red: int, green: int, blue: int) -> str:
    hue, lightness, _ = rgb_to_hls(red / 255, green / 255, blue / 255)
    if lightness <= _BLACK:
        return "black"
    if lightness >= _WHITE:
        return "white"
    if max(red, green, blue) - min(red, green, blue) < _GREY * 255:
        return "grey"
    name = next(name for most, name in _HUES if hue * 360 <= most)
    return "brown" if name == "orange" and lightness <= _DARK else name
