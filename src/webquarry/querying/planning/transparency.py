"""Whether what is asked of a column of a block can be asked of the rows that the block is made from.

It can of a plain SELECT.  Where rows are grouped, it can of the columns that groups are made by; after a LIMIT it
cannot, since the rows that are left out make room for others.
"""

from __future__ import annotations

from sqlglot import exp

from webquarry.querying.parsing.aggregates import has_aggregate
from webquarry.querying.parsing.blocks import Block, Output
from webquarry.querying.parsing.volatility import is_volatile

_OPAQUE = (exp.Query, exp.Window, exp.Unnest, exp.Explode, exp.Anonymous, exp.Lambda, exp.Comprehension)


def is_transparent(block: Block, output: Output) -> bool:
    """Whether a condition on an output of the block can be put to the rows before."""
    if block.is_limited or block.is_positional or block.is_recursive or not output.is_known:
        return False
    expression = output.expression
    if expression is not None:
        inner = expression.unalias()
        if inner.find(*_OPAQUE) or has_aggregate(inner) or is_volatile(inner):
            return False
    distinct = block.node.args.get("distinct")
    if distinct is not None and distinct.args.get("on") is not None:
        return _is_among(output, distinct.args["on"].expressions)
    if block.is_windowed and not _is_in_all_partitions(block, output):
        return False
    return not block.is_grouped or _is_group(block, output)


def _is_group(block: Block, output: Output) -> bool:
    group = block.node.args.get("group")
    if group is None or block.is_never_empty:
        return False
    if group.args.get("all"):
        return True
    places = [each for each in group.expressions if isinstance(each, exp.Literal) and each.is_int]
    outputs = block.outputs or []
    by_place = any(outputs[int(each.this) - 1] is output for each in places if 0 < int(each.this) <= len(outputs))
    return by_place or _is_among(output, group.expressions)


def _is_in_all_partitions(block: Block, output: Output) -> bool:
    if block.node.args.get("windows") or output.expression is None:
        return False
    windows = list(block.node.find_all(exp.Window))
    return all(_is_among(output, window.args.get("partition_by") or []) for window in windows)


def _is_among(output: Output, expressions: list[exp.Expr]) -> bool:
    """Whether an output is one of the expressions, as it is written or by its alias."""
    if output.expression is None:
        return any(isinstance(each, exp.Column) and each.name.lower() == output.name for each in expressions)
    inner = output.expression.unalias()
    has_alias = bool(output.expression.alias)
    return any(
        each == inner or (has_alias and isinstance(each, exp.Column) and each.sql().lower() == output.name)
        for each in expressions
    )
