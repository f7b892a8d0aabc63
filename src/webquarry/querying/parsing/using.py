"""Which columns a query uses, so that no others are read: what goes into the answer, and what decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from webquarry.querying.catalog import ColumnPath
from webquarry.querying.parsing.blocks import ALL, AnyBlock, Block, Output, QueryRelation, Ref, SetBlock, SourceRelation

if TYPE_CHECKING:
    import pyarrow as pa

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
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    table = sources[0].table
    named: set[ColumnPath] = set().union(*(source.named | source.used for source in sources))
    if ALL in named or any(source.is_starred for source in sources):
        return table.schema
    names = {path[0] for path in named} | {table.key.lower() or PAGE}
    return pa.schema([field for field in table.schema if field.name.lower() in names])
