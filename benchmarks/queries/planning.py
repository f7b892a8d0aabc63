"""What planning costs beside sqlglot's parse and qualify of the same query, and how many pages each query fetches.

The queries are those of the tests.  Sources have 720 leaves and are at hand; they and sqlglot's schema of them are
there before the clock starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.queries.timing import measure
from benchmarks.queries.wide import LEAVES, CountedQuery, WideWeb, read_queries

if TYPE_CHECKING:
    import sqlglot

    from webquarry.querying.catalog import Catalog

ROUNDS = 7
_OURS, _SQLGLOT = "webquarry", "sqlglot"


@dataclass(frozen=True)
class Planned:
    """What became of a query."""

    query: CountedQuery
    pages: dict[str, int]
    ratio: float
    """Of planning, to sqlglot."""

    @property
    def beyond(self) -> int:
        """Pages in vain, over all sources."""
        return sum(max(0, count - self.query.least.get(name, 0)) for name, count in self.pages.items())


def run_planning(root: Path, count: int | None = None) -> Finding:  # noqa: ARG001 - it has sources of its own
    """All queries; `count` is that of queries."""
    with TemporaryDirectory() as folder:
        planned = _plan_all(WideWeb(Path(folder)), read_queries()[:count])
    ratios = [each.ratio for each in planned]
    return Finding(
        title="Planning",
        note=f"{len(planned)} queries of the tests over sources of {LEAVES} leaves. Time to plan, to sqlglot's parse"
        f" and qualify of the same query: the median is {median(ratios):.2f}, the longest {max(ratios):.2f}.",
        heads=("query", "least pages", "pages", "time to sqlglot"),
        rows=[_row(each) for each in planned],
        figures={
            "planning, time to sqlglot's parse and qualify": median(ratios),
            "planning, pages beyond the least": sum(each.beyond for each in planned),
        },
        complaints=[f"pages in vain: {each.beyond}: {each.query.sql}" for each in planned if each.beyond],
    )


def _plan_all(web: WideWeb, queries: Sequence[CountedQuery]) -> list[Planned]:
    schema = make_sqlglot_schema(web.catalog)
    return [_plan(web, schema, query) for query in show_progress(queries, len(queries), "planning and counting pages")]


def _plan(web: WideWeb, schema: sqlglot.MappingSchema, query: CountedQuery) -> Planned:
    from webquarry.querying import answer  # noqa: PLC0415 - DuckDB is slow to import

    ways = {_OURS: partial(_explain, web, query.sql), _SQLGLOT: partial(qualify_by_sqlglot, query.sql, schema)}
    costs = measure(ways, rounds=ROUNDS)
    answer(web.catalog, query.sql)
    return Planned(query, web.take_counts(), costs[_OURS].wall / costs[_SQLGLOT].wall)


def _explain(web: WideWeb, query: str) -> None:
    from webquarry.querying import explain  # noqa: PLC0415 - DuckDB is slow to import

    explain(web.catalog, query)
    web.take_counts()


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
    return [planned.query.title, str(least), str(pages), f"{planned.ratio:.2f}"]
