"""Turn the extractions of a source into a table whose columns follow from the wrapper alone.

So every page gives the same columns, even if it lacks sections.  A section with sub-sections is a STRUCT, with its own
text as `_text`; a repeated section, or a table whose columns the grammar names, is a LIST of STRUCTs.  A typed section
is its value, with the text beside it as `NAME_text` and, for numbers and money, the unit as `NAME_unit`.  Values that
the grammar does not foresee are kept as JSON in `_other`.  In listings and tables each record is a row.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from webquarry.model.extraction import Extraction, Path, SectionValue, nest
from webquarry.model.names import PAGE, distinct, snake_case, split_key
from webquarry.model.table_columns import companions
from webquarry.model.wording import whole
from webquarry.model.wrapper import HEADING, OTHER, TEXT, TITLE, Section, Wrapper
from webquarry.values.text_value import Value

VALUE = "_value"
"""The column for a section's own text as a typed value."""


def to_arrow(wrapper: Wrapper, extractions: Sequence[Extraction]) -> pa.Table:
    """Make a table with a row for each page, or for listings a row for each record."""
    return to_arrow_with_places(wrapper, extractions)[0]


def to_arrow_with_places(wrapper: Wrapper, extractions: Sequence[Extraction]) -> tuple[pa.Table, pa.Array]:
    """Make the same table, and give for each row the index of its extraction."""
    pages = pa.array([whole(each.page) for each in extractions], pa.string())
    keys = _key_arrays(wrapper, extractions)
    filled = columns_of(wrapper)
    rows: dict[tuple[int, Path], int] = {}  # for each record, by extraction and beginning of the path
    for place, extraction in enumerate(extractions):
        if not wrapper.has_records:
            rows[place, ()] = place
            for value in extraction.values:
                filled.keep(value.path, place, value)
        else:
            for value in extraction.values:
                row = rows.setdefault((place, value.path[:2]), len(rows))
                filled.keep(value.path[2:], row, value)
    places = pa.array([place for place, _ in rows], pa.int64())
    columns = filled.arrays_inside(len(places))
    names = [field.name for field in filled.fields_inside()]
    columns = [*(key.take(places) for key in keys), *columns]
    names = [*map(snake_case, wrapper.source.keys), *names]
    return pa.table([*columns, pages.take(places)], names=[*names, PAGE]), places


def _key_arrays(wrapper: Wrapper, extractions: Sequence[Extraction]) -> list[pa.Array]:
    """Make a column for each part of the key."""
    names = wrapper.source.keys
    nothing = [None] * len(names)
    rows = [nothing if each.key is None else [whole(part) for part in split_key(each.key)] for each in extractions]
    if any(len(row) != len(names) for row in rows):
        rows = [row if len(row) == len(names) else nothing for row in rows]
    return [pa.array([row[place] for row in rows], pa.string()) for place in range(len(names))]


def to_schema(wrapper: Wrapper) -> pa.Schema:
    """Make the schema of the table, which does not depend on pages."""
    keys = [pa.field(snake_case(name), pa.string()) for name in wrapper.source.keys]
    return pa.schema([*keys, *columns_of(wrapper).fields_inside(), pa.field(PAGE, pa.string())])


class ValueNodes:
    """Finds the nodes of values by row and column of the table that the same extractions make."""

    def __init__(self, wrapper: Wrapper, extractions: Sequence[Extraction]) -> None:
        self._wrapper, self._extractions = wrapper, extractions

    def find(self, row: int, column: Sequence[str]) -> list[str]:
        """Return the XPaths of a column's values in a row; without a column, that of the first value of the record."""
        above, values = self._rows[row]
        if not column:
            return [value.node for value in values[:1] if above]
        section = self._columns.find_section(column)
        if section is None:
            return []
        inside = [value for value in values if value.path[len(above) :][: len(section)] == section]
        whole_path = (*above, *section)
        if self._columns.is_struct(section):
            if len(column) > len(section):  # its own text
                inside = [value for value in inside if value.path == (*whole_path, TEXT)]
        else:
            inside = [value for value in inside if value.headings and value.path == whole_path] or inside
        parts = [value for value in inside if value.headings]  # the others are made of these
        return [value.node for value in parts or inside]

    @cached_property
    def _columns(self) -> SectionColumns:
        return columns_of(self._wrapper)

    @cached_property
    def _rows(self) -> list[tuple[Path, list[SectionValue]]]:
        """The values of each row, and the beginning of their paths that is not of the row."""
        if not self._wrapper.has_records:
            return [((), list(extraction.values)) for extraction in self._extractions]
        rows: dict[tuple[int, Path], list[SectionValue]] = {}
        for place, extraction in enumerate(self._extractions):
            for value in extraction.values:
                rows.setdefault((place, value.path[:2]), []).append(value)
        return [(above, values) for (_, above), values in rows.items()]


