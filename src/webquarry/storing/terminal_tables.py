"""Lay out tables and outlines for a terminal, as wide as it is, and say what they leave out.

Control characters of page text are replaced: they could move the cursor, set the title or hide earlier output.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from rich.cells import cell_len, set_cell_size

from webquarry.model.arrow_values import is_number, list_values, to_line
from webquarry.model.extraction import Extraction
from webquarry.model.page import Failure
from webquarry.model.region import PageRegions
from webquarry.model.table_columns import Field, kind_of
from webquarry.model.wording import count, list_names, printable
from webquarry.model.wrapper import HEADING, TEXT, Wrapper
from webquarry.storing.result_files import Pieces

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.region import Storable

MIN_COLUMN_WIDTH = 10
"""Cells; a column that would get less is hidden, unless it needs less."""
MAX_TITLE_WIDTH = 40
"""Cells that the title gets before the other columns; more would leave them too little of a usual terminal."""
_GAP = 2  # cells between two columns
UNKNOWN_WIDTH = 120
"""Cells, where there is no terminal."""
ROWS_SHOWN = 50
"""On a terminal, about a screen; more would push earlier output out of sight."""
_INDENT = 2  # cells by which a section is indented
_MAX_INDENT = 20  # cells; deeper sections would leave no room for their values


class TextTables(Pieces):
    """Writes a table for each region of a page, or with a wrapper the outline of its extraction."""

    def __init__(
        self, output: Path | None, stream: BinaryIO, *, width: int | None = None, wrapper: Wrapper | None = None
    ) -> None:
        super().__init__(output, stream)
        self._wrapper = wrapper
        self._width = width or _terminal_width()

    def add(self, result: Storable) -> None:
        """Write the tables of a page; a failed one has none."""
        if isinstance(result, PageRegions):
            self.write(to_text(result, self._width).encode())
        elif isinstance(result, Extraction) and self._wrapper is not None:
            self.write(to_outline(self._wrapper, result, self._width).encode())
        elif not isinstance(result, Failure):
            raise TypeError("extractions need a sink that was opened with their wrapper, articles one of their own")


def to_text(result: PageRegions, width: int) -> str:
    """Show the regions of a page as tables of at most this width."""
    head = printable(result.page)
    if not result.regions:
        return f"{head}\nno records\n\n"
    if len(result.regions) == 1:
        region = result.regions[0]
        return f"{head}\n{to_table(region.columns, len(region), width)}"
    tables = (
        f"region {number} ({region.kind}, {region.role}, score {region.score:.2f})\n"
        f"{to_table(region.columns, len(region), width)}"
        for number, region in enumerate(result.regions, start=1)
    )
    return f"{head}\n{''.join(tables)}"


def to_table(fields: Sequence[Field], records: int, width: int) -> str:
    """Show fields side by side, then the number of records and what is left out."""
    text, hidden, is_cut = lay_out([_column_of_field(each) for each in fields], width)
    return f"{text}{describe_cuts(count(records, 'record'), hidden, is_cut=is_cut)}\n\n"


class TextColumn:
    """A column of texts that are safe for a terminal."""

    def __init__(self, name: str, texts: Sequence[str], *, is_number: bool, rank: tuple[bool, ...] = ()) -> None:
        """Columns of the highest rank are hidden first."""
        self.name, self.texts, self.is_number, self.rank = name, texts, is_number, rank
        self.natural = max([cell_len(name), *map(cell_len, texts)], default=1) or 1
        self.has_addresses = any(texts) and all("://" in text for text in texts if text)


def _column_of_field(field: Field) -> TextColumn:
    texts = [printable(text or "") for text in field.values]
    rank = (field.is_constant, field.type in ("link", "image"))
    return TextColumn(printable(field.name), texts, is_number=kind_of(field) == "number", rank=rank)


def lay_out(columns: Sequence[TextColumn], width: int) -> tuple[str, list[str], bool]:
    """Put columns side by side; also return the names of hidden ones, and whether values are cut."""
    shown = _choose_widths(columns, width)
    hidden = [each.name for each in columns if each not in shown]
    return _join_cells(shown), hidden, any(each.natural > cells for each, cells in shown.items())


def _choose_widths(columns: Sequence[TextColumn], width: int) -> dict[TextColumn, int]:
    """Choose the columns that have room, at least one, with their widths, in the order of the page."""
    chosen: list[TextColumn] = []
    room = width
    for each in sorted(columns, key=lambda column: column.rank):
        needed = min(each.natural, MIN_COLUMN_WIDTH) + (_GAP if chosen else 0)
        if chosen and needed > room:
            continue
        chosen.append(each)
        room -= needed
    kept = set(chosen)
    widths = {each: min(each.natural, MIN_COLUMN_WIDTH) for each in columns if each in kept}
    if len(chosen) == 1:
        return {chosen[0]: max(1, min(chosen[0].natural, width))}
    texts = [each for each in widths if not each.has_addresses]
    room = _share(widths, [each for each in texts if each.name == "title"], room, most=MAX_TITLE_WIDTH)
    room = _share(widths, texts, room)
    _share(widths, [each for each in widths if each.has_addresses], room)
    return widths


def _share(widths: dict[TextColumn, int], columns: Sequence[TextColumn], room: int, most: int | None = None) -> int:
    """Share the room evenly among those of the columns that need more; return what is left of it."""
    needs = {each: min(each.natural, most or each.natural) for each in columns}
    while room > 0 and (wanting := [each for each in columns if needs[each] > widths[each]]):
        step = max(1, room // len(wanting))
        for each in wanting:
            more = min(step, needs[each] - widths[each], room)
            widths[each] += more
            room -= more
    return room


def _join_cells(shown: dict[TextColumn, int]) -> str:
    columns = [
        [_cell(text, cells, each) for text in (each.name, "-" * cells, *each.texts)] for each, cells in shown.items()
    ]
    gap = " " * _GAP
    return "".join(f"{gap.join(row).rstrip()}\n" for row in zip(*columns, strict=True))


def _cell(text: str, cells: int, column: TextColumn) -> str:
    """Pad or cut a text to a number of cells, with an ellipsis where it is cut: before the end of an address."""
    length = len(text) if text.isascii() else cell_len(text)
    if length > cells:
        keeps_end = column.has_addresses and text.isascii()
        text = f"…{text[length - cells + 1 :]}" if keeps_end else f"{set_cell_size(text, cells - 1)}…"
        length = cells
    return " " * (cells - length) + text if column.is_number else text + " " * (cells - length)


def describe_cuts(total: str, hidden: Sequence[str], *, is_cut: bool, is_short: bool = False) -> str:
    """Say how much there is, what is left out, and how to get everything."""
    said = [total]
    if hidden:
        said.append(f"{count(len(hidden), 'column')} hidden ({list_names(hidden)})")
    if is_cut:
        said.append("long values cut")
    if hidden or is_cut or is_short:
        said.append("-o FILE has everything")
    return "; ".join(said)


def to_rows(table: pa.Table, *, limit: int | None = None) -> str:
    """Show the rows, or the first few, as wide as the terminal, then how many there are and what is left out."""
    shown = table if limit is None else table.slice(0, limit)
    columns = [_column_of_arrow(*each) for each in zip(table.column_names, shown.columns, strict=True)]
    text, hidden, is_cut = lay_out(columns, _terminal_width())
    is_short = shown.num_rows < table.num_rows
    total = count(table.num_rows, "row") + f", the first {limit} shown" * is_short
    return f"{text}{describe_cuts(total, hidden, is_cut=is_cut, is_short=is_short)}\n"


def _terminal_width() -> int:
    return shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns


def _column_of_arrow(name: str, column: pa.ChunkedArray) -> TextColumn:
    """Make a column; empty ones are hidden first, then those that say where a row came from."""
    texts = [printable(to_line(value)) for value in list_values(column)]
    rank = (not any(texts), name.startswith("_"))
    return TextColumn(printable(name), texts, is_number=is_number(column.type), rank=rank)


def to_outline(wrapper: Wrapper, extraction: Extraction, width: int) -> str:
    """Show the extraction of a page in lines of at most this width: sections indented, records as a table."""
    head = printable(extraction.page)
    if not extraction.values:
        return f"{head}\nnothing found\n\n"
    body = _records(extraction, width) if wrapper.has_records else _sections(extraction, width)
    return f"{head}\n{body}"


def _records(extraction: Extraction, width: int) -> str:
    """Show the records of a listing, whose paths are `records`, a number and the name of a field."""
    places: dict[Any, int] = {}
    for value in extraction.values:
        places.setdefault(value.path[1], len(places))
    columns: dict[Any, list[str | None]] = {}
    for value in extraction.values:
        column = columns.setdefault(value.headings[-1], [None] * len(places))
        column[places[value.path[1]]] = value.text
    fields = [Field(str(name), "text", tuple(texts), ()) for name, texts in columns.items()]
    return to_table(fields, len(places), width)


def _sections(extraction: Extraction, width: int) -> str:
    lines = [line.rstrip() for line in _lines(extraction.record, "")]
    shown = [_cut(line, width) for line in lines]
    values = sum(bool(value.headings) for value in extraction.values)  # those without are parts of others
    said = count(values, "value")
    if shown != lines:
        said += "; long values cut; -o FILE has everything"
    return "\n".join([*shown, said]) + "\n\n"


def _lines(inside: Any, indent: str) -> Iterator[str]:
    """Yield the lines of the inside of a section."""
    if isinstance(inside, list):
        for each in inside:
            yield from _section("-", each, indent)
        return
    for name, each in inside.items():
        if name not in (TEXT, HEADING):
            yield from _section(f"{printable(name).removesuffix(':')}:", each, indent)


def _section(label: str, inside: Any, indent: str) -> Iterator[str]:
    """Yield the line of a section with its own text, and those of its inside."""
    if isinstance(inside, str):
        yield f"{indent}{label} {printable(inside)}"
        return
    names = (HEADING, TEXT) if isinstance(inside, dict) else ()
    own = [inside[name] for name in names if isinstance(inside.get(name), str)]
    yield f"{indent}{label} {': '.join(map(printable, own))}"
    yield from _lines(inside, indent if len(indent) >= _MAX_INDENT else indent + " " * _INDENT)


def _cut(line: str, width: int) -> str:
    """Cut a line to a number of cells, with an ellipsis.

    >>> _cut("Western Europe", 8), _cut("Europe", 8)
    ('Western…', 'Europe')
    """
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(width - 1, 0)).rstrip() + "…"
