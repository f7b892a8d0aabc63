"""The parts of a query: blocks, which are its SELECTs and set operations, and relations, which they are made from.

Names are folded to lower case throughout, as DuckDB tells them apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from webquarry.querying.catalog import ColumnPath, SourceTable

_GROUPINGS = (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)
"""By which there are groups of groups, and one of all rows."""
ALL: ColumnPath = ()
"""The path of all columns."""


@dataclass(eq=False)
class Relation:
    """What stands in a FROM."""

    number: int
    alias: str
    columns: tuple[str, ...] | None
    """None when they are not known."""
    is_hidden: bool = False
    """Whether names do not reach it any more, as the right side of a semi-join."""

    @property
    def name(self) -> str:
        """What it is called in statements of our own, where aliases of all blocks meet."""
        return f"__r{self.number}"

    def has(self, column: str) -> bool:
        """Whether it has the column, as far as that is known."""
        return self.columns is not None and column in self.columns


@dataclass(eq=False)
class SourceRelation(Relation):
    """An occurrence of a source: its rows are those of the pages that the query needs here."""

    table: SourceTable = field(kw_only=True)
    is_free: bool = False
    """Whether rows must not be left out, whatever conditions say: they are sampled, or pivoted."""
    is_in_view: bool = False
    is_starred: bool = False
    """Whether a star stands for its columns, of which then none may be left out: places count."""
    named: set[ColumnPath] = field(default_factory=set)
    """The columns that the query names, if only in outputs that nobody wants."""
    used: set[ColumnPath] = field(default_factory=set)
    """The columns that the answer depends on."""

    @property
    def rows_name(self) -> str:
        """The table in DuckDB with its rows."""
        return f"__o{self.number}"

    @property
    def keys_name(self) -> str:
        """The table in DuckDB with the keys that it can have."""
        return f"__k{self.number}"

    @property
    def key(self) -> str:
        """The column of keys, folded as names are."""
        return self.table.key.lower()


@dataclass(eq=False)
class QueryRelation(Relation):
    """A query in a FROM: in brackets, or by the name of a CTE or a view."""

    block: AnyBlock = field(kw_only=True)
    node: exp.Expr = field(kw_only=True)
    """What stands in the FROM."""


@dataclass(eq=False)
class LocalRelation(Relation):
    """What DuckDB has by itself: a file, a table at hand, a function, values."""

    node: exp.Expr = field(kw_only=True)


@dataclass(frozen=True)
class Ref:
    """A column of a relation, and the way into it."""

    relation: Relation
    path: ColumnPath


@dataclass(frozen=True, eq=False)
class Condition:
    """What must hold for rows of a block: a part of an AND in its WHERE or in an ON."""

    expression: exp.Expr
    refs: tuple[Ref, ...]
    """All columns in it, also those in queries within that come from outside of these."""
    is_known: bool
    """Whether all of its names are understood."""
    absent: Relation | None = None
    """When it says that no row of this relation fulfils the expression, as an anti-join does."""

    @cached_property
    def relations(self) -> frozenset[Relation]:
        """Those that it mentions."""
        return frozenset(ref.relation for ref in self.refs) - {self.absent}


@dataclass(eq=False)
class Member:
    """A relation in the FROM of a block, and how it is joined to those before."""

    relation: Relation
    start: int = 0
    """The place of the first relation that it is joined to: joins bind closer than commas."""
    side: str = ""
    """LEFT, RIGHT or FULL; nothing for inner joins."""
    kind: str = ""
    """SEMI or ANTI."""
    conditions: list[Condition] = field(default_factory=list)
    """Of its ON or USING."""
    is_plain: bool = True
    """Whether it is joined by its conditions alone; not so by ASOF."""
    is_unclear: bool = False
    """Whether it may be filled with NULL in ways that are not followed, as in brackets with outer joins."""


@dataclass(eq=False)
class Output:
    """A column that a block gives."""

    name: str
    expression: exp.Expr | None
    """None where a star stands for a column."""
    refs: tuple[Ref, ...]
    is_known: bool = True
    """Whether all names in the expression are understood."""
    needed: set[ColumnPath] = field(default_factory=set)
    """What of it is used."""

    @property
    def ref(self) -> Ref | None:
        """The column that it is, if it is one as it stands."""
        is_column = self.expression is None or isinstance(self.expression.unalias(), (exp.Column, exp.Dot))
        return self.refs[0] if is_column and len(self.refs) == 1 else None


@dataclass(frozen=True, eq=False)
class Use:
    """Where the rows of a block go."""


@dataclass(frozen=True, eq=False)
class MemberUse(Use):
    """Into the FROM of a block."""

    block: Block
    relation: QueryRelation


@dataclass(frozen=True, eq=False)
class ExpressionUse(Use):
    """Into an expression of a block."""

    block: Block
    is_late: bool = False
    """Whether the expression is of what becomes of the rows: an output, an order, a condition on groups."""
    relation: QueryRelation | None = None
    """When it stands as `operand IN (query)` among the conditions of the block: the query as if it were joined."""
    condition: Condition | None = None
    """And by what: only rows that have the value of the operand count."""


@dataclass(frozen=True, eq=False)
class BranchUse(Use):
    """Into a set operation, as one of its branches."""

    block: SetBlock


@dataclass(eq=False)
class AnyBlock(ABC):
    """A query within the query, or all of it."""

    node: exp.Expr
    uses: list[Use] = field(default_factory=list)
    inner: list[AnyBlock] = field(default_factory=list)
    """The blocks that it reads: of its FROM, of expressions, its branches."""
    outer_refs: list[Ref] = field(default_factory=list)
    """Columns of blocks around it."""
    is_known: bool = True
    """Whether all of its names are understood."""
    is_recursive: bool = False
    is_limited: bool = False
    """Whether it gives some of its rows only, so that which these are depends on all."""

    @property
    def gives_nothing(self) -> bool:
        """Whether it has no rows, whatever there is: LIMIT 0."""
        limit = self.node.args.get("limit")
        return limit is not None and isinstance(limit.expression, exp.Literal) and limit.expression.this == "0"

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...] | None:
        """What its columns are called, in order; None when that is not known."""

    @cached_property
    def sources(self) -> frozenset[SourceRelation]:
        """All occurrences of sources that it is made from."""
        return frozenset(relation for relation in self.relations if isinstance(relation, SourceRelation))

    @cached_property
    def relations(self) -> frozenset[Relation]:
        """All that stands in the FROM of it and of the blocks that it reads."""
        return frozenset(
            member.relation for block in self.walk() if isinstance(block, Block) for member in block.members
        )

    @cached_property
    def is_closed(self) -> bool:
        """Whether all names in it, and in the blocks that it reads, are understood."""
        return all(block.is_known for block in self.walk())

    @cached_property
    def is_apart(self) -> bool:
        """Whether it takes nothing from blocks around it."""
        blocks = list(self.walk())
        inside = all(block.parent is None or block.parent in blocks for block in blocks if isinstance(block, Block))
        return inside or (self.is_closed and not self.outer_refs)

    def walk(self) -> Iterator[AnyBlock]:
        """It and all blocks that it reads, each once."""
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
    """The block in which it stands, whose columns it can name."""
    members: list[Member] = field(default_factory=list)
    outputs: list[Output] | None = None
    conditions: list[Condition] = field(default_factory=list)
    """Of its WHERE."""
    merged: dict[str, Relation | None] = field(default_factory=dict)
    """What a column of USING stands for without an alias; None when that depends on the row."""
    is_positional: bool = False
    """Whether rows are joined by their places, so that none may be left out."""
    is_grouped: bool = False
    """Whether it has GROUP BY, HAVING or aggregates."""
    is_windowed: bool = False

    @property
    def is_never_empty(self) -> bool:
        """Whether it gives a row though none passes its conditions, as a count does."""
        group = self.node.args.get("group")
        return self.is_grouped and (group is None or any(isinstance(each, _GROUPINGS) for each in group.expressions))

    @property
    def names(self) -> tuple[str, ...] | None:
        """Those of its outputs."""
        return None if self.outputs is None else tuple(output.name for output in self.outputs)

    def find(self, alias: str) -> Relation | None:
        """The relation of this alias that names can reach."""
        reachable = (member.relation for member in self.members if not member.relation.is_hidden)
        return next((relation for relation in reachable if relation.alias == alias), None)


@dataclass(eq=False)
class SetBlock(AnyBlock):
    """A set operation, or a query in brackets with a LIMIT of its own: one branch."""

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


# MERGED querying/parsing/trees: A query as blocks, with what its names stand for.
@dataclass(frozen=True)
class Edit:
    """A change in the text of a query: what stands from a place to another becomes something else."""

    start: int
    end: int
    text: str
    named: str
    """The same where sources keep their names."""


@dataclass
class Tree:
    """A query as blocks."""

    root: AnyBlock
    sources: list[SourceRelation] = field(default_factory=list)
    ctes: list[tuple[exp.Expr, AnyBlock]] = field(default_factory=list)
    """The nodes that define them and their blocks, each after those that it names."""
    meanings: dict[int, Ref | Output | None] = field(default_factory=dict)
    """What names in expressions stand for, by the identity of their nodes; None when that is not understood."""
    children: dict[int, AnyBlock] = field(default_factory=dict)
    """The blocks of queries in expressions, by the identity of their nodes."""
    text: str = ""
    """The query with a table of its own for each occurrence of a source."""
    named_text: str = ""
    """The query over tables with the names of the sources; views are written out in both."""
    columns: list[str] = field(default_factory=list)
    """What the columns of the answer are called."""
    _own_columns: list[exp.Column] = field(default_factory=list)

    def own_column(self, ref: Ref) -> exp.Column:
        """A column in conditions of our own; it is kept, as meanings go by identity, which another node could get."""
        column = exp.column(ref.path[0], table=ref.relation.name, quoted=True)
        self._own_columns.append(column)
        self.meanings[id(column)] = ref
        return column

    def by_table(self) -> dict[str, list[SourceRelation]]:
        """The occurrences of each source, by its name."""
        tables: dict[str, list[SourceRelation]] = {}
        for source in self.sources:
            tables.setdefault(source.table.name, []).append(source)
        return tables


@dataclass(frozen=True)
class Cte:
    """What the name of a CTE stands for."""

    name: str
    """One of our own."""
    columns: Sequence[str] = ()
    """What its first columns are called."""
    block: AnyBlock | None = None
    """None within its own definition."""


@dataclass(frozen=True)
class Names:
    """What the names of tables stand for at a place in a query."""

    ctes: Mapping[str, Cte]
    edits: list[Edit]
    """Of the text in which the place is."""


def splice(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    """The text with what stands from a place to another changed.

    >>> splice("FROM a, b", [(5, 6, "x AS a"), (8, 9, "y AS b")])
    'FROM x AS a, y AS b'
    """
    parts, end = [], 0
    for start, stop, change in sorted(changes):
        parts += [text[end:start], change]
        end = stop
    return "".join([*parts, text[end:]])
