"""Traits: what values of a column are compared by."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

KINDS = TEXT, LOOK, FRAME, PATH = "text", "look", "frame", "path"
"""What traits are about; those of one kind go together, so that the second of them says less than the first."""
TYPE = "type"
"""The name of the trait that is the type of a text."""
NUMBER = "a number"
"""What stands for every number at the beginning or the end of a text."""


@dataclass(frozen=True)
class Trait:
    """One trait of many values: either of which two are the same or not, or numbers that can be near each other."""

    name: str
    kind: str
    weight: float
    values: Sequence[Hashable] = ()
    numbers: Sequence[NDArray[np.float64]] = ()
    """Several when values that are near in one of them are near."""
    tolerance: float | None = None
    """How far apart numbers are that are near each other."""
    is_of_page: bool = False
    """Whether values are compared with all others of their page, instead of those of their column."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """A number for each value, the same for the same."""
        return to_codes(self.values)


def to_codes(values: Iterable[Hashable]) -> NDArray[np.int64]:
    """A number for each value, the same for the same.

    >>> to_codes(["a", "b", "a"]).tolist()
    [0, 1, 0]
    """
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)
