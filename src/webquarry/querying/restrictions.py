"""Find the conditions that restrict each relation, through all blocks on the way to the answer.

A row of a relation is needed unless some condition says that, whatever the other rows are, it cannot change the answer.
For an inner join all conditions say so.  The right side of a LEFT JOIN is restricted by its ON alone, since a WHERE
sees rows that were filled with NULL; but if the WHERE rejects these, the join is in fact an inner join.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from webquarry.querying.name_resolution import has_aggregate, is_volatile
from webquarry.querying.query_blocks import (
    AnyBlock,
    Block,
    BranchUse,
    Condition,
    ExpressionUse,
    Member,
    MemberUse,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SourceRelation,
    Tree,
    Use,
)

MAX_CONTEXTS = 16
"""Contexts beyond which an occurrence is read whole: each context is a separate statement."""
_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike)
"""Comparisons that are not true when a side is NULL."""
_STRICT_FUNCTIONS = (exp.Lower, exp.Upper, exp.Length, exp.Cast, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul)
_OPAQUE = (exp.Query, exp.Window, exp.Unnest, exp.Explode, exp.Anonymous, exp.Lambda, exp.Comprehension)


@dataclass(frozen=True)
class Context:
    """The conditions on the way from an occurrence to the answer.

    A block that is read at several places, such as a CTE, has several contexts: a row is needed if any needs it.
    """

    conditions: tuple[Condition, ...] = ()
    path: Mapping[AnyBlock, QueryRelation] = field(default_factory=dict)
    """The blocks on the way, each with its relation in the next."""
    branches: Mapping[AnyBlock, AnyBlock] = field(default_factory=dict)
    """For set operations on the way, the branch that has the occurrence."""


@dataclass
class Restrictions:
    """The conditions on the rows of a block."""

    general: list[Condition] = field(default_factory=list)
    """Those that all rows must fulfil, on relations that are not filled with NULL."""
    own: dict[Relation, list[Condition]] = field(default_factory=dict)
    """Those that restrict one relation besides."""
    filled: set[Relation] = field(default_factory=set)
    """The relations that an outer join may fill with NULL."""

    def of(self, relation: Relation) -> tuple[Condition, ...]:
        """Return the conditions on a relation, without that of its absence, which takes all of its rows."""
        return (*(each for each in self.general if each.absent is not relation), *self.own.get(relation, ()))


class Contexts:
    """The contexts of each occurrence in a query."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._restrictions: dict[AnyBlock, Restrictions] = {}
        self._contexts: dict[AnyBlock, list[Context]] = {}

    @cached_property
    def _homes(self) -> dict[Relation, Block]:
        """The block in whose FROM each relation is."""
        blocks = [block for root in (self.tree.root, *(cte for _, cte in self.tree.ctes)) for block in root.walk()]
        return {member.relation: block for block in blocks if isinstance(block, Block) for member in block.members}

    def is_filled(self, relation: Relation) -> bool:
        """Tell whether an outer join may fill a relation with NULL in its block."""
        home = self._homes.get(relation)
        return home is not None and relation in self.restrictions_of(home).filled

    def restrictions_of(self, block: Block) -> Restrictions:
        """Return the conditions on the rows of a block."""
        if block not in self._restrictions:
            self._restrictions[block] = _find_restrictions(block, self.tree)
        return self._restrictions[block]

    def of(self, source: SourceRelation) -> list[Context]:
        """Return all contexts of an occurrence; none when its rows are not used."""
        home = self._homes[source]
        outer = self._of_block(home)
        if source.is_free:
            return [Context()] if outer else []
        own = self.restrictions_of(home).of(source)
        return [Context((*own, *each.conditions), each.path, each.branches) for each in outer]

    def _of_block(self, block: AnyBlock) -> list[Context]:
        if block not in self._contexts:
            self._contexts[block] = [Context()]  # for blocks that read themselves
            uses = [] if block.gives_nothing else block.uses
            found = [context for use in uses for context in self._through(block, use)]
            is_followed = not block.is_recursive and len(found) <= MAX_CONTEXTS
            self._contexts[block] = found if is_followed else [Context()]
        return self._contexts[block]

    def _through(self, block: AnyBlock, use: Use) -> Iterator[Context]:
        """Yield the contexts of a block by one of its uses."""
        if not isinstance(use, (MemberUse, ExpressionUse, BranchUse)):
            yield Context()
            return
        own: tuple[Condition, ...] = ()
        if isinstance(use, MemberUse):
            own = self.restrictions_of(use.block).of(use.relation)
        elif isinstance(use, ExpressionUse) and not (use.is_late and use.block.is_never_empty):
            own = tuple(self.restrictions_of(use.block).general)
        relation = None if isinstance(use, BranchUse) else use.relation
        if isinstance(use, ExpressionUse):
            own = own if use.condition is None else (use.condition, *own)
        for outer in self._of_block(use.block):
            path = outer.path if relation is None else {**outer.path, block: relation}
            branches = {**outer.branches, use.block: block} if isinstance(use, BranchUse) else outer.branches
            yield Context((*own, *outer.conditions), path, branches)


