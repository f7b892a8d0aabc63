"""Which occurrence of a source is read next: that whose pages nothing else can spare, or else that with the fewest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.querying.condition_sql import State
from webquarry.querying.key_search import KeyFinder, Needed
from webquarry.querying.name_resolution import is_volatile
from webquarry.querying.query_blocks import Block, Output, QueryRelation, Ref, SetBlock, SourceRelation, Tree
from webquarry.querying.restrictions import Contexts
from webquarry.querying.source_store import SourceStore


# MERGED querying/planning/limits: SELECTs with a LIMIT, which need no more pages than it takes to fill it.
# MERGED
# MERGED That holds where more rows of one occurrence can only give more rows of the answer: it is joined, no
# MERGED order of the answer, if there is one, is that of its keys.
@dataclass(frozen=True, eq=False)
class Limit:
    """A block that needs a number of rows."""

    block: Block
    rows: int
    """How many it gives at most."""
    passed: int
    """How many it passes over before."""
    drivers: tuple[SourceRelation, ...]
    """The occurrences that can be read bit by bit until there are enough rows."""
    order: str = ""
    """`ascending` or `descending`, when rows are ordered by the key of the driver."""

    @property
    def is_of_pages(self) -> bool:
        """Whether each page gives a row of the block, as no others are joined: pages can be counted unread."""
        return (
            [member.relation for member in self.block.members] == list(self.drivers)
            and self.drivers[0].table.is_row_a_page
            and self.block.node.args.get("distinct") is None
            and self.block.outputs is not None
        )


def find_limits(tree: Tree, contexts: Contexts) -> list[Limit]:
    """The blocks of a query that can be filled bit by bit."""
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
    ordered = block.node.args.get("order")
    if ordered is not None:
        first = ordered.expressions[0]
        ref = _ref_of(first.this, block, tree)
        drivers = tuple(each for each in drivers if ref == Ref(each, (each.key,)))
    if drivers:
        order = "" if ordered is None else "descending" if first.args.get("desc") else "ascending"
        yield Limit(block, *size, drivers, order)


def _limits_of_branches(block: SetBlock, contexts: Contexts) -> Iterator[Limit]:
    """Those of a UNION ALL: no branch needs more rows than all of them together."""
    size = _find_size(block.node)
    if size is None or block.node.args.get("order"):
        return
    for branch in _branches(block):
        has_own = any(map(branch.node.args.get, ("limit", "offset", "order")))
        drivers = () if has_own or not _is_fillable(branch) else tuple(_drivers(branch, contexts))
        if drivers:
            yield Limit(branch, sum(size), 0, drivers)


def _branches(block: SetBlock) -> Iterator[Block]:
    """The SELECTs all of whose rows a set operation has, one after the other."""
    node = block.node
    if isinstance(node, exp.Subquery) or (isinstance(node, exp.Union) and not node.args.get("distinct")):
        for branch in block.branches:
            if isinstance(branch, Block):
                yield branch
            elif isinstance(branch, SetBlock) and not branch.is_limited:
                yield from _branches(branch)


def _find_size(node: exp.Expr) -> tuple[int, int] | None:
    """How many rows a query gives at most, and how many it passes over before; None when that is not said."""
    limit, offset = _number(node.args.get("limit")), _number(node.args.get("offset"))
    is_said = node.args.get("limit") is not None and not node.args.get("sample")
    return (limit, offset) if is_said and limit is not None and offset is not None else None


def _is_fillable(block: Block) -> bool:
    """Whether a block stands for itself, and more rows of what it is made from can only give more of its own."""
    distinct = block.node.args.get("distinct")
    if (distinct is not None and distinct.args.get("on") is not None) or block.node.args.get("sample"):
        return False
    return not block.outer_refs and block.is_closed and not is_volatile(block.node)


def _number(clause: exp.Expr | None) -> int | None:
    """The number of a LIMIT or OFFSET: 0 without one, None when it is not written as a number."""
    if clause is None:
        return 0
    value, options = clause.expression, clause.args.get("limit_options")
    is_share = options is not None and options.args.get("percent")
    return int(value.this) if isinstance(value, exp.Literal) and value.is_int and not is_share else None


def _drivers(block: Block, contexts: Contexts) -> Iterator[SourceRelation]:
    """The occurrences of whose rows each gives rows of the block by itself."""
    if block.is_grouped or block.is_windowed or block.is_positional or block.node.args.get("distinct_on"):
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
            if len(inner.uses) == 1 and not inner.is_limited and not inner.is_recursive and not inner.outer_refs:
                distinct = inner.node.args.get("distinct")
                if distinct is None or distinct.args.get("on") is None:
                    yield from _drivers(inner, contexts)


def _ref_of(expression: exp.Expr, block: Block, tree: Tree) -> Ref | None:
    """The column that the rows are ordered by: names of outputs go before columns."""
    output = _output_of(expression, block)
    ref = tree.meanings.get(id(expression)) if output is None else output.ref
    while isinstance(ref, Ref) and isinstance(ref.relation, QueryRelation):
        inner, columns = ref.relation.block, ref.relation.columns
        if not isinstance(inner, Block) or inner.outputs is None or columns is None or len(ref.path) != 1:
            return None
        ref = inner.outputs[columns.index(ref.path[0])].ref
    return ref if isinstance(ref, Ref) else None


def _output_of(expression: exp.Expr, block: Block) -> Output | None:
    outputs = block.outputs or []
    if isinstance(expression, exp.Literal) and expression.is_int and 0 < int(expression.this) <= len(outputs):
        return outputs[int(expression.this) - 1]
    if isinstance(expression, exp.Column) and not expression.table:
        return next((each for each in outputs if each.name == expression.name.lower()), None)
    return None


@dataclass(frozen=True)
class Choice:
    """An occurrence that could be read next."""

    source: SourceRelation
    needed: Needed
    keys: list[str]
    pages: int
    """How many of the keys' pages were not read yet."""
    limit: Limit | None
    """The LIMIT that it can be read bit by bit for."""


