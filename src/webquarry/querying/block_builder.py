"""Build the blocks of a query from its syntax tree.

Tables get internal names in the tree (each occurrence of a source, and each CTE wherever it is defined), so that parts
of it can be run apart from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from sqlglot import exp
from sqlglot.helper import ensure_list

from webquarry.errors import QueryError
from webquarry.querying.name_resolution import (
    Resolver,
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
    ExpressionUse,
    LocalRelation,
    Member,
    MemberUse,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SetBlock,
    SourceRelation,
    Tree,
    Use,
)
from webquarry.querying.query_nouns import Catalog, SourceTable
from webquarry.querying.statement import parse_view

_CLAUSES = ("group", "having", "qualify", "order", "limit", "offset", "windows")
"""The clauses of a SELECT that use columns, besides its outputs, FROM and WHERE."""
_SPREADING = (exp.Columns, exp.Unnest, exp.Explode, exp.PositionalColumn)
"""Expressions that may give several columns."""
_LIMITING = ("limit", "offset", "sample")
"""Clauses by which a query gives only some of its rows."""
_HALF_JOINS = ("SEMI", "ANTI")
"""Joins that give rows of one side alone."""
_JOIN_PARTS = ("on", "using", "kind", "side", "method")
"""Parts of a join that a comma lacks."""


class _Edit(NamedTuple):
    """A replacement in the text of a query, from one place to another."""

    start: int
    end: int
    text: str
    named_text: str
    """The same where sources keep their names."""


@dataclass(frozen=True)
class _Cte:
    """The meaning of a CTE's name."""

    name: str
    """The internal one."""
    columns: Sequence[str] = ()
    """Names for its first columns."""
    block: AnyBlock | None = None
    """None within its own definition."""


@dataclass(frozen=True)
class _Names:
    """The meanings of table names at a place in a query."""

    ctes: Mapping[str, _Cte]
    edits: list[_Edit]
    """Those of the text around the place."""