def _find_restrictions(block: Block, tree: Tree) -> Restrictions:
    members = block.members
    if block.is_positional:
        return Restrictions(filled={member.relation for member in members})
    sides = _simplify_sides(block, tree)
    filled_by = _find_filling_joins(members, sides)
    filled = {relation for relation, joins in filled_by.items() if joins}
    # A join in brackets that an outer join fills says nothing about the rows around it, not even by `ON 1 = 2`.
    kept = [members[place] for place, side in sides.items() if not side and members[place].relation not in filled]
    inner = [condition for member in kept for condition in _inner_conditions(member)]
    found = (*block.conditions, *inner, *_find_absences(block, sides, tree))
    general = [each for each in found if not each.relations & filled and each.is_known]
    own: dict[Relation, list[Condition]] = {}
    for member in members:
        others = {each.relation for each in members if each is not member} & filled
        own[member.relation] = [
            condition
            for joined in _restricting_joins(member, filled_by, members, sides)
            for condition in joined.conditions
            if joined.is_plain
            and condition.is_known
            and condition.relations & others <= find_rejected(condition.expression, tree)
        ]
    return Restrictions(general, own, filled)


def _inner_conditions(member: Member) -> list[Condition]:
    """Return the conditions of a join that all rows fulfil."""
    return member.conditions if member.is_plain and member.kind != "ANTI" else []


def _restricting_joins(
    member: Member, filled_by: dict[Relation, set[int]], members: list[Member], sides: dict[int, str]
) -> list[Member]:
    """Return the joins whose conditions restrict this relation, though not the others."""
    if member.kind == "ANTI":
        return [member]
    joins = filled_by[member.relation]
    # Of a FULL JOIN rows of both sides count, whether the condition holds or not.
    return [members[place] for place in joins if sides[place] != "FULL"] if len(joins) == 1 else []


def _find_absences(block: Block, sides: dict[int, str], tree: Tree) -> Iterator[Condition]:
    """Find conditions that rows have no partner: anti-joins, and LEFT JOINs with a partner's column IS NULL."""
    nulls = {meaning for condition in block.conditions if (meaning := _find_null(condition.expression, tree))}
    for place, member in enumerate(block.members):
        if not member.conditions or not member.is_plain:
            continue
        compared = {ref for condition in member.conditions for ref in _find_equal(condition.expression, tree)}
        is_null = any(ref.relation is member.relation for ref in nulls & compared)
        if member.kind == "ANTI" or (sides[place] == "LEFT" and is_null):
            yield _no_row_fulfils(member.conditions, member.relation)


def _find_null(expression: exp.Expr, tree: Tree) -> Ref | None:
    """Find the column that must be NULL."""
    is_test = isinstance(expression, exp.Is) and isinstance(expression.expression, exp.Null)
    meaning = tree.meanings.get(id(expression.this)) if is_test else None
    return meaning if isinstance(meaning, Ref) else None


def _find_equal(expression: exp.Expr, tree: Tree) -> Iterator[Ref]:
    """Find the columns that equal something, and so are not NULL where the expression holds."""
    if isinstance(expression, exp.EQ) and not isinstance(expression.expression, (exp.Any, exp.All)):
        for side in (expression.this, expression.expression):
            meaning = tree.meanings.get(id(side))
            if isinstance(meaning, Ref):
                yield meaning


def _no_row_fulfils(conditions: list[Condition], absent: Relation) -> Condition:
    together = conditions[0].expression
    for condition in conditions[1:]:
        both = exp.And()
        both.args.update(this=together, expression=condition.expression)  # the nodes themselves, whose names are known
        together = both
    refs = tuple(ref for condition in conditions for ref in condition.refs)
    return Condition(together, refs, is_known=all(each.is_known for each in conditions), absent=absent)


