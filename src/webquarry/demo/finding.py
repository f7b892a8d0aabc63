"""Where the example pages are."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from webquarry.errors import InputError

MESSY = "shops/kettleby/page2.html"


def find_examples() -> Path:
    """The folder of the example pages: in the installed package, or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")
