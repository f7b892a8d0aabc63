"""The FROM of a block: its relations, and how each is joined to those before."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from webquarry.querying.parsing.blocks import (
    ALL,
    Block,
    Condition,
    Member,
    QueryRelation,
    Ref,
    Relation,
    SourceRelation,
    Use,
)
from webquarry.querying.parsing.trees import Tree
from webquarry.querying.parsing.using import need_ref

_HALF = ("SEMI", "ANTI")
"""Joins that give rows of one side alone."""
_JOINING = ("on", "using", "kind", "side", "method")
"""What a join has, and a comma has not."""


class Joiner:
    """Adds the relations of a FROM to a block."""

    def __init__(
        self,
        block: Block,
        tree: Tree,
        relation_of: Callable[[exp.Expr], Relation],
        conditions_of: Callable[[exp.Expr], list[Condition]],
    ) -> None:
        """`relation_of` says what stands in the FROM, `conditions_of` what an ON says."""
        self._block, self._tree = block, tree
        self._relation_of, self._conditions_of = relation_of, conditions_of
        self._start = 0
        """The place of the first relation that the next is joined to."""

    def add(self, node: exp.Expr, join: exp.Join | None) -> None:
        """Add what stands in a FROM, with the join that it stands in."""
        nested = _in_brackets(node)
        if nested is not None:
            self._add_nested(nested, join, is_named=bool(node.alias))
            return
        relation = self._relation_of(node)
        if join is not None and _is_comma(join):
            self._start = len(self._block.members)
        member = Member(relation, start=self._start)
        self._block.members.append(member)
        if join is not None:
            self._join(member, join)
        for each in node.args.get("joins") or ():
            self.add(each.this, each)

    def _add_nested(self, first: exp.Expr, join: exp.Join | None, *, is_named: bool) -> None:
        """Joins in brackets: the same as without these if all are inner ones, and else not understood."""
        joins = first.args.pop("joins", None) or []
        all_joins = [*joins, *([join] if join is not None else [])]
        is_shared = join is not None and join.args.get("using")
        is_same = not is_named and not is_shared and all(map(_is_inner, all_joins))
        before, start = self._start, len(self._block.members)
        self._start = start
        self.add(first, None)
        for each in joins:
            self.add(each.this, each)
        first.set("joins", joins)
        self._start = start if join is not None and _is_comma(join) else before
        added = self._block.members[start:]
        if join is not None:
            last = added[-1]
            if is_same:
                last.conditions += self._join_conditions(last, join)
            else:
                self._join_conditions(last, join)
        if is_same or not (join is not None or is_named):
            return
        if join is not None and join.args.get("method"):  # NATURAL, by whatever columns both sides have
            for member in self._block.members:
                need_ref(Ref(member.relation, ALL))
        is_outward = join is not None and join.side in ("RIGHT", "FULL")
        for member in added:
            member.relation.is_hidden |= join is not None and join.kind in _HALF
        for member in self._block.members if is_outward else added:
            member.is_unclear = True
            self._free(member.relation)

    def _free(self, relation: Relation) -> None:
        """Leave a relation whole: no condition may restrict it."""
        if isinstance(relation, SourceRelation):
            relation.is_free = True
        elif isinstance(relation, QueryRelation):
            relation.block.uses.append(Use())

    def _join(self, member: Member, join: exp.Join) -> None:
        member.side = "" if join.kind in _HALF else (join.side or "").upper()
        member.kind = join.kind if join.kind in _HALF else ""
        method = (join.args.get("method") or "").upper()
        member.is_plain = method in ("", "NATURAL")
        if method == "ASOF":
            self._free(member.relation)  # of all its rows the nearest counts
        if method == "POSITIONAL":
            self._block.is_positional = True
        member.conditions = self._join_conditions(member, join)
        if member.kind:
            member.relation.is_hidden = True

    def _join_conditions(self, member: Member, join: exp.Join) -> list[Condition]:
        on = join.args.get("on")
        conditions = [] if on is None else self._conditions_of(on)
        for name in self._shared_names(member, join):
            conditions += self._equal(name, member, join)
        return conditions

    def _shared_names(self, member: Member, join: exp.Join) -> list[str]:
        using = [each.name.lower() for each in join.args.get("using") or ()]
        if (join.args.get("method") or "").upper() != "NATURAL":
            return using
        before = self._before(member)
        if member.relation.columns is None or any(each.columns is None for each in before):
            for each in (*before, member.relation):
                need_ref(Ref(each, ALL))
            return []
        return [name for name in member.relation.columns if any(each.has(name) for each in before)]

    def _before(self, member: Member) -> list[Relation]:
        """What a relation is joined to."""
        joined = self._block.members[member.start :]
        return [each.relation for each in joined if each is not member and not each.relation.is_hidden]

    def _equal(self, name: str, member: Member, join: exp.Join) -> list[Condition]:
        """What USING a name says."""
        having = [each for each in self._before(member) if each.has(name)]
        for relation in (*having, member.relation):
            need_ref(Ref(relation, (name,)))
        left = self._block.merged.get(name, having[0] if having else None)
        side = (join.side or "").upper()
        if side in ("RIGHT", "FULL"):
            self._block.merged[name] = member.relation if side == "RIGHT" else None
        else:
            self._block.merged[name] = left
        if left is None or not member.relation.has(name):
            return []
        refs = (Ref(left, (name,)), Ref(member.relation, (name,)))
        columns = [self._tree.own_column(ref) for ref in refs]
        return [Condition(exp.EQ(this=columns[0], expression=columns[1]), refs, is_known=True)]


def _is_comma(join: exp.Join) -> bool:
    return not any(map(join.args.get, _JOINING))


def _is_inner(join: exp.Join) -> bool:
    return not (join.side or join.args.get("method") or join.kind in _HALF)


def _in_brackets(node: exp.Expr) -> exp.Expr | None:
    """What joins in brackets begin with; None when these hold no joins."""
    inside = node.this if isinstance(node, exp.Subquery) else None
    is_relation = isinstance(inside, exp.Table) or (isinstance(inside, exp.Subquery) and bool(inside.args.get("joins")))
    return inside if is_relation else None