class Builder:
    """Builds the blocks of one query."""

    def __init__(self, catalog: Catalog, columns_of: Callable[[exp.Expr], tuple[str, ...] | None]) -> None:
        """`columns_of` names the columns of what DuckDB has by itself."""
        self._catalog, self._columns_of = catalog, columns_of
        self.numbers: Iterator[int] = count(1)
        self._open_views: list[str] = []
        self.tree = Tree(Block(exp.Select()))

    def build(self, node: exp.Expr, text: str) -> Tree:
        """Build the blocks of a query, and its text over tables that hold what is fetched."""
        names = _Names({}, [])
        self.tree.root = self._query(node, names, None)
        self.tree.root.uses.append(Use())
        need_all(self.tree.root)
        self.tree.text = _splice(text, names.edits)
        self.tree.named_text = _splice(text, names.edits, named=True)
        return self.tree

    def _query(self, node: exp.Expr, names: _Names, parent: Block | None) -> AnyBlock:
        names = self._with_ctes(node, names, parent)
        if isinstance(node, exp.Select):
            return _SelectBuilder(self, Block(node, parent=parent), names).build()
        if isinstance(node, exp.SetOperation):
            block = SetBlock(node, is_by_name=bool(node.args.get("by_name")))
            block.is_limited = any(map(node.args.get, _LIMITING))
            for side in (node.this, node.expression):
                _add_branch(block, self._query(side, names, parent))
            keeps_all = isinstance(node, exp.Union) and not node.args.get("distinct")
            if not keeps_all or node.args.get("order"):
                need_all(block)
            return block
        if isinstance(node, exp.Subquery):
            inner = self._query(node.this, names, parent)
            if not any(map(node.args.get, _LIMITING)):
                return inner
            block = SetBlock(node, is_limited=True)
            _add_branch(block, inner)
            if node.args.get("order"):
                need_all(block)
            return block
        return SetBlock(node)  # VALUES, which reads nothing

    def _with_ctes(self, node: exp.Expr, names: _Names, parent: Block | None) -> _Names:
        clause = node.args.get("with_")
        if clause is None:
            return names
        known = dict(names.ctes)
        for cte in clause.expressions:
            name, internal_name = cte.alias.lower(), f"__c{next(self.numbers)}"
            inside = {**known, name: _Cte(internal_name)} if clause.args.get("recursive") else known
            block = self._query(cte.this, replace(names, ctes=inside), parent)
            block.is_recursive = any(type(relation) is Relation for relation in block.relations)
            if block.is_recursive:
                need_all(block)
            cte.args["alias"].set("this", exp.to_identifier(internal_name))
            known[name] = _Cte(internal_name, _alias_columns(cte), block)
            self.tree.ctes.append((cte, block))
        return replace(names, ctes=known)

    def relation(self, node: exp.Expr, names: _Names, block: Block) -> Relation:
        """Make a relation of an item in the FROM of a block."""
        query = node.this if isinstance(node, exp.Lateral) else node
        if isinstance(query, exp.Subquery) and (query is not node or isinstance(query.this, exp.Query)):
            return self._read_block(node, self._query(query, names, block), block)
        if isinstance(node.this, exp.Pivot) and isinstance(node.this.this, exp.Table):
            raise QueryError("a PIVOT takes a query here: write PIVOT (SELECT * FROM NAME) instead of PIVOT NAME")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier) and not node.args.get("db"):
            name = node.name.lower()
            if name in names.ctes:
                return self._cte(node, names.ctes[name], block)
            if name in self._catalog.sources:
                return self._source(node, self._catalog.sources[name], names)
            if name in self._catalog.views:
                return self._view(node, name, names, block)
        return self._local(node, block, names)

    def _cte(self, node: exp.Table, cte: _Cte, block: Block) -> Relation:
        alias = node.alias or node.name
        node.set("this", exp.to_identifier(cte.name))
        _set_alias(node, alias)
        if cte.block is None:
            return Relation(next(self.numbers), alias.lower(), None)
        return self._read_block(node, cte.block, block, cte.columns)

    def _source(self, node: exp.Table, table: SourceTable, names: _Names) -> SourceRelation:
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

    def _view(self, node: exp.Table, name: str, names: _Names, block: Block) -> Relation:
        if name in self._open_views:
            raise QueryError(f"the view {name} refers to itself: {' -> '.join([*self._open_views, name])}")
        self._open_views.append(name)
        text = self._catalog.views[name].strip().rstrip(";")
        tree = parse_view(text, name)
        inside = _Names({}, [])
        inner = self._query(tree, inside, None)
        self._open_views.pop()
        alias = node.alias or node.name
        written = f"({_splice(text, inside.edits)}\n){_given_alias(node)}"
        names.edits.append(_edit(node, written, written))  # CTEs of the query must not hide sources of the view
        derived = exp.Subquery(this=tree, alias=node.args.get("alias"))
        _set_alias(derived, alias)
        node.replace(derived)
        return self._read_block(derived, inner, block)

    def _read_block(self, node: exp.Expr, inner: AnyBlock, block: Block, called: Sequence[str] = ()) -> QueryRelation:
        """Make a relation of a query in the FROM of a block."""
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

    def _local(self, node: exp.Expr, block: Block, names: _Names) -> LocalRelation:
        columns = None if node.args.get("pivots") else self._columns_of(node)
        relation = LocalRelation(next(self.numbers), node.alias_or_name.lower(), columns, node=node)
        resolver = self.resolver(block, names)
        for argument in arguments_of(node):
            resolver.use(argument)
        return relation

    def resolver(self, block: Block, names: _Names) -> Resolver:
        """Make a resolver for a block, which builds the blocks of queries in its expressions."""

        def build_child(node: exp.Expr, is_late: bool) -> AnyBlock:
            child = self._query(node, names, block)
            child.uses.append(ExpressionUse(block, is_late=is_late))
            self.tree.children[id(node)] = child
            block.inner.append(child)
            return child

        return Resolver(self.tree, block, build_child)


