"""Find which columns the names in a block mean, and which columns of sources a query uses.

Where a name is not understood, all that it could mean counts as used, and its condition restricts nothing: that costs
pages, never rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import duckdb
import pyarrow as pa
from sqlglot import exp

from webquarry.model.names import PAGE
from webquarry.querying.query_blocks import (
    ALL,
    NAMES,
    AnyBlock,
    Block,
    Condition,
    Output,
    QueryRelation,
    Ref,
    SetBlock,
    SourceRelation,
    Tree,
)
from webquarry.querying.query_nouns import ColumnPath

_VOLATILE_NAMES = frozenset(["random", "uuid", "uuidv4", "uuidv7", "gen_random_uuid", "setseed", "nextval", "currval"])
_VOLATILE_KINDS = (exp.Rand, exp.Randn, exp.Uuid, exp.NextValueFor)


class Resolver:
    """Finds the meanings of names in one block."""

    def __init__(self, tree: Tree, block: Block, build_child: Callable[[exp.Expr, bool], AnyBlock]) -> None:
        """`build_child` builds the block of a query in an expression; it also takes `is_late`."""
        self._tree, self._block, self._build_child = tree, block, build_child
        self._aliases: dict[str, Output] = {}
        self.is_late = False
        """Whether expressions are evaluated on the rows that pass the conditions."""

    def add_alias(self, output: Output) -> None:
        """Let other expressions name an output."""
        self._aliases.setdefault(output.name, output)

    def condition(self, expression: exp.Expr) -> Condition:
        """Make a condition of an expression whose names were used."""
        refs, is_known = self.meanings(expression)
        return Condition(expression, tuple(refs), is_known=is_known)

    def use(self, expression: exp.Expr, *, positions: bool = False) -> None:
        """Mark all columns in an expression of the block as used."""
        for ref in self.refs(expression, positions=positions):
            need_ref(ref)

    def refs(self, expression: exp.Expr, *, positions: bool = False) -> list[Ref]:
        """Find all columns that an expression may use; with `positions`, numbers in it mean outputs."""
        refs: list[Ref] = []
        for node in names_in(expression):
            if isinstance(node, NAMES):
                refs += self._resolve(node)
            elif isinstance(node, exp.Query):
                child = self._build_child(node, self.is_late)
                if not isinstance(node.parent, exp.Exists):
                    need_all(child)
                refs += child.outer_refs
            else:  # a star, or a column by its number: it could be any column
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
        """Return the columns that an expression is made from, and whether all of its names are understood."""
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
        """Return all columns of all relations."""
        return [Ref(member.relation, ALL) for member in self._block.members]

    def is_own(self, ref: Ref) -> bool:
        """Tell whether a column is of the block itself, not of one around it."""
        return any(member.relation is ref.relation for member in self._block.members)

    def _use_positions(self, expression: exp.Expr) -> None:
        outputs = self._block.outputs
        for each in expression.expressions:
            literal = each.this if isinstance(each, exp.Ordered) else each
            if isinstance(literal, exp.Literal) and literal.is_int and outputs is not None:
                place = int(literal.this) - 1
                if 0 <= place < len(outputs):
                    need_output(outputs[place], ALL)

    def _resolve(self, node: exp.Expr) -> list[Ref]:
        parts = name_parts(node)
        if parts is None:  # `f.*`
            return self.all_refs()
        meaning = self._find(parts)
        if len(parts) == 1 and parts[0] in self._aliases:  # some clauses prefer it to a column
            need_output(self._aliases[parts[0]], ALL)
        self._tree.meanings[id(node)] = meaning
        if meaning is not None:
            return list(meaning.refs) if isinstance(meaning, Output) else [meaning]
        if parts[0] in self._block.merged:
            return [Ref(each.relation, tuple(parts)) for each in self._block.members if each.relation.has(parts[0])]
        return self._candidates(parts)

    def _find(self, parts: Sequence[str]) -> Ref | Output | None:
        """Find the meaning of a name, in this block or in those around it."""
        block: Block | None = self._block
        alias = self._aliases.get(parts[0]) if len(parts) == 1 else None
        while block is not None:
            found, is_certain = _find_in(block, parts)
            if found is not None and alias is not None and block is not self._block:
                return None  # between an alias and a column around, DuckDB decides by the clause
            if found is not None or not is_certain:
                return found
            block = block.parent
        return alias

    def _candidates(self, parts: Sequence[str]) -> list[Ref]:
        """Return all that a name could mean which is not understood."""
        refs = []
        block: Block | None = self._block
        while block is not None:
            for member in block.members:
                relation = member.relation
                if relation.columns is None or relation.alias in parts or any(map(relation.has, parts)):
                    refs.append(Ref(relation, ALL))
            block = block.parent
        return refs


def _find_in(block: Block, parts: Sequence[str]) -> tuple[Ref | None, bool]:
    """Find the column in a block, and whether the result is certain."""
    relation = next((each for each in block.reachable if each.alias == parts[0]), None)
    if relation is not None and len(parts) > 1:
        if relation.columns is None:
            return None, False
        if relation.has(parts[1]):
            return Ref(relation, tuple(parts[1:])), True
    if parts[0] in block.merged:
        merged = block.merged[parts[0]]
        return (None, False) if merged is None else (Ref(merged, tuple(parts)), True)
    having = [each for each in block.reachable if each.has(parts[0])]
    if any(each.columns is None for each in block.reachable) or len(having) > 1:
        return None, False
    if having:
        return Ref(having[0], tuple(parts)), True
    return None, relation is None  # an alias alone means the whole row


def need_ref(ref: Ref) -> None:
    """Mark a column as used."""
    relation = ref.relation
    if isinstance(relation, SourceRelation):
        relation.used.add(ref.path)
    elif isinstance(relation, QueryRelation):
        if not ref.path or relation.columns is None or relation.block.names is None:
            need_all(relation.block)
            return
        for place, name in enumerate(relation.columns):  # by place: the block may call it by another name
            if name == ref.path[0]:
                _need_at(relation.block, place, ref.path[1:])


def need_all(block: AnyBlock) -> None:
    """Mark all columns of a block as used."""
    if isinstance(block, Block):
        for output in block.outputs or ():
            need_output(output, ALL)
    elif isinstance(block, SetBlock):
        for branch in block.branches:
            need_all(branch)


def _need_at(block: AnyBlock, place: int, rest: ColumnPath) -> None:
    """Mark the column at a place of a block as used, or a path in it."""
    if isinstance(block, Block):
        if block.outputs is not None and place < len(block.outputs):
            need_output(block.outputs[place], rest)
    elif isinstance(block, SetBlock):
        for branch in block.branches:
            if not block.is_by_name:
                _need_at(branch, place, rest)
            elif block.names is not None:
                for own_place, name in enumerate(branch.names or ()):
                    if name == block.names[place]:
                        _need_at(branch, own_place, rest)


def need_output(output: Output, rest: ColumnPath) -> None:
    """Mark an output as used, or a path in it."""
    if rest in output.needed:
        return
    output.needed.add(rest)
    if output.ref is not None:
        need_ref(Ref(output.ref.relation, (*output.ref.path, *rest)))
        return
    for ref in output.refs:
        need_ref(ref)


def columns_used(sources: Sequence[SourceRelation]) -> list[ColumnPath]:
    """List the columns that are used of all occurrences of one source, without those inside of others."""
    used: set[ColumnPath] = set().union(*(source.used for source in sources))
    if ALL in used:
        return [(name,) for name in sources[0].table.schema.names]
    return sorted(path for path in used if not any(path[:length] in used for length in range(len(path))))


def schema_used(sources: Sequence[SourceRelation]) -> pa.Schema:
    """Return the columns that rows of one source must have for DuckDB: those that are named, and the key."""
    table = sources[0].table
    named: set[ColumnPath] = set().union(*(source.named | source.used for source in sources))
    if ALL in named or any(source.is_starred for source in sources):
        return table.schema
    names = {path[0] for path in named} | ({*sources[0].keys} or {PAGE})
    return pa.schema([field for field in table.schema if field.name.lower() in names])


def split(expression: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an AND."""
    inside = expression.unnest()
    if isinstance(inside, exp.And):
        yield from split(inside.this)
        yield from split(inside.expression)
    else:
        yield inside


