"""Compare the time of planning with sqlglot's parse and qualify of the same query, and count the pages fetched.

Queries and sources are those of the tests, widened to 720 leaves like a fact book; they and sqlglot's schema of them
are loaded before timing starts.  Planning is also timed without DuckDB's part: opening it for each query, binding the
query to the columns of the sources, and finding keys in their indexes.  Times are CPU times, the shortest of seven.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pyarrow as pa

from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.queries.timing import measure
from webquarry.errors import WebquarryError
from webquarry.querying.engine import Engine
from webquarry.querying.query_nouns import Catalog
from webquarry.querying.query_run import answer, explain

if TYPE_CHECKING:
    import sqlglot

LEAVES = 720
"""Columns and parts of columns that hold values; about as many as in a fact book."""
FOLDER = Path(__file__).parents[2] / "tests" / "querying"
_CHAPTERS, _FIELDS = 8, 4  # filler columns, and leaves of each of their sections


@dataclass(frozen=True)
class CountedQuery:
    """A query, and the least number of pages it needs, by source."""

    title: str
    sql: str
    least: Mapping[str, int]


class WideWeb:
    """The sources of the tests, each widened to 720 leaves."""

    def __init__(self, folder: Path) -> None:
        given = _load("conftest")
        sites = {name: widen(site) for name, site in given.SITES.items()}
        codes = folder / "codes.csv"
        codes.write_text(given.CODES, "utf-8")
        self.sources: dict[str, Any] = {name: given.Pages(site) for name, site in sites.items()}
        self.catalog = Catalog(self.sources, given.VIEWS, {"codes": str(codes)}, tables={"rates": given.RATES})

    def take_counts(self) -> dict[str, int]:
        """Return the pages of each source fetched since the last call, including index pages."""
        counts = {}
        for name, source in self.sources.items():
            counts[name] = len(source.keys_read) + source.times_listed * source.site.index_pages
            source.keys_read.clear()
            source.times_listed = 0
        return {name: count for name, count in counts.items() if count}


def read_queries() -> list[CountedQuery]:
    """Read the queries of the tests."""
    given = _load("test_page_counts")
    return [CountedQuery(*given.read_block(block)) for block in given.BLOCKS]


def widen(site: Any) -> Any:
    """Add columns to a site until it has 720 leaves."""
    missing = LEAVES - sum(count_leaves(field.type) for field in site.schema)
    return replace(site, columns=(*site.columns, *_make_chapters(missing)))


def count_leaves(kind: pa.DataType) -> int:
    """Count the values that a cell can hold.

    >>> count_leaves(pa.struct([("a", pa.string()), ("b", pa.struct([("c", pa.string()), ("d", pa.int64())]))]))
    3
    """
    return sum(count_leaves(field.type) for field in kind) if pa.types.is_struct(kind) else 1


def _make_chapters(leaves: int) -> list[tuple[str, pa.DataType]]:
    share = -(-leaves // _CHAPTERS)
    sizes = [min(share, leaves - start) for start in range(0, leaves, share)]
    return [(f"chapter_{number}", _make_chapter(size)) for number, size in enumerate(sizes)]


def _make_chapter(size: int) -> pa.DataType:
    leaves = [(f"leaf_{number}", pa.float64()) for number in range(size)]
    sections = [pa.struct(leaves[start : start + _FIELDS]) for start in range(0, size, _FIELDS)]
    return pa.struct([(f"section_{number}", section) for number, section in enumerate(sections)])


def _load(name: str) -> ModuleType:
    """Import a file of the tests, which are not a package."""
    known = f"{__name__}.{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, FOLDER / f"{name}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(FOLDER / f"{name}.py")
        sys.modules[known] = importlib.util.module_from_spec(spec)  # first, because dataclasses look it up there
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


ROUNDS = 7
_OURS, _SQLGLOT = "webquarry", "sqlglot"


@dataclass(frozen=True)
class Planned:
    """The pages and times of a query; times are relative to sqlglot's."""

    query: CountedQuery
    pages: dict[str, int]
    alone: float
    """The time of planning without DuckDB's part."""
    whole: float

    @property
    def beyond(self) -> int:
        """The number of unnecessary pages, over all sources."""
        return sum(max(0, count - self.query.least.get(name, 0)) for name, count in self.pages.items())


