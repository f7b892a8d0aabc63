"""What stands together in the tree of a page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from webquarry.html.paths import depths_of
from webquarry.model import Document

MOST = 0.95
"""Share of the headings that the content of a page holds."""


class Groups:
    """How near to each other the elements of a document stand."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = self._document.parents.tolist()
        return parents

    @cached_property
    def _depths(self) -> list[int]:
        depths: list[int] = depths_of(self._document.ends).tolist()
        return depths

    def closeness(self, first: int, second: int) -> int:
        """The depth of the smallest element that holds both."""
        parents, depths = self._parents, self._depths
        while first != second:
            if depths[first] < depths[second]:
                second = parents[second]
            else:
                first = parents[first]
        return depths[first]

    def smallest_around(self, elements: Sequence[int]) -> int:
        """The smallest element that holds most of some elements."""
        if not elements:
            return 0
        ordered = sorted(elements)
        here = ordered[len(ordered) // 2]
        ends = self._document.ends
        while here > 0:
            inside = bisect_left(ordered, ends[here]) - bisect_left(ordered, here)
            if inside >= MOST * len(ordered):
                break
            here = self._parents[here]
        return here
