"""The style properties that a layout holds."""

from __future__ import annotations

VISUAL_VALIDATION = tuple(
    """
    background-color border-bottom-color border-bottom-style border-bottom-width border-left-color border-left-style
    border-left-width border-right-color border-right-style border-right-width border-top-color border-top-left-radius
    border-top-right-radius border-top-style border-top-width color font-size font-style font-weight margin-bottom
    margin-left margin-right margin-top outline-color padding-bottom padding-left padding-right padding-top position
    text-align text-decoration visibility
    """.split()
)
"""The 32 properties that vary most: Potvin and Villemaire, "When Different is Wrong", section 4.2, footnote 2."""

DECIDE_VISIBILITY = ("display", "opacity", "overflow-x", "overflow-y")
"""With `visibility`, which is among the 32."""

PROPERTIES = VISUAL_VALIDATION + DECIDE_VISIBILITY
