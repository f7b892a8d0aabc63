"""What planning costs beside sqlglot's parse and qualify of the same query, and how many pages a query fetches.

Sources have 720 leaves and are at hand, so that nothing but planning and answering takes time.  sqlglot has their
schema before the clock starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.queries.timing import measure
from benchmarks.queries.wide import COUNTRIES, LEAVES, make_catalog

if TYPE_CHECKING:
    import sqlglot

    from webquarry.querying.catalog import Catalog

ROUNDS = 7
_OURS, _SQLGLOT = "webquarry", "sqlglot"


@dataclass(frozen=True)
class CountedQuery:
    """A query, and the number of pages that it cannot do without."""

    sql: str
    least: int


QUERIES = (
    CountedQuery("SELECT geography.area FROM factbook WHERE country = 'Country F'", 1),
    CountedQuery(
        "SELECT geography.area.total FROM factbook WHERE country IN ('Country A', 'Country B', 'Atlantis')", 2
    ),
    CountedQuery("SELECT country FROM factbook WHERE country LIKE '%C'", 0),
    CountedQuery("SELECT max(economy.debt) FROM factbook WHERE country BETWEEN 'Country C' AND 'Country E'", 3),
    CountedQuery("SELECT country, economy.debt FROM factbook LIMIT 5", 5),
    CountedQuery(
        "SELECT f.country, f.economy.debt FROM groups g JOIN factbook f ON f.country = g.country"
        " WHERE g.grouping = 'North'",
        13,
    ),
    CountedQuery("SELECT country, economy.product FROM factbook WHERE geography.map = 'Europe'", COUNTRIES),
    CountedQuery(
        "SELECT f.country, c.administration.mayor FROM factbook f JOIN cities c ON c.city = f.government.capital"
        " WHERE f.country < 'Country D'",
        6,
    ),
    CountedQuery(
        "SELECT grouping, avg(f.economy.product) FROM groups g LEFT JOIN factbook f USING (country)"
        " GROUP BY grouping HAVING count(*) > 3",
        COUNTRIES + 1,
    ),
    CountedQuery(
        "WITH north AS (SELECT country FROM groups WHERE grouping = 'North') SELECT f.country, (SELECT"
        " c.people.population FROM cities c WHERE c.city = f.government.capital) AS people FROM factbook f"
        " WHERE f.country IN (SELECT country FROM north)",
        25,
    ),
)


@dataclass(frozen=True)
class Planned:
    """What became of a query."""

    query: CountedQuery
    pages: int
    ratio: float
    """Of planning, to sqlglot."""


def run_planning(root: Path, count: int | None = None) -> Finding:  # noqa: ARG001 - it has sources of its own
    """All queries; `count` is that of queries."""
    catalog = make_catalog()
    planned = _plan_all(catalog, QUERIES[:count])
    ratios = [each.ratio for each in planned]
    beyond = [each for each in planned if each.pages > each.query.least]
    return Finding(
        title="Planning",
        note=f"Sources of {LEAVES} leaves. Time to plan, to sqlglot's parse and qualify of the same query.",
        heads=("query", "least pages", "pages", "time to sqlglot"),
        rows=[
            *([f"`{each.query.sql}`", str(each.query.least), str(each.pages), f"{each.ratio:.2f}"] for each in planned),
            ["median, and all together", *_totals(planned), f"{median(ratios):.2f}"],
        ],
        figures={
            "planning, time to sqlglot's parse and qualify": median(ratios),
            "planning, queries with pages beyond the least": len(beyond),
        },
        complaints=[f"pages in vain: {each.pages - each.query.least}: {each.query.sql}" for each in beyond],
    )


def _totals(planned: Sequence[Planned]) -> tuple[str, str]:
    return str(sum(each.query.least for each in planned)), str(sum(each.pages for each in planned))


def _plan_all(catalog: Catalog, queries: Sequence[CountedQuery]) -> list[Planned]:
    schema = make_sqlglot_schema(catalog)
    return [
        _plan(catalog, schema, query) for query in show_progress(queries, len(queries), "planning and counting pages")
    ]


def _plan(catalog: Catalog, schema: sqlglot.MappingSchema, query: CountedQuery) -> Planned:
    from webquarry.querying import answer, explain  # noqa: PLC0415 - DuckDB is slow to import

    costs = measure(
        {_OURS: partial(explain, catalog, query.sql), _SQLGLOT: partial(qualify_by_sqlglot, query.sql, schema)},
        rounds=ROUNDS,
    )
    pages = sum(answer(catalog, query.sql).pages.values())
    return Planned(query, pages, costs[_OURS].wall / costs[_SQLGLOT].wall)


def make_sqlglot_schema(catalog: Catalog) -> sqlglot.MappingSchema:
    """The columns of the sources, with the types that DuckDB has for them."""
    import duckdb  # noqa: PLC0415 - slow to import
    import sqlglot  # noqa: PLC0415

    mapping = {}
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