def _simplify_sides(block: Block, tree: Tree) -> dict[int, str]:
    """Return the sides of the joins by their places; outer joins that conditions make inner have none."""
    sides = {place: member.side for place, member in enumerate(block.members)}
    changed = True
    while changed:
        changed = False
        for condition, before in _required_conditions(block, sides):
            for relation in find_rejected(condition.expression, tree):
                changed |= _make_inner(block.members, sides, relation, before)
    return sides


def _required_conditions(block: Block, sides: dict[int, str]) -> Iterable[tuple[Condition, int]]:
    """Return the conditions that rows must fulfil, with the number of joins made before."""
    yield from ((condition, len(block.members)) for condition in block.conditions)
    for place, side in sides.items():
        if not side:
            yield from ((condition, place) for condition in _inner_conditions(block.members[place]))


def _make_inner(members: list[Member], sides: dict[int, str], relation: Relation, before: int) -> bool:
    """Drop the sides of joins before that fill the relation with NULL; tell whether there were any."""
    own = next((place for place, member in enumerate(members) if member.relation is relation), None)
    if own is None:
        return False
    changed = False
    for place in range(own, before):
        if members[place].start > own:
            continue  # a join of other relations, after a comma
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


def _find_filling_joins(members: list[Member], sides: dict[int, str]) -> dict[Relation, set[int]]:
    """Find the joins that may fill each relation with NULL, by their places."""
    filled: dict[Relation, set[int]] = {member.relation: set() for member in members}
    for place, member in enumerate(members):
        if member.is_unclear:
            filled[member.relation].update((-1, -2))  # as by several joins, so that none restricts it
        if sides[place] in ("LEFT", "FULL"):
            filled[member.relation].add(place)
        if sides[place] in ("RIGHT", "FULL"):
            for before in members[member.start : place]:
                filled[before.relation].add(place)
    return filled


def find_rejected(expression: exp.Expr, tree: Tree) -> set[Relation]:
    """Find the relations whose rows must not be filled with NULL for the expression to be true."""
    expression = expression.unnest()
    if isinstance(expression, exp.Not):
        negated = expression.this.unnest()
        if isinstance(negated, exp.Is):
            return _strict_in(negated.this, tree) if isinstance(negated.expression, exp.Null) else set()
        return set() if isinstance(negated, (exp.And, exp.Or)) else find_rejected(negated, tree)
    if isinstance(expression, (exp.And, exp.Or)):
        left, right = find_rejected(expression.this, tree), find_rejected(expression.expression, tree)
        return left | right if isinstance(expression, exp.And) else left & right
    if isinstance(expression, _STRICT) and not isinstance(expression.expression, (exp.Any, exp.All)):
        return _strict_in(expression.this, tree) | _strict_in(expression.expression, tree)
    if isinstance(expression, exp.Between) or (isinstance(expression, exp.In) and not expression.args.get("query")):
        return _strict_in(expression.this, tree)
    return set()


def _strict_in(expression: exp.Expr, tree: Tree) -> set[Relation]:
    """Find the relations that make an expression NULL when they are."""
    meaning = tree.meanings.get(id(expression))
    if isinstance(meaning, Ref):
        return {meaning.relation}
    if isinstance(expression, exp.Cast) and expression.args.get("safe"):
        return set()
    if isinstance(expression, _STRICT_FUNCTIONS):
        return set().union(*(_strict_in(part, tree) for part in expression.iter_expressions()))
    return set()


def is_transparent(block: Block, output: Output) -> bool:
    """Tell whether a condition on an output of a block can be applied to the rows before.

    It can in a plain SELECT, and where rows are grouped on the columns that groups are made by.  After a LIMIT it
    cannot, since rows that are left out make room for others.
    """
    if block.is_limited or block.is_positional or block.is_recursive or not output.is_known:
        return False
    if output.expression is not None:
        inner = output.expression.unalias()
        if inner.find(*_OPAQUE) or has_aggregate(inner) or is_volatile(inner):
            return False
    if block.distinct_on is not None:
        return _is_among(output, block.distinct_on)
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
    """Tell whether an output is one of the expressions, as it is written or by its alias."""
    if output.expression is None:
        return any(isinstance(each, exp.Column) and each.name.lower() == output.name for each in expressions)
    inner = output.expression.unalias()
    has_alias = bool(output.expression.alias)
    return any(
        each == inner or (has_alias and isinstance(each, exp.Column) and each.sql().lower() == output.name)
        for each in expressions
    )
