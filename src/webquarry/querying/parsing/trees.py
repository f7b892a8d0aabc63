"""A query as blocks, with what its names stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from webquarry.querying.parsing.blocks import AnyBlock, Output, Ref, SourceRelation


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
