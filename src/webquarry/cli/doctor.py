"""`quarry doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from webquarry.cli.options import Cache


def doctor(
    cache: Cache = None,
    clear_cache: Annotated[bool, typer.Option("--clear-cache", help="Delete all cached pages.")] = False,
) -> int:
    """Show versions, browser and caches, and what is missing."""
    from webquarry.doctor import examine  # noqa: PLC0415 - help and usage errors need no stages

    return examine(cache, clear=clear_cache)
