"""Who is measured: a module each, which `load` gives by name or not at all when it is not installed."""

from __future__ import annotations

import importlib
from typing import Protocol, cast

OURS = ("webquarry_html5", "webquarry_cleandom")
PEERS = ("turbohtml", "lxml_xml", "lxml_html", "selectolax", "html5lib", "tidy")


class System(Protocol):
    """What a module of this package has."""

    TITLE: str
    WRITES_XML: bool
    HAS_EXACT_TREE: bool  # False when its tree holds no doctypes or no namespaces

    def version(self) -> str:
        """The version that is installed."""

    def clean(self, markup: str) -> str:
        """Parse and serialise."""

    def dump(self, markup: str) -> str:
        """The tree as text."""


def load(name: str) -> System | None:
    """The system of this name; None when it, or a library that it needs, is not installed."""
    try:
        return cast(System, importlib.import_module(f"{__name__}.{name}"))
    except (ImportError, OSError):
        return None
