"""Find the keys that an occurrence of a source needs, as far as what was read so far tells them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from operator import contains
from typing import Any

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.model.names import join_key, split_key
from webquarry.querying.condition_sql import ReadState, Rewritten, Translation, Translator
from webquarry.querying.engine import Engine, quote
from webquarry.querying.query_blocks import Condition, Relation, SourceRelation
from webquarry.querying.restrictions import Context, Contexts
from webquarry.querying.statement import DIALECT


@dataclass(frozen=True)
class Needed:
    """The keys that an occurrence needs."""

    keys: frozenset[str] | None
    """None when all keys are needed."""
    is_bound: bool = True
    """Whether the keys are known; if not, other sources must be read first, or nothing names the keys."""
    is_final: bool = True
    """True if reading more sources cannot remove any of these keys."""
    is_exact: bool = False
    """Whether all rows with these keys are needed, as far as this occurrence goes."""
    known_by: tuple[Condition, ...] = ()
    """The conditions from which they are known."""
    waiting: tuple[Condition, ...] = ()
    """The conditions on the key that need other sources to be read first."""
    is_bindable: bool = True
    """Whether the keys are known, or will be when others are read."""


class KeyFinder:
    """Finds keys by statements over what DuckDB has so far."""

    def __init__(self, engine: Engine, contexts: Contexts, state: ReadState) -> None:
        self._engine, self._contexts, self._state = engine, contexts, state

    def find(self, source: SourceRelation) -> Needed:
        """Find the keys that an occurrence needs in any of its contexts."""
        needs = [self._find_in_context(source, context) for context in self._contexts.of(source)]
        keys: frozenset[str] | None = None
        if all(need.keys is not None for need in needs):
            keys = frozenset(key for need in needs for key in need.keys or ())
        return Needed(
            keys,
            is_bound=all(need.is_bound for need in needs),
            is_bindable=all(need.is_bindable for need in needs),
            is_final=all(need.is_final for need in needs),
            is_exact=all(need.is_exact for need in needs),
            known_by=tuple(dict.fromkeys(condition for need in needs for condition in need.known_by)),
            waiting=tuple(dict.fromkeys(condition for need in needs for condition in need.waiting)),
        )

    def find_values(self, source: SourceRelation, key: str) -> frozenset[str]:
        """Find the values that conditions compare a part of the key with, as far as what is read tells them."""
        values: set[str] = set()
        for context in self._contexts.of(source):
            translation = Translator(source, context, self._contexts, self._state).translate()
            others = [each for each in translation.usable if source not in each.relations]
            for condition in translation.usable:
                if source in condition.relations:
                    values |= self._values(source, key, condition, translation, others) or frozenset()
        return frozenset(values)

    def with_ctes(self, statement: str) -> str:
        """Add the CTEs of the query that a statement may name."""
        if "__c" not in statement:
            return statement
        ready = [
            (cte, block)
            for cte, block in self._contexts.tree.ctes
            if not block.outer_refs and block.sources <= self._state.read
        ]
        recursive = "RECURSIVE " if any(block.is_recursive for _, block in ready) else ""
        return f"WITH {recursive}{', '.join(cte.sql(dialect=DIALECT) for cte, _ in ready)} {statement}"

    def _find_in_context(self, source: SourceRelation, context: Context) -> Needed:
        translation = Translator(source, context, self._contexts, self._state).translate()
        if not source.key:
            needed = Needed(None if self._may_hold(translation) else frozenset())
        elif source in self._state.keyed:
            needed = self._filter_keys(source, translation)
        else:
            needed = self._bind_keys(source, translation)
        return replace(
            needed,
            is_bindable=needed.is_bound or _is_bindable(source, translation),
            is_final=needed.is_bound and (translation.is_final or needed.keys == frozenset()),
            known_by=tuple(each.condition for each in _connected_to({source}, translation.usable)),
            waiting=tuple(each.condition for each in translation.pending if source in each.relations),
        )

    def _may_hold(self, translation: Translation) -> bool:
        """Tell whether any rows can be needed."""
        if not translation.usable:
            return True
        found = self._try(self._statement("1", [], translation, translation.usable))
        return found is None or bool(found)

    def _filter_keys(self, source: SourceRelation, translation: Translation) -> Needed:
        """Filter the keys of the index by all conditions."""
        is_exact = translation.is_exact and not translation.pending
        if not translation.usable:
            return Needed(None, is_exact=is_exact)
        keys = ", ".join(f"{source.name}.{quote(key)}" for key in source.keys)
        found = self._try(self._statement(keys, [source], translation, translation.usable))
        return Needed(None) if found is None else Needed(frozenset(found), is_exact=is_exact)

    def _bind_keys(self, source: SourceRelation, translation: Translation) -> Needed:
        """Find the keys of a source without an index: the values with which conditions compare its key."""
        others = [each for each in translation.usable if source not in each.relations]
        about = [condition for condition in translation.usable if source in condition.relations]
        bound: list[frozenset[str]] = []
        for key in source.keys:
            found = [self._values(source, key, condition, translation, others) for condition in about]
            named = [values for values in found if values is not None]
            if not named:
                return Needed(None, is_bound=False)
            bound.append(frozenset.intersection(*named))
        if len(bound) == 1:
            return Needed(bound[0])
        return Needed(self._combine(source, bound, about, translation, others))

    def _combine(
        self,
        source: SourceRelation,
        bound: Sequence[frozenset[str]],
        about: Sequence[Rewritten],
        translation: Translation,
        others: Sequence[Rewritten],
    ) -> frozenset[str]:
        """Combine the values of the parts of a key: those that rows of other relations have together, else all."""
        expressions: list[exp.Expr] = []
        relations: set[Relation] = set()
        for key in source.keys:
            for condition in about:
                values = _bindings(condition.expression, source, key) or []
                if len(values) == 1 and not isinstance(values[0], exp.Any):
                    expressions.append(values[0])
                    relations |= {each for each in condition.relations if _mentions(values[0], each)}
                    break
        together = None
        if len(expressions) == len(source.keys):
            listed = ", ".join(each.sql(dialect=DIALECT) for each in expressions)
            together = self._try(self._statement(listed, relations - {source}, translation, others))
        if together is None:
            return frozenset(map(join_key, product(*bound)))
        return frozenset(key for key in together if all(map(contains, bound, split_key(key))))

    def _values(
        self,
        source: SourceRelation,
        key: str,
        condition: Rewritten,
        translation: Translation,
        others: Sequence[Rewritten],
    ) -> frozenset[str] | None:
        """Find the values that a condition allows for a part of the key; None when it does not name them."""
        expressions = _bindings(condition.expression, source, key)
        if expressions is None:
            return None
        values: set[str] = set()
        for expression in expressions:
            if isinstance(expression, exp.Any):
                statement = self.with_ctes(expression.this.sql(dialect=DIALECT))
            else:
                relations = [each for each in condition.relations if each is not source and _mentions(expression, each)]
                statement = self._statement(expression.sql(dialect=DIALECT), relations, translation, others)
            found = self._try(statement)
            if found is None:
                return None
            values.update(found)
        return frozenset(values)

    def _statement(
        self, value: str, start: Iterable[Relation], translation: Translation, conditions: Sequence[Rewritten]
    ) -> str:
        """Select all values of an expression over its relations and all that these are joined with."""
        relations = set(start)
        joined = _connected_to(relations, conditions)
        relations = relations.union(*(each.relations for each in joined))
        tests = [_sql(each) for each in joined]
        for part in _components([each for each in conditions if each not in joined]):
            inside = " AND ".join(map(_sql, part))
            clause = translation.from_clause({relation for each in part for relation in each.relations})
            tests.append(f"EXISTS (SELECT 1 FROM {clause} WHERE {inside})" if clause else inside)
        clause = translation.from_clause(relations)
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        return self.with_ctes(f"SELECT DISTINCT {value}{f' FROM {clause}' if clause else ''}{where}")

    def _try(self, statement: str) -> list[str] | None:
        """Return the values as keys; None when DuckDB fails, as for texts that are not numbers."""
        try:
            found = self._engine.run(statement)
            return [join_key(map(as_key, values)) for values in found if all(value is not None for value in values)]
        except QueryError:
            return None


def as_key(value: Any) -> str:
    """Write a value as a key of a page.

    >>> as_key(12.0), as_key("France"), as_key(dt.date(2011, 5, 1))
    ('12', 'France', '2011-05-01')
    """
    if isinstance(value, (float, Decimal)) and value == int(value):
        return str(int(value))
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def _is_bindable(source: SourceRelation, translation: Translation) -> bool:
    """Tell whether conditions name each part of the key, be it after other sources were read."""
    conditions = [*translation.usable, *translation.pending]
    return all(any(_bindings(each.expression, source, key) for each in conditions) for key in source.keys)


def _bindings(expression: exp.Expr, source: SourceRelation, key: str) -> list[exp.Expr] | None:
    """Return the possible values of a part of the key: expressions, or ANY of a query; None when it may have others."""
    expression = expression.unnest()
    if expression.find(exp.Collate):
        return None  # other texts may be equal by it
    if isinstance(expression, (exp.EQ, exp.NullSafeEQ)):
        for column, value in ((expression.this, expression.expression), (expression.expression, expression.this)):
            if _is_key(column, source, key) and not _mentions(value, source):
                return _any_of(value) if isinstance(value, exp.Any) else [value]
    if isinstance(expression, exp.In) and _is_key(expression.this, source, key):
        query = expression.args.get("query")
        values = [exp.Any(this=query)] if query is not None else expression.expressions
        return values if values and not any(_mentions(each, source) for each in values) else None
    if isinstance(expression, exp.Or):
        sides = [_bindings(side, source, key) for side in (expression.this, expression.expression)]
        return None if None in sides else [each for side in sides for each in side or ()]
    if isinstance(expression, exp.And):
        left = _bindings(expression.this, source, key)
        return left if left is not None else _bindings(expression.expression, source, key)
    return None


def _any_of(value: exp.Any) -> list[exp.Expr] | None:
    """Return the values of ANY over a written list; over a query itself."""
    inside = value.this.unnest() if isinstance(value.this, exp.Paren) else value.this
    if isinstance(inside, exp.Query):
        return [value]
    return inside.expressions if isinstance(inside, exp.Array) else None


def _is_key(expression: exp.Expr, source: SourceRelation, key: str) -> bool:
    inside = expression.unnest()
    return isinstance(inside, exp.Column) and inside.table == source.name and inside.name == key


def _mentions(expression: exp.Expr, relation: Relation) -> bool:
    return any(column.table == relation.name for column in expression.find_all(exp.Column))


def _sql(condition: Rewritten) -> str:
    return f"({condition.expression.sql(dialect=DIALECT)})"


def _connected_to(relations: Iterable[Relation], conditions: Sequence[Rewritten]) -> list[Rewritten]:
    """Return the conditions about the relations, or about what these are compared with, and so on."""
    reached = set(relations)
    connected: list[Rewritten] = []
    left = list(conditions)
    while True:
        near = [each for each in left if each.relations & reached]
        if not near:
            return connected
        connected += near
        left = [each for each in left if each not in near]
        reached.update(relation for each in near for relation in each.relations)


def _components(conditions: list[Rewritten]) -> Iterator[list[Rewritten]]:
    """Group conditions so that no relation is in two groups."""
    while conditions:
        part = [conditions[0], *_connected_to(conditions[0].relations, conditions[1:])]
        conditions = [each for each in conditions if each not in part]
        yield part
