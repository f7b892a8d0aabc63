"""What webquarry finds on this machine, and what is missing."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import typer

from webquarry.fetching import Policy, cache_path, cache_size, clear_cache

PACKAGES = ("turbohtml", "lxml", "numpy", "httpx2", "hishel", "protego", "fastwarc", "typer")
BROWSERS = (
    "chromium-headless-shell",
    "headless_shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Names of browsers to look for, the light ones first."""


def examine(cache: Path | None, *, clear: bool) -> int:
    """Print what there is, and give the exit code: 1 when a needed package is missing."""
    policy = Policy(cache=cache)
    if clear:
        typer.echo(f"cache: {_size(clear_cache(policy))} freed")
        return 0
    missing = [name for name in PACKAGES if _version(name) is None]
    for line in _lines(policy):
        typer.echo(line)
    if missing:
        typer.echo(f"missing: {', '.join(missing)}; get them with: pip install {' '.join(missing)}", err=True)
    return 1 if missing else 0


def find_browser() -> Path | None:
    """The browser that rendering would use, or None."""
    playwright = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "~/.cache/ms-playwright").expanduser()
    for pattern in ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/*/chrome"):
        found = sorted(playwright.glob(pattern))
        if found:
            return found[-1]
    names = (shutil.which(name) for name in BROWSERS)
    return next((Path(name) for name in names if name), None)


def _lines(policy: Policy) -> Iterator[str]:
    yield f"webquarry  {_version('webquarry')} on Python {platform.python_version()}"
    for name in PACKAGES:
        yield f"{name:<10} {_version(name) or 'missing'}"
    browser = find_browser()
    yield f"browser    {browser or 'none; on Debian get one with: apt-get install chromium-headless-shell'}"
    yield f"cache      {cache_path(policy)} ({_size(cache_size(policy))}; empty it with: quarry doctor --clear-cache)"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _size(count: int) -> str:
    """A number of bytes as people say it.

    >>> _size(0), _size(2_500_000)
    ('0 B', '2.5 MB')
    """
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B"
