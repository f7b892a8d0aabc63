"""What the names in the expressions of a block stand for.

Where a name is not understood, all that it can stand for counts as used, and no condition is made of it: that costs
pages, never rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol

import duckdb
import pyarrow as pa
from sqlglot import exp

from webquarry.querying.catalog import ColumnPath
from webquarry.querying.query_blocks import (
    ALL,
    AnyBlock,
    Block,
    Condition,
    Names,
    Output,
    QueryRelation,
    Ref,
    SetBlock,
    SourceRelation,
    Tree,
)

# MERGED querying/parsing/using: Which columns a query uses, so that no others are read: what goes into the a
PAGE = "_page"


def need_ref(ref: Ref) -> None:
    """Note that a column is used."""
    relation = ref.relation
    if isinstance(relation, SourceRelation):
        relation.used.add(ref.path)
    elif isinstance(relation, QueryRelation):
        columns = relation.columns
        if not ref.path or columns is None or relation.block.names is None:
            need_all(relation.block)
            return
        for place, name in enumerate(columns):  # which may be called otherwise than in the block
            if name == ref.path[0]:
                need_at(relation.block, place, ref.path[1:])


def need_all(block: AnyBlock) -> None:
    """Note that all columns of a block are used."""
    if isinstance(block, Block):
        for output in block.outputs or ():
            need_output(output, ALL)
    elif isinstance(block, SetBlock):
        for branch in block.branches:
            need_all(branch)


def need_at(block: AnyBlock, place: int, rest: ColumnPath) -> None:
    """Note that the column of a block at this place is used, or what lies in it."""
    if isinstance(block, Block):
        if block.outputs is not None and place < len(block.outputs):
            need_output(block.outputs[place], rest)
    elif isinstance(block, SetBlock):
        for branch in block.branches:
            for each in _places_in(branch, place, block):
                need_at(branch, each, rest)


def _places_in(branch: AnyBlock, place: int, block: SetBlock) -> list[int]:
    """Where a branch of a set operation has the column at a place of the whole."""
    if not block.is_by_name:
        return [place]
    names = block.names
    return [each for each, name in enumerate(branch.names or ()) if names is not None and name == names[place]]


def need_output(output: Output, rest: ColumnPath) -> None:
    """Note that what a block gives is used."""
    if rest in output.needed:
        return
    output.needed.add(rest)
    if output.ref is not None:
        need_ref(Ref(output.ref.relation, (*output.ref.path, *rest)))
        return
    for ref in output.refs:
        need_ref(ref)


def columns_used(sources: Sequence[SourceRelation]) -> list[ColumnPath]:
    """What of one source is used, without what lies in another column that is."""
    used: set[ColumnPath] = set().union(*(source.used for source in sources))
    if ALL in used:
        return [(name,) for name in sources[0].table.schema.names]
    return sorted(path for path in used if not any(path[:length] in used for length in range(len(path))))


def shape_used(sources: Sequence[SourceRelation]) -> pa.Schema:
    """The columns that the rows of one source must have for DuckDB to answer: those that are named, and the key."""

    table = sources[0].table
    named: set[ColumnPath] = set().union(*(source.named | source.used for source in sources))
    if ALL in named or any(source.is_starred for source in sources):
        return table.schema
    names = {path[0] for path in named} | {table.key.lower() or PAGE}
    return pa.schema([field for field in table.schema if field.name.lower() in names])


# MERGED querying/parsing/expressions: The parts of expressions.
def split(expression: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of an AND."""
    inside = expression.unnest()
    if isinstance(inside, exp.And):
        yield from split(inside.this)
        yield from split(inside.expression)
    else:
        yield inside


def semi_join(expression: exp.Expr) -> tuple[exp.Expr | None, exp.Expr | None]:
    """The operand and the query of `operand IN (query)` or `operand = ANY (query)`."""
    if isinstance(expression, exp.In) and expression.args.get("query") is not None:
        return expression.this, expression.args["query"]
    if isinstance(expression, exp.EQ) and isinstance(expression.expression, exp.Any):
        query = expression.expression.this
        return (expression.this, query) if isinstance(query, exp.Query) else (None, None)
    return None, None


