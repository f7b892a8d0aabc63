"""`quarry doctor`."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.options import Cache
from webquarry.errors import BrowserError
from webquarry.fetching import policy as fetch_policy
from webquarry.rendering import browser

EXAMPLE = "quarry doctor --clear-cache"


def doctor(
    cache: Cache = None,
    clear: Annotated[bool, typer.Option("--clear-cache", help="Delete all cached pages.")] = False,
) -> int:
    """Show versions, browser and caches, and what is missing."""

    return examine(cache, clear=clear)


# MERGED doctor: What webquarry finds on this machine, and what is missing.
PACKAGES = (
    "turbohtml",
    "lxml",
    "numpy",
    "pyarrow",
    "duckdb",
    "httpx2",
    "hishel",
    "protego",
    "fastwarc",
    "typer",
    "rich",
)


def examine(cache: Path | None, *, clear: bool) -> int:
    """Print what there is, and give the exit code: 1 when a needed package is missing."""
    policy = fetch_policy.Policy(cache=cache)
    if clear:
        typer.echo(f"cache: {_size(fetch_policy.clear_cache(policy))} freed")
        return 0
    missing = [name for name in PACKAGES if _version(name) is None]
    for line in _lines(policy):
        typer.echo(line)
    if missing:
        typer.echo(f"missing: {', '.join(missing)}; get them with: pip install {' '.join(missing)}", err=True)
    return 1 if missing else 0


def _lines(policy: fetch_policy.Policy) -> Iterator[str]:
    yield f"webquarry  {_version('webquarry')} on Python {platform.python_version()}"
    for name in PACKAGES:
        yield f"{name:<10} {_version(name) or 'missing'}"
    yield f"browser    {_browser()}"
    size = _size(fetch_policy.cache_size(policy))
    yield f"cache      {fetch_policy.cache_path(policy)} ({size}; empty it with: quarry doctor --clear-cache)"


def _browser() -> str:
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
    """A number of bytes as people say it.

    >>> _size(0), _size(2_500_000)
    ('0 B', '2.5 MB')
    """
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} B"
