"""Sections as columns: each kind of section takes values by rows, and gives its columns.

What columns are called and what they hold follows from the sections alone.  A `Group` is a section with sub-sections,
or the page itself; it also knows which section a column is of.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, reduce
from itertools import accumulate
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.model.extraction import Extraction, Path, SectionValue, nest
from webquarry.model.names import PAGE, distinct, snake_case
from webquarry.model.table_columns import beside
from webquarry.model.wording import whole
from webquarry.model.wrapper import HEADING, OTHER, TEXT, TITLE, Section, Wrapper
from webquarry.values.text_value import Value

VALUE = "_value"
"""What the own text of a section says, where that is typed."""


def group_of(sections: Sequence[Section], *, has_title: bool = False, key: str = "") -> Group:
    """The columns of a page with these sections, or of a record with these fields; none is called as the key is."""
    title: dict[str, Node] = {TITLE: Leaf("text")} if has_title else {}
    return Group({**title, **_shape(sections), OTHER: _Json()}, key)


def _shape(sections: Sequence[Section]) -> dict[str, Node]:
    return {each.name: _node_of(each) for each in sections}


def _node_of(section: Section) -> Node:
    inside = _shape(section.children)
    if section.is_repeated:
        return _List(Group({HEADING: Leaf("text"), TEXT: Leaf(section.type), **inside}))
    if section.type == "table":
        return _List(Group(inside)) if inside else _Json()
    return Group({TEXT: Leaf(section.type), **inside}) if inside else Leaf(section.type)


class Node(Protocol):
    """A section over all pages; what it holds is put in by rows, and taken out as columns."""

    is_typed: bool

    @property
    def is_empty(self) -> bool:
        """Whether no page has it."""

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take a value at a path below; false when there is no place for it."""

    def fields(self, name: str) -> list[pa.Field]:
        """The names and types of the columns under this name."""

    def arrays(self, name: str, length: int) -> Iterator[pa.Array]:
        """The columns themselves, with as many rows."""


class Leaf:
    """A section without sub-sections."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self.cells: dict[int, SectionValue] = {}
        self.is_typed = kind in _READERS

    @property
    def is_empty(self) -> bool:
        """Whether no page has it."""
        return not self.cells

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take a value, the first of a row."""
        if path or row in self.cells:
            return False
        self.cells[row] = value
        return True

    def fields(self, name: str) -> list[pa.Field]:
        """Of a typed section value, unit and text; else the text alone."""

        if not self.is_typed:
            return [pa.field(name, pa.string())]
        unit, text = beside(name)
        units = [pa.field(unit, pa.string())] if self._kind in _MEASURED else []
        return [pa.field(name or VALUE, _arrow_type(self._kind)), *units, pa.field(text, pa.string())]

    def arrays(self, name: str, length: int) -> Iterator[pa.Array]:  # noqa: ARG002 - as of all nodes
        """The same, filled."""

        if self.is_typed:
            read, typed = _READERS[self._kind], {row: cell.typed for row, cell in self.cells.items()}
            yield pa.array(_spread({row: read(each) for row, each in typed.items()}, length), _arrow_type(self._kind))
            if self._kind in _MEASURED:
                yield pa.array(_spread({row: _unit(each) for row, each in typed.items()}, length), pa.string())
        texts = {row: cell.text if cell.text.isascii() else whole(cell.text) for row, cell in self.cells.items()}
        yield pa.array(_spread(texts, length), pa.string())


