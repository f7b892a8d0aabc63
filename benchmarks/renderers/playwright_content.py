"""Playwright with `set_content`, which serves for pages that need nothing from elsewhere."""

from __future__ import annotations

from contextlib import AbstractContextManager

from benchmarks.renderers import Render
from benchmarks.renderers.playwright import open_playwright


def open_renderer(tabs: int) -> AbstractContextManager[Render]:
    """A browser that stays open from call to call; markup is put into the page that is shown."""
    return open_playwright(tabs, lambda tab, serving: tab.set_content(serving.markup))