def names_in(expression: exp.Expr) -> Iterator[exp.Expr]:
    """The names of columns in an expression, whole queries in it, and what stands for more columns than can be told."""
    if isinstance(expression, (exp.Query, exp.Columns, exp.PositionalColumn, exp.DataType)):
        yield expression  # a type stands here for a column of the name of a type, such as geography['area']
        return
    if isinstance(expression, exp.Cast):
        yield from names_in(expression.this)
        return
    if isinstance(expression, exp.Column) or (isinstance(expression, exp.Dot) and chain_of(expression) is not None):
        yield expression
        return
    if isinstance(expression, exp.Star):
        if not isinstance(expression.parent, exp.Count):
            yield expression
        return
    for part in expression.iter_expressions():
        yield from names_in(part)


def chain_of(node: exp.Expr) -> list[str] | None:
    """The parts of a dotted name, folded; None when it is none."""
    dotted: list[str] = []
    while isinstance(node, exp.Dot):
        if not isinstance(node.expression, exp.Identifier):
            return None
        dotted.append(node.expression.name.lower())
        node = node.this.unnest()
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    return [part.name.lower() for part in node.parts] + dotted[::-1]


def as_list(found: object) -> list[exp.Expr]:
    """What an argument of a node holds: nothing, one or many."""
    if found is None:
        return []
    return found if isinstance(found, list) else [found]  # type: ignore[list-item]


class Children(Protocol):
    """What makes blocks of queries in expressions."""

    tree: Tree
    numbers: Iterator[int]

    def child(self, node: exp.Expr, names: Names, block: Block, *, is_late: bool) -> AnyBlock:
        """The block of a query in an expression of a block."""


class Resolver:
    """Finds what names of one block stand for."""

    def __init__(self, children: Children, block: Block, names: Names) -> None:
        self._children, self._block, self._names = children, block, names
        self._tree = children.tree
        self._aliases: dict[str, Output] = {}
        self.is_late = False
        """Whether expressions are of what becomes of the rows that pass the conditions."""

    def add_alias(self, output: Output) -> None:
        """Let an output be named in other expressions."""
        self._aliases.setdefault(output.name, output)

    def condition(self, expression: exp.Expr) -> Condition:
        """What an expression says whose names were used."""
        refs, is_known = self.meanings(expression)
        return Condition(expression, tuple(refs), is_known=is_known)

    def use(self, expression: exp.Expr, *, positions: bool = False) -> list[Ref]:
        """All columns in an expression of the block, which count as used."""
        refs = self.refs(expression, positions=positions)
        for ref in refs:
            need_ref(ref)
        return refs

    def refs(self, expression: exp.Expr, *, positions: bool = False) -> list[Ref]:
        """All columns that an expression may use."""
        refs: list[Ref] = []
        for node in names_in(expression):
            if isinstance(node, (exp.Column, exp.Dot)):
                refs += self._resolve(node)
            elif isinstance(node, exp.Query):
                child = self._children.child(node, self._names, self._block, is_late=self.is_late)
                if not isinstance(node.parent, exp.Exists):
                    need_all(child)
                refs += child.outer_refs
            else:  # a star, or a column by its number: more than can be told
                refs += self.all_refs()
        if positions:
            self._use_positions(expression)
        meant, is_known = self.meanings(expression)
        self._block.outer_refs.extend(ref for ref in meant if not self.is_own(ref))
        self._block.is_known &= is_known
        for ref in refs:
            if isinstance(ref.relation, SourceRelation):
                ref.relation.named.add(ref.path)
        return refs

    def meanings(self, expression: exp.Expr) -> tuple[list[Ref], bool]:
        """The columns that an expression is made from, and whether all of its names are understood."""
        refs: list[Ref] = []
        is_known = True
        for node in names_in(expression):
            meaning = self._tree.meanings.get(id(node))
            child = self._tree.children.get(id(node))
            if isinstance(meaning, Ref):
                refs.append(meaning)
            elif isinstance(meaning, Output):
                refs += meaning.refs
                is_known &= meaning.is_known
            elif child is not None:
                refs += child.outer_refs
                is_known &= child.is_closed
            else:
                is_known = False
        return refs, is_known

    def all_refs(self) -> list[Ref]:
        """All columns of all relations."""
        return [Ref(member.relation, ALL) for member in self._block.members]

    def is_own(self, ref: Ref) -> bool:
        """Whether a column is of the block itself, not of one around."""
        return any(member.relation is ref.relation for member in self._block.members)

    def _use_positions(self, expression: exp.Expr) -> None:
        outputs = self._block.outputs
        literals = (each.this if isinstance(each, exp.Ordered) else each for each in as_list(expression.expressions))
        for literal in literals:
            if isinstance(literal, exp.Literal) and literal.is_int and outputs is not None:
                place = int(literal.this) - 1
                if 0 <= place < len(outputs):
                    need_output(outputs[place], ALL)

    def _resolve(self, node: exp.Column | exp.Dot) -> list[Ref]:
        parts = chain_of(node)
        if parts is None:  # `f.*`
            return self.all_refs()
        meaning = self._find(parts)
        if len(parts) == 1 and parts[0] in self._aliases:  # which some clauses prefer to a column
            need_output(self._aliases[parts[0]], ALL)
        self._tree.meanings[id(node)] = meaning
        if meaning is not None:
            return list(meaning.refs) if isinstance(meaning, Output) else [meaning]
        if parts[0] in self._block.merged:
            return [Ref(each.relation, tuple(parts)) for each in self._block.members if each.relation.has(parts[0])]
        return self._candidates(parts)

    def _find(self, parts: Sequence[str]) -> Ref | Output | None:
        """What a name stands for, in this block or in those around it."""
        block: Block | None = self._block
        alias = self._aliases.get(parts[0]) if len(parts) == 1 else None
        while block is not None:
            found, is_certain = self._find_in(block, parts)
            if found is not None and alias is not None and block is not self._block:
                return None  # of the alias and a column around, DuckDB takes the one or the other by the clause
            if found is not None or not is_certain:
                return found
            block = block.parent
        return alias

    def _find_in(self, block: Block, parts: Sequence[str]) -> tuple[Ref | None, bool]:
        """The column in a block, and whether it would be known if there were one."""
        relation = block.find(parts[0])
        if relation is not None and len(parts) > 1:
            if relation.columns is None:
                return None, False
            if relation.has(parts[1]):
                return Ref(relation, tuple(parts[1:])), True
        if parts[0] in block.merged:
            merged = block.merged[parts[0]]
            return (None, False) if merged is None else (Ref(merged, tuple(parts)), True)
        reachable = [member.relation for member in block.members if not member.relation.is_hidden]
        having = [each for each in reachable if each.has(parts[0])]
        if any(each.columns is None for each in reachable) or len(having) > 1:
            return None, False
        if having:
            return Ref(having[0], tuple(parts)), True
        return None, relation is None  # the alias alone is the whole row

    def _candidates(self, parts: Sequence[str]) -> list[Ref]:
        """Whatever a name that is not understood can stand for."""
        refs = []
        block: Block | None = self._block
        while block is not None:
            for member in block.members:
                relation = member.relation
                if relation.columns is None or relation.alias in parts or any(map(relation.has, parts)):
                    refs.append(Ref(relation, ALL))
            block = block.parent
        return refs


