"""`quarry doctor`: show what webquarry finds on this machine."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from webquarry.cli.messages import complain
from webquarry.cli.options import Cache, flag
from webquarry.errors import BrowserError
from webquarry.fetching import policy as fetch_policy
from webquarry.rendering import browser

EXAMPLE = "quarry doctor --clear-cache"
PACKAGES = tuple("turbohtml lxml numpy pyarrow duckdb httpx2 hishel protego fastwarc typer rich".split())


def doctor(
    cache: Cache = None,
    clear: Annotated[bool, flag("--clear-cache", "Delete all cached pages.")] = False,
) -> int:
    """Show versions, browser and cache, and what is missing."""
    policy = fetch_policy.Policy(cache=cache)
    if clear:
        typer.echo(f"cache: {_size(fetch_policy.clear_cache(policy))} freed")
        return 0
    typer.echo(f"webquarry  {_version('webquarry')} on Python {platform.python_version()}")
    for name in PACKAGES:
        typer.echo(f"{name:<10} {_version(name) or 'missing'}")
    typer.echo(f"browser    {_describe_browser()}")
    size = _size(fetch_policy.cache_size(policy))
    typer.echo(f"cache      {fetch_policy.cache_path(policy)} ({size}; clear it with: quarry doctor --clear-cache)")
    missing = [name for name in PACKAGES if _version(name) is None]
    if missing:
        complain(f"missing: {', '.join(missing)}; install with: pip install {' '.join(missing)}", 1)
    return 1 if missing else 0


def _describe_browser() -> str:
    try:
        return str(browser.find_browser() or f"none; {browser.ADVICE}")
    except BrowserError as error:
        return str(error)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _size(count: int) -> str:
    """Format a number of bytes for people.

    >>> _size(0), _size(2_500_000)
    ('0 B', '2.5 MB')
    """
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B"
