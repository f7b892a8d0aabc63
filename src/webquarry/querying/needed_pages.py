"""Find the pages that each occurrence of a source needs, and choose which to read next.

As many keys are found as what was read so far tells.  First come occurrences whose pages nothing else can spare, then
the one with the fewest pages.  A SELECT with a LIMIT needs no more pages than it takes to fill it, where more rows of
one occurrence can only give more rows of the answer: it is joined by inner joins, rows are not grouped, and the order
of the answer, if any, is that of its keys.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from operator import contains
from typing import Any

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.model.names import join_key, quote_name, split_key
from webquarry.querying.condition_sql import ReadState, Rewritten, Translation, Translator
from webquarry.querying.engine import Engine
from webquarry.querying.name_resolution import is_volatile
from webquarry.querying.query_blocks import (
    Block,
    Condition,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SetBlock,
    SourceRelation,
    Tree,
)
from webquarry.querying.query_nouns import ColumnPath, Step
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
        keys = ", ".join(f"{source.name}.{quote_name(key)}" for key in source.keys)
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
    """Tell whether conditions name each part of the key, if necessary after other sources are read."""
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


@dataclass(frozen=True, eq=False)
class Limit:
    """A block that needs only a number of rows."""

    block: Block
    rows: int
    """Rows that it gives at most."""
    skipped: int
    """Rows that it skips before (OFFSET)."""
    drivers: tuple[SourceRelation, ...]
    """The occurrences that can be read bit by bit until there are enough rows."""
    order: str = ""
    """`ascending` or `descending`, when rows are ordered by the key of the driver."""

    @property
    def counts_pages(self) -> bool:
        """True if each page gives one row of the block, without joins, so that skipped pages need not be read."""
        return (
            [member.relation for member in self.block.members] == list(self.drivers)
            and self.drivers[0].table.is_row_a_page
            and self.block.node.args.get("distinct") is None
            and self.block.outputs is not None
        )


@dataclass(frozen=True)
class Choice:
    """An occurrence that could be read next."""

    source: SourceRelation
    needed: Needed
    keys: list[str]
    pages: int
    """How many of the keys' pages were not read yet."""
    limit: Limit | None
    """The LIMIT for which it can be read bit by bit."""


def rank(
    choices: Iterable[Choice], limits: Sequence[Limit], read: Collection[SourceRelation]
) -> tuple[list[Choice], list[Choice]]:
    """Sort choices, the best first, those with unknown keys last; also return those to read in any case."""

    def is_better_later(choice: Choice) -> bool:
        """True if the rows of another occurrence, read step by step for a LIMIT, decide which pages this one needs."""
        return any(
            choice.source in limit.block.sources
            and choice.source not in limit.drivers
            and choice.pages > limit.rows + limit.skipped
            and not all(driver in read for driver in limit.drivers)
            for limit in limits
        )

    def cost(choice: Choice) -> tuple[bool, bool, bool, int]:
        return not choice.needed.is_bound, is_better_later(choice), not choice.needed.is_final, choice.pages

    ranked = sorted(choices, key=cost)
    settled = [choice for choice in ranked if cost(choice)[:3] == (False, False, False) and choice.limit is None]
    return ranked, settled


def describe_unbound(source: SourceRelation) -> str:
    """Say that a query does not name the pages of a source, and how it could."""
    table, keys = source.table, source.keys
    examples = split_key(table.example) if table.example else ["..."] * len(keys)
    tests = [f"{source.alias}.{key} = '{example}'" for key, example in zip(keys, examples, strict=True)]
    if len(keys) > 1:
        return (
            f"{table.name}: pages are found by {' and '.join(keys)}, but the query does not say which for all of "
            f"them; add WHERE {' AND '.join(tests)}, or join a table that has them"
        )
    return (
        f"{table.name}: pages are found by {keys[0]}, but the query does not say which; add WHERE "
        f"{tests[0]} or {keys[0]} IN (...), or join a table that has them: "
        f"... JOIN {table.name} ON {table.name}.{keys[0]} = other.column"
    )


def describe_index(source: SourceRelation) -> Step:
    """Describe the step of a plan that needs no more than the index of a source."""
    return _step(source, "all of its index", 0, 0, ())


def describe_choice(choice: Choice, columns: Sequence[ColumnPath]) -> Step:
    """Describe the step of a plan that reads these columns of a source."""
    source, needed, limit = choice.source, choice.needed, choice.limit
    conditions = [*needed.known_by, *(() if needed.is_final else needed.waiting)]
    binding = " and ".join(map(_written, conditions)) or ("all of its index" if source.key else "all of its pages")
    if not needed.is_bound:
        return _step(source, binding, None, None, columns)
    if limit is None:
        return _step(source, binding, choice.pages if needed.is_final else None, choice.pages, columns)
    enough = limit.rows + (0 if limit.counts_pages else limit.skipped)
    pages = min(choice.pages, enough) if needed.is_exact and source.table.is_row_a_page else None
    binding += f", until there are {limit.rows + limit.skipped} rows"
    return _step(source, binding, pages, choice.pages, columns)


def _step(
    source: SourceRelation, binding: str, pages: int | None, at_most: int | None, columns: Sequence[ColumnPath]
) -> Step:
    table = source.table
    sections = tuple(table.sections(columns)) if columns else ()
    index_pages = table.index_pages if table.is_listed else 0
    return Step(table.name, source.alias, table.key, binding, pages, at_most, index_pages, sections, table.is_rendered)


