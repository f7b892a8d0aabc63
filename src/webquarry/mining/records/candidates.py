"""Candidates as columns: groups of records that a page may be made of, before any is judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Candidates:
    """Columns with one entry a record, those of a group side by side, in document order within each."""

    first: NDArray[np.int64]
    """The first node of each record."""
    stop: NDArray[np.int64]
    """The number after the last node of each record."""
    groups: NDArray[np.int64]
    """The group of each record."""
    offsets: NDArray[np.int64]
    """Where each group begins, and where the last one ends."""

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.offsets) - 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of each group."""
        return np.diff(self.offsets)

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """First node and stop of each record, side by side."""
        return np.column_stack([self.first, self.stop])

    def first_groups(self, count: int) -> Candidates:
        """So many groups of these."""
        stop = int(self.offsets[count])
        return Candidates(self.first[:stop], self.stop[:stop], self.groups[:stop], self.offsets[: count + 1])

    def records(self, group: int) -> slice:
        """The places of a group's records."""
        return slice(int(self.offsets[group]), int(self.offsets[group + 1]))

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """For each group the sum of the values of its records."""
        return np.bincount(self.groups, values, self.count).astype(np.float64, copy=False)


Spans = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The first nodes of the records of a group, and the numbers after their last."""


def gather_candidates(groups: list[Spans]) -> Candidates:
    """Groups as columns."""
    sizes = [len(first) for first, _ in groups]
    none = [np.zeros(0, dtype=np.int64)]
    return Candidates(
        first=np.concatenate([first for first, _ in groups] or none).astype(np.int64),
        stop=np.concatenate([stop for _, stop in groups] or none).astype(np.int64),
        groups=np.repeat(np.arange(len(groups)), sizes),
        offsets=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
    )
