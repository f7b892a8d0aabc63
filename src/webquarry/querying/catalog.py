"""What there is to query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from webquarry.model import Failure

if TYPE_CHECKING:
    import pyarrow as pa

ColumnPath = tuple[str, ...]
"""A column and the way into it, such as `("geography", "area", "total")`; it stands for all below it too."""


@dataclass(frozen=True)
class Reading:
    """What some pages of a source hold."""

    rows: pa.Table
    """With all columns of the source, in the order in which pages were asked for."""
    failures: tuple[Failure, ...] = ()
    """The pages that could not be had, or that are not of the source's kind."""


class SourceTable(Protocol):
    """A source as a table, whose rows are read from pages."""

    name: str
    schema: pa.Schema
    """The key first, if there is one; `_page` and `_fetched` last."""
    key: str
    """The column that tells pages apart; nothing when all pages are read together."""
    is_listed: bool
    """Whether the pages are known beforehand; if not, keys are required."""
    index_pages: int
    """How many pages are fetched to learn which there are."""
    is_row_a_page: bool
    """Whether each page gives just one row."""
    is_rendered: bool
    """Whether pages are read in a browser."""

    @property
    def example(self) -> str:
        """What a key looks like; nothing when only the web could tell."""

    def index(self) -> Mapping[str, str]:
        """The addresses of the pages that the source has, by their keys and in order; without keys by themselves.

        It is called once a query, and only when the source is listed.
        """

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """The rows of the pages with these keys; columns that are not asked for may be empty.

        Keys of a source that is listed are those of its index.  `progress` is called when a page is done.
        """

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """What is read of a page for these columns, in the words of the source: dotted paths of sections."""


@dataclass(frozen=True)
class Catalog:
    """All that a query can name, by the names of tables; names are told apart whatever their case."""

    sources: Mapping[str, SourceTable]
    views: Mapping[str, str] = field(default_factory=dict)
    """Names for SELECTs."""
    files: Mapping[str, str] = field(default_factory=dict)
    """CSV, Parquet and JSON files."""
    databases: Mapping[str, str] = field(default_factory=dict)
    """DuckDB files; their tables are named as `database.table`."""
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    """Tables at hand."""
