"""Choose which occurrence of a source to read next.

First those whose pages nothing else can spare, then the one with the fewest pages.  A SELECT with a LIMIT needs no more
pages than it takes to fill it, where more rows of one occurrence can only give more rows of the answer: it is joined by
inner joins, rows are not grouped, and the order of the answer, if any, is that of its keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from webquarry.model.names import split_key
from webquarry.querying.key_search import Needed
from webquarry.querying.name_resolution import is_volatile
from webquarry.querying.query_blocks import Block, Condition, Output, QueryRelation, Ref, SetBlock, SourceRelation, Tree
from webquarry.querying.query_nouns import ColumnPath, Step
from webquarry.querying.restrictions import Contexts
from webquarry.querying.statement import DIALECT


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
    """Sort choices, the best first and those with unknown keys last; give besides those to read whatever else is."""

    def is_better_later(choice: Choice) -> bool:
        """True if another occurrence is read in steps for a LIMIT, and its rows decide which pages this one needs."""
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