# MERGED querying/parsing/aggregates: Which functions make one row of many.
def has_aggregate(expression: exp.Expr) -> bool:
    """Whether the value of an expression takes several rows of its own SELECT.

    >>> from sqlglot import parse_one
    >>> [has_aggregate(parse_one(each)) for each in ("sum(a) + 1", "sum(a) OVER ()", "(SELECT max(a) FROM t)")]
    [True, False, False]
    """
    if isinstance(expression, exp.Query):
        return False
    if isinstance(expression, exp.Window):
        inside = expression.this.iter_expressions()
        return any(map(has_aggregate, inside))
    if isinstance(expression, exp.AggFunc) or _is_unknown_aggregate(expression):
        return True
    return any(map(has_aggregate, expression.iter_expressions()))


def _is_unknown_aggregate(expression: exp.Expr) -> bool:
    """Whether it is an aggregate that DuckDB knows and the parser does not."""
    return isinstance(expression, exp.Anonymous) and expression.name.lower() in _aggregates()


@cache
def _aggregates() -> frozenset[str]:
    names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'"
    with duckdb.connect(":memory:") as connection:
        return frozenset(name for (name,) in connection.execute(names).fetchall())


# MERGED querying/parsing/volatility: Functions that give another value at each call, so that a condition mus
_NAMES = frozenset(["random", "uuid", "uuidv4", "uuidv7", "gen_random_uuid", "setseed", "nextval", "currval"])
_KINDS = (exp.Rand, exp.Randn, exp.Uuid, exp.NextValueFor)


def is_volatile(expression: exp.Expr) -> bool:
    """Whether an expression calls such a function.

    >>> from sqlglot import parse_one
    >>> is_volatile(parse_one("a < random()", dialect="duckdb")), is_volatile(parse_one("a < abs(b)"))
    (True, False)
    """
    return any(
        isinstance(each, _KINDS) or each.name.lower() in _NAMES for each in expression.find_all(exp.Func, exp.Anonymous)
    )
