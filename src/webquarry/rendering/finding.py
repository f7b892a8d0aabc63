"""Which browser renders."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from webquarry.errors import BrowserError

VARIABLE = "WEBQUARRY_BROWSER"
NAMES = (
    "chromium-headless-shell",
    "headless_shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Names of browsers on the search path, the headless shells first: they cost half as much a page."""
ADVICE = (
    "on Debian get one with: apt-get install chromium-headless-shell; elsewhere install Chromium or Chrome, "
    f"or name the program with --browser or {VARIABLE}"
)
_IN_PLAYWRIGHT = (
    "chromium_headless_shell-*/*/*headless*shell",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)


def find_browser(named: str | Path | None = None) -> Path | None:
    """The browser that was named, by the caller or in the environment, or else the first that is found."""
    wanted = named or os.environ.get(VARIABLE)
    if wanted:
        found = shutil.which(str(Path(wanted).expanduser()))
        if found is None:
            raise BrowserError(f"{wanted}: no such program to render with; {ADVICE}")
        return Path(found)
    return _find_in_playwright() or _find_on_path()


def require_browser(named: str | Path | None = None) -> Path:
    """The browser to use, or an error that says how to get one."""
    found = find_browser(named)
    if found is None:
        raise BrowserError(f"rendering needs a browser and none was found; {ADVICE}")
    return found


def _find_in_playwright() -> Path | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "~/.cache/ms-playwright").expanduser()
    for pattern in _IN_PLAYWRIGHT:
        found = sorted(path for path in folder.glob(pattern) if os.access(path, os.X_OK))
        if found:
            return found[-1]
    return None


def _find_on_path() -> Path | None:
    names = (shutil.which(name) for name in NAMES)
    return next((Path(name) for name in names if name), None)
