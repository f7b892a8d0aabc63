"""The extractions of a source as a table, whose columns follow from the wrapper alone.

So every page gives the same columns, also one that lacks sections.  A section with sub-sections is a STRUCT, its own
text in it `_text`; a repeated section, or a table whose columns the grammar names, is a LIST of STRUCT.  A typed
section is its value, with the text beside it as `NAME_text` and for numbers and money the unit as `NAME_unit`.  What
the grammar does not foresee is kept as JSON in `_other`.  Of the kinds `records` and `tables` each record is a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from webquarry.model.columns import Group, group_of
from webquarry.model.extraction import Extraction, Path
from webquarry.model.naming import distinct, snake_case
from webquarry.model.tabling import whole
from webquarry.model.wrapper import Section, Wrapper

if TYPE_CHECKING:
    import pyarrow as pa

PAGE = "_page"


def to_arrow(wrapper: Wrapper, extractions: Sequence[Extraction]) -> pa.Table:
    """A row a page, or for listings a row a record."""
    return to_arrow_with_places(wrapper, extractions)[0]


def to_arrow_with_places(wrapper: Wrapper, extractions: Sequence[Extraction]) -> tuple[pa.Table, pa.Array]:
    """The same, and for each row the place of its extraction."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    pages = pa.array([whole(each.page) for each in extractions], pa.string())
    keys = pa.array([each.key if each.key is None else whole(each.key) for each in extractions], pa.string())
    group = columns_of(wrapper)
    places = (_fill_pages if wrapper.listing is None else _fill_records)(group, extractions)
    columns = group.arrays_inside(len(places))
    names = [field.name for field in group.fields_inside()]
    if wrapper.source.key:
        columns, names = [keys.take(places), *columns], [key_of(wrapper), *names]
    return pa.table([*columns, pages.take(places)], names=[*names, PAGE]), places


def to_schema(wrapper: Wrapper) -> pa.Schema:
    """The columns of the table, which is known before there is a page."""
    import pyarrow as pa  # noqa: PLC0415

    key = [pa.field(key_of(wrapper), pa.string())] if wrapper.source.key else []
    return pa.schema([*key, *columns_of(wrapper).fields_inside(), pa.field(PAGE, pa.string())])


def columns_of(wrapper: Wrapper) -> Group:
    """The columns of a source, without its key and `_page`."""
    if wrapper.listing is None:
        return group_of(wrapper.grammar.children, has_title=bool(wrapper.title), key=key_of(wrapper))
    return group_of(_fields_of(wrapper), key=key_of(wrapper))


def key_of(wrapper: Wrapper) -> str:
    """What the column is called that tells pages apart."""
    return snake_case(wrapper.source.key) if wrapper.source.key else PAGE


def count_records(wrapper: Wrapper, extraction: Extraction) -> int:
    """How many records an extraction holds; one in which nothing was found has none."""
    if wrapper.listing is None:
        return min(len(extraction.values), 1)
    return len({value.path[:2] for value in extraction.values})


def _fill_pages(group: Group, extractions: Sequence[Extraction]) -> pa.Array:
    import pyarrow as pa  # noqa: PLC0415

    for row, extraction in enumerate(extractions):
        for value in extraction.values:
            group.keep(value.path, row, value)
    return pa.array(range(len(extractions)), pa.int64())


def _fill_records(group: Group, extractions: Sequence[Extraction]) -> pa.Array:
    import pyarrow as pa  # noqa: PLC0415

    rows: dict[tuple[int, Path], int] = {}
    for place, extraction in enumerate(extractions):
        for value in extraction.values:
            row = rows.setdefault((place, value.path[:2]), len(rows))
            group.keep(value.path[2:], row, value)
    return pa.array([place for place, _ in rows], pa.int64())


def _fields_of(wrapper: Wrapper) -> tuple[Section, ...]:
    fields = wrapper.listing.fields if wrapper.listing else ()
    names = distinct(snake_case(each.name) for each in fields)
    return tuple(Section(name, type=each.type) for name, each in zip(names, fields, strict=True))
