"""Functions that give another value at each call, so that a condition must not be tried beforehand."""

from __future__ import annotations

from sqlglot import exp

_NAMES = frozenset(["random", "uuid", "uuidv4", "uuidv7", "gen_random_uuid", "setseed", "nextval", "currval"])
_KINDS = (exp.Rand, exp.Randn, exp.Uuid, exp.NextValueFor)


def is_volatile(expression: exp.Expr) -> bool:
    """Whether an expression calls such a function.

    >>> from sqlglot import parse_one
    >>> is_volatile(parse_one("a < random()", dialect="duckdb")), is_volatile(parse_one("a < abs(b)"))
    (True, False)
    """
    return any(
        isinstance(each, _KINDS) or each.name.lower() in _NAMES for each in expression.find_all(exp.Func, exp.Anonymous)
    )