def columns_of(wrapper: Wrapper) -> SectionColumns:
    """Make the columns of a source, without its key and `_page`; none gets the name of the key."""
    sections: Sequence[Section] = wrapper.grammar.children
    title: dict[str, _Columns] = {TITLE: _ValueColumns("text")} if wrapper.title else {}
    if wrapper.fields:
        names = distinct(snake_case(each.name) for each in wrapper.fields)
        below = {section.name: section for section in sections}
        fields = [
            Section(name, type=each.type, children=below.pop(name).children if name in below else ())
            for name, each in zip(names, wrapper.fields, strict=True)
        ]
        sections, title = [*fields, *below.values()], {} if wrapper.has_records else title
    inside = {each.name: _columns_of_section(each) for each in sections}
    keys = tuple(map(snake_case, wrapper.source.keys)) or (PAGE,)
    return SectionColumns({**title, **inside, OTHER: _JsonColumn()}, keys)


def count_records(wrapper: Wrapper, extraction: Extraction) -> int:
    """Count the records of an extraction; an empty one has none."""
    if not wrapper.has_records:
        return min(len(extraction.values), 1)
    return len({value.path[:2] for value in extraction.values})


def _columns_of_section(section: Section) -> _Columns:
    inside = {each.name: _columns_of_section(each) for each in section.children}
    if section.is_repeated:
        return _ListColumn(
            SectionColumns({HEADING: _ValueColumns("text"), TEXT: _ValueColumns(section.type), **inside})
        )
    if section.type == "pairs":
        return _JsonColumn()
    if section.type == "table":
        return _ListColumn(SectionColumns(inside)) if inside else _JsonColumn()
    return SectionColumns({TEXT: _ValueColumns(section.type), **inside}) if inside else _ValueColumns(section.type)


