"""Labels that may stand in any section, such as `note`: they comment on a value and are no section of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from webquarry.wrapping.nesting import Part

FEWEST_SECTIONS = 3
"""In which a label comes after the section's own text."""
RARELY = 3
"""Times fewer are the sections that it begins."""


def find_annotations(roots: Sequence[Part]) -> set[str]:
    """Names of labels that follow the own text of many different sections, and hardly ever begin one.

    `total` begins the sections that it stands in, `female` comes after `male`: both are sections.
    """
    found: set[str] = set()
    while more := _find_more(roots, found) - found:
        found |= more
    return found


def _find_more(roots: Sequence[Part], known: set[str]) -> set[str]:
    following: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    beginning: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for root in roots:
        for part in (part for part in root.walk() if part.mark is not None):
            first = next((child for child in part.children if child.name not in known), None)
            if first is not None and not first.children:
                (following if part.mark and part.mark.following else beginning)[first.name].add(part.path)
    return {
        name
        for name, paths in following.items()
        if len(paths) >= FEWEST_SECTIONS and len(paths) > RARELY * len(beginning[name])
    }
