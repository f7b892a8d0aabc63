"""Which conditions restrict which relations.

A row of a relation is needed unless some condition says that, whatever the other rows are, it cannot change the answer.
For an inner join all conditions say so.  The right side of a LEFT JOIN is restricted by its ON alone, as a WHERE sees
rows that were filled with NULL; unless the WHERE rejects these, by which the join is an inner one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from webquarry.querying.parsing.blocks import Block, Condition, Member, Ref, Relation
from webquarry.querying.parsing.trees import Tree

_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike)
"""Comparisons that are not true when a side is NULL."""
_STRICT_FUNCTIONS = (exp.Lower, exp.Upper, exp.Length, exp.Cast, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul)


@dataclass
class Restrictions:
    """What restricts the rows of a block."""

    general: list[Condition] = field(default_factory=list)
    """What all rows that count fulfil; about relations that are not filled with NULL."""
    own: dict[Relation, list[Condition]] = field(default_factory=dict)
    """What restricts one relation besides."""
    filled: set[Relation] = field(default_factory=set)
    """The relations that an outer join may fill with NULL."""

    def of(self, relation: Relation) -> list[Condition]:
        """What restricts a relation of the block; that it has no rows is to be found out by those that it has."""
        general = (condition for condition in self.general if condition.absent is not relation)
        return [*general, *self.own.get(relation, ())]


def find_restrictions(block: Block, tree: Tree) -> Restrictions:
    """What restricts the rows of a block, and which of its relations."""
    if block.is_positional:
        return Restrictions(filled={member.relation for member in block.members})
    sides = _simplify(block, tree)
    filled_by = _find_filled(block.members, sides)
    filled = {relation for relation, joins in filled_by.items() if joins}
    sure = [condition for place, side in sides.items() if not side for condition in _inner(block.members[place])]
    inside = {member.relation for member in block.members}
    said = (*block.conditions, *sure, *_find_absences(block, sides, tree))
    general = [each for each in said if not each.relations & filled and each.is_known]
    own = {}
    for member in block.members:
        own[member.relation] = [
            condition
            for joined in _joins_of(member, filled_by, block.members, sides)
            for condition in joined.conditions
            if joined.is_plain
            and condition.is_known
            and (condition.relations & inside & filled) - {member.relation} <= find_rejected(condition.expression, tree)
        ]
    return Restrictions(general, own, filled)


def _inner(member: Member) -> list[Condition]:
    """The conditions of a join that all rows fulfil."""
    return member.conditions if member.is_plain and member.kind != "ANTI" else []


def _find_absences(block: Block, sides: dict[int, str], tree: Tree) -> Iterator[Condition]:
    """That rows have no partner: what anti-joins say, and LEFT JOINs of whose partners a column must be NULL."""
    nulls = {meaning for condition in block.conditions if (meaning := _find_null(condition.expression, tree))}
    for place, member in enumerate(block.members):
        if not member.conditions or not member.is_plain:
            continue
        compared = {ref for condition in member.conditions for ref in _find_equal(condition.expression, tree)}
        if member.kind == "ANTI" or (sides[place] == "LEFT" and nulls & compared & _refs_to(member.relation, nulls)):
            yield _combine(member.conditions, member.relation)


def _refs_to(relation: Relation, refs: set[Ref]) -> set[Ref]:
    return {ref for ref in refs if ref.relation is relation}


def _find_null(expression: exp.Expr, tree: Tree) -> Ref | None:
    """The column that must be NULL."""
    is_test = isinstance(expression, exp.Is) and isinstance(expression.expression, exp.Null)
    meaning = tree.meanings.get(id(expression.this)) if is_test else None
    return meaning if isinstance(meaning, Ref) else None


def _find_equal(expression: exp.Expr, tree: Tree) -> Iterator[Ref]:
    """The columns that are equal to something, and so not NULL where the expression holds."""
    if isinstance(expression, exp.EQ) and not isinstance(expression.expression, (exp.Any, exp.All)):
        for side in (expression.this, expression.expression):
            meaning = tree.meanings.get(id(side))
            if isinstance(meaning, Ref):
                yield meaning


def _combine(conditions: list[Condition], absent: Relation) -> Condition:
    """That no row of a relation fulfils all of the conditions."""
    together = conditions[0].expression
    for condition in conditions[1:]:
        both = exp.And()
        both.args.update(this=together, expression=condition.expression)  # the nodes themselves, whose names are known
        together = both
    refs = tuple(ref for condition in conditions for ref in condition.refs)
    return Condition(together, refs, is_known=all(each.is_known for each in conditions), absent=absent)


def _joins_of(
    member: Member, filled_by: dict[Relation, set[int]], members: list[Member], sides: dict[int, str]
) -> Iterable[Member]:
    """The joins whose conditions restrict a relation, though not the others."""
    if member.kind == "ANTI":
        return [member]
    joins = filled_by[member.relation]
    if len(joins) != 1:
        return []
    by = next(iter(joins))
    is_full = sides[by] == "FULL"  # then rows of both sides count, whether the condition holds or not
    return [] if is_full else [members[by]]


def _simplify(block: Block, tree: Tree) -> dict[int, str]:
    """The sides of the joins by their places, where a side that conditions make inner is one."""
    sides = {place: member.side for place, member in enumerate(block.members)}
    changed = True
    while changed:
        changed = False
        for condition, before in _rejecting(block, sides):
            for relation in find_rejected(condition.expression, tree):
                changed |= _make_inner(block.members, sides, relation, before)
    return sides


def _rejecting(block: Block, sides: dict[int, str]) -> Iterable[tuple[Condition, int]]:
    """Conditions that rows must fulfil, with the number of joins that are made before."""
    yield from ((condition, len(block.members)) for condition in block.conditions)
    for place, side in sides.items():
        if not side:
            yield from ((condition, place) for condition in _inner(block.members[place]))


def _make_inner(members: list[Member], sides: dict[int, str], relation: Relation, before: int) -> bool:
    """Take back that rows of the relation are filled with NULL, by one of the joins before."""
    own = next((place for place, member in enumerate(members) if member.relation is relation), None)
    if own is None:
        return False
    changed = False
    for place in range(own, before):
        if members[place].start > own:
            continue  # of other relations, after a comma
        side = sides[place]
        is_right = place == own
        if side == "FULL":
            sides[place] = "RIGHT" if is_right else "LEFT"
        elif (side == "LEFT" and is_right) or (side == "RIGHT" and not is_right):
            sides[place] = ""
        else:
            continue
        changed = True
    return changed


def _find_filled(members: list[Member], sides: dict[int, str]) -> dict[Relation, set[int]]:
    filled: dict[Relation, set[int]] = {member.relation: set() for member in members}
    for place, member in enumerate(members):
        if member.is_unclear:
            filled[member.relation].update((-1, -2))  # by more joins than one, of which none restricts it
        if sides[place] in ("LEFT", "FULL"):
            filled[member.relation].add(place)
        if sides[place] in ("RIGHT", "FULL"):
            for before in members[member.start : place]:
                filled[before.relation].add(place)
    return filled


def find_rejected(expression: exp.Expr, tree: Tree) -> set[Relation]:
    """The relations whose rows must not be filled with NULL for the expression to be true."""
    expression = expression.unnest()
    if isinstance(expression, exp.Not):
        return _rejected_by_not(expression.this.unnest(), tree)
    if isinstance(expression, (exp.And, exp.Or)):
        left, right = find_rejected(expression.this, tree), find_rejected(expression.expression, tree)
        return left | right if isinstance(expression, exp.And) else left & right
    if isinstance(expression, _STRICT) and not isinstance(expression.expression, (exp.Any, exp.All)):
        return _strict_in(expression.this, tree) | _strict_in(expression.expression, tree)
    if isinstance(expression, exp.Between) or (isinstance(expression, exp.In) and not expression.args.get("query")):
        return _strict_in(expression.this, tree)
    return set()


def _rejected_by_not(negated: exp.Expr, tree: Tree) -> set[Relation]:
    if isinstance(negated, exp.Is):
        return _strict_in(negated.this, tree) if isinstance(negated.expression, exp.Null) else set()
    return set() if isinstance(negated, (exp.And, exp.Or)) else find_rejected(negated, tree)


def _strict_in(expression: exp.Expr, tree: Tree) -> set[Relation]:
    """The relations that make an expression NULL when they are."""
    meaning = tree.meanings.get(id(expression))
    if isinstance(meaning, Ref):
        return {meaning.relation}
    if isinstance(expression, exp.Cast) and expression.args.get("safe"):
        return set()
    if isinstance(expression, _STRICT_FUNCTIONS):
        return set().union(*(_strict_in(part, tree) for part in expression.iter_expressions()))
    return set()