class _ValueColumns:
    """A section without sub-sections."""

    def __init__(self, kind: str) -> None:
        self.is_typed = kind in _TYPES
        self._read: Callable[[Any], Any] | None
        self._type, self._read = _TYPES.get(kind, (pa.string(), None))
        self._has_units = kind in _MEASURED
        self._is_list = kind in ("list", "images")
        self.cells: dict[int, SectionValue] = {}

    @property
    def is_empty(self) -> bool:
        """True if no page has it."""
        return not self.cells

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take the first value of a row, and parts of a list with it; return False for another."""
        if self._is_list and len(path) == 1 and isinstance(path[0], int):
            return row in self.cells
        if path or row in self.cells:
            return False
        self.cells[row] = value
        return True

    def fields(self, name: str) -> list[pa.Field]:
        """Return value, unit and text of a typed section, or just the text."""
        if not self.is_typed:
            return [pa.field(name, pa.string())]
        unit, text = companions(name)
        units = [pa.field(unit, pa.string())] if self._has_units else []
        return [pa.field(name or VALUE, self._type), *units, pa.field(text, pa.string())]

    def arrays(self, length: int) -> Iterator[pa.Array]:
        """Yield the same columns with their values."""
        if self._read is not None:
            typed = {row: cell.typed for row, cell in self.cells.items()}
            yield pa.array(_spread({row: self._read(each) for row, each in typed.items()}, length), self._type)
            if self._has_units:
                yield pa.array(_spread({row: _unit(each) for row, each in typed.items()}, length), pa.string())
        texts = {row: cell.text if cell.text.isascii() else whole(cell.text) for row, cell in self.cells.items()}
        yield pa.array(_spread(texts, length), pa.string())


class SectionColumns:
    """A section with sub-sections, or the whole page; also finds the section of a column."""

    is_typed = False

    def __init__(self, children: Mapping[str, _Columns], keys: Sequence[str] = ("",)) -> None:
        self._children = children
        self._keys = keys

    @property
    def is_empty(self) -> bool:
        """True if no page has anything of it."""
        return all(child.is_empty for child in self._children.values())

    @cached_property
    def leaves(self) -> dict[Path, _ValueColumns]:
        """All leaves outside of lists, by path."""
        return dict(self._walk(()))

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take a value of a sub-section, or its own text."""
        name = path[0] if path else TEXT
        child = None if isinstance(name, int) else self._children.get(name)
        return child is not None and child.put(path[1:], row, value)

    def keep(self, path: Path, row: int, value: SectionValue) -> None:
        """Take a value; put it into `_other` if there is no column for it."""
        leaf = self.leaves.get(path)  # nearly always found, and faster than descending
        if leaf is not None and row not in leaf.cells:
            leaf.cells[row] = value
        elif not self.put(path, row, value):
            self._children[OTHER].put(path, row, value)

    def fields(self, name: str) -> list[pa.Field]:
        """Return one column, a STRUCT."""
        return [pa.field(name, pa.struct(self.fields_inside()))]

    def fields_inside(self) -> list[pa.Field]:
        """Return the columns inside."""
        return [each for name, child in self._children.items() for each in child.fields(self._names[name])]

    def arrays(self, length: int) -> Iterator[pa.Array]:
        """Yield one column, null where all inside is null."""
        yield self.to_struct(length)

    def arrays_inside(self, length: int) -> list[pa.Array]:
        """Return the columns inside with their values."""
        return [array for child in self._children.values() for array in _fill(child, length)]

    def to_struct(self, length: int) -> pa.Array:
        """Pack the columns inside into one."""
        inside = self.arrays_inside(length)
        present = [array for array in inside if array.null_count < length] or inside[:1]
        absent = reduce(pc.and_, (array.is_null() for array in present))
        return pa.StructArray.from_arrays(inside, fields=self.fields_inside(), mask=absent)

    def find_section(self, column: Sequence[str]) -> tuple[str, ...] | None:
        """Find the path of the smallest section that holds a column; None if no section does.

        Columns inside a list count as the list: without the others it would have fewer elements.
        """
        name = self._sections.get(column[0].lower()) if column else None
        if name is None:
            return None
        child = self._children[name]
        below = child.find_section(column[1:]) if isinstance(child, SectionColumns) else None
        return (name, *(() if below is None or below[0] in (TEXT, HEADING) else below))

    def is_struct(self, section: Sequence[str]) -> bool:
        """Tell whether a section is a STRUCT, which holds the values of its sub-sections."""
        child = self._children.get(section[0])
        if len(section) > 1:
            return isinstance(child, SectionColumns) and child.is_struct(section[1:])
        return isinstance(child, SectionColumns)

    def _walk(self, above: Path) -> Iterator[tuple[Path, _ValueColumns]]:
        for name, child in self._children.items():
            if isinstance(child, SectionColumns):
                yield from child._walk((*above, name))
            elif isinstance(child, _ValueColumns):
                yield (*above, name), child

    @cached_property
    def _sections(self) -> dict[str, str]:
        """The name of the section of each column inside."""
        pairs = self._children.items()
        return {each.name: name for name, child in pairs for each in child.fields(self._names[name])}

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names of columns: a section with the name of another's unit or text gets a number."""
        own = {TEXT: "" if self._children[TEXT].is_typed else TEXT} if TEXT in self._children else {}
        own |= {name: name for name in (TITLE, HEADING, OTHER) if name in self._children}
        sections = [name for name in self._children if name not in own]
        avoided = {*self._keys}
        while True:  # ends for the reason given in name_fields_apart
            names = distinct(map(snake_case, sections), avoided)
            paired = zip(names, sections, strict=True)
            needed = {each for name, section in paired if self._children[section].is_typed for each in companions(name)}
            if needed <= avoided:
                return {**own, **dict(zip(sections, names, strict=True))}
            avoided |= needed


