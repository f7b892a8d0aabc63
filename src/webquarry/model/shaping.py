"""The extractions of a source as a table, whose columns follow from the wrapper alone.

So every page gives the same columns, also one that lacks sections.  A section with sub-sections is a STRUCT, its own
text in it `_text`; a repeated section, or a table whose columns the grammar names, is a LIST of STRUCT.  A typed
section is its value, with the text beside it as `NAME_text` and for numbers and money the unit as `NAME_unit`.  What
the grammar does not foresee is kept as JSON in `_other`.  Of the kinds `records` and `tables` each record is a row.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from webquarry.model.extraction import Extraction, Path, SectionValue, nest
from webquarry.model.naming import distinct, snake_case
from webquarry.model.tabling import beside, whole
from webquarry.model.wrapper import HEADING, OTHER, TEXT, TITLE, Section, Wrapper
from webquarry.values import Value

if TYPE_CHECKING:
    import pyarrow as pa

PAGE = "_page"
VALUE = "_value"
"""What the own text of a section says, where that is typed."""


def to_arrow(wrapper: Wrapper, extractions: Sequence[Extraction]) -> pa.Table:
    """A row a page, or for listings a row a record."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    pages = pa.array([whole(each.page) for each in extractions], pa.string())
    keys = pa.array([each.key if each.key is None else whole(each.key) for each in extractions], pa.string())
    key = snake_case(wrapper.source.key) if wrapper.source.key else PAGE
    if wrapper.listing is None:
        columns = _sections(wrapper, extractions, key)
    else:
        columns, parents = _records(_fields_of(wrapper), extractions, key)
        pages, keys = pages.take(parents), keys.take(parents)
    return pa.table({key: keys, **columns, PAGE: pages} if key != PAGE else {**columns, PAGE: pages})


def count_records(wrapper: Wrapper, extraction: Extraction) -> int:
    """How many records an extraction holds; one in which nothing was found has none."""
    if wrapper.listing is None:
        return min(len(extraction.values), 1)
    return len({value.path[:2] for value in extraction.values})


def _sections(wrapper: Wrapper, extractions: Sequence[Extraction], key: str) -> dict[str, pa.Array]:
    title = {TITLE: _Leaf("text")} if wrapper.title else {}
    group = _Group({**title, **_shape(wrapper.grammar.children), OTHER: _Json()})
    for row, extraction in enumerate(extractions):
        for value in extraction.values:
            group.keep(value.path, row, value)
    return group.arrays_inside(len(extractions), key)


def _fields_of(wrapper: Wrapper) -> tuple[Section, ...]:
    fields = wrapper.listing.fields if wrapper.listing else ()
    names = distinct(snake_case(each.name) for each in fields)
    return tuple(Section(name, type=each.type) for name, each in zip(names, fields, strict=True))


def _records(
    fields: tuple[Section, ...], extractions: Sequence[Extraction], key: str
) -> tuple[dict[str, pa.Array], pa.Array]:
    """The columns of the records, and for each record the place of its extraction."""
    import pyarrow as pa  # noqa: PLC0415

    group = _Group({**_shape(fields), OTHER: _Json()})
    rows: dict[tuple[int, Path], int] = {}
    for place, extraction in enumerate(extractions):
        for value in extraction.values:
            row = rows.setdefault((place, value.path[:2]), len(rows))
            group.keep(value.path[2:], row, value)
    return group.arrays_inside(len(rows), key), pa.array([place for place, _ in rows], pa.int64())


def _shape(sections: Sequence[Section]) -> dict[str, _Node]:
    return {each.name: _node_of(each) for each in sections}


def _node_of(section: Section) -> _Node:
    inside = _shape(section.children)
    if section.is_repeated:
        return _List(_Group({HEADING: _Leaf("text"), TEXT: _Leaf(section.type), **inside}))
    if section.type == "table":
        return _List(_Group(inside)) if inside else _Json()
    return _Group({TEXT: _Leaf(section.type), **inside}) if inside else _Leaf(section.type)


class _Node(Protocol):
    """A section over all pages; what it holds is put in by rows, and taken out as columns."""

    is_typed: bool

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        """Take a value at a path below; false when there is no place for it."""

    def arrays(self, name: str, length: int) -> Iterator[tuple[str, pa.Array]]:
        """The columns under this name, with as many rows."""


