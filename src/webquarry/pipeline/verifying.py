"""Whether pages can be read without the browser that their wrapper was learnt with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webquarry.model import Document, Extraction
from webquarry.model.naming import list_names

Statics = Sequence[Document | None] | None
"""Sample pages as they are without a browser, where their markup does not tell."""
MOST_DIFFERING = 0.01
"""Share of the samples' values that may be others without a browser: rendering takes many times as long as parsing."""
NAMED = 3
"""Sections that are named of those that differ."""


@dataclass(frozen=True)
class Difference:
    """How far values that were read without a browser are others than those read with one."""

    share: float
    sections: tuple[str, ...]
    """Their dotted paths, the most frequent first."""

    def describe(self, *, needs_browser: bool) -> str:
        """What differs, and what follows from it."""
        where = list_names(self.sections[:NAMED])
        said = f"{self.share:.1%} of the samples' values are others without a browser, such as {where}"
        if needs_browser:
            return f"{said}, for markup alone does not tell what is a heading there; so pages will be rendered"
        return f"{said}; pages are read without one all the same, unless told to render"


def compare_without_browser(
    read: Callable[[Document], Extraction], documents: Sequence[Document], statics: Statics
) -> Difference:
    """What is not the same on the rendered and the plain samples; spaces do not count.

    What a page was before its scripts changed it only `statics` can tell: without them all of its values differ.
    """
    same = total = 0
    sections: Counter[str] = Counter()
    for document, static in zip(documents, statics or [None] * len(documents), strict=True):
        plain = static or (Document(document.markup, url=document.url) if document.kind != "scripts" else None)
        seen = _values_of(read(document))
        found = _values_of(read(plain)) if plain else Counter()
        same += (seen & found).total()
        total += max(seen.total(), found.total())
        sections.update(path for path, _ in (seen - found) | (found - seen))
    share = 1 - same / total if total else 0.0
    return Difference(share, tuple(path for path, _ in sections.most_common()))


def _values_of(extraction: Extraction) -> Counter[tuple[str, str]]:
    return Counter((".".join(map(str, value.path)), " ".join(value.text.split())) for value in extraction.values)
