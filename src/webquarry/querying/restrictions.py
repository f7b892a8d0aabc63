"""Which conditions restrict which relations.

A row of a relation is needed unless some condition says that, whatever the other rows are, it cannot change the answer.
For an inner join all conditions say so.  The right side of a LEFT JOIN is restricted by its ON alone, as a WHERE sees
rows that were filled with NULL; unless the WHERE rejects these, by which the join is an inner one.
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
)

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


# MERGED querying/planning/contexts: What restricts an occurrence of a source, through all the blocks that it
# MERGED
# MERGED A block that is read at several places, as a CTE can be, has several contexts: a row is needed if an
MOST_CONTEXTS = 16
"""Beyond which an occurrence is read whole: each context is a statement of its own."""


@dataclass(frozen=True)
class Context:
    """The conditions on the way from an occurrence to the answer."""

    conditions: tuple[Condition, ...] = ()
    path: Mapping[AnyBlock, QueryRelation] = field(default_factory=dict)
    """The blocks on the way, by what they are called in the next."""
    branches: Mapping[AnyBlock, AnyBlock] = field(default_factory=dict)
    """For set operations on the way, the branch in which the occurrence is."""


class Contexts:
    """What restricts each occurrence in a query."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._restrictions: dict[AnyBlock, Restrictions] = {}
        self._contexts: dict[AnyBlock, list[Context]] = {}

    @cached_property
    def _homes(self) -> dict[Relation, Block]:
        """The block in whose FROM each relation is."""
        blocks = (block for block in self._blocks() if isinstance(block, Block))
        return {member.relation: block for block in blocks for member in block.members}

    def _blocks(self) -> list[AnyBlock]:
        blocks = {id(block): block for block in self._tree.root.walk()}
        for _, cte in self._tree.ctes:
            blocks.update((id(block), block) for block in cte.walk())
        return list(blocks.values())

    def is_filled(self, relation: Relation) -> bool:
        """Whether an outer join may fill a relation with NULL in the block where it is."""
        home = self._homes.get(relation)
        return home is not None and relation in self.restrictions_of(home).filled

    def restrictions_of(self, block: Block) -> Restrictions:
        """What restricts the relations of a block within it."""
        if block not in self._restrictions:
            self._restrictions[block] = find_restrictions(block, self._tree)
        return self._restrictions[block]

    def of(self, source: SourceRelation) -> list[Context]:
        """All contexts of an occurrence; none when its rows go nowhere."""
        home = self._homes[source]
        outer = self._of_block(home)
        if source.is_free:
            return [Context()] if outer else []
        own = tuple(self.restrictions_of(home).of(source))
        return [Context((*own, *each.conditions), each.path, each.branches) for each in outer]

    def _of_block(self, block: AnyBlock) -> list[Context]:
        if block not in self._contexts:
            self._contexts[block] = [Context()]  # for blocks that read themselves
            uses = [] if block.gives_nothing else block.uses
            found = [context for use in uses for context in self._through(block, use)]
            is_plain = not block.is_recursive and len(found) <= MOST_CONTEXTS
            self._contexts[block] = found if is_plain else [Context()]
        return self._contexts[block]

    def _through(self, block: AnyBlock, use: object) -> list[Context]:
        if isinstance(use, MemberUse):
            own = tuple(self.restrictions_of(use.block).of(use.relation))
            return [
                Context((*own, *each.conditions), {**each.path, block: use.relation}, each.branches)
                for each in self._of_block(use.block)
            ]
        if isinstance(use, ExpressionUse):
            return [self._in_expression(block, use, each) for each in self._of_block(use.block)]
        if isinstance(use, BranchUse):
            return [
                Context(each.conditions, each.path, {**each.branches, use.block: block})
                for each in self._of_block(use.block)
            ]
        return [Context()]

    def _in_expression(self, block: AnyBlock, use: ExpressionUse, outer: Context) -> Context:
        is_free = use.is_late and use.block.is_never_empty
        own = () if is_free else tuple(self.restrictions_of(use.block).general)
        if use.relation is None or use.condition is None:
            return Context((*own, *outer.conditions), outer.path, outer.branches)
        return Context((use.condition, *own, *outer.conditions), {**outer.path, block: use.relation}, outer.branches)


# MERGED querying/planning/transparency: Whether what is asked of a column of a block can be asked of the row
# MERGED
# MERGED It can of a plain SELECT.  Where rows are grouped, it can of the columns that groups are made by; af
# MERGED cannot, since the rows that are left out make room for others.
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
