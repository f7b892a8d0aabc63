"""`quarry demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the results go.")] = Path("quarry-demo"),
) -> int:
    """Show what webquarry does on its own example pages, offline."""
    from webquarry.demo import show  # noqa: PLC0415 - help and usage errors need no stages

    return show(folder)
