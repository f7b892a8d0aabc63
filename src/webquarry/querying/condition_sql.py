"""Rewrite the conditions of a query over what DuckDB has so far: rows that were read, and keys.

Columns of queries in a FROM are replaced by what they are made from, so that in the end a condition is about sources,
files and tables alone.  These get internal names, since aliases of several blocks meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import cast

from sqlglot import exp, parse_one

from webquarry.querying.name_resolution import is_volatile, semi_join
from webquarry.querying.query_blocks import (
    AnyBlock,
    Block,
    Condition,
    ExpressionUse,
    LocalRelation,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SetBlock,
    SourceRelation,
)
from webquarry.querying.query_nouns import ColumnPath
from webquarry.querying.restrictions import Context, Contexts, find_rejected, is_transparent
from webquarry.querying.statement import DIALECT


@dataclass
class ReadState:
    """Which occurrences of sources DuckDB has so far."""

    read: set[SourceRelation] = field(default_factory=set)
    """Those whose rows it has."""
    keyed: set[SourceRelation] = field(default_factory=set)
    """Those whose possible keys it has, at least."""


@dataclass(frozen=True)
class Rewritten:
    """A condition over tables that DuckDB has, or will have when some sources are read."""

    expression: exp.Expr
    relations: frozenset[Relation]
    condition: Condition
    waits_for: frozenset[SourceRelation] = frozenset()


@dataclass
class Translation:
    """What is known of the rows that an occurrence needs in one context."""

    target: SourceRelation
    usable: list[Rewritten] = field(default_factory=list)
    pending: list[Rewritten] = field(default_factory=list)
    """Conditions that wait for sources."""
    items: dict[Relation, str] = field(default_factory=dict)
    """What to write in a FROM for each relation."""
    is_exact: bool = True
    """Whether all conditions can be rewritten, at once or later."""

    @property
    def is_final(self) -> bool:
        """True if reading other sources cannot spare pages of the target."""
        return all(self.target in each.waits_for for each in self.pending)

    def from_clause(self, relations: Iterable[Relation]) -> str:
        """List relations for a FROM; those that others are made from come before these."""
        ordered = sorted((each for each in relations if each in self.items), key=lambda each: each.number)
        return ", ".join(self.items[each] for each in ordered)


class _Untranslatable(Exception):  # noqa: N818 - not an error
    """A condition cannot be rewritten, however much is read."""


class Translator:
    """Rewrites the conditions of one context of an occurrence."""

    def __init__(self, target: SourceRelation, context: Context, contexts: Contexts, state: ReadState) -> None:
        self._tree, self._contexts, self._state = contexts.tree, contexts, state
        self._path, self._branches = context.path, context.branches
        self._expanded: dict[AnyBlock, Relation | None] = dict(context.path)
        self._queue = list(context.conditions)
        self._result = Translation(target)
        if target.key and target in state.keyed:
            self._add_source(target, (target.key,))
        self._waits: set[SourceRelation] = set()
        self._mentioned: set[Relation] = set()

    def translate(self) -> Translation:
        """Rewrite the conditions, and those of blocks that they lead to."""
        done: set[int] = set()
        while self._queue:
            condition = self._queue.pop(0)
            if id(condition) not in done:
                done.add(id(condition))
                self._take(condition)
        return self._result

    def _take(self, condition: Condition) -> None:
        self._waits, self._mentioned = set(), set()
        if not self._is_translatable(condition):
            self._result.is_exact = False
            return
        try:
            expression = self._rebuild(condition.expression)
            if condition.absent is not None:
                expression = self._absence(condition.absent, expression)
        except _Untranslatable:
            self._result.is_exact = False
            self._take_parts(condition)
            return
        rewritten = Rewritten(expression, frozenset(self._mentioned), condition, frozenset(self._waits))
        if self._waits:
            self._result.pending.append(rewritten)
            self._take_parts(condition)
        else:
            self._result.usable.append(rewritten)
            if self._result.target not in self._state.keyed:
                # The query inside names keys, while the condition as a whole only tests them.
                self._open_semi_join(condition)

    def _is_translatable(self, condition: Condition) -> bool:
        """Tell whether a condition is understood and false for rows filled with NULL, which DuckDB does not have."""
        if not condition.is_known or is_volatile(condition.expression):
            return False
        others = condition.relations - {self._result.target, *self._path.values()}
        filled = {relation for relation in others if self._contexts.is_filled(relation)}
        return not filled or filled <= find_rejected(condition.expression, self._tree)

    def _absence(self, relation: Relation, expression: exp.Expr) -> exp.Expr:
        """Say that no row of a relation fulfils an expression; this takes all of its rows."""
        if isinstance(relation, SourceRelation) and relation not in self._state.read:
            self._waits.add(relation)
        if relation not in self._mentioned or (relation not in self._result.items and not self._waits):
            raise _Untranslatable
        self._mentioned.discard(relation)
        if self._waits:
            return expression
        item = self._result.items[relation]
        matching = cast("exp.Select", parse_one(f"SELECT 1 FROM {item}", dialect=DIALECT)).where(expression, copy=False)
        return exp.Not(this=exp.Exists(this=matching))

    def _take_parts(self, condition: Condition) -> None:
        """Use the parts of a condition that can be rewritten, where the whole cannot."""
        if condition.absent is not None:
            return
        self._mentioned = set()
        weaker = self._weaken(condition.expression.unnest())
        if weaker is not None:
            self._result.usable.append(Rewritten(weaker, frozenset(self._mentioned), condition))
        self._open_semi_join(condition)

    def _weaken(self, node: exp.Expr) -> exp.Expr | None:
        """Rewrite to a condition that holds wherever this one does; None if there is no such condition."""
        if isinstance(node, (exp.And, exp.Or)):
            sides = [self._weaken(side.unnest()) for side in (node.this, node.expression)]
            usable = [side for side in sides if side is not None]
            if len(usable) == 2:
                return type(node)(this=exp.Paren(this=usable[0]), expression=exp.Paren(this=usable[1]))
            return usable[0] if usable and isinstance(node, exp.And) else None
        before = set(self._mentioned)
        self._waits = set()
        try:
            expression: exp.Expr | None = self._rebuild(node)
        except _Untranslatable:
            expression = None
        if expression is None or self._waits:
            self._mentioned = before
            return None
        return expression

    def _open_semi_join(self, condition: Condition) -> None:
        """Treat the query of an EXISTS or IN as if it were joined, to use what is known of it."""
        expression = condition.expression
        query = expression.this if isinstance(expression, exp.Exists) else semi_join(expression)[1]
        child = None if query is None else self._tree.children.get(id(query))
        if not isinstance(child, Block) or child.is_limited or child.is_grouped or child in self._expanded:
            return
        use = next((use for use in child.uses if isinstance(use, ExpressionUse)), None)
        self._expanded[child] = None if use is None else use.relation
        self._queue += self._contexts.restrictions_of(child).general
        if use is not None and use.condition is not None:
            self._queue.append(use.condition)

    def _rebuild(self, node: exp.Expr) -> exp.Expr:
        """Copy an expression with its names replaced."""
        if id(node) in self._tree.meanings:
            meaning = self._tree.meanings[id(node)]
            if isinstance(meaning, Ref):
                return self._column(meaning.relation, meaning.path)
            if isinstance(meaning, Output) and meaning.expression is not None and meaning.is_known:
                return exp.Paren(this=self._rebuild(meaning.expression.unalias()))
            raise _Untranslatable
        if isinstance(node, (exp.Lambda, exp.Comprehension)):
            raise _Untranslatable
        if isinstance(node, exp.Query):
            return self._inner_query(node)
        return _copy(node, self._rebuild)

    def _inner_query(self, node: exp.Query) -> exp.Expr:
        """Copy a query in an expression; only columns from outside of it get other names."""
        child = self._tree.children.get(id(node))
        if child is None or not child.is_closed:
            raise _Untranslatable
        self._waits |= child.sources - self._state.read
        outer = {ref.relation for ref in child.outer_refs}

        def rebuild(each: exp.Expr) -> exp.Expr:
            meaning = self._tree.meanings.get(id(each))
            if isinstance(meaning, Ref) and meaning.relation in outer:
                return self._column(meaning.relation, meaning.path)
            return _copy(each, rebuild)

        return rebuild(node)

    def _column(self, relation: Relation, path: ColumnPath) -> exp.Expr:
        if not path:
            raise _Untranslatable
        if isinstance(relation, SourceRelation):
            if not self._add_source(relation, path):
                self._waits.add(relation)
        elif isinstance(relation, QueryRelation):
            if relation.block in self._path or not self._add_query(relation):
                return self._expand(relation, path)
        elif isinstance(relation, LocalRelation):
            self._add_local(relation)
        else:
            raise _Untranslatable
        self._mentioned.add(relation)
        return _dotted(exp.column(exp.to_identifier(path[0], quoted=True), table=relation.name), path[1:])

    def _add_source(self, relation: SourceRelation, path: ColumnPath) -> bool:
        """Add a source to the FROM; False if DuckDB does not have the column."""
        if relation in self._state.read:
            self._result.items[relation] = f"{relation.rows_name} AS {relation.name}"
            return True
        if path not in relation.key_paths:
            return False
        if relation in self._state.keyed:
            self._result.items[relation] = f"{relation.keys_name} AS {relation.name}"
            return True
        return relation is self._result.target  # its keys are to be found

    def _add_query(self, relation: QueryRelation) -> bool:
        """Add a query to the FROM; False if not all of its sources are read."""
        block = relation.block
        if not block.is_apart or not block.sources <= self._state.read:
            return False
        item = _copy(relation.node, lambda part: part.copy(), without="joins")  # of brackets around it
        alias = item.args.get("alias") or exp.TableAlias()
        alias.set("this", exp.to_identifier(relation.name))
        item.set("alias", alias)
        self._result.items[relation] = item.sql(dialect=DIALECT)
        return True

    def _add_local(self, relation: LocalRelation) -> None:
        if relation in self._result.items:
            return
        alias = relation.node.args.get("alias")
        columns = [] if alias is None else [each.copy() for each in alias.args.get("columns") or ()]
        rebuilt = _copy(relation.node, self._rebuild, without="joins")
        rebuilt.set("alias", exp.TableAlias(this=exp.to_identifier(relation.name), columns=columns))
        if not self._waits:
            self._result.items[relation] = rebuilt.sql(dialect=DIALECT)

    def _expand(self, relation: QueryRelation, path: ColumnPath) -> exp.Expr:
        """Replace a column of a query in a FROM by what it is made from."""
        block = relation.block
        if self._expanded.get(block, relation) is not relation or relation.columns is None:
            raise _Untranslatable  # the block is read at two places: its rows here are not those there
        if relation.columns.count(path[0]) != 1 or block.is_recursive:
            raise _Untranslatable
        if block not in self._expanded:
            self._expanded[block] = relation
            if isinstance(block, Block) and not block.is_never_empty:
                self._queue += self._contexts.restrictions_of(block).general
        return self._expand_at(block, relation.columns.index(path[0]), path[1:])

    def _expand_at(self, block: AnyBlock, place: int, rest: ColumnPath) -> exp.Expr:
        """Replace the column at a place of a block by what it is made from."""
        if isinstance(block, SetBlock):
            return self._expand_at(*self._in_branch(block, place), rest)
        if not isinstance(block, Block) or block.outputs is None:
            raise _Untranslatable
        output = block.outputs[place]
        filled = self._contexts.restrictions_of(block).filled
        if not is_transparent(block, output) or any(ref.relation in filled for ref in output.refs):
            raise _Untranslatable
        if output.ref is not None:
            return self._column(output.ref.relation, (*output.ref.path, *rest))
        if output.expression is None:
            raise _Untranslatable
        inner = self._rebuild(output.expression.unalias())
        if isinstance(inner, exp.Literal) and inner.is_string:
            inner = exp.cast(inner, exp.DType.VARCHAR)  # the type of the column; a literal alone has none yet
        return _dotted(exp.Paren(this=inner), rest)

    def _in_branch(self, block: SetBlock, place: int) -> tuple[AnyBlock, int]:
        """Find the branch of a set operation in which the target is, and its place for a column of the whole."""
        branch = self._branches.get(block)
        if branch is None or block.is_limited or block.names is None or branch.names is None:
            raise _Untranslatable
        if block.is_by_name:
            if block.names[place] not in branch.names:
                raise _Untranslatable
            place = branch.names.index(block.names[place])
        if isinstance(branch, Block):  # only keys, since a set operation may give other columns another type
            ref = None if branch.outputs is None else branch.outputs[place].ref
            if ref is None or not isinstance(ref.relation, SourceRelation) or ref.path not in ref.relation.key_paths:
                raise _Untranslatable
        return branch, place


def _copy(node: exp.Expr, rebuild: Callable[[exp.Expr], exp.Expr], *, without: str = "") -> exp.Expr:
    """Copy a node with its parts rebuilt, except one."""

    def part(value: object) -> object:
        if isinstance(value, exp.Expr):
            return rebuild(value)
        return [part(each) for each in value] if isinstance(value, list) else value

    return type(node)(**{name: part(value) for name, value in node.args.items() if name != without})


def _dotted(value: exp.Expr, path: ColumnPath) -> exp.Expr:
    for name in path:
        value = exp.Dot(this=value, expression=exp.to_identifier(name, quoted=True))
    return value
