"""Define the nouns of querying: tables that a query can name, plans of what it would fetch, and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from webquarry.errors import QueryError
from webquarry.model.arrow_values import list_values, to_line
from webquarry.model.names import PAGE
from webquarry.model.nouns import ROWS_SHOWN, html_table
from webquarry.model.page import Failure
from webquarry.model.wording import count, list_names

if TYPE_CHECKING:
    import pandas as pd

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


@dataclass(frozen=True)
class Place:
    """Where a value is: an element or a text of a page."""

    page: str
    """The address."""
    node: str = ""
    """The XPath; empty when the page as a whole is the place, as for its key."""


@dataclass(frozen=True)
class Whereabouts:
    """The places that a value of an answer comes from."""

    places: tuple[Place, ...] = ()
    note: str = ""
    """A remark about them, or the reason why there are none."""
    is_one_of: bool = False
    """Whether the value is at one of the places, but it is unknown at which."""


@dataclass(frozen=True)
class Unmatched:
    """A value that a query compares with a key, and for which the source has no page."""

    source: str
    column: str
    value: str
    nearest: tuple[str, ...] = ()
    """Keys of the source that are spelt alike."""


@dataclass(frozen=True)
class Answer:
    """The rows that answer a query, and what it took."""

    table: pa.Table
    failures: tuple[Failure, ...] = ()
    """Pages that could not be fetched or read: their rows are missing."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """Number of pages fetched by source, index pages included."""
    _find: Callable[[int, int], Whereabouts] | None = field(default=None, repr=False, compare=False)
    unmatched: tuple[Unmatched, ...] = ()
    """Values that were compared with keys and found no page."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was read of the pages."""
        return {name: value for name, value in vars(self).items() if name != "_find"}

    @property
    def is_partial(self) -> bool:
        """True if rows may be missing because pages failed."""
        return bool(self.failures)

    def to_arrow(self) -> pa.Table:
        """Return the rows as an Arrow table."""
        return self.table

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a data frame; nested columns are dictionaries and arrays."""
        frame: pd.DataFrame = self.table.to_pandas()
        return frame

    def where(self, row: int, column: int | str) -> Whereabouts:
        """Find the places on pages that a value comes from; rows are counted from 0, like columns without a name."""
        names = self.table.column_names
        place = names.index(column) if column in names else column
        if not isinstance(place, int) or not 0 <= place < len(names):
            raise QueryError(f"the answer has no column {column}; it has {list_names(names)}")
        if not 0 <= row < self.table.num_rows:
            raise QueryError(f"the answer has no row {row}; it has {count(self.table.num_rows, 'row')}, from 0 on")
        if self._find is None:
            return Whereabouts(note="nothing is known of the pages behind this table; ask the query again")
        return self._find(row, place)

    def _repr_html_(self) -> str:
        first = [list_values(column) for column in self.table.slice(0, ROWS_SHOWN).columns]
        rows = ([to_line(value) for value in row] for row in zip(*first, strict=True))
        names = self.table.column_names
        return html_table(names, rows, self._summary, [name == PAGE for name in names])

    @property
    def _summary(self) -> str:
        said = count(self.table.num_rows, "row")
        if self.table.num_rows > ROWS_SHOWN:
            said += f"; {self.table.num_rows - ROWS_SHOWN:,} more are not shown"
        if self.is_partial:
            said += f"; partial result: {count(len(self.failures), 'page')} failed"
        return said


@dataclass(frozen=True)
class Step:
    """How a source of a query is read."""

    source: str
    alias: str
    """Its alias in the query."""
    key: str
    binding: str
    """Where its keys come from, in words."""
    pages: int | None
    """Number of pages to fetch; None when that becomes known only later."""
    at_most: int | None
    """Upper bound of that number, if there is one."""
    index_pages: int
    """Number of index pages fetched besides; for a source that is read twice only in its first step."""
    sections: tuple[str, ...]
    """Sections read of each page; empty when the index is enough."""
    is_rendered: bool

    @property
    def called(self) -> str:
        """The source, and its alias if it has another name in the query."""
        return self.source if self.alias in ("", self.source) else f"{self.source} as {self.alias}"

    @property
    def count(self) -> str:
        """The number of pages, in words."""
        pages = _count_pages(self.pages, self.at_most)
        if not self.index_pages:
            return pages
        return "its index" if self.pages == 0 else f"{pages} and its index"

    @property
    def reads(self) -> str:
        """The sections that are read, in words."""
        return list_names(self.sections) or "nothing but the index"

    @property
    def how(self) -> str:
        """How pages are read: `rendered` or `static`."""
        return "rendered" if self.is_rendered else "static"


@dataclass(frozen=True)
class Plan:
    """What a query would fetch and read, in order."""

    steps: tuple[Step, ...]

    @property
    def count(self) -> str:
        """The number of pages in all, in words; a page that two steps need is counted in the first."""
        if not self.steps:
            return "no page"
        bounds = [step.at_most if step.pages is None else step.pages for step in self.steps]
        indexes = sum(step.index_pages for step in self.steps)
        at_most = None if None in bounds else indexes + sum(bound or 0 for bound in bounds)
        return _count_pages(None if any(step.pages is None for step in self.steps) else at_most, at_most)

    def to_text(self) -> str:
        """Write the steps for a person: a line for each, what it reads below it, and the pages in all.

        >>> Plan((Step("book", "b", "country", "country = 'France'", 1, 1, 0, ("geography.area",), False),)).to_text()
        "1. book as b: 1 page, static\\n   keys   country = 'France'\\n   reads  geography.area\\n1 page in all\\n"
        """
        lines = []
        for number, step in enumerate(self.steps, start=1):
            lines.append(f"{number}. {step.called}: {step.count}, {step.how}")
            lines += [f"   keys   {step.binding}"] if step.binding else []
            lines.append(f"   reads  {step.reads}")
        return "".join(f"{line}\n" for line in [*lines, f"{self.count} in all"])

    def to_dict(self) -> dict[str, Any]:
        """Return the steps as plain values fit for JSON."""
        steps = [asdict(step) for step in self.steps]
        for step in steps:
            step.update(key=step["key"] or None, sections=list(step["sections"]), rendered=step.pop("is_rendered"))
        return {"steps": steps}

    def _repr_html_(self) -> str:
        heads = ("source", "pages", "keys", "reads", "how")
        rows = [(step.called, step.count, step.binding, step.reads, step.how) for step in self.steps]
        return html_table(heads, rows, f"{self.count} in all", [False] * len(heads))


def _count_pages(pages: int | None, at_most: int | None) -> str:
    if pages is not None:
        return count(pages, "page") if pages else "no page"
    return "a number of pages known later" if at_most is None else f"at most {count(at_most, 'page')}"
