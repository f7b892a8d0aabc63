"""Conditions of a query, wherever in it they stand, as conditions over what is at hand: rows that were read, and keys.

Columns of queries in a FROM are replaced by what they are made from, so that in the end a condition is about sources,
files and tables alone; these have names of our own, as aliases of several blocks meet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Protocol, cast

from sqlglot import exp, parse_one

from webquarry.querying.catalog import ColumnPath
from webquarry.querying.engine import quote
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
    Tree,
)
from webquarry.querying.restrictions import Context, Contexts, find_rejected, is_transparent
from webquarry.querying.statement import DIALECT

_JOINED = ("joins",)
"""What stands in brackets after a relation, and is no part of it."""


class State(Protocol):
    """What is at hand of the sources."""

    def is_read(self, source: SourceRelation) -> bool:
        """Whether the rows are there."""

    def has_keys(self, source: SourceRelation) -> bool:
        """Whether at least the keys are there that it can have."""


class _Untold(Exception):  # noqa: N818 - it is no error
    """A condition that cannot be told, however much is read."""


@dataclass(frozen=True)
class Told:
    """A condition over what is at hand."""

    expression: exp.Expr
    relations: frozenset[Relation]
    condition: Condition


@dataclass(frozen=True)
class Waiting:
    """A condition that can be told when some sources are read."""

    expression: exp.Expr
    relations: frozenset[Relation]
    condition: Condition
    sources: frozenset[SourceRelation]


@dataclass
class Translation:
    """What is known of the rows that an occurrence needs in one context."""

    target: SourceRelation
    told: list[Told] = field(default_factory=list)
    items: dict[Relation, str] = field(default_factory=dict)
    """What stands in the FROM for each relation."""
    waits: list[Waiting] = field(default_factory=list)
    is_exact: bool = True
    """Whether all conditions can be told, now or later."""

    @property
    def is_final(self) -> bool:
        """Whether nothing that is still to be read can spare pages of the target."""
        return all(self.target in each.sources for each in self.waits)


def translate(target: SourceRelation, context: Context, tree: Tree, contexts: Contexts, state: State) -> Translation:
    """What is known of the rows that an occurrence needs in a context."""
    return _Translator(target, context, tree, contexts, state).run()


class _Translator:
    def __init__(self, target: SourceRelation, context: Context, tree: Tree, contexts: Contexts, state: State) -> None:
        self._tree, self._contexts, self._state = tree, contexts, state
        self._path, self._branches = context.path, context.branches
        self._expanded: dict[AnyBlock, Relation | None] = dict(context.path)
        self._queue = list(context.conditions)
        self._result = Translation(target)
        if target.key and state.has_keys(target):
            self._add_source(target, (target.key,))
        self._waits: set[SourceRelation] = set()
        self._mentioned: set[Relation] = set()

    def run(self) -> Translation:
        done: set[int] = set()
        while self._queue:
            condition = self._queue.pop(0)
            if id(condition) not in done:
                done.add(id(condition))
                self._take(condition)
        return self._result

    def _take(self, condition: Condition) -> None:
        self._waits, self._mentioned = set(), set()
        if not self._can_be_told(condition):
            self._result.is_exact = False
            return
        try:
            expression = self._rebuild(condition.expression)
            if condition.absent is not None:
                expression = self._absence(condition.absent, expression)
        except _Untold:
            self._result.is_exact = False
            self._take_parts(condition)
            return
        if self._waits:
            mentioned = frozenset(self._mentioned)
            self._result.waits.append(Waiting(expression, mentioned, condition, frozenset(self._waits)))
            self._take_parts(condition)
        else:
            self._result.told.append(Told(expression, frozenset(self._mentioned), condition))
            if not self._state.has_keys(self._result.target):
                self._open_semi_join(condition)  # which names keys, where the whole only tells whether one is right

    def _can_be_told(self, condition: Condition) -> bool:
        """Whether a condition is understood, and not true of rows that are filled with NULL: these are not at hand."""
        if not condition.is_known or is_volatile(condition.expression):
            return False
        others = condition.relations - {self._result.target, *self._path.values()}
        filled = {relation for relation in others if self._contexts.is_filled(relation)}
        return not filled or filled <= find_rejected(condition.expression, self._tree)

    def _absence(self, relation: Relation, expression: exp.Expr) -> exp.Expr:
        """That no row of a relation fulfils an expression; only all of its rows can tell."""
        if isinstance(relation, SourceRelation) and not self._state.is_read(relation):
            self._waits.add(relation)
        if relation not in self._mentioned or (relation not in self._result.items and not self._waits):
            raise _Untold
        self._mentioned.discard(relation)
        if self._waits:
            return expression
        item = self._result.items[relation]
        matching = cast("exp.Select", parse_one(f"SELECT 1 FROM {item}", dialect=DIALECT)).where(expression, copy=False)
        return exp.Not(this=exp.Exists(this=matching))

    def _take_parts(self, condition: Condition) -> None:
        """Take what can be told of a condition that cannot be told as a whole."""
        if condition.absent is not None:
            return
        self._mentioned = set()
        weaker = self._weaken(condition.expression.unnest())
        if weaker is not None:
            self._result.told.append(Told(weaker, frozenset(self._mentioned), condition))
        self._open_semi_join(condition)

    def _weaken(self, node: exp.Expr) -> exp.Expr | None:
        """A condition that holds wherever this one does; None when there is none to tell."""
        if isinstance(node, (exp.And, exp.Or)):
            sides = [self._weaken(side.unnest()) for side in (node.this, node.expression)]
            told = [side for side in sides if side is not None]
            if len(told) == 2:
                return type(node)(this=exp.Paren(this=told[0]), expression=exp.Paren(this=told[1]))
            return told[0] if told and isinstance(node, exp.And) else None
        before = set(self._mentioned)
        self._waits = set()
        try:
            expression = self._rebuild(node)
        except _Untold:
            self._mentioned = before
            return None
        if self._waits:
            self._mentioned = before
            return None
        return expression

    def _open_semi_join(self, condition: Condition) -> None:
        """Take the query of an EXISTS or IN as if it were joined: what is known of it tells something."""
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

    # -- expressions

    def _rebuild(self, node: exp.Expr) -> exp.Expr:
        if id(node) in self._tree.meanings:
            return self._meaning(self._tree.meanings[id(node)])
        if isinstance(node, (exp.Lambda, exp.Comprehension)):
            raise _Untold
        if isinstance(node, exp.Query):
            return self._inner_query(node)
        return _copy(node, self._rebuild)

    def _meaning(self, meaning: Ref | Output | None) -> exp.Expr:
        if isinstance(meaning, Ref):
            return self._column(meaning.relation, meaning.path)
        if isinstance(meaning, Output) and meaning.expression is not None and meaning.is_known:
            return exp.Paren(this=self._rebuild(meaning.expression.unalias()))
        raise _Untold

    def _inner_query(self, node: exp.Query) -> exp.Expr:
        """A query in an expression, as it is; only what it takes from outside gets other names."""
        child = self._tree.children.get(id(node))
        if child is None or not child.is_closed:
            raise _Untold
        self._wait_for(child.sources)
        outer = {ref.relation for ref in child.outer_refs}

        def rebuild(each: exp.Expr) -> exp.Expr:
            meaning = self._tree.meanings.get(id(each))
            if isinstance(meaning, Ref) and meaning.relation in outer:
                return self._column(meaning.relation, meaning.path)
            return _copy(each, rebuild)

        return rebuild(node)

    def _wait_for(self, sources: Iterable[SourceRelation]) -> bool:
        missing = {source for source in sources if not self._state.is_read(source)}
        self._waits |= missing
        return bool(missing)

    def _column(self, relation: Relation, path: ColumnPath) -> exp.Expr:
        if not path:
            raise _Untold
        if isinstance(relation, SourceRelation):
            if not self._add_source(relation, path):
                self._waits.add(relation)
        elif isinstance(relation, QueryRelation):
            if relation.block in self._path or not self._add_query(relation):
                return self._expand(relation, path)
        elif isinstance(relation, LocalRelation):
            self._add_local(relation)
        else:
            raise _Untold
        self._mentioned.add(relation)
        return _dotted(relation, path)

    def _add_source(self, relation: SourceRelation, path: ColumnPath) -> bool:
        """Whether the column of a source is at hand."""
        if self._state.is_read(relation):
            self._result.items[relation] = f"{relation.rows_name} AS {relation.name}"
            return True
        if path != (relation.key,):
            return False
        if self._state.has_keys(relation):
            self._result.items[relation] = f"{relation.keys_name} AS {relation.name}"
            return True
        return relation is self._result.target  # its keys are to be found

    def _add_query(self, relation: QueryRelation) -> bool:
        """Whether a query in a FROM is at hand as it is."""
        block = relation.block
        if not block.is_apart or not all(map(self._state.is_read, block.sources)):
            return False
        item = _copy(relation.node, lambda part: part.copy(), without=_JOINED)
        alias = item.args.get("alias") or exp.TableAlias()
        alias.set("this", exp.to_identifier(relation.name))
        item.set("alias", alias)
        self._result.items[relation] = item.sql(dialect=DIALECT)
        return True

    def _add_local(self, relation: LocalRelation) -> None:
        if relation in self._result.items:
            return
        alias = relation.node.args.get("alias")
        columns = [] if alias is None else alias.args.get("columns") or []
        rebuilt = _copy(relation.node, self._rebuild, without=_JOINED)
        rebuilt.set(
            "alias", exp.TableAlias(this=exp.to_identifier(relation.name), columns=[each.copy() for each in columns])
        )
        if not self._waits:
            self._result.items[relation] = rebuilt.sql(dialect=DIALECT)

    # -- queries in a FROM

    def _expand(self, relation: QueryRelation, path: ColumnPath) -> exp.Expr:
        """A column of a query in a FROM by what it is made from."""
        block = relation.block
        if self._expanded.get(block, relation) is not relation or relation.columns is None:
            raise _Untold  # the block is read at two places: its rows here are not those there
        if relation.columns.count(path[0]) != 1 or block.is_recursive:
            raise _Untold
        if block not in self._expanded:
            self._expanded[block] = relation
            if isinstance(block, Block) and not block.is_never_empty:
                self._queue += self._contexts.restrictions_of(block).general
        return self._expand_at(block, relation.columns.index(path[0]), path[1:])

    def _expand_at(self, block: AnyBlock, place: int, rest: ColumnPath) -> exp.Expr:
        """What the column of a block at a place is made from."""
        if isinstance(block, SetBlock):
            return self._expand_at(*self._in_branch(block, place), rest)
        if not isinstance(block, Block) or block.outputs is None:
            raise _Untold
        output = block.outputs[place]
        filled = self._contexts.restrictions_of(block).filled
        if not is_transparent(block, output) or any(ref.relation in filled for ref in output.refs):
            raise _Untold
        if output.ref is not None:
            return self._column(output.ref.relation, (*output.ref.path, *rest))
        if output.expression is None:
            raise _Untold
        inner = self._rebuild(output.expression.unalias())
        if isinstance(inner, exp.Literal) and inner.is_string:
            inner = exp.cast(inner, exp.DType.VARCHAR)  # which it is as a column, and not as it stands
        value: exp.Expr = exp.Paren(this=inner)
        for name in rest:
            value = exp.Dot(this=value, expression=exp.to_identifier(name, quoted=True))
        return value

    def _in_branch(self, block: SetBlock, place: int) -> tuple[AnyBlock, int]:
        """The branch of a set operation on the way, and where it has a column of the whole."""
        branch = self._branches.get(block)
        if branch is None or block.is_limited or block.names is None or branch.names is None:
            raise _Untold
        if block.is_by_name:
            if block.names[place] not in branch.names:
                raise _Untold
            place = branch.names.index(block.names[place])
        if not _is_key(branch, place):
            raise _Untold  # a set operation may give its column another type
        return branch, place


def _is_key(branch: AnyBlock, place: int) -> bool:
    """Whether a column of a branch is the key of a source; set operations within set operations count as they do."""
    if isinstance(branch, SetBlock):
        return True
    ref = branch.outputs[place].ref if isinstance(branch, Block) and branch.outputs is not None else None
    return ref is not None and isinstance(ref.relation, SourceRelation) and ref.path == (ref.relation.key,)


def _copy(node: exp.Expr, rebuild: Callable[[exp.Expr], exp.Expr], *, without: Collection[str] = ()) -> exp.Expr:
    """The node with all parts rebuilt, but for some."""

    def part(value: object) -> object:
        if isinstance(value, exp.Expr):
            return rebuild(value)
        return [part(each) for each in value] if isinstance(value, list) else value

    return type(node)(**{name: part(value) for name, value in node.args.items() if name not in without})


def _dotted(relation: Relation, path: ColumnPath) -> exp.Expr:
    column: exp.Expr = exp.column(exp.to_identifier(path[0], quoted=True), table=relation.name)
    for name in path[1:]:
        column = exp.Dot(this=column, expression=exp.to_identifier(name, quoted=True))
    return column


def from_clause(items: dict[Relation, str], relations: Iterable[Relation]) -> str:
    """The relations as a FROM; those that others are made from stand before these."""
    ordered = sorted((each for each in relations if each in items), key=lambda each: each.number)
    return ", ".join(items[each] for each in ordered)


def key_column(source: SourceRelation) -> str:
    """The key of a source in statements of our own."""
    return f"{source.name}.{quote(source.key)}"
