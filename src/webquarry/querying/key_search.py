"""Which keys of a source an occurrence needs, as far as that can be told from what is at hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.querying.condition_sql import State, Told, Translation, from_clause, key_column, translate
from webquarry.querying.engine import Engine
from webquarry.querying.query_blocks import Condition, Relation, SourceRelation, Tree
from webquarry.querying.restrictions import Context, Contexts
from webquarry.querying.statement import DIALECT


@dataclass(frozen=True)
class Needed:
    """The keys that an occurrence needs."""

    keys: frozenset[str] | None
    """None when all that there are are needed."""
    is_bound: bool = True
    """Whether the keys are known; if not, others must be read before, or nothing says them."""
    is_final: bool = True
    """Whether nothing that is still to be read can spare any of them."""
    is_exact: bool = False
    """Whether all rows with these keys are needed, as far as this occurrence goes."""
    told: tuple[Condition, ...] = ()
    """The conditions that say so."""
    waiting: tuple[Condition, ...] = ()
    """The conditions on the key that are told when others are read."""
    is_bindable: bool = True
    """Whether the keys are known, or will be when others are read."""


class KeyFinder:
    """Finds keys by statements over what is at hand."""

    def __init__(self, engine: Engine, tree: Tree, contexts: Contexts, state: State) -> None:
        self._engine, self._tree, self._contexts, self._state = engine, tree, contexts, state

    def find(self, source: SourceRelation) -> Needed:
        """The keys that an occurrence needs."""
        needs = [self._in_context(source, context) for context in self._contexts.of(source)]
        keys: frozenset[str] | None = None
        if all(need.keys is not None for need in needs):
            keys = frozenset(key for need in needs for key in need.keys or ())
        return Needed(
            keys,
            is_bound=all(need.is_bound for need in needs),
            is_bindable=all(need.is_bindable for need in needs),
            is_final=all(need.is_final for need in needs),
            is_exact=all(need.is_exact for need in needs),
            told=tuple(dict.fromkeys(condition for need in needs for condition in need.told)),
            waiting=tuple(dict.fromkeys(condition for need in needs for condition in need.waiting)),
        )

    def _in_context(self, source: SourceRelation, context: Context) -> Needed:
        translation = translate(source, context, self._tree, self._contexts, self._state)
        if not source.key:
            needed = Needed(None if self._holds(translation) else frozenset())
        elif self._state.has_keys(source):
            needed = self._from_keys(source, translation)
        else:
            needed = self._from_bindings(source, translation)
        return replace(
            needed,
            is_bindable=needed.is_bound or any(_bindings(each.expression, source) for each in translation.waits),
            is_final=needed.is_bound and (translation.is_final or needed.keys == frozenset()),
            told=tuple(each.condition for each in _connected_to({source}, translation.told)),
            waiting=tuple(each.condition for each in translation.waits if source in each.relations),
        )

    def _from_keys(self, source: SourceRelation, translation: Translation) -> Needed:
        """Those of the keys that there are for which all conditions hold."""
        is_exact = translation.is_exact and not translation.waits
        if not translation.told:
            return Needed(None, is_exact=is_exact)
        found = self._try(self._statement(key_column(source), [source], translation, translation.told))
        return Needed(None) if found is None else Needed(frozenset(found), is_exact=is_exact)

    def _holds(self, translation: Translation) -> bool:
        """Whether rows can be needed at all."""
        if not translation.told:
            return True
        found = self._try(self._statement("1", [], translation, translation.told))
        return found is None or bool(found)

    def _from_bindings(self, source: SourceRelation, translation: Translation) -> Needed:
        """The keys of a source that does not list them: those with which it is compared."""
        others = [each for each in translation.told if source not in each.relations]
        bound: frozenset[str] | None = None
        for told in translation.told:
            found = self._values(source, told, translation, others) if source in told.relations else None
            if found is not None:
                bound = found if bound is None else bound & found
        return Needed(bound, is_bound=bound is not None)

    def _values(
        self, source: SourceRelation, told: Told, translation: Translation, others: Sequence[Told]
    ) -> frozenset[str] | None:
        """The values that a condition lets the key have; None when it does not name them."""
        expressions = _bindings(told.expression, source)
        if expressions is None:
            return None
        values: set[str] = set()
        for expression in expressions:
            if isinstance(expression, exp.Any):
                statement = self.with_ctes(expression.this.sql(dialect=DIALECT))
            else:
                relations = [each for each in told.relations if each is not source and _mentions(expression, each)]
                statement = self._statement(expression.sql(dialect=DIALECT), relations, translation, others)
            found = self._try(statement)
            if found is None:
                return None
            values.update(found)
        return frozenset(values)

    def _statement(
        self,
        value: str,
        start: Iterable[Relation],
        translation: Translation,
        told: Sequence[Told],
    ) -> str:
        """All values of an expression, over the relations that it is made from and all that these are joined with."""
        relations = set(start)
        joined = _connected_to(relations, told)
        conditions = [_sql(each) for each in joined]
        for each in joined:
            relations |= each.relations
        conditions += [
            _exists(part, translation) for part in _components([each for each in told if each not in joined])
        ]
        clause = from_clause(translation.items, relations)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return self.with_ctes(f"SELECT DISTINCT {value}{f' FROM {clause}' if clause else ''}{where}")

    def with_ctes(self, statement: str) -> str:
        """The statement with the CTEs of the query that it may name."""
        if "__c" not in statement:
            return statement
        ready = [
            (cte, block)
            for cte, block in self._tree.ctes
            if not block.outer_refs and all(map(self._state.is_read, block.sources))
        ]
        recursive = "RECURSIVE " if any(block.is_recursive for _, block in ready) else ""
        return f"WITH {recursive}{', '.join(cte.sql(dialect=DIALECT) for cte, _ in ready)} {statement}"

    def _try(self, statement: str) -> list[str] | None:
        """The values as texts; None when DuckDB cannot tell, as for texts that are no numbers."""
        try:
            return [as_key(value) for (value,) in self._engine.run(statement) if value is not None]
        except QueryError:
            return None


def as_key(value: Any) -> str:
    """A value as a page would be asked for by it.

    >>> as_key(12.0), as_key("France"), as_key(dt.date(2011, 5, 1))
    ('12', 'France', '2011-05-01')
    """
    if isinstance(value, (float, Decimal)) and value == int(value):
        return str(int(value))
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def _bindings(expression: exp.Expr, source: SourceRelation) -> list[exp.Expr] | None:
    """The expressions one of which the key must be equal to, or ANY of a query; None when it need not."""
    expression = expression.unnest()
    if expression.find(exp.Collate):
        return None  # by which other texts are equal
    if isinstance(expression, (exp.EQ, exp.NullSafeEQ)):
        for key, value in ((expression.this, expression.expression), (expression.expression, expression.this)):
            if _is_key(key, source) and not _mentions(value, source):
                return _any_of(value) if isinstance(value, exp.Any) else [value]
    if isinstance(expression, exp.In) and _is_key(expression.this, source):
        query = expression.args.get("query")
        values = [exp.Any(this=query)] if query is not None else expression.expressions
        return values if values and not any(_mentions(each, source) for each in values) else None
    if isinstance(expression, exp.Or):
        sides = [_bindings(expression.this, source), _bindings(expression.expression, source)]
        return None if None in sides else [each for side in sides for each in side or ()]
    if isinstance(expression, exp.And):
        left = _bindings(expression.this, source)
        return left if left is not None else _bindings(expression.expression, source)
    return None


def _any_of(value: exp.Any) -> list[exp.Expr] | None:
    """What ANY stands for: the values of a query, or of a list that is written out."""
    inside = value.this.unnest() if isinstance(value.this, exp.Paren) else value.this
    if isinstance(inside, exp.Query):
        return [value]
    return inside.expressions if isinstance(inside, exp.Array) else None


def _is_key(expression: exp.Expr, source: SourceRelation) -> bool:
    inside = expression.unnest()
    return isinstance(inside, exp.Column) and inside.table == source.name and inside.name == source.key


def _mentions(expression: exp.Expr, relation: Relation) -> bool:
    return any(column.table == relation.name for column in expression.find_all(exp.Column))


def _sql(told: Told) -> str:
    return f"({told.expression.sql(dialect=DIALECT)})"


def _connected_to(relations: Iterable[Relation], told: Sequence[Told]) -> list[Told]:
    """The conditions that are about the relations, or about what these are compared with, and so on."""
    reached = set(relations)
    joined: list[Told] = []
    left = list(told)
    while True:
        near = [each for each in left if each.relations & reached]
        if not near:
            return joined
        joined += near
        left = [each for each in left if each not in near]
        reached.update(relation for each in near for relation in each.relations)


def _components(told: list[Told]) -> Iterator[list[Told]]:
    """Conditions that share no relations with others."""
    while told:
        part = [told[0], *_connected_to(told[0].relations, told[1:])]
        told = [each for each in told if each not in part]
        yield part


def _exists(part: list[Told], translation: Translation) -> str:
    """That some rows fulfil conditions."""
    relations = {relation for each in part for relation in each.relations}
    conditions = " AND ".join(map(_sql, part))
    clause = from_clause(translation.items, relations)
    return f"EXISTS (SELECT 1 FROM {clause} WHERE {conditions})" if clause else conditions