class _SelectBuilder:
    """Builds the block of one SELECT: its relations, outputs and conditions."""

    def __init__(self, builder: Builder, block: Block, names: _Names) -> None:
        self._builder, self._block, self._names = builder, block, names
        self._tree = builder.tree
        self._resolver = builder.resolver(block, names)
        self._start = 0
        """The place of the first relation that the next is joined to."""

    def build(self) -> Block:
        """Fill the block."""
        block, node = self._block, self._block.node
        block.is_limited = any(map(node.args.get, _LIMITING))
        origin = node.args.get("from_")
        if origin is not None:
            self._add(origin.this, None)
        for join in node.args.get("joins") or ():
            self._add(join.this, join)
        self._resolver.is_late = True
        self._find_outputs()
        self._resolver.is_late = False
        where = node.args.get("where")
        if where is not None:
            block.conditions = self._conditions(where.this)
        self._resolver.is_late = True
        for clause in _CLAUSES:
            for expression in ensure_list(node.args.get(clause)):
                self._resolver.use(expression, positions=clause in ("group", "order"))
        self._set_kind()
        block.conditions += self._group_conditions()
        for child in block.inner:
            block.outer_refs.extend(ref for ref in child.outer_refs if not self._resolver.is_own(ref))
        return block

    def _set_kind(self) -> None:
        block, node = self._block, self._block.node
        group, outputs = node.args.get("group"), node.expressions
        block.is_grouped = bool(group or node.args.get("having")) or any(map(has_aggregate, outputs))
        block.is_windowed = bool(node.args.get("qualify")) or any(each.find(exp.Window) for each in outputs)
        distinct = node.args.get("distinct")
        takes_all = _says_all(group) or _says_all(node.args.get("order"))
        if distinct is not None and block.distinct_on is not None and not takes_all:
            self._resolver.use(distinct)
        if distinct is not None or takes_all:
            need_all(block)

    def _group_conditions(self) -> list[Condition]:
        """Return the conditions of HAVING on the columns that groups are made by, which could be in the WHERE."""
        having, group = self._block.node.args.get("having"), self._block.node.args.get("group")
        if having is None or group is None or self._block.is_never_empty:
            return []
        columns = [each for each in group.expressions if isinstance(each, (exp.Column, exp.Dot))]
        return [
            self._resolver.condition(part)
            for part in split(having.this)
            if not has_aggregate(part) and all(name in columns for name in names_in(part))
        ]

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
        relation = QueryRelation(next(self._builder.numbers), "", child.names, block=child, node=child.node)
        ref = Ref(relation, (relation.columns[0],)) if relation.columns else Ref(relation, ALL)
        column = self._tree.add_column(ref)
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
        """Return the columns of a star; None when they are unknown."""
        if not isinstance(star, exp.Star) or star.args.get("replace") or star.args.get("rename"):
            return None
        relations = self._block.reachable
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

    def _add(self, node: exp.Expr, join: exp.Join | None) -> None:
        """Add an item of the FROM, with its join."""
        nested = _in_brackets(node)
        if nested is not None:
            self._add_nested(nested, join, is_named=bool(node.alias))
            return
        relation = self._builder.relation(node, self._names, self._block)
        if join is not None and _is_comma(join):
            self._start = len(self._block.members)
        member = Member(relation, start=self._start)
        self._block.members.append(member)
        if join is not None:
            self._join(member, join)
        for each in node.args.get("joins") or ():
            self._add(each.this, each)

    def _add_nested(self, first: exp.Expr, join: exp.Join | None, *, is_named: bool) -> None:
        """Add joins in brackets: if all are inner joins as without brackets, and else as not understood."""
        joins = first.args.pop("joins", None) or []
        all_joins = [*joins, *([join] if join is not None else [])]
        is_shared = join is not None and join.args.get("using")
        is_same = not is_named and not is_shared and all(map(_is_inner, all_joins))
        before, start = self._start, len(self._block.members)
        self._start = start
        self._add(first, None)
        for each in joins:
            self._add(each.this, each)
        first.set("joins", joins)
        self._start = start if join is not None and _is_comma(join) else before
        added = self._block.members[start:]
        if join is not None:
            conditions = self._join_conditions(added[-1], join)
            added[-1].conditions += conditions if is_same else []
        if is_same or not (join is not None or is_named):
            return
        if join is not None and join.args.get("method"):  # NATURAL: any columns may be shared
            for member in self._block.members:
                need_ref(Ref(member.relation, ALL))
        is_outward = join is not None and join.side in ("RIGHT", "FULL")
        for member in added:
            member.relation.is_hidden |= join is not None and join.kind in _HALF_JOINS
        for member in self._block.members if is_outward else added:
            member.is_unclear = True
            _keep_whole(member.relation)

    def _join(self, member: Member, join: exp.Join) -> None:
        member.side = "" if join.kind in _HALF_JOINS else (join.side or "").upper()
        member.kind = join.kind if join.kind in _HALF_JOINS else ""
        method = (join.args.get("method") or "").upper()
        member.is_plain = method in ("", "NATURAL")
        if method == "ASOF":
            _keep_whole(member.relation)  # the nearest of all its rows counts
        if method == "POSITIONAL":
            self._block.is_positional = True
        member.conditions = self._join_conditions(member, join)
        if member.kind:
            member.relation.is_hidden = True

    def _join_conditions(self, member: Member, join: exp.Join) -> list[Condition]:
        on = join.args.get("on")
        conditions = [] if on is None else self._conditions(on)
        for name in self._shared_names(member, join):
            conditions += self._equate(name, member, join)
        return conditions

    def _shared_names(self, member: Member, join: exp.Join) -> list[str]:
        """Name the columns of USING, or those that both sides of a NATURAL join have."""
        if (join.args.get("method") or "").upper() != "NATURAL":
            return [each.name.lower() for each in join.args.get("using") or ()]
        before = self._joined_to(member)
        if member.relation.columns is None or any(each.columns is None for each in before):
            for each in (*before, member.relation):
                need_ref(Ref(each, ALL))
            return []
        return [name for name in member.relation.columns if any(each.has(name) for each in before)]

    def _joined_to(self, member: Member) -> list[Relation]:
        joined = self._block.members[member.start :]
        return [each.relation for each in joined if each is not member and not each.relation.is_hidden]

    def _equate(self, name: str, member: Member, join: exp.Join) -> list[Condition]:
        """Make the condition of USING a name."""
        having = [each for each in self._joined_to(member) if each.has(name)]
        for relation in (*having, member.relation):
            need_ref(Ref(relation, (name,)))
        left = self._block.merged.get(name, having[0] if having else None)
        side = (join.side or "").upper()
        self._block.merged[name] = None if side == "FULL" else member.relation if side == "RIGHT" else left
        if left is None or not member.relation.has(name):
            return []
        refs = (Ref(left, (name,)), Ref(member.relation, (name,)))
        columns = [self._tree.add_column(ref) for ref in refs]
        return [Condition(exp.EQ(this=columns[0], expression=columns[1]), refs, is_known=True)]


