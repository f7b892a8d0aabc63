"""Colours as people call them."""

from __future__ import annotations

from colorsys import rgb_to_hls
from functools import lru_cache

from webquarry.validating.looks.colours import parse_colour

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
_BLACK, _WHITE = 0.16, 0.96
"""Lightness up to which a colour is black, and from which it is white."""
_DARK = 0.3
"""Orange that is no lighter is brown."""


@lru_cache(maxsize=4096)
def name_colour(value: str) -> str:
    """A computed colour in words.

    >>> name_colour("rgb(153, 153, 153)"), name_colour("rgba(0, 0, 0, 0)"), name_colour("rgb(200, 0, 0)")
    ('grey (#999999)', 'none', 'red (#c80000)')
    """
    *parts, alpha = parse_colour(value)
    if alpha == 0:
        return "none"
    red, green, blue = (min(max(round(part), 0), 255) for part in parts)
    return f"{_name(red, green, blue)} (#{red:02x}{green:02x}{blue:02x})"


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