class _ListColumn:
    """A repeated section, or a table."""

    is_typed = False

    def __init__(self, element: SectionColumns) -> None:
        self._element = element
        self._rows: dict[tuple[int, int], int] = {}
        """The row of each element by the row of its list and its number in the list."""

    @property
    def is_empty(self) -> bool:
        return not self._rows

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        if not path or not isinstance(path[0], int):
            return False
        return self._element.put(path[1:], self._rows.setdefault((row, path[0]), len(self._rows)), value)

    def fields(self, name: str) -> list[pa.Field]:
        return [pa.field(name, pa.list_(pa.struct(self._element.fields_inside())))]

    def arrays(self, length: int) -> Iterator[pa.Array]:
        order = sorted(self._rows)
        elements = self._element.to_struct(len(order)).take(pa.array([self._rows[each] for each in order], pa.int64()))
        counts = Counter(row for row, _ in order)
        offsets = accumulate((counts[row] for row in range(length)), initial=0)
        absent = pa.array([row not in counts for row in range(length)], pa.bool_())
        yield pa.ListArray.from_arrays(
            pa.array(offsets, pa.int32()), elements, type=self.fields("")[0].type, mask=absent
        )


class _JsonColumn:
    """Values that the grammar has no columns for, as JSON."""

    is_typed = False

    def __init__(self) -> None:
        self._cells: dict[int, list[tuple[Path, str]]] = {}

    @property
    def is_empty(self) -> bool:
        return not self._cells

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        known = tuple(part for part in path if part != OTHER)  # redundant inside of the column _other
        # nesting under an empty name gives an array or an object, depending on the path
        self._cells.setdefault(row, []).append((("", *(known or (TEXT,))), value.text))
        return True

    def fields(self, name: str) -> list[pa.Field]:
        return [pa.field(name, pa.string())]

    def arrays(self, length: int) -> Iterator[pa.Array]:
        pairs = self._cells.items()
        texts = {row: whole(json.dumps(nest(cell)[""], ensure_ascii=False)) for row, cell in pairs}
        yield pa.array(_spread(texts, length), pa.string())


def _fill(columns: _Columns, length: int) -> Iterator[pa.Array]:
    """Yield the columns of a section; most sections of a large grammar are empty, as they are on few pages."""
    if columns.is_empty:
        yield from (pa.nulls(length, field.type) for field in columns.fields(""))
    else:
        yield from columns.arrays(length)


def _spread(cells: Mapping[int, Any], length: int) -> list[Any]:
    """List the cells by row, with None where there is none."""
    spread = [None] * length
    for row, cell in cells.items():
        spread[row] = cell
    return spread


def _number(typed: Any) -> float | None:
    if not isinstance(typed, Value) or isinstance(typed.value, date):
        return None
    return float(typed.value) if math.isfinite(typed.value) else None  # lists may become JSON, which has no infinity


def _unit(typed: Any) -> str | None:
    return whole(typed.unit) if isinstance(typed, Value) and typed.unit else None


def _date(typed: Any) -> date | None:
    return typed.value if isinstance(typed, Value) and isinstance(typed.value, date) else None


def _boolean(typed: Any) -> bool | None:
    return typed.value if isinstance(typed, Value) and isinstance(typed.value, bool) else None


def _list(typed: Any) -> list[str] | None:
    return [_written(part) for part in typed] if isinstance(typed, tuple) else None


def _written(part: Value | str) -> str:
    """Write a part of a list as text.

    >>> _written("wheat"), _written(Value(12.0, "km"))
    ('wheat', '12 km')
    """
    if isinstance(part, str):
        return whole(part)
    said = f"{part.value:.15g}" if isinstance(part.value, float) else str(part.value)
    return whole(f"{said} {part.unit}") if part.unit else said


_TYPES: dict[str, tuple[pa.DataType, Callable[[Any], Any]]] = {
    "number": (pa.float64(), _number),
    "money": (pa.float64(), _number),
    "date": (pa.date32(), _date),
    "boolean": (pa.bool_(), _boolean),
    "list": (pa.list_(pa.string()), _list),
}
_MEASURED = ("number", "money")
"""Types whose values have units."""

if TYPE_CHECKING:
    _Columns = _ValueColumns | SectionColumns | _ListColumn | _JsonColumn
