"""Define the parts of a query: blocks (its SELECTs and set operations), and relations (what is in a FROM).

Names are in lower case throughout, since DuckDB does not tell them apart by case.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from webquarry.model.names import key_names
from webquarry.querying.query_nouns import ColumnPath, SourceTable

ALL: ColumnPath = ()
"""The path of all columns."""
NAMES = (exp.Column, exp.Dot, exp.Bracket)
"""The nodes that may be the name of a column with a path into it."""
_GROUPINGS_WITH_TOTALS = (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)


@dataclass(eq=False)
class Relation:
    """An item of a FROM; of this class itself is a recursive CTE within its own definition."""

    number: int
    alias: str
    columns: tuple[str, ...] | None
    """None when they are unknown."""
    is_hidden: bool = False
    """Whether names cannot refer to it, as to the right side of a semi-join."""

    @property
    def name(self) -> str:
        """Its name in internal statements, where aliases of all blocks meet."""
        return f"__r{self.number}"

    def has(self, column: str) -> bool:
        """Tell whether it has the column, as far as that is known."""
        return self.columns is not None and column in self.columns


@dataclass(eq=False)
class SourceRelation(Relation):
    """An occurrence of a source: its rows are those of the pages that the query needs here."""

    table: SourceTable = field(kw_only=True)
    is_free: bool = False
    """Whether conditions must not leave out rows, since they are sampled or pivoted."""
    is_in_view: bool = False
    is_starred: bool = False
    """Whether a star includes its columns; then none may be left out, since places count."""
    named: set[ColumnPath] = field(default_factory=set)
    """The columns that the query names, if only in outputs that are not used."""
    used: set[ColumnPath] = field(default_factory=set)
    """The columns that the answer depends on."""

    @property
    def rows_name(self) -> str:
        """The table in DuckDB with its rows."""
        return f"__o{self.number}"

    @property
    def keys_name(self) -> str:
        """The table in DuckDB with its possible keys."""
        return f"__k{self.number}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that identify a page together, in lower case; none if the source has no key."""
        return key_names(self.table.key.lower())

    @property
    def key(self) -> str:
        """The first of these columns; empty if the source has none."""
        return self.keys[0] if self.keys else ""

    @property
    def key_paths(self) -> set[ColumnPath]:
        """The paths of these columns."""
        return {(name,) for name in self.keys}


@dataclass(eq=False)
class QueryRelation(Relation):
    """A query in a FROM: in brackets, or by the name of a CTE or a view."""

    block: AnyBlock = field(kw_only=True)
    node: exp.Expr = field(kw_only=True)
    """The item of the FROM."""


@dataclass(eq=False)
class LocalRelation(Relation):
    """What DuckDB has by itself: a file, a table in memory, a function, values."""

    node: exp.Expr = field(kw_only=True)


