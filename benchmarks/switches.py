"""Find where the package uses a function or constant, so that something else can take its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

PACKAGE = "webquarry"


def find_uses(original: object, name: str = "") -> list[tuple[dict[Any, Any], Any]]:
    """List the namespaces and tables of loaded modules that hold an object, each with its key there.

    Equal constants are often one object, so a constant needs its name.
    """
    uses: list[tuple[dict[Any, Any], Any]] = []
    for module in _modules():
        for key, value in vars(module).items():
            if value is original and name in ("", key):
                uses.append((vars(module), key))
            elif isinstance(value, dict) and not name:
                uses += [(value, each) for each, used in value.items() if used is original]
    return uses


def clear_caches() -> None:
    """Forget what functions have answered before: it may rest on what has been replaced."""
    for value in [value for module in _modules() for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()
        elif isinstance(value, dict) and hasattr(value, "__missing__"):
            value.clear()


def _modules() -> Iterator[ModuleType]:
    return (module for name, module in [*sys.modules.items()] if name.startswith(f"{PACKAGE}."))
