"""From the tree of a query to its blocks.

Tables get names of our own in the tree, so that parts of it can be asked apart from the rest: each occurrence of a
source, and each CTE, wherever it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.querying.catalog import SourceTable
from webquarry.querying.name_resolution import (
    Children,
    Resolver,
    as_list,
    has_aggregate,
    names_in,
    need_all,
    need_output,
    need_ref,
    semi_join,
    split,
)
from webquarry.querying.query_blocks import (
    ALL,
    AnyBlock,
    Block,
    BranchUse,
    Condition,
    Cte,
    Edit,
    ExpressionUse,
    LocalRelation,
    Member,
    MemberUse,
    Names,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SetBlock,
    SourceRelation,
    Tree,
    Use,
    splice,
)
from webquarry.querying.statement import parse_view

# MERGED querying/parsing/joining: The FROM of a block: its relations, and how each is joined to those before
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


# MERGED querying/parsing/selecting: The block of one SELECT: its relations, outputs and conditions.
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


class Builder:
    """Makes blocks of one query."""

    def __init__(
        self,
        sources: Mapping[str, SourceTable],
        views: Mapping[str, str],
        columns_of: Callable[[exp.Expr], tuple[str, ...] | None],
    ) -> None:
        """`sources` and `views` are by folded names; `columns_of` tells the columns of what DuckDB has by itself."""
        self._sources, self._views, self._columns_of = sources, views, columns_of
        self.numbers: Iterator[int] = count(1)
        self._open_views: list[str] = []
        self.tree = Tree(Block(exp.Select()))

    def build(self, node: exp.Expr, text: str) -> Tree:
        """The blocks of a query, and its text over tables that hold what is fetched."""
        names = Names({}, [])
        self.tree.root = self._query(node, names, None)
        self.tree.root.uses.append(Use())
        need_all(self.tree.root)
        self.tree.text = splice(text, [(edit.start, edit.end, edit.text) for edit in names.edits])
        self.tree.named_text = splice(text, [(edit.start, edit.end, edit.named) for edit in names.edits])
        return self.tree

    def _query(self, node: exp.Expr, names: Names, parent: Block | None) -> AnyBlock:
        names = self._with_ctes(node, names, parent)
        if isinstance(node, exp.Select):
            return Selecting(self, Block(node, parent=parent), names).build()
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, names, parent)
        if isinstance(node, exp.Subquery):
            inner = self._query(node.this, names, parent)
            return self._around(node, inner) if any(map(node.args.get, LIMITING)) else inner
        return SetBlock(node)  # VALUES, which is made from nothing

    def _set_operation(self, node: exp.SetOperation, names: Names, parent: Block | None) -> SetBlock:
        block = SetBlock(node, is_by_name=bool(node.args.get("by_name")))
        block.is_limited = any(map(node.args.get, LIMITING))
        for side in (node.this, node.expression):
            self._adopt(block, self._query(side, names, parent))
        keeps_all = isinstance(node, exp.Union) and not node.args.get("distinct")
        if not keeps_all or node.args.get("order"):
            need_all(block)
        return block

    def _around(self, node: exp.Subquery, inner: AnyBlock) -> SetBlock:
        """A query in brackets that has a LIMIT of its own."""
        block = SetBlock(node, is_limited=True)
        self._adopt(block, inner)
        if node.args.get("order"):
            need_all(block)
        return block

    def _adopt(self, block: SetBlock, branch: AnyBlock) -> None:
        branch.uses.append(BranchUse(block))
        block.branches.append(branch)
        block.inner.append(branch)
        block.outer_refs.extend(branch.outer_refs)

    def _with_ctes(self, node: exp.Expr, names: Names, parent: Block | None) -> Names:
        clause = node.args.get("with_")
        if clause is None:
            return names
        known = dict(names.ctes)
        for cte in clause.expressions:
            name, own_name = cte.alias.lower(), f"__c{next(self.numbers)}"
            inside = {**known, name: Cte(own_name)} if clause.args.get("recursive") else known
            block = self._query(cte.this, replace(names, ctes=inside), parent)
            block.is_recursive = any(type(relation) is Relation for relation in block.relations)
            if block.is_recursive:
                need_all(block)
            cte.args["alias"].set("this", exp.to_identifier(own_name))
            known[name] = Cte(own_name, _alias_columns(cte), block)
            self.tree.ctes.append((cte, block))
        return replace(names, ctes=known)

    def relation(self, node: exp.Expr, names: Names, block: Block) -> Relation:
        """What stands in the FROM of a block."""
        if isinstance(node, exp.Lateral):
            inner = node.this
            if isinstance(inner, exp.Subquery):
                return self._derived(node, inner, names, block)
            return self._local(node, block, names)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            return self._derived(node, node, names, block)
        if isinstance(node.this, exp.Pivot) and isinstance(node.this.this, exp.Table):
            raise QueryError("a PIVOT here takes a query: write PIVOT (SELECT * FROM NAME) in the place of PIVOT NAME")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier) and not node.args.get("db"):
            return self._named(node, names, block)
        return self._local(node, block, names)

    def _named(self, node: exp.Table, names: Names, block: Block) -> Relation:
        name = node.name.lower()
        if name in names.ctes:
            cte, alias = names.ctes[name], node.alias or node.name
            node.set("this", exp.to_identifier(cte.name))
            _set_alias(node, alias)
            if cte.block is None:
                return Relation(next(self.numbers), alias.lower(), None)
            return self._reading(node, cte.block, block, cte.columns)
        if name in self._sources:
            return self._source(node, self._sources[name], names)
        if name in self._views:
            return self._view(node, name, names, block)
        return self._local(node, block, names)

    def _source(self, node: exp.Table, table: SourceTable, names: Names) -> SourceRelation:
        alias = node.alias or node.name
        renamed = _alias_columns(node)
        columns = tuple(each.lower() for each in table.schema.names)
        relation = SourceRelation(next(self.numbers), alias.lower(), columns, table=table)
        relation.is_free = bool(node.args.get("sample") or node.args.get("pivots") or renamed)
        if node.args.get("pivots") or renamed:
            relation.used.add(ALL)
            relation.columns = None
        names.edits.append(_edit(node, relation.rows_name + _given_alias(node), _written(node)))
        node.set("this", exp.to_identifier(relation.rows_name))
        _set_alias(node, alias)
        relation.is_in_view = bool(self._open_views)
        self.tree.sources.append(relation)
        return relation

    def _view(self, node: exp.Table, name: str, names: Names, block: Block) -> Relation:
        if name in self._open_views:
            raise QueryError(f"the view {name} is made from itself: {' -> '.join([*self._open_views, name])}")
        self._open_views.append(name)
        text = self._views[name].strip().rstrip(";")
        tree = parse_view(text, name)
        inside = Names({}, [])
        inner = self._query(tree, inside, None)
        self._open_views.pop()
        alias = node.alias or node.name
        spliced = splice(text, [(edit.start, edit.end, edit.text) for edit in inside.edits])
        written = f"({spliced}\n){_given_alias(node)}"
        names.edits.append(_edit(node, written, written))  # CTEs of the query must not hide sources of the view
        derived = exp.Subquery(this=tree, alias=node.args.get("alias"))
        _set_alias(derived, alias)
        node.replace(derived)
        return self._reading(derived, inner, block)

    def _derived(self, node: exp.Expr, inner: exp.Subquery, names: Names, block: Block) -> Relation:
        return self._reading(node, self._query(inner, names, block), block)

    def _reading(self, node: exp.Expr, inner: AnyBlock, block: Block, called: Sequence[str] = ()) -> QueryRelation:
        columns = inner.names
        for renamed in (called, _alias_columns(node)):
            if columns is not None:
                columns = (*renamed, *columns[len(renamed) :])
        relation = QueryRelation(next(self.numbers), node.alias.lower(), columns, block=inner, node=node)
        is_changed = bool(node.args.get("pivots") or node.args.get("sample"))
        inner.uses.append(Use() if is_changed else MemberUse(block, relation))
        if is_changed or columns is None:
            need_all(inner)
            relation.columns = None
        block.inner.append(inner)
        return relation

    def _local(self, node: exp.Expr, block: Block, names: Names) -> LocalRelation:
        columns = None if node.args.get("pivots") else self._columns_of(node)
        relation = LocalRelation(next(self.numbers), node.alias_or_name.lower(), columns, node=node)
        resolver = Resolver(self, block, names)
        for argument in _arguments(node):
            resolver.use(argument)
        return relation

    def child(self, node: exp.Expr, names: Names, block: Block, *, is_late: bool) -> AnyBlock:
        """The block of a query in an expression."""
        child = self._query(node, names, block)
        child.uses.append(ExpressionUse(block, is_late=is_late))
        self.tree.children[id(node)] = child
        block.inner.append(child)
        return child


def _arguments(node: exp.Expr) -> Iterator[exp.Expr]:
    """What a function in a FROM is called with; the names of parameters are not names of columns."""
    for part in node.iter_expressions():
        if isinstance(part, (exp.EQ, exp.PropertyEQ, exp.Kwarg)):
            yield part.expression
        elif isinstance(node, exp.Table) and isinstance(part, exp.Func):
            yield from _arguments(part)
        elif not isinstance(part, (exp.TableAlias, exp.Identifier)):
            yield part


def _edit(node: exp.Table, text: str, named: str) -> Edit:
    meta = node.this.meta
    return Edit(meta["start"], meta["end"] + 1, text, named)


def _given_alias(node: exp.Table) -> str:
    """The alias that a table needs to be called as before."""
    return "" if node.alias else f" AS {_written(node)}"


def _written(node: exp.Table) -> str:
    return f'"{node.name}"' if node.this.quoted else node.name


def _set_alias(node: exp.Expr, alias: str) -> None:
    if not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))


def _alias_columns(node: exp.Expr) -> list[str]:
    alias = node.args.get("alias")
    return [] if alias is None else [each.name.lower() for each in alias.args.get("columns") or ()]