class Group:
    """A section with sub-sections."""

    is_typed = False

    def __init__(self, children: Mapping[str, Node], key: str = "") -> None:
        self._children = children
        self._key = key

    @property
    def is_empty(self) -> bool:
        """Whether no page has anything of it."""
        return all(child.is_empty for child in self._children.values())

    @cached_property
    def leaves(self) -> dict[Path, Leaf]:
        """All that stand in no list, by their paths."""
        return dict(self._walk(()))

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take a value of a sub-section, or its own text."""
        name = path[0] if path else TEXT
        child = None if isinstance(name, int) else self._children.get(name)
        return child is not None and child.put(path[1:], row, value)

    def keep(self, path: Path, row: int, value: SectionValue) -> None:
        """Take a value, which is put with the unknown ones when there is no place for it."""
        leaf = self.leaves.get(path)  # nearly always there, and quicker than going from section to section
        if leaf is not None and row not in leaf.cells:
            leaf.cells[row] = value
        elif not self.put(path, row, value):
            self._children[OTHER].put(path, row, value)

    def fields(self, name: str) -> list[pa.Field]:
        """One column."""

        return [pa.field(name, pa.struct(self.fields_inside()))]

    def fields_inside(self) -> list[pa.Field]:
        """The columns in it."""
        return [each for name, child in self._children.items() for each in child.fields(self._names[name])]

    def arrays(self, name: str, length: int) -> Iterator[pa.Array]:  # noqa: ARG002
        """One column, absent where all in it is."""
        yield self.to_struct(length)

    def arrays_inside(self, length: int) -> list[pa.Array]:
        """The columns in it, filled."""
        return [array for name, child in self._children.items() for array in _filled(child, self._names[name], length)]

    def to_struct(self, length: int) -> pa.Array:
        """The columns in it as one."""

        inside = self.arrays_inside(length)
        present = [array for array in inside if array.null_count < length] or inside[:1]
        absent = reduce(pc.and_, (array.is_null() for array in present))
        return pa.StructArray.from_arrays(inside, fields=self.fields_inside(), mask=absent)

    def find_section(self, column: Sequence[str]) -> tuple[str, ...] | None:
        """The path of the smallest section that has all of a column; None when it is no section's.

        What is in a list counts as the list: without the other columns it would have fewer elements.
        """
        name = self._sections.get(column[0].lower()) if column else None
        if name is None:
            return None
        child = self._children[name]
        below = child.find_section(column[1:]) if isinstance(child, Group) else None
        return (name, *(() if below is None or below[0] in (TEXT, HEADING) else below))

    def _walk(self, above: Path) -> Iterator[tuple[Path, Leaf]]:
        for name, child in self._children.items():
            if isinstance(child, Group):
                yield from child._walk((*above, name))
            elif isinstance(child, Leaf):
                yield (*above, name), child

    @cached_property
    def _sections(self) -> dict[str, str]:
        """For each column in it the name of its section."""
        pairs = self._children.items()
        return {each.name: name for name, child in pairs for each in child.fields(self._names[name])}

    @cached_property
    def _names(self) -> dict[str, str]:
        """What columns are called: a section that is called as the unit or text of another gets a number."""
        own = {TEXT: "" if self._children[TEXT].is_typed else TEXT} if TEXT in self._children else {}
        own |= {name: name for name in (TITLE, HEADING, OTHER) if name in self._children}
        sections = [name for name in self._children if name not in own]
        avoided = {self._key}
        while True:  # as for fields: numbers never end like units and texts, hence it ends
            names = distinct(map(snake_case, sections), avoided)
            paired = zip(names, sections, strict=True)
            needed = {each for name, section in paired if self._children[section].is_typed for each in beside(name)}
            if needed <= avoided:
                return {**own, **dict(zip(sections, names, strict=True))}
            avoided |= needed


class _List:
    """A section that is repeated, or a table."""

    is_typed = False

    def __init__(self, element: Group) -> None:
        self._element = element
        self._rows: dict[tuple[int, int], int] = {}
        """For the row that a list is in and the number in the list, the row of the element."""

    @property
    def is_empty(self) -> bool:
        return not self._rows

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        if not path or not isinstance(path[0], int):
            return False
        return self._element.put(path[1:], self._rows.setdefault((row, path[0]), len(self._rows)), value)

    def fields(self, name: str) -> list[pa.Field]:

        return [pa.field(name, pa.list_(pa.struct(self._element.fields_inside())))]

    def arrays(self, name: str, length: int) -> Iterator[pa.Array]:

        order = sorted(self._rows)
        elements = self._element.to_struct(len(order)).take(pa.array([self._rows[each] for each in order], pa.int64()))
        counts = Counter(row for row, _ in order)
        offsets = accumulate((counts[row] for row in range(length)), initial=0)
        absent = pa.array([row not in counts for row in range(length)], pa.bool_())
        yield pa.ListArray.from_arrays(
            pa.array(offsets, pa.int32()), elements, type=self.fields(name)[0].type, mask=absent
        )


class _Json:
    """What the grammar has no columns for."""

    is_typed = False

    def __init__(self) -> None:
        self._cells: dict[int, list[tuple[Path, str]]] = {}

    @property
    def is_empty(self) -> bool:
        return not self._cells

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        known = tuple(part for part in path if part != OTHER)  # that they are unknown goes without saying here
        # an array or an object, by what the path goes on with
        self._cells.setdefault(row, []).append((("", *(known or (TEXT,))), value.text))
        return True

    def fields(self, name: str) -> list[pa.Field]:

        return [pa.field(name, pa.string())]

    def arrays(self, name: str, length: int) -> Iterator[pa.Array]:  # noqa: ARG002

        pairs = self._cells.items()
        texts = {row: whole(json.dumps(nest(cell)[""], ensure_ascii=False)) for row, cell in pairs}
        yield pa.array(_spread(texts, length), pa.string())


def _filled(node: Node, name: str, length: int) -> Iterator[pa.Array]:
    """The columns of a section; most sections of a large grammar are on few pages, or were not read."""

    if not node.is_empty:
        yield from node.arrays(name, length)
        return
    for field in node.fields(name):
        yield pa.nulls(length, field.type)


def _spread(cells: Mapping[int, Any], length: int) -> list[Any]:
    """The cells by their rows, with None where there is none."""
    spread = [None] * length
    for row, cell in cells.items():
        spread[row] = cell
    return spread


def _number(typed: Any) -> float | None:
    if not isinstance(typed, Value) or isinstance(typed.value, date):
        return None
    return float(typed.value) if math.isfinite(typed.value) else None  # JSON, which lists may become, has no infinity


def _unit(typed: Any) -> str | None:
    return whole(typed.unit) if isinstance(typed, Value) and typed.unit else None


def _date(typed: Any) -> date | None:
    return typed.value if isinstance(typed, Value) and isinstance(typed.value, date) else None


def _boolean(typed: Any) -> bool | None:
    return typed.value if isinstance(typed, Value) and isinstance(typed.value, bool) else None


def _list(typed: Any) -> list[str] | None:
    return [_written(part) for part in typed] if isinstance(typed, tuple) else None


def _written(part: Value | str) -> str:
    """A part of a list as text.

    >>> _written("wheat"), _written(Value(12.0, "km"))
    ('wheat', '12 km')
    """
    if isinstance(part, str):
        return whole(part)
    said = f"{part.value:.15g}" if isinstance(part.value, float) else str(part.value)
    return whole(f"{said} {part.unit}") if part.unit else said


_READERS: dict[str, Callable[[Any], Any]] = {
    "number": _number,
    "money": _number,
    "date": _date,
    "boolean": _boolean,
    "list": _list,
}
_MEASURED = ("number", "money")
"""Types whose values have units."""


def _arrow_type(kind: str) -> pa.DataType:

    types = {"date": pa.date32(), "boolean": pa.bool_(), "list": pa.list_(pa.string())}
    return types.get(kind, pa.float64())


# MERGED model/shaping: The extractions of a source as a table, whose columns follow from the wrapper alone.
# MERGED
# MERGED So every page gives the same columns, also one that lacks sections.  A section with sub-sections is
# MERGED text in it `_text`; a repeated section, or a table whose columns the grammar names, is a LIST of STR
# MERGED section is its value, with the text beside it as `NAME_text` and for numbers and money the unit as `
# MERGED the grammar does not foresee is kept as JSON in `_other`.  Of the kinds `records` and `tables` each


def to_arrow(wrapper: Wrapper, extractions: Sequence[Extraction]) -> pa.Table:
    """A row a page, or for listings a row a record."""
    return to_arrow_with_places(wrapper, extractions)[0]


def to_arrow_with_places(wrapper: Wrapper, extractions: Sequence[Extraction]) -> tuple[pa.Table, pa.Array]:
    """The same, and for each row the place of its extraction."""

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

    for row, extraction in enumerate(extractions):
        for value in extraction.values:
            group.keep(value.path, row, value)
    return pa.array(range(len(extractions)), pa.int64())


def _fill_records(group: Group, extractions: Sequence[Extraction]) -> pa.Array:

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
