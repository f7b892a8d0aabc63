"""From the tree of a query to its blocks.

Tables get names of our own in the tree, so that parts of it can be asked apart from the rest: each occurrence of a
source, and each CTE, wherever it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.querying.catalog import SourceTable
from webquarry.querying.parsing.blocks import (
    ALL,
    AnyBlock,
    Block,
    BranchUse,
    ExpressionUse,
    LocalRelation,
    MemberUse,
    QueryRelation,
    Relation,
    SetBlock,
    SourceRelation,
    Use,
)
from webquarry.querying.parsing.resolving import Resolver
from webquarry.querying.parsing.selecting import LIMITING, Selecting
from webquarry.querying.parsing.statements import parse_view
from webquarry.querying.parsing.trees import Cte, Edit, Names, Tree, splice
from webquarry.querying.parsing.using import need_all


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
