"""Labels that may stand in any section, such as `note`: they comment on a value and are no section of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from webquarry.wrapping.nesting import Part
from webquarry.wrapping.samples import Format

FEWEST_SECTIONS = 3
"""In which a label comes after the section's own text."""
RARELY = 3
"""Times fewer are the sections that it begins."""
MOST = 0.6
"""Share of the sections of one format: a label that so many have is one of their fields."""


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
    holders: dict[str, Counter[Format]] = defaultdict(Counter)
    sections: Counter[Format] = Counter()
    for root in roots:
        for part in root.walk():
            if part.mark is None:
                continue
            sections[part.mark.format] += 1
            for name in {child.name for child in part.children}:
                holders[name][part.mark.format] += 1
            first = next((child for child in part.children if child.name not in known), None)
            if first is not None and not first.children:
                (following if part.mark.following else beginning)[first.name].add(part.path)
    return {
        name
        for name, paths in following.items()
        if len(paths) >= FEWEST_SECTIONS
        and len(paths) > RARELY * len(beginning[name])
        and all(count < MOST * sections[format_] for format_, count in holders[name].items())
    }
