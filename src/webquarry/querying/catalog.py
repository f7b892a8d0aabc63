"""The tables that a query can name: sources, views, files, databases and tables in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from webquarry.model.page import Failure

ColumnPath = tuple[str, ...]
"""A column and the path into it, such as `("geography", "area", "total")`; it includes all that is below."""


@dataclass(frozen=True)
class Reading:
    """Rows that were read from pages of a source."""

    rows: pa.Table
    """With all columns of the source, in the order in which pages were asked for."""
    failures: tuple[Failure, ...] = ()
    """Pages that could not be fetched or read, or that do not match the wrapper."""
    find_nodes: Callable[[int, ColumnPath], Sequence[str]] = lambda _row, _column: ()
    """Gives the XPaths of what a row has in a column, or with an empty path of its record."""


class SourceTable(Protocol):
    """A source as a table, whose rows are read from pages."""

    name: str
    schema: pa.Schema
    """The key first, if there is one; `_page` and `_fetched` last."""
    key: str
    """The column that tells pages apart, or several with commas between; empty when all pages are read together.

    A key of several columns has their values with `KEY_SEPARATOR` between."""
    is_listed: bool
    """Whether the source can list its pages; if not, keys are required."""
    index_pages: int
    """How many pages are fetched to list the others."""
    is_row_a_page: bool
    """Whether each page gives exactly one row."""
    is_rendered: bool
    """Whether pages are read in a browser."""

    @property
    def example(self) -> str:
        """A key, if one is known without fetching from the web; else empty."""

    def index(self) -> Mapping[str, str]:
        """List the addresses of the source's pages by their keys and in order; without keys by themselves.

        It is called once a query, and only when the source is listed.
        """

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these keys; columns that are not asked for may be empty.

        Keys of a listed source are those of its index.  `progress` is called after each page.
        """

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the sections that are read for these columns, as dotted paths."""


@dataclass(frozen=True)
class Catalog:
    """All that a query can name, by the names of tables, which are in lower case (those of `tables` in any case)."""

    sources: Mapping[str, SourceTable]
    views: Mapping[str, str] = field(default_factory=dict)
    """Texts of SELECTs."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Paths of CSV, Parquet and JSON files."""
    databases: Mapping[str, str] = field(default_factory=dict)
    """Paths of DuckDB files; their tables are named `database.table`."""
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    """Tables in memory."""
