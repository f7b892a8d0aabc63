"""Renderers to compare: ours and Playwright.

Both drive the same browser program, answer the same requests with the same bytes, run no scripts and take one
snapshot per page with the same properties.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import cast

from webquarry.model.page import Page

OURS, PEER, PEER_CONTENT = "webquarry", "playwright", "playwright_content"
_OPENERS = {
    OURS: ("webquarry", "open_renderer"),
    PEER: ("playwright", "open_renderer"),
    PEER_CONTENT: ("playwright", "open_content_renderer"),
}

Render = Callable[[Sequence[Page]], list[int]]
"""Renders pages and returns the number of nodes in each snapshot."""
OpenRenderer = Callable[[int], AbstractContextManager[Render]]
"""Starts a browser with a number of tabs."""


def load(name: str) -> OpenRenderer | None:
    """Return the function that opens a renderer, or None if a library it needs is not installed."""
    module, opener = _OPENERS[name]
    try:
        return cast(OpenRenderer, getattr(importlib.import_module(f"{__name__}.{module}"), opener))
    except ImportError:
        return None