def _written(condition: Condition) -> str:
    """Write a condition as the query has it."""
    text = condition.expression.sql(dialect=DIALECT)
    for relation in condition.relations:  # conditions of USING have internal names
        text = text.replace(f'"{relation.name}"', relation.alias or "query")
    return text


def find_limits(tree: Tree, contexts: Contexts) -> list[Limit]:
    """Find the blocks of a query that can be filled bit by bit."""
    limits: list[Limit] = []
    for block in tree.root.walk():
        if isinstance(block, Block):
            limits += _limits_of(block, tree, contexts)
        elif isinstance(block, SetBlock):
            limits += _limits_of_branches(block, contexts)
    return limits


def _limits_of(block: Block, tree: Tree, contexts: Contexts) -> Iterator[Limit]:
    size = _find_size(block.node)
    if size is None or not _is_fillable(block):
        return
    drivers = tuple(_drivers(block, contexts))
    order = ""
    ordered = block.node.args.get("order")
    if ordered is not None:
        first = ordered.expressions[0]
        ref = _ordering_column(first.this, block, tree)
        # pages that share a part of their key are ordered by something else
        drivers = tuple(each for each in drivers if len(each.keys) == 1 and ref == Ref(each, (each.key,)))
        order = "descending" if first.args.get("desc") else "ascending"
    if drivers:
        yield Limit(block, *size, drivers, order)


def _limits_of_branches(block: SetBlock, contexts: Contexts) -> Iterator[Limit]:
    """Limit the branches of a UNION ALL: none needs more rows than all of them together."""
    size = _find_size(block.node)
    if size is None or block.node.args.get("order"):
        return
    for branch in _branches(block):
        has_own = any(map(branch.node.args.get, ("limit", "offset", "order")))
        drivers = () if has_own or not _is_fillable(branch) else tuple(_drivers(branch, contexts))
        if drivers:
            yield Limit(branch, sum(size), 0, drivers)


def _branches(block: SetBlock) -> Iterator[Block]:
    """Yield the SELECTs all of whose rows a set operation has, one after the other."""
    node = block.node
    if isinstance(node, exp.Subquery) or (isinstance(node, exp.Union) and not node.args.get("distinct")):
        for branch in block.branches:
            if isinstance(branch, Block):
                yield branch
            elif isinstance(branch, SetBlock) and not branch.is_limited:
                yield from _branches(branch)


def _find_size(node: exp.Expr) -> tuple[int, int] | None:
    """Return the numbers of LIMIT and OFFSET; None without a LIMIT, or when they are not written as numbers."""
    limit, offset = _number(node.args.get("limit")), _number(node.args.get("offset"))
    if node.args.get("limit") is None or node.args.get("sample") or limit is None or offset is None:
        return None
    return limit, offset


def _number(clause: exp.Expr | None) -> int | None:
    """Return the number of a LIMIT or OFFSET: 0 without one, None when it is not written as a number."""
    if clause is None:
        return 0
    value, options = clause.expression, clause.args.get("limit_options")
    is_share = options is not None and options.args.get("percent")
    return int(value.this) if isinstance(value, exp.Literal) and value.is_int and not is_share else None


def _is_fillable(block: Block) -> bool:
    """Tell whether a block is independent, and more rows of what it is made from can only give more of its own."""
    if block.distinct_on is not None or block.node.args.get("sample"):
        return False
    return not block.outer_refs and block.is_closed and not is_volatile(block.node)


def _drivers(block: Block, contexts: Contexts) -> Iterator[SourceRelation]:
    """Yield the occurrences each of whose rows gives rows of the block by itself."""
    if block.is_grouped or block.is_windowed or block.is_positional:
        return
    filled = contexts.restrictions_of(block).filled
    for member in block.members:
        relation = member.relation
        if relation in filled or member.kind:
            continue
        if isinstance(relation, SourceRelation) and relation.key and not relation.is_free:
            yield relation
        elif isinstance(relation, QueryRelation) and isinstance(relation.block, Block):
            inner = relation.block
            is_special = inner.is_limited or inner.is_recursive or inner.outer_refs or inner.distinct_on is not None
            if len(inner.uses) == 1 and not is_special:
                yield from _drivers(inner, contexts)


def _ordering_column(expression: exp.Expr, block: Block, tree: Tree) -> Ref | None:
    """Find the column that rows are ordered by; names of outputs go before columns."""
    output = _ordering_output(expression, block)
    ref = tree.meanings.get(id(expression)) if output is None else output.ref
    while isinstance(ref, Ref) and isinstance(ref.relation, QueryRelation):
        inner, columns = ref.relation.block, ref.relation.columns
        if not isinstance(inner, Block) or inner.outputs is None or columns is None or len(ref.path) != 1:
            return None
        ref = inner.outputs[columns.index(ref.path[0])].ref
    return ref if isinstance(ref, Ref) else None


def _ordering_output(expression: exp.Expr, block: Block) -> Output | None:
    outputs = block.outputs or []
    if isinstance(expression, exp.Literal) and expression.is_int and 0 < int(expression.this) <= len(outputs):
        return outputs[int(expression.this) - 1]
    if isinstance(expression, exp.Column) and not expression.table:
        return next((each for each in outputs if each.name == expression.name.lower()), None)
    return None
