"""The block of one SELECT: its relations, outputs and conditions."""

from __future__ import annotations

from typing import Protocol

from sqlglot import exp

from webquarry.querying.parsing.aggregates import has_aggregate
from webquarry.querying.parsing.blocks import (
    ALL,
    AnyBlock,
    Block,
    Condition,
    ExpressionUse,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SourceRelation,
)
from webquarry.querying.parsing.expressions import as_list, names_in, semi_join, split
from webquarry.querying.parsing.joining import Joiner
from webquarry.querying.parsing.resolving import Children, Resolver
from webquarry.querying.parsing.trees import Names
from webquarry.querying.parsing.using import need_all, need_output, need_ref

_CLAUSES = ("group", "having", "qualify", "order", "limit", "offset", "windows")
"""The clauses of a SELECT that use columns, beside its outputs, FROM and WHERE."""
_SPREADING = (exp.Columns, exp.Unnest, exp.Explode, exp.PositionalColumn)
"""What may give several columns."""
LIMITING = ("limit", "offset", "sample")
"""By which a query gives some of its rows only."""


class Relations(Children, Protocol):
    """What makes relations of what stands in a FROM."""

    def relation(self, node: exp.Expr, names: Names, block: Block) -> Relation:
        """What stands in the FROM of a block."""


class Selecting:
    """Fills the block of one SELECT."""

    def __init__(self, relations: Relations, block: Block, names: Names) -> None:
        self._relations, self._block = relations, block
        self._tree = relations.tree
        self._resolver = Resolver(relations, block, names)
        self._joiner = Joiner(
            block, relations.tree, lambda node: relations.relation(node, names, block), self._conditions
        )

    def build(self) -> Block:
        """The block, filled."""
        block, node = self._block, self._block.node
        block.is_limited = any(map(node.args.get, LIMITING))
        origin = node.args.get("from_")
        if origin is not None:
            self._joiner.add(origin.this, None)
        for join in node.args.get("joins") or ():
            self._joiner.add(join.this, join)
        self._resolver.is_late = True
        self._find_outputs()
        self._resolver.is_late = False
        where = node.args.get("where")
        if where is not None:
            block.conditions = self._conditions(where.this)
        self._resolver.is_late = True
        for clause in _CLAUSES:
            for expression in as_list(node.args.get(clause)):
                self._resolver.use(expression, positions=clause in ("group", "order"))
        self._characterise()
        block.conditions += self._conditions_of_groups()
        for child in block.inner:
            block.outer_refs.extend(ref for ref in child.outer_refs if not self._resolver.is_own(ref))
        return block

    def _conditions_of_groups(self) -> list[Condition]:
        """What HAVING says about the columns that groups are made by, which is the same as in a WHERE."""
        having, group = self._block.node.args.get("having"), self._block.node.args.get("group")
        if having is None or group is None or self._block.is_never_empty:
            return []
        columns = [each for each in group.expressions if isinstance(each, (exp.Column, exp.Dot))]
        return [
            self._resolver.condition(part)
            for part in split(having.this)
            if not has_aggregate(part) and all(name in columns for name in names_in(part))
        ]

    def _characterise(self) -> None:
        block, node = self._block, self._block.node
        group = node.args.get("group")
        outputs = node.expressions
        block.is_grouped = bool(group or node.args.get("having")) or any(map(has_aggregate, outputs))
        block.is_windowed = bool(node.args.get("qualify")) or any(each.find(exp.Window) for each in outputs)
        distinct = node.args.get("distinct")
        takes_all = _says_all(group) or _says_all(node.args.get("order"))
        if (distinct is not None and distinct.args.get("on") is None) or takes_all:
            need_all(block)
        elif distinct is not None:
            self._resolver.use(distinct)
            need_all(block)

    def _conditions(self, expression: exp.Expr) -> list[Condition]:
        return [self._condition(each) for each in split(expression)]

    def _condition(self, expression: exp.Expr) -> Condition:
        self._resolver.use(expression)
        operand, query = semi_join(expression)
        child = None if query is None else self._tree.children.get(id(query))
        condition = self._resolver.condition(expression)
        if operand is not None and child is not None and child.names:
            self._note_semi_join(operand, child)
        return condition

    def _note_semi_join(self, operand: exp.Expr, child: AnyBlock) -> None:
        """Let the query after IN be restricted as if it were joined."""
        relation = QueryRelation(next(self._relations.numbers), "", child.names, block=child, node=child.node)
        ref = Ref(relation, (relation.columns[0],)) if relation.columns else Ref(relation, ALL)
        column = self._tree.own_column(ref)
        refs, is_known = self._resolver.meanings(operand)
        equal = exp.EQ()
        equal.args.update(this=operand, expression=column)  # the node itself, by which its names are known
        condition = Condition(equal, (*refs, ref), is_known=is_known)
        child.uses[:] = [ExpressionUse(self._block, relation=relation, condition=condition)]

    def _find_outputs(self) -> None:
        outputs: list[Output] = []
        self._block.outputs = []
        is_known = True
        for expression in self._block.node.expressions:
            star = expression if expression.find(*_SPREADING) else _star_of(expression)
            if star is None:
                outputs.append(self._output(expression))
                continue
            columns = self._expand(expression, star)
            if columns is None:
                is_known = False
                self._resolver.use(star)
                for ref in self._resolver.all_refs():
                    need_ref(ref)
                continue
            outputs += columns
        if not is_known or any(not output.name for output in outputs):
            for output in outputs:
                need_output(output, ALL)
        self._block.outputs = outputs if is_known else None

    def _output(self, expression: exp.Expr) -> Output:
        refs = self._resolver.refs(expression)
        _, known = self._resolver.meanings(expression)
        name = expression.alias or (expression.name if isinstance(expression, (exp.Column, exp.Dot)) else "")
        output = Output(name.lower(), expression, tuple(refs), is_known=known)
        if expression.alias:
            self._resolver.add_alias(output)
        return output

    def _expand(self, expression: exp.Expr, star: exp.Expr) -> list[Output] | None:
        """The columns that a star stands for; None when that is not known."""
        if not isinstance(star, exp.Star) or star.args.get("replace") or star.args.get("rename"):
            return None
        relations = [member.relation for member in self._block.members if not member.relation.is_hidden]
        if isinstance(expression, exp.Column) and expression.args.get("table") is not None:
            relations = [each for each in relations if each.alias == expression.table.lower()]
            if len(relations) != 1 or expression.args.get("db") is not None:
                return None
        left_out = {each.name.lower() for each in star.args.get("except_") or ()}
        outputs: list[Output] = []
        seen: set[str] = set()
        for relation in relations:
            if relation.columns is None:
                return None
            if isinstance(relation, SourceRelation):
                relation.is_starred = True
            for name in relation.columns:
                if name in left_out or (name in self._block.merged and name in seen):
                    continue
                seen.add(name)
                meant = self._block.merged.get(name, relation)  # all that USING merges is used in any case
                outputs.append(Output(name, None, (Ref(meant or relation, (name,)),), is_known=meant is not None))
        return outputs


def _star_of(expression: exp.Expr) -> exp.Star | None:
    if isinstance(expression, exp.Star):
        return expression
    return expression.this if isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star) else None


def _says_all(clause: exp.Expr | None) -> bool:
    if clause is None:
        return False
    if clause.args.get("all"):
        return True
    first = next(iter(clause.expressions), None)
    return isinstance(first, exp.Ordered) and isinstance(first.this, exp.Var) and first.this.name.upper() == "ALL"
