"""Which functions make one row of many."""

from __future__ import annotations

from functools import cache

import duckdb
from sqlglot import exp


def has_aggregate(expression: exp.Expr) -> bool:
    """Whether the value of an expression takes several rows of its own SELECT.

    >>> from sqlglot import parse_one
    >>> [has_aggregate(parse_one(each)) for each in ("sum(a) + 1", "sum(a) OVER ()", "(SELECT max(a) FROM t)")]
    [True, False, False]
    """
    if isinstance(expression, exp.Query):
        return False
    if isinstance(expression, exp.Window):
        inside = expression.this.iter_expressions()
        return any(map(has_aggregate, inside))
    if isinstance(expression, exp.AggFunc) or _is_unknown_aggregate(expression):
        return True
    return any(map(has_aggregate, expression.iter_expressions()))


def _is_unknown_aggregate(expression: exp.Expr) -> bool:
    """Whether it is an aggregate that DuckDB knows and the parser does not."""
    return isinstance(expression, exp.Anonymous) and expression.name.lower() in _aggregates()


@cache
def _aggregates() -> frozenset[str]:
    names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'"
    with duckdb.connect(":memory:") as connection:
        return frozenset(name for (name,) in connection.execute(names).fetchall())