def run_planning(root: Path, count: int | None = None) -> Finding:  # noqa: ARG001 - it needs no corpus
    """Plan all queries; `count` limits them."""
    with TemporaryDirectory() as folder:
        planned, failures = _plan_all(WideWeb(Path(folder)), read_queries()[:count])
    alone, whole = [each.alone for each in planned], [each.whole for each in planned]
    return Finding(
        title="Planning",
        note=f"{len(planned)} queries of the tests over sources of {LEAVES} leaves. Times are relative to sqlglot's"
        f" parse and qualify of the same query: planning alone takes {median(alone):.2f} (median) to {max(alone):.2f}"
        f" (longest), with DuckDB's part {median(whole):.1f} to {max(whole):.1f}.",
        heads=("query", "least pages", "pages", "planning alone", "with DuckDB's part"),
        rows=[_row(each) for each in planned],
        figures={
            "planning, CPU to sqlglot's parse and qualify": median(alone),
            "planning with DuckDB's part, CPU to sqlglot's parse and qualify": median(whole),
            "planning, pages beyond the least": sum(each.beyond for each in planned),
            "planning, queries that fail": len(failures),
        },
        complaints=[
            *(f"unnecessary pages: {each.beyond}: {each.query.title}" for each in planned if each.beyond),
            *(f"query failed: {line}" for line in failures),
        ],
    )


def _plan_all(web: WideWeb, queries: Sequence[CountedQuery]) -> tuple[list[Planned], list[str]]:
    """Plan each query, and return a line for each that failed."""
    schema = make_sqlglot_schema(web.catalog)
    planned, failures = [], []
    for query in show_progress(queries, len(queries), "planning and counting pages"):
        try:
            planned.append(_plan(web, schema, query))
        except WebquarryError as error:
            failures.append(f"{query.title}: {error}")
        web.take_counts()
    return planned, failures


def _plan(web: WideWeb, schema: sqlglot.MappingSchema, query: CountedQuery) -> Planned:

    alone: list[float] = []

    def explain_timed() -> None:
        with _clocked_engine() as in_duckdb:
            start = time.process_time()
            explain(web.catalog, query.sql)
            alone.append(time.process_time() - start - sum(in_duckdb))
        web.take_counts()

    costs = measure({_OURS: explain_timed, _SQLGLOT: partial(qualify_by_sqlglot, query.sql, schema)}, rounds=ROUNDS)
    answer(web.catalog, query.sql)
    theirs = costs[_SQLGLOT].cpu
    return Planned(query, web.take_counts(), min(alone) / theirs, costs[_OURS].cpu / theirs)


@contextmanager
def _clocked_engine() -> Iterator[list[float]]:
    """Collect the seconds of each call to DuckDB."""

    seconds: list[float] = []
    is_inside = False

    def clocked(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            nonlocal is_inside
            if is_inside:
                return method(*arguments, **keywords)
            is_inside, start = True, time.process_time()
            try:
                return method(*arguments, **keywords)
            finally:
                is_inside = False
                seconds.append(time.process_time() - start)

        return call

    own = {name: method for name, method in vars(Engine).items() if name == "__init__" or not name.startswith("_")}
    changed: dict[str, Any] = {name: clocked(method) for name, method in own.items()}
    with patch.multiple(Engine, **changed):
        yield seconds


def make_sqlglot_schema(catalog: Catalog) -> sqlglot.MappingSchema:
    """Describe the columns of the sources to sqlglot, with DuckDB's types."""
    import duckdb  # noqa: PLC0415 - slow to import
    import sqlglot  # noqa: PLC0415

    mapping: dict[str, object] = {}
    for name, source in catalog.sources.items():
        types = duckdb.from_arrow(source.schema.empty_table()).types
        mapping[name] = dict(zip(source.schema.names, map(str, types), strict=True))
    return sqlglot.MappingSchema(mapping, dialect="duckdb")


def qualify_by_sqlglot(query: str, schema: sqlglot.MappingSchema) -> object:
    """Parse and qualify a query by sqlglot."""
    import sqlglot  # noqa: PLC0415 - slow to import
    from sqlglot.optimizer.qualify import qualify  # noqa: PLC0415

    tree = sqlglot.parse_one(query, dialect="duckdb")
    return qualify(tree, schema=schema, dialect="duckdb", validate_qualify_columns=False)


def _row(planned: Planned) -> list[str]:
    least, pages = sum(planned.query.least.values()), sum(planned.pages.values())
    return [planned.query.title, str(least), str(pages), f"{planned.alone:.2f}", f"{planned.whole:.1f}"]
