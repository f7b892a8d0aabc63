"""What planning costs beside sqlglot's parse and qualify of the same query, and how many pages each query fetches.

The queries are those of the tests.  Sources have 720 leaves and are at hand; they and sqlglot's schema of them are
there before the clock starts.  Planning is told apart from what DuckDB does for it: it is opened for each query, binds
the query to the columns of the sources, and finds keys in their indexes.  Times are CPU times, of each the shortest of
seven.
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
from webquarry.querying.catalog import Catalog
from webquarry.querying.engine import Engine
from webquarry.querying.run import answer, explain

if TYPE_CHECKING:
    import sqlglot

LEAVES = 720
"""Columns and parts of columns that hold values; a fact book has about as many."""
FOLDER = Path(__file__).parents[2] / "tests" / "querying"
_CHAPTERS, _FIELDS = 8, 4  # columns that are only there to be many, and leaves of each section in them


@dataclass(frozen=True)
class CountedQuery:
    """A query, and by source the number of pages that it cannot do without."""

    title: str
    sql: str
    least: Mapping[str, int]


class WideWeb:
    """The web of the tests, of whose sources each has 720 leaves."""

    def __init__(self, folder: Path) -> None:
        given = _load("conftest")
        sites = {name: widen(site) for name, site in given.SITES.items()}
        codes = folder / "codes.csv"
        codes.write_text(given.CODES, "utf-8")
        self.sources: dict[str, Any] = {name: given.Pages(site) for name, site in sites.items()}
        self.catalog = Catalog(self.sources, given.VIEWS, {"codes": str(codes)}, tables={"rates": given.RATES})

    def take_counts(self) -> dict[str, int]:
        """How many pages of each source were fetched since the last time, with those of indexes."""
        counts = {}
        for name, source in self.sources.items():
            counts[name] = len(source.keys_read) + source.times_listed * source.site.index_pages
            source.keys_read.clear()
            source.times_listed = 0
        return {name: count for name, count in counts.items() if count}


def read_queries() -> list[CountedQuery]:
    """Those of the tests."""
    given = _load("test_page_counts")
    return [CountedQuery(*given.read_block(block)) for block in given.BLOCKS]


def widen(site: Any) -> Any:
    """The site with so many more columns that there are 720 leaves."""
    missing = LEAVES - sum(count_leaves(field.type) for field in site.schema)
    return replace(site, columns=(*site.columns, *_make_chapters(missing)))


def count_leaves(kind: pa.DataType) -> int:
    """How many values a cell has places for.

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
    """A file of the tests, which are no package."""
    known = f"{__name__}.{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, FOLDER / f"{name}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(FOLDER / f"{name}.py")
        sys.modules[known] = importlib.util.module_from_spec(spec)  # before it is run: dataclasses look for it there
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


ROUNDS = 7
_OURS, _SQLGLOT = "webquarry", "sqlglot"


@dataclass(frozen=True)
class Planned:
    """What became of a query; times are to sqlglot's."""

    query: CountedQuery
    pages: dict[str, int]
    alone: float
    """Of planning, without DuckDB."""
    whole: float

    @property
    def beyond(self) -> int:
        """Pages in vain, over all sources."""
        return sum(max(0, count - self.query.least.get(name, 0)) for name, count in self.pages.items())


def run_planning(root: Path, count: int | None = None) -> Finding:  # noqa: ARG001 - it has sources of its own
    """All queries; `count` is that of queries."""
    with TemporaryDirectory() as folder:
        planned, failures = _plan_all(WideWeb(Path(folder)), read_queries()[:count])
    alone, whole = [each.alone for each in planned], [each.whole for each in planned]
    return Finding(
        title="Planning",
        note=f"{len(planned)} queries of the tests over sources of {LEAVES} leaves. Times are to sqlglot's parse and"
        f" qualify of the same query: of planning alone the median is {median(alone):.2f} and the longest"
        f" {max(alone):.2f}, with DuckDB's part {median(whole):.1f} and {max(whole):.1f}.",
        heads=("query", "least pages", "pages", "planning alone", "with DuckDB's part"),
        rows=[_row(each) for each in planned],
        figures={
            "planning, CPU to sqlglot's parse and qualify": median(alone),
            "planning with DuckDB's part, CPU to sqlglot's parse and qualify": median(whole),
            "planning, pages beyond the least": sum(each.beyond for each in planned),
            "planning, queries that fail": len(failures),
        },
        complaints=[
            *(f"pages in vain: {each.beyond}: {each.query.title}" for each in planned if each.beyond),
            *(f"query failed: {line}" for line in failures),
        ],
    )


def _plan_all(web: WideWeb, queries: Sequence[CountedQuery]) -> tuple[list[Planned], list[str]]:
    """What became of each query, and a line for each that failed."""
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
    """The seconds of each call that goes to DuckDB while the context lasts."""

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
    """The columns of the sources, with the types that DuckDB has for them."""
    import duckdb  # noqa: PLC0415 - slow to import
    import sqlglot  # noqa: PLC0415

    mapping: dict[str, object] = {}
    for name, source in catalog.sources.items():
        types = duckdb.from_arrow(source.schema.empty_table()).types
        mapping[name] = dict(zip(source.schema.names, map(str, types), strict=True))
    return sqlglot.MappingSchema(mapping, dialect="duckdb")


def qualify_by_sqlglot(query: str, schema: sqlglot.MappingSchema) -> object:
    """What sqlglot itself makes of a query."""
    import sqlglot  # noqa: PLC0415 - slow to import
    from sqlglot.optimizer.qualify import qualify  # noqa: PLC0415

    tree = sqlglot.parse_one(query, dialect="duckdb")
    return qualify(tree, schema=schema, dialect="duckdb", validate_qualify_columns=False)


def _row(planned: Planned) -> list[str]:
    least, pages = sum(planned.query.least.values()), sum(planned.pages.values())
    return [planned.query.title, str(least), str(pages), f"{planned.alone:.2f}", f"{planned.whole:.1f}"]
