"""The style properties that a layout holds."""

from __future__ import annotations

from webquarry.model.layout import VISUAL_VALIDATION

DECIDE_VISIBILITY = ("display", "opacity", "overflow-x", "overflow-y")
"""With `visibility`, which is among the 32."""

PROPERTIES = VISUAL_VALIDATION + DECIDE_VISIBILITY