def _add_branch(block: SetBlock, branch: AnyBlock) -> None:
    branch.uses.append(BranchUse(block))
    block.branches.append(branch)
    block.inner.append(branch)
    block.outer_refs.extend(branch.outer_refs)


def _keep_whole(relation: Relation) -> None:
    """Let no condition restrict a relation."""
    if isinstance(relation, SourceRelation):
        relation.is_free = True
    elif isinstance(relation, QueryRelation):
        relation.block.uses.append(Use())


def _is_comma(join: exp.Join) -> bool:
    return not any(map(join.args.get, _JOIN_PARTS))


def _is_inner(join: exp.Join) -> bool:
    return not (join.side or join.args.get("method") or join.kind in _HALF_JOINS)


def _in_brackets(node: exp.Expr) -> exp.Expr | None:
    """Return the first item of joins in brackets; None when the brackets hold no joins."""
    inside = node.this if isinstance(node, exp.Subquery) else None
    is_relation = isinstance(inside, exp.Table) or (isinstance(inside, exp.Subquery) and bool(inside.args.get("joins")))
    return inside if is_relation else None


def _star_of(expression: exp.Expr) -> exp.Star | None:
    if isinstance(expression, exp.Star):
        return expression
    return expression.this if isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star) else None


def _says_all(clause: exp.Expr | None) -> bool:
    """Tell whether a clause is GROUP BY ALL or ORDER BY ALL."""
    if clause is None:
        return False
    if clause.args.get("all"):
        return True
    first = next(iter(clause.expressions), None)
    return isinstance(first, exp.Ordered) and isinstance(first.this, exp.Var) and first.this.name.upper() == "ALL"


def arguments_of(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the arguments of a function in a FROM; the names of parameters are not columns."""
    for part in node.iter_expressions():
        if isinstance(part, (exp.EQ, exp.PropertyEQ, exp.Kwarg)):
            yield part.expression
        elif isinstance(node, exp.Table) and isinstance(part, exp.Func):
            yield from arguments_of(part)
        elif not isinstance(part, (exp.TableAlias, exp.Identifier)):
            yield part


def _edit(node: exp.Table, text: str, named_text: str) -> _Edit:
    meta = node.this.meta
    return _Edit(meta["start"], meta["end"] + 1, text, named_text)


def _splice(text: str, edits: Sequence[_Edit], *, named: bool = False) -> str:
    """Apply edits to a text; with `named`, sources keep their names.

    >>> _splice("FROM a, b", [_Edit(5, 6, "x AS a", "a"), _Edit(8, 9, "y AS b", "b")])
    'FROM x AS a, y AS b'
    """
    parts, end = [], 0
    for edit in sorted(edits):
        parts += [text[end : edit.start], edit.named_text if named else edit.text]
        end = edit.end
    return "".join([*parts, text[end:]])


def _given_alias(node: exp.Table) -> str:
    """Return the alias that a renamed table needs to keep its name."""
    return "" if node.alias else f" AS {_written(node)}"


def _written(node: exp.Table) -> str:
    return f'"{node.name}"' if node.this.quoted else node.name


def _set_alias(node: exp.Expr, alias: str) -> None:
    if not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))


def _alias_columns(node: exp.Expr) -> list[str]:
    alias = node.args.get("alias")
    return [] if alias is None else [each.name.lower() for each in alias.args.get("columns") or ()]
