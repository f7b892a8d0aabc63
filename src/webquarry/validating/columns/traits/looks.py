"""What the looks of values are compared by: the style of the element of each, and its box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Layout
from webquarry.validating.columns.traits.paths import Nodes, Values, owners_of
from webquarry.validating.columns.traits.trait import FRAME, LOOK, Trait

Floats = NDArray[np.float64]
Placed = tuple[Layout, Nodes, Nodes]
"""The layout of a page, the nodes of values on it, and the element of each."""

_SIDES = ("top", "right", "bottom", "left")
LETTERS = ("font-size", "color", "font-weight", "font-style", "text-decoration", "text-align")
FRAMES = {
    "background-color": ("background-color",),
    "display": ("display",),
    "position": ("position",),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "border": tuple(f"border-{side}-width" for side in _SIDES),
    "border-radius": ("border-top-left-radius", "border-top-right-radius"),
}
"""By what a reader would call them, the properties of what is around the letters: it tells less, for records that are
set apart from the others differ in it."""
_ALIGNED = 3.0
"""Pixels: edges that are no further apart look as one line."""


def find_look_traits(pages: Sequence[Values]) -> list[Trait]:
    """The traits of nodes by the layouts of their pages; none when a page has no layout."""
    placed = [(layout, nodes, owners_of(document, nodes)) for document, nodes in pages if (layout := document.layout)]
    if len(placed) < len(pages):
        return []
    traits = [Trait(name, LOOK, 1.0, _styles(placed, name)) for name in LETTERS]
    for name, properties in FRAMES.items():
        sides = zip(*(_styles(placed, each) for each in properties), strict=True)
        traits.append(Trait(name, FRAME, 0.5, [_shorten(each) for each in sides]))
    return traits + _box_traits(placed)


def _styles(placed: Sequence[Placed], name: str) -> list[str]:
    """For each value what its element has for a property; of a decoration the line."""
    found: list[str] = []
    for layout, _, owners in placed:
        if name not in layout.properties:
            found += [""] * len(owners)
            continue
        values = [value.partition(" ")[0] if name == "text-decoration" else value for value in (*layout.values, "")]
        found += [values[code] for code in layout.styles[owners, layout.properties.index(name)].tolist()]
    return found


def _shorten(sides: Sequence[str]) -> str:
    """The values of several sides, once when they are the same."""
    return sides[0] if len(set(sides)) == 1 else " ".join(sides)


def _box_traits(placed: Sequence[Placed]) -> list[Trait]:
    none = np.empty((0, 4))
    boxes: Floats = np.concatenate([none, *(_boxes(*each) for each in placed)])
    left, width, height = boxes[:, 0], boxes[:, 2], boxes[:, 3]
    return [
        Trait("edges", FRAME, 0.25, numbers=[left, left + width / 2, left + width], tolerance=_ALIGNED),
        Trait("height", FRAME, 0.25, numbers=[height], tolerance=_ALIGNED),
    ]


def _boxes(layout: Layout, nodes: Nodes, owners: Nodes) -> Floats:
    """The box of each node, else of its element; those that have none are all at the origin."""
    own = layout.boxes[nodes].astype(np.float64)
    return np.nan_to_num(np.where(np.isnan(own), layout.boxes[owners], own))
