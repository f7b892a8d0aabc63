"""Systems to compare: one module for each of our cleaning methods and for each peer."""

from __future__ import annotations

import importlib
from typing import Protocol, cast

OURS = ("webquarry_html5", "webquarry_cleandom")
PEERS = ("turbohtml", "lxml_xml", "lxml_html", "selectolax", "html5lib", "tidy")


class System(Protocol):
    """The interface of each module of this package."""

    TITLE: str
    WRITES_XML: bool
    HAS_EXACT_TREE: bool  # False if its tree has no doctypes or no namespaces

    def version(self) -> str:
        """Return the installed version."""

    def clean(self, markup: str) -> str:
        """Parse and serialise markup."""

    def dump(self, markup: str) -> str:
        """Parse markup and dump the tree as text."""


def load(name: str) -> System | None:
    """Return a system by name, or None if a library it needs is not installed."""
    try:
        return cast(System, importlib.import_module(f"{__name__}.{name}"))
    except (ImportError, OSError):
        return None
