"""Headings that were found on a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """A heading that starts a section of a page."""

    text: str
    node: int
    """The text node that it begins in."""
    level: int
    """1 for the outermost."""
    path: tuple[str, ...]
    """The names in snake case from the outermost section to its own."""
