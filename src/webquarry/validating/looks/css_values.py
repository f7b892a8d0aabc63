"""What the 32 properties can be: colours, categories with their values, and numbers with or without a unit."""

from __future__ import annotations

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
