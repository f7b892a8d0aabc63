"""What the names in the expressions of a block stand for.

Where a name is not understood, all that it can stand for counts as used, and no condition is made of it: that costs
pages, never rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from sqlglot import exp

from webquarry.querying.parsing.blocks import ALL, AnyBlock, Block, Condition, Output, Ref, SourceRelation
from webquarry.querying.parsing.expressions import as_list, chain_of, names_in
from webquarry.querying.parsing.trees import Names, Tree
from webquarry.querying.parsing.using import need_all, need_output, need_ref


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