class Chooser:
    """Looks at the occurrences of one query."""

    def __init__(
        self,
        finder: KeyFinder,
        contexts: Contexts,
        limits: Sequence[Limit],
        stores: Mapping[str, SourceStore],
        state: State,
    ) -> None:
        self._finder, self._contexts, self._limits = finder, contexts, limits
        self._stores, self._state = stores, state

    def choose(self, waiting: Iterable[SourceRelation]) -> list[Choice]:
        """What to read next, several when none spares pages of the others; raises when nothing says which pages."""
        choices = self.rank(waiting)
        first = choices[0]
        if not first.needed.is_bound:
            raise QueryError(_describe_unbound(first.source))
        return [choice for choice in choices if self._is_settled(choice)] or [first]

    def rank(self, waiting: Iterable[SourceRelation]) -> list[Choice]:
        """The occurrences, the next to read first; last those whose keys are not known."""
        return sorted(map(self._consider, waiting), key=self._rank)

    def _is_settled(self, choice: Choice) -> bool:
        """Whether it can be read whatever else is."""
        needed = choice.needed
        return needed.is_bound and needed.is_final and choice.limit is None and not self._is_better_later(choice)

    def check_bindings(self, waiting: Iterable[SourceRelation]) -> None:
        """Raise when nothing says the keys of an occurrence, however much is read."""
        for source in waiting:
            is_needed = not source.table.is_listed and self._contexts.of(source)
            if is_needed and not self._finder.find(source).is_bindable:
                raise QueryError(_describe_unbound(source))

    def _consider(self, source: SourceRelation) -> Choice:
        needed = self._finder.find(source)
        keys = self._keys(source, needed)
        limit = next((limit for limit in self._limits if source in limit.drivers), None)
        return Choice(source, needed, keys, len(self._stores[source.table.name].missing(keys)), limit)

    def _keys(self, source: SourceRelation, needed: Needed) -> list[str]:
        if not needed.is_bound:
            return []
        if not source.table.is_listed:
            return sorted(needed.keys or ())
        index = self._stores[source.table.name].index() if self._contexts.of(source) else ()
        if not source.key:
            return list(index) if needed.keys is None else []
        return [key for key in index if needed.keys is None or key in needed.keys]

    def _rank(self, choice: Choice) -> tuple[bool, bool, bool, int]:
        needed = choice.needed
        return not needed.is_bound, self._is_better_later(choice), not needed.is_final, choice.pages

    def _is_better_later(self, choice: Choice) -> bool:
        """Whether another occurrence is read bit by bit for a LIMIT, and then says which pages of this are needed."""
        return any(
            choice.source in limit.block.sources
            and choice.source not in limit.drivers
            and choice.pages > limit.rows + limit.passed
            and not all(map(self._state.is_read, limit.drivers))
            for limit in self._limits
        )


def _describe_unbound(source: SourceRelation) -> str:
    table, key = source.table, source.table.key
    return (
        f"{table.name}: its pages are found by {key}, and nothing in the query says which; name them, as in WHERE "
        f"{source.alias}.{key} = '{table.example or '...'}' or {key} IN (...), or join a table that has them: "
        f"... JOIN {table.name} ON {table.name}.{key} = other.column"
    )