@dataclass(frozen=True)
class Ref:
    """A column of a relation, and the path into it."""

    relation: Relation
    path: ColumnPath


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition on rows of a block: one part of an AND in its WHERE or in an ON."""

    expression: exp.Expr
    refs: tuple[Ref, ...]
    """All columns in it, also those that queries inside it take from outside."""
    is_known: bool
    """Whether all of its names are understood."""
    absent: Relation | None = None
    """Set when no row of this relation may fulfil the expression, as in an anti-join."""

    @cached_property
    def relations(self) -> frozenset[Relation]:
        """The relations that it mentions."""
        return frozenset(ref.relation for ref in self.refs) - {self.absent}


@dataclass(eq=False)
class Member:
    """A relation in the FROM of a block, and how it is joined to those before."""

    relation: Relation
    start: int = 0
    """The place of the first relation that it is joined to: joins bind closer than commas."""
    side: str = ""
    """LEFT, RIGHT or FULL; empty for inner joins."""
    kind: str = ""
    """SEMI or ANTI."""
    conditions: list[Condition] = field(default_factory=list)
    """Those of its ON or USING."""
    is_plain: bool = True
    """Whether it is joined by its conditions alone, unlike ASOF."""
    is_unclear: bool = False
    """Whether it may be filled with NULL in ways that are not followed, as in brackets with outer joins."""


@dataclass(eq=False)
class Output:
    """A column that a block gives."""

    name: str
    expression: exp.Expr | None
    """None for a column of a star."""
    refs: tuple[Ref, ...]
    is_known: bool = True
    """Whether all names in the expression are understood."""
    needed: set[ColumnPath] = field(default_factory=set)
    """The paths in it that are used."""

    @property
    def ref(self) -> Ref | None:
        """The column, if the output is just a column."""
        is_column = self.expression is None or isinstance(self.expression.unalias(), NAMES)
        return self.refs[0] if is_column and len(self.refs) == 1 else None


@dataclass(frozen=True, eq=False)
class Use:
    """Where the rows of a block go; of this class itself is a use that needs all of them."""


@dataclass(frozen=True, eq=False)
class MemberUse(Use):
    """Use in the FROM of a block."""

    block: Block
    relation: QueryRelation


@dataclass(frozen=True, eq=False)
class ExpressionUse(Use):
    """Use in an expression of a block."""

    block: Block
    is_late: bool = False
    """Whether the expression is evaluated after the conditions: an output, an order, a condition on groups."""
    relation: QueryRelation | None = None
    """For `operand IN (query)` among the conditions of the block: the query as if it were joined."""
    condition: Condition | None = None
    """The condition of that join: only rows with the value of the operand count."""


@dataclass(frozen=True, eq=False)
class BranchUse(Use):
    """Use as a branch of a set operation."""

    block: SetBlock


@dataclass(eq=False)
class AnyBlock(ABC):
    """A query within the query, or all of it."""

    node: exp.Expr
    uses: list[Use] = field(default_factory=list)
    inner: list[AnyBlock] = field(default_factory=list)
    """The blocks that it reads: in its FROM, in expressions, as branches."""
    outer_refs: list[Ref] = field(default_factory=list)
    """The columns that it takes from blocks around it."""
    is_known: bool = True
    """Whether all of its names are understood."""
    is_recursive: bool = False
    is_limited: bool = False
    """Whether it gives only some of its rows, chosen from all of them, as with LIMIT."""

    @property
    def gives_nothing(self) -> bool:
        """True if it never has rows: LIMIT 0."""
        limit = self.node.args.get("limit")
        return limit is not None and isinstance(limit.expression, exp.Literal) and limit.expression.this == "0"

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...] | None:
        """The names of its columns, in order; None when they are unknown."""

    @cached_property
    def sources(self) -> frozenset[SourceRelation]:
        """All occurrences of sources that it is made from."""
        return frozenset(relation for relation in self.relations if isinstance(relation, SourceRelation))

    @cached_property
    def relations(self) -> frozenset[Relation]:
        """All relations in it and in the blocks that it reads."""
        return frozenset(
            member.relation for block in self.walk() if isinstance(block, Block) for member in block.members
        )

    @cached_property
    def is_closed(self) -> bool:
        """True if all names in it, and in the blocks that it reads, are understood."""
        return all(block.is_known for block in self.walk())

    @cached_property
    def is_apart(self) -> bool:
        """True if it takes nothing from blocks around it."""
        blocks = list(self.walk())
        inside = all(block.parent is None or block.parent in blocks for block in blocks if isinstance(block, Block))
        return inside or (self.is_closed and not self.outer_refs)

    def walk(self) -> Iterator[AnyBlock]:
        """Yield it and all blocks that it reads, each once."""
        seen: set[int] = set()
        queue: list[AnyBlock] = [self]
        while queue:
            block = queue.pop()
            if id(block) not in seen:
                seen.add(id(block))
                yield block
                queue.extend(block.inner)


@dataclass(eq=False)
class Block(AnyBlock):
    """A SELECT."""

    node: exp.Select
    parent: Block | None = None
    """The block around it, whose columns it can name."""
    members: list[Member] = field(default_factory=list)
    outputs: list[Output] | None = None
    conditions: list[Condition] = field(default_factory=list)
    """Those of its WHERE."""
    merged: dict[str, Relation | None] = field(default_factory=dict)
    """The relation of each column of USING when it is named without an alias; None when that depends on the row."""
    is_positional: bool = False
    """Whether rows are joined by their places, so that none may be left out."""
    is_grouped: bool = False
    """Whether it has GROUP BY, HAVING or aggregates."""
    is_windowed: bool = False

    @property
    def is_never_empty(self) -> bool:
        """True if it gives a row even if none passes its conditions, as a count does."""
        group = self.node.args.get("group")
        has_totals = group is None or any(isinstance(each, _GROUPINGS_WITH_TOTALS) for each in group.expressions)
        return self.is_grouped and has_totals

    @property
    def distinct_on(self) -> list[exp.Expr] | None:
        """The expressions of DISTINCT ON; None without it."""
        distinct = self.node.args.get("distinct")
        on = None if distinct is None else distinct.args.get("on")
        return None if on is None else on.expressions

    @property
    def names(self) -> tuple[str, ...] | None:
        """Those of its outputs."""
        return None if self.outputs is None else tuple(output.name for output in self.outputs)

    @property
    def reachable(self) -> list[Relation]:
        """The relations that names can refer to."""
        return [member.relation for member in self.members if not member.relation.is_hidden]


@dataclass(eq=False)
class SetBlock(AnyBlock):
    """A set operation, or a query in brackets with its own LIMIT, as one branch."""

    branches: list[AnyBlock] = field(default_factory=list)
    is_by_name: bool = False

    @property
    def names(self) -> tuple[str, ...] | None:
        """Those of its first branch, or by name of all."""
        if not self.branches or any(branch.names is None for branch in self.branches):
            return None
        if not self.is_by_name:
            return self.branches[0].names
        return tuple(dict.fromkeys(name for branch in self.branches for name in branch.names or ()))


@dataclass
class Tree:
    """A query as blocks, with the meanings of its names."""

    root: AnyBlock
    sources: list[SourceRelation] = field(default_factory=list)
    ctes: list[tuple[exp.Expr, AnyBlock]] = field(default_factory=list)
    """The nodes that define them and their blocks, each after those that it names."""
    meanings: dict[int, Ref | Output | None] = field(default_factory=dict)
    """Meanings of names in expressions, by the identity of their nodes; None when one is not understood."""
    children: dict[int, AnyBlock] = field(default_factory=dict)
    """The blocks of queries in expressions, by the identity of their nodes."""
    text: str = ""
    """The query with a separate table for each occurrence of a source."""
    named_text: str = ""
    """The query over tables with the names of the sources; views are written out in both."""
    columns: list[str] = field(default_factory=list)
    """The names of the answer's columns."""
    _added_columns: list[exp.Column] = field(default_factory=list)

    def add_column(self, ref: Ref) -> exp.Column:
        """Make a column for an added condition; it is kept, so that no other node gets its identity."""
        column = exp.column(ref.path[0], table=ref.relation.name, quoted=True)
        self._added_columns.append(column)
        self.meanings[id(column)] = ref
        return column

    def by_table(self) -> dict[str, list[SourceRelation]]:
        """Group the occurrences by the names of their sources."""
        tables: dict[str, list[SourceRelation]] = {}
        for source in self.sources:
            tables.setdefault(source.table.name, []).append(source)
        return tables
