"""Tables for a terminal: as wide as it is, and saying what they leave out.

What a page says reaches the terminal as text alone: control characters, with which it could move the cursor, set the
title or hide what was printed before, are replaced.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from rich.cells import cell_len, set_cell_size

from webquarry.model.arrow_values import is_number, list_values, to_line
from webquarry.model.article import Article
from webquarry.model.extraction import Extraction
from webquarry.model.names import list_names
from webquarry.model.page import Failure
from webquarry.model.region import Field, PageRegions, Region, Storable
from webquarry.model.table_columns import kind_of
from webquarry.model.wording import printable
from webquarry.model.wrapper import HEADING, TEXT, Wrapper
from webquarry.storing.atomic_files import translated, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

NARROWEST = 10
"""Cells of a terminal below which a column is hidden rather than cut; a column that needs less gets less."""
_GAP = 2  # cells between two columns
UNKNOWN_WIDTH = 120
"""Cells, where there is no terminal."""


class TextTables:
    """A table for each region; what extractions look like is given."""

    def __init__(
        self,
        output: Path | None,
        stream: BinaryIO,
        *,
        width: int | None = None,
        outline: Callable[[Extraction, int], str] | None = None,
    ) -> None:
        self._output, self._stream = output, stream
        self._outline = outline
        self._width = width or shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns
        self._gathered: list[bytes] = []

    def add(self, result: Storable) -> None:
        """Write the tables of a page; a failed one has none."""
        if isinstance(result, Failure):
            return
        content = self._show(result).encode()
        if self._output is not None:
            self._gathered.append(content)
            return
        self._stream.write(content)
        self._stream.flush()

    def _show(self, result: PageRegions | Extraction | Article) -> str:
        if isinstance(result, PageRegions):
            return to_text(result, self._width)
        if self._outline is None or isinstance(result, Article):
            raise TypeError("extractions go to a sink that was opened with their wrapper, articles to one of their own")
        return self._outline(result, self._width)

    def finish(self) -> str | None:
        """Let the file be seen."""
        if self._output is not None:
            with translated(self._output):
                write_whole(self._output, b"".join(self._gathered))
        return None

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        self._gathered.clear()


def to_text(result: PageRegions, width: int) -> str:
    """The regions of a page as tables of at most this width."""
    head = printable(result.page)
    if not result.regions:
        return f"{head}\nno records\n\n"
    if len(result.regions) == 1:
        return f"{head}\n{_region(result.regions[0], width)}"
    tables = (
        f"region {number} ({region.kind}, {region.role}, score {region.score:.2f})\n{_region(region, width)}"
        for number, region in enumerate(result.regions, start=1)
    )
    return f"{head}\n{''.join(tables)}"


def _region(region: Region, width: int) -> str:
    return to_table(region.columns, len(region), width)


def to_table(fields: Sequence[Field], count: int, width: int) -> str:
    """The fields of so many records side by side, and what is left out of them."""
    text, hidden, is_cut = lay_out([_column(each) for each in fields], width)
    records = f"{count} record{'s' * (count != 1)}"
    return f"{text}{describe_cuts(records, hidden, is_cut=is_cut)}\n\n"


class TextColumn:
    """A column of texts that are fit for a terminal."""

    def __init__(self, name: str, texts: Sequence[str], *, is_number: bool, rank: tuple[bool, ...] = ()) -> None:
        """What a reader can best do without ranks highest."""

        self.name, self.texts, self.is_number, self.rank = name, texts, is_number, rank
        self.natural = max([cell_len(name), *map(cell_len, texts)], default=1) or 1


def _column(field: Field) -> TextColumn:
    texts = [printable(text or "") for text in field.values]
    rank = (field.is_constant, field.type in ("link", "image"))
    return TextColumn(printable(field.name), texts, is_number=kind_of(field) == "number", rank=rank)


def lay_out(columns: Sequence[TextColumn], width: int) -> tuple[str, list[str], bool]:
    """The columns side by side, those that are hidden for want of room, and whether values are cut."""
    shown = _fitting(columns, width)
    hidden = [each.name for each in columns if each not in shown]
    return _table(shown), hidden, any(each.natural > cells for each, cells in shown.items())


def _fitting(columns: Sequence[TextColumn], width: int) -> dict[TextColumn, int]:
    """The columns that have room, each with its width, in the order of the page; at least one."""
    chosen: list[TextColumn] = []
    room = width
    for each in sorted(columns, key=lambda column: column.rank):
        needed = min(each.natural, NARROWEST) + (_GAP if chosen else 0)
        if chosen and needed > room:
            continue
        chosen.append(each)
        room -= needed
    kept = set(chosen)
    widths = {each: min(each.natural, NARROWEST) for each in columns if each in kept}
    if len(chosen) == 1:
        return {chosen[0]: max(1, min(chosen[0].natural, width))}
    _share(widths, room)
    return widths


def _share(widths: dict[TextColumn, int], room: int) -> None:
    """Give the room that is left to those that need more, all alike until they have what they need."""
    while room > 0 and (wanting := [each for each, cells in widths.items() if each.natural > cells]):
        step = max(1, room // len(wanting))
        for each in wanting:
            more = min(step, each.natural - widths[each], room)
            widths[each] += more
            room -= more


def _table(shown: dict[TextColumn, int]) -> str:
    columns = [
        [_cell(text, cells, each.is_number) for text in (each.name, "-" * cells, *each.texts)]
        for each, cells in shown.items()
    ]
    gap = " " * _GAP
    return "".join(f"{gap.join(row).rstrip()}\n" for row in zip(*columns, strict=True))


def _cell(text: str, cells: int, is_number: bool) -> str:
    """The text in just so many cells, with an ellipsis where it is cut."""

    length = len(text) if text.isascii() else cell_len(text)
    if length > cells:
        text = set_cell_size(text, cells - 1) + "…"
        length = cells
    return " " * (cells - length) + text if is_number else text + " " * (cells - length)


def describe_cuts(count: str, hidden: Sequence[str], *, is_cut: bool, is_short: bool = False) -> str:
    """What there is, what is left out of it, and where all of it would be."""
    said = [count]
    if hidden:
        said.append(f"{len(hidden)} column{'s' * (len(hidden) != 1)} hidden ({list_names(hidden)})")
    if is_cut:
        said.append("long values cut")
    if hidden or is_cut or is_short:
        said.append("-o FILE has everything")
    return "; ".join(said)


# MERGED storing/text_rows: The rows of a table for a terminal.
ROWS_SHOWN = 50
"""On a terminal: about a screen; nobody reads on from there, and what was printed before would be gone."""


def to_rows(table: pa.Table, *, width: int | None = None, most: int | None = None) -> str:
    """The rows, or the first so many, in lines of at most this width, by default that of the terminal; how many there
    are, and what is left out.
    """
    width = width or shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns
    shown = table if most is None else table.slice(0, most)
    columns = [_column_text_rows(*each) for each in zip(table.column_names, shown.columns, strict=True)]
    text, hidden, is_cut = lay_out(columns, width)
    is_short = shown.num_rows < table.num_rows
    count = f"{table.num_rows:,} row{'s' * (table.num_rows != 1)}{f', the first {most} shown' * is_short}"
    return f"{text}{describe_cuts(count, hidden, is_cut=is_cut, is_short=is_short)}\n"


def _column_text_rows(name: str, column: pa.ChunkedArray) -> TextColumn:
    """Where room is short, a reader can best do without what is empty, and then without where it came from."""
    texts = [printable(to_line(value)) for value in list_values(column)]
    rank = (not any(texts), name.startswith("_"))
    return TextColumn(printable(name), texts, is_number=is_number(column.type), rank=rank)


# MERGED storing/text_outlines: Extractions for a terminal: the sections of each page, indented; the records
_STEP = 2  # cells that a section stands further in than the one that holds it
_DEEPEST = 20  # cells; deeper sections would leave their values no room


def to_outline(wrapper: Wrapper, extraction: Extraction, width: int) -> str:
    """What was found on a page, in lines of at most this width."""
    head = printable(extraction.page)
    if not extraction.values:
        return f"{head}\nnothing found\n\n"
    body = _sections(extraction, width) if wrapper.listing is None else _records(extraction, width)
    return f"{head}\n{body}"


def _records(extraction: Extraction, width: int) -> str:
    """The records of a listing, whose paths are its name, a number and the name of a field."""
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
    count = sum(bool(value.headings) for value in extraction.values)  # those in parts are not told twice
    said = f"{count} value{'s' * (count != 1)}"
    if shown != lines:
        said += "; long values cut; -o FILE has everything"
    return "\n".join([*shown, said]) + "\n\n"


def _lines(inside: Any, indent: str) -> Iterator[str]:
    """The lines of what is in a section."""
    if isinstance(inside, list):
        for each in inside:
            yield from _section("-", each, indent)
        return
    for name, each in inside.items():
        if name not in (TEXT, HEADING):
            yield from _section(f"{printable(name).removesuffix(':')}:", each, indent)


def _section(label: str, inside: Any, indent: str) -> Iterator[str]:
    """The line of a section with its own text, and those of what is in it."""
    if isinstance(inside, str):
        yield f"{indent}{label} {printable(inside)}"
        return
    names = (HEADING, TEXT) if isinstance(inside, dict) else ()
    own = [inside[name] for name in names if isinstance(inside.get(name), str)]
    yield f"{indent}{label} {': '.join(map(printable, own))}"
    yield from _lines(inside, indent if len(indent) >= _DEEPEST else indent + " " * _STEP)


def _cut(line: str, width: int) -> str:
    """The line in at most this many cells, with an ellipsis where it is cut.

    >>> _cut("Western Europe", 8), _cut("Europe", 8)
    ('Western…', 'Europe')
    """

    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(width - 1, 0)).rstrip() + "…"
