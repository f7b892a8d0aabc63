"""The boxes and styles that a browser gave the nodes of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webquarry.model.nouns import EqualByFields

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webquarry.model.document import Document

Box = tuple[float, float, float, float]
"""x, y, width and height in CSS pixels from the document's origin."""

VISUAL_VALIDATION = tuple(
    """
    background-color border-bottom-color border-bottom-style border-bottom-width border-left-color border-left-style
    border-left-width border-right-color border-right-style border-right-width border-top-color border-top-left-radius
    border-top-right-radius border-top-style border-top-width color font-size font-style font-weight margin-bottom
    margin-left margin-right margin-top outline-color padding-bottom padding-left padding-right padding-top position
    text-align text-decoration visibility
    """.split()
)
"""The 32 properties that vary most (Potvin and Villemaire, "When Different is Wrong", section 4.2, footnote 2)."""


@dataclass(frozen=True, eq=False)
class Layout(EqualByFields):
    """The boxes and styles that a browser gave the nodes of a document."""

    boxes: NDArray[np.float32]
    """For each node x, y, width and height in CSS pixels from the document's origin; NaN where it has no box."""
    styles: NDArray[np.int32]
    """For each node and property the index of its value in `values`; -1 where the node has no box."""
    values: tuple[str, ...]
    properties: tuple[str, ...]
    visible: NDArray[np.bool_]
    """True for each node that is visible, or has something visible in it."""
    width: int
    """Of the whole page, in CSS pixels, as is `height`."""
    height: int
    browser: str
    """Product and version: boxes differ a little between browsers."""
    viewport: int
    """The width of the window."""
    frames: tuple[tuple[int, Document], ...] = ()
    """The node of each frame with the document in it, whose boxes also count from the origin of the whole page."""

    def style(self, node: int, name: str) -> str:
        """Return a property of a node; empty where the node has no box."""
        code = int(self.styles[node, self.properties.index(name)])
        return self.values[code] if code >= 0 else ""
