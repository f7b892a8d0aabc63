"""The parts of expressions."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp


def split(expression: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of an AND."""
    inside = expression.unnest()
    if isinstance(inside, exp.And):
        yield from split(inside.this)
        yield from split(inside.expression)
    else:
        yield inside


def semi_join(expression: exp.Expr) -> tuple[exp.Expr | None, exp.Expr | None]:
    """The operand and the query of `operand IN (query)` or `operand = ANY (query)`."""
    if isinstance(expression, exp.In) and expression.args.get("query") is not None:
        return expression.this, expression.args["query"]
    if isinstance(expression, exp.EQ) and isinstance(expression.expression, exp.Any):
        query = expression.expression.this
        return (expression.this, query) if isinstance(query, exp.Query) else (None, None)
    return None, None


def names_in(expression: exp.Expr) -> Iterator[exp.Expr]:
    """The names of columns in an expression, whole queries in it, and what stands for more columns than can be told."""
    if isinstance(expression, (exp.Query, exp.Columns, exp.PositionalColumn, exp.DataType)):
        yield expression  # a type stands here for a column of the name of a type, such as geography['area']
        return
    if isinstance(expression, exp.Cast):
        yield from names_in(expression.this)
        return
    if isinstance(expression, exp.Column) or (isinstance(expression, exp.Dot) and chain_of(expression) is not None):
        yield expression
        return
    if isinstance(expression, exp.Star):
        if not isinstance(expression.parent, exp.Count):
            yield expression
        return
    for part in expression.iter_expressions():
        yield from names_in(part)


def chain_of(node: exp.Expr) -> list[str] | None:
    """The parts of a dotted name, folded; None when it is none."""
    dotted: list[str] = []
    while isinstance(node, exp.Dot):
        if not isinstance(node.expression, exp.Identifier):
            return None
        dotted.append(node.expression.name.lower())
        node = node.this.unnest()
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    return [part.name.lower() for part in node.parts] + dotted[::-1]


def as_list(found: object) -> list[exp.Expr]:
    """What an argument of a node holds: nothing, one or many."""
    if found is None:
        return []
    return found if isinstance(found, list) else [found]  # type: ignore[list-item]