def semi_join(expression: exp.Expr) -> tuple[exp.Expr | None, exp.Expr | None]:
    """Return the operand and the query of `operand IN (query)` or `operand = ANY (query)`."""
    if isinstance(expression, exp.In) and expression.args.get("query") is not None:
        return expression.this, expression.args["query"]
    if isinstance(expression, exp.EQ) and isinstance(expression.expression, exp.Any):
        query = expression.expression.this
        return (expression.this, query) if isinstance(query, exp.Query) else (None, None)
    return None, None


def names_in(expression: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the names of columns in an expression, queries as a whole, and what could mean any column."""
    if isinstance(expression, (exp.Query, exp.Columns, exp.PositionalColumn, exp.DataType, exp.Column)):
        yield expression  # a type that is not that of a cast is the name of a column
    elif isinstance(expression, NAMES) and name_parts(expression) is not None:
        yield expression
    elif isinstance(expression, exp.Cast):
        yield from names_in(expression.this)
    elif isinstance(expression, exp.Star):
        if not isinstance(expression.parent, exp.Count):
            yield expression
    else:
        for part in expression.iter_expressions():
            yield from names_in(part)


def name_parts(node: exp.Expr) -> list[str] | None:
    """Split a name such as `geography.area` or `geography['area']`, in lower case; None when it is not one."""
    dotted: list[str] = []
    while isinstance(node, (exp.Dot, exp.Bracket)):
        inner = node.expression if isinstance(node, exp.Dot) else node.expressions[0]
        if not (isinstance(inner, exp.Identifier) or (isinstance(inner, exp.Literal) and inner.is_string)):
            return None
        dotted.append(inner.name.lower())
        node = node.this.unnest()
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    return [part.name.lower() for part in node.parts] + dotted[::-1]


def has_aggregate(expression: exp.Expr) -> bool:
    """Tell whether an expression aggregates rows of its own SELECT.

    >>> from sqlglot import parse_one
    >>> [has_aggregate(parse_one(each)) for each in ("sum(a) + 1", "sum(a) OVER ()", "(SELECT max(a) FROM t)")]
    [True, False, False]
    """
    if isinstance(expression, exp.Query):
        return False
    if isinstance(expression, exp.Window):
        return any(map(has_aggregate, expression.this.iter_expressions()))
    if isinstance(expression, exp.AggFunc):
        return True
    if isinstance(expression, exp.Anonymous) and expression.name.lower() in _aggregates():
        return True
    return any(map(has_aggregate, expression.iter_expressions()))


@cache
def _aggregates() -> frozenset[str]:
    """Name the aggregates of DuckDB; the parser does not know all of them."""
    names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'"
    with duckdb.connect(":memory:") as connection:
        return frozenset(name for (name,) in connection.execute(names).fetchall())


def is_volatile(expression: exp.Expr) -> bool:
    """Tell whether an expression may give another value at each call, so that it must not be evaluated beforehand.

    >>> from sqlglot import parse_one
    >>> is_volatile(parse_one("a < random()", dialect="duckdb")), is_volatile(parse_one("a < abs(b)"))
    (True, False)
    """
    functions = expression.find_all(exp.Func, exp.Anonymous)
    return any(isinstance(each, _VOLATILE_KINDS) or each.name.lower() in _VOLATILE_NAMES for each in functions)
