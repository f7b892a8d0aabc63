"""What a query gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.model import Failure

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True)
class Answer:
    """The rows that a query gives, and what it took."""

    table: pa.Table
    failures: tuple[Failure, ...] = ()
    """Pages that could not be had or read: their rows are missing."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """How many pages were fetched, by source; index pages are counted."""

    @property
    def is_partial(self) -> bool:
        """Whether rows may be missing, because pages are."""
        return bool(self.failures)

    def to_arrow(self) -> pa.Table:
        """The rows, as they are."""
        return self.table

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a data frame; nested columns are dictionaries and arrays."""
        frame: pd.DataFrame = self.table.to_pandas()
        return frame


@dataclass(frozen=True)
class Step:
    """How a source of a query is read."""

    source: str
    alias: str
    """What the query calls it."""
    key: str
    binding: str
    """Where its keys come from, in words."""
    pages: int | None
    """How many pages are to be fetched; None when that is known later."""
    at_most: int | None
    """How many it can be, where that is known."""
    sections: tuple[str, ...]
    """What is read of each page; nothing when the index tells all."""
    is_rendered: bool


@dataclass(frozen=True)
class Plan:
    """What a query would fetch and read, in order."""

    steps: tuple[Step, ...]
