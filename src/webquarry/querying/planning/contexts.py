"""What restricts an occurrence of a source, through all the blocks that its rows go through.

A block that is read at several places, as a CTE can be, has several contexts: a row is needed if any of them needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from webquarry.querying.parsing.blocks import (
    AnyBlock,
    Block,
    BranchUse,
    Condition,
    ExpressionUse,
    MemberUse,
    QueryRelation,
    Relation,
    SourceRelation,
)
from webquarry.querying.parsing.trees import Tree
from webquarry.querying.planning.restricting import Restrictions, find_restrictions

MOST_CONTEXTS = 16
"""Beyond which an occurrence is read whole: each context is a statement of its own."""


@dataclass(frozen=True)
class Context:
    """The conditions on the way from an occurrence to the answer."""

    conditions: tuple[Condition, ...] = ()
    path: Mapping[AnyBlock, QueryRelation] = field(default_factory=dict)
    """The blocks on the way, by what they are called in the next."""
    branches: Mapping[AnyBlock, AnyBlock] = field(default_factory=dict)
    """For set operations on the way, the branch in which the occurrence is."""


class Contexts:
    """What restricts each occurrence in a query."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._restrictions: dict[AnyBlock, Restrictions] = {}
        self._contexts: dict[AnyBlock, list[Context]] = {}

    @cached_property
    def _homes(self) -> dict[Relation, Block]:
        """The block in whose FROM each relation is."""
        blocks = (block for block in self._blocks() if isinstance(block, Block))
        return {member.relation: block for block in blocks for member in block.members}

    def _blocks(self) -> list[AnyBlock]:
        blocks = {id(block): block for block in self._tree.root.walk()}
        for _, cte in self._tree.ctes:
            blocks.update((id(block), block) for block in cte.walk())
        return list(blocks.values())

    def is_filled(self, relation: Relation) -> bool:
        """Whether an outer join may fill a relation with NULL in the block where it is."""
        home = self._homes.get(relation)
        return home is not None and relation in self.restrictions_of(home).filled

    def restrictions_of(self, block: Block) -> Restrictions:
        """What restricts the relations of a block within it."""
        if block not in self._restrictions:
            self._restrictions[block] = find_restrictions(block, self._tree)
        return self._restrictions[block]

    def of(self, source: SourceRelation) -> list[Context]:
        """All contexts of an occurrence; none when its rows go nowhere."""
        home = self._homes[source]
        outer = self._of_block(home)
        if source.is_free:
            return [Context()] if outer else []
        own = tuple(self.restrictions_of(home).of(source))
        return [Context((*own, *each.conditions), each.path, each.branches) for each in outer]

    def _of_block(self, block: AnyBlock) -> list[Context]:
        if block not in self._contexts:
            self._contexts[block] = [Context()]  # for blocks that read themselves
            uses = [] if block.gives_nothing else block.uses
            found = [context for use in uses for context in self._through(block, use)]
            is_plain = not block.is_recursive and len(found) <= MOST_CONTEXTS
            self._contexts[block] = found if is_plain else [Context()]
        return self._contexts[block]

    def _through(self, block: AnyBlock, use: object) -> list[Context]:
        if isinstance(use, MemberUse):
            own = tuple(self.restrictions_of(use.block).of(use.relation))
            return [
                Context((*own, *each.conditions), {**each.path, block: use.relation}, each.branches)
                for each in self._of_block(use.block)
            ]
        if isinstance(use, ExpressionUse):
            return [self._in_expression(block, use, each) for each in self._of_block(use.block)]
        if isinstance(use, BranchUse):
            return [
                Context(each.conditions, each.path, {**each.branches, use.block: block})
                for each in self._of_block(use.block)
            ]
        return [Context()]

    def _in_expression(self, block: AnyBlock, use: ExpressionUse, outer: Context) -> Context:
        is_free = use.is_late and use.block.is_never_empty
        own = () if is_free else tuple(self.restrictions_of(use.block).general)
        if use.relation is None or use.condition is None:
            return Context((*own, *outer.conditions), outer.path, outer.branches)
        return Context((use.condition, *own, *outer.conditions), {**outer.path, block: use.relation}, outer.branches)