class _Leaf:
    """A section without sub-sections."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._cells: dict[int, SectionValue] = {}
        self.is_typed = kind in _READERS

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        if path or row in self._cells:
            return False
        self._cells[row] = value
        return True

    def arrays(self, name: str, length: int) -> Iterator[tuple[str, pa.Array]]:
        import pyarrow as pa  # noqa: PLC0415

        cells = [self._cells.get(row) for row in range(length)]
        texts = pa.array([cell and whole(cell.text) for cell in cells], pa.string())
        if not self.is_typed:
            yield name, texts
            return
        unit, text = beside(name)
        typed = [cell and cell.typed for cell in cells]
        values = [None if each is None else _READERS[self._kind](each) for each in typed]
        yield name or VALUE, pa.array(values, _arrow_type(self._kind))
        if self._kind in ("number", "money"):
            units = [whole(each.unit) if isinstance(each, Value) and each.unit else None for each in typed]
            yield unit, pa.array(units, pa.string())
        yield text, texts


class _Group:
    """A section with sub-sections."""

    is_typed = False

    def __init__(self, children: Mapping[str, _Node]) -> None:
        self._children = children
        self._leaves = dict(self.leaves())

    def leaves(self, above: Path = ()) -> Iterator[tuple[Path, _Leaf]]:
        """All that stand in no list, with their paths."""
        for name, child in self._children.items():
            if isinstance(child, _Group):
                yield from child.leaves((*above, name))
            elif isinstance(child, _Leaf):
                yield (*above, name), child

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        name = path[0] if path else TEXT
        child = None if isinstance(name, int) else self._children.get(name)
        return child is not None and child.put(path[1:], row, value)

    def keep(self, path: Path, row: int, value: SectionValue) -> None:
        """Take a value, which is put with the unknown ones when there is no place for it."""
        leaf = self._leaves.get(path)  # nearly always there, and quicker than going from section to section
        if leaf is not None and leaf.put((), row, value):
            return
        if not self.put(path, row, value):
            self._children[OTHER].put(path, row, value)

    def arrays_inside(self, length: int, key: str = "") -> dict[str, pa.Array]:
        """The columns in it; none is called as the key is."""
        names = self._names(key)
        return {
            column: array
            for name, child in self._children.items()
            for column, array in child.arrays(names[name], length)
        }

    def arrays(self, name: str, length: int) -> Iterator[tuple[str, pa.Array]]:
        yield name, self.to_struct(length)

    def to_struct(self, length: int) -> pa.Array:
        """The columns in it as one, absent where all of them are."""
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.compute as pc  # noqa: PLC0415

        inside = self.arrays_inside(length)
        absent = reduce(pc.and_, (array.is_null() for array in inside.values()))
        return pa.StructArray.from_arrays(list(inside.values()), names=list(inside), mask=absent)

    def _names(self, key: str) -> dict[str, str]:
        """What columns are called: a section that is called as the unit or text of another gets a number."""
        own = {TEXT: "" if self._children[TEXT].is_typed else TEXT} if TEXT in self._children else {}
        own |= {name: name for name in (TITLE, HEADING, OTHER) if name in self._children}
        sections = [name for name in self._children if name not in own]
        avoided = {key}
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

    def __init__(self, element: _Group) -> None:
        self._element = element
        self._rows: dict[tuple[int, int], int] = {}
        """For the row that a list is in and the number in the list, the row of the element."""

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        if not path or not isinstance(path[0], int):
            return False
        return self._element.put(path[1:], self._rows.setdefault((row, path[0]), len(self._rows)), value)

    def arrays(self, name: str, length: int) -> Iterator[tuple[str, pa.Array]]:
        import pyarrow as pa  # noqa: PLC0415

        order = sorted(self._rows)
        elements = self._element.to_struct(len(order)).take(pa.array([self._rows[each] for each in order], pa.int64()))
        counts = Counter(row for row, _ in order)
        offsets = accumulate((counts[row] for row in range(length)), initial=0)
        absent = [row not in counts for row in range(length)]
        yield (
            name,
            pa.ListArray.from_arrays(
                pa.array(offsets, pa.int32()), elements, mask=pa.array(absent, pa.bool_()) if length else None
            ),
        )


class _Json:
    """What the grammar has no columns for."""

    is_typed = False

    def __init__(self) -> None:
        self._cells: dict[int, list[tuple[Path, str]]] = {}

    def put(self, path: Path, row: int, value: SectionValue) -> bool:
        known = (part for part in path if part != OTHER)  # that they are unknown goes without saying here
        # an array or an object, by what the path goes on with
        self._cells.setdefault(row, []).append((("", *known), value.text))
        return True

    def arrays(self, name: str, length: int) -> Iterator[tuple[str, pa.Array]]:
        import pyarrow as pa  # noqa: PLC0415

        cells = (self._cells.get(row) for row in range(length))
        texts = (cell and whole(json.dumps(nest(cell)[""], ensure_ascii=False)) for cell in cells)
        yield name, pa.array(texts, pa.string())


def _number(typed: Any) -> float | None:
    if not isinstance(typed, Value) or isinstance(typed.value, date):
        return None
    return float(typed.value) if math.isfinite(typed.value) else None  # JSON, which lists may become, has no infinity


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


def _arrow_type(kind: str) -> pa.DataType:
    import pyarrow as pa  # noqa: PLC0415

    types = {"date": pa.date32(), "boolean": pa.bool_(), "list": pa.list_(pa.string())}
    return types.get(kind, pa.float64())
