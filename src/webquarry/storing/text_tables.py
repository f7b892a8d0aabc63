"""Tables for a terminal: as wide as it is, and saying what they leave out.

What a page says reaches the terminal as text alone: control characters, with which it could move the cursor, set the
title or hide what was printed before, are replaced.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from webquarry.model import Extraction, Failure, Field, Region
from webquarry.model.naming import list_names
from webquarry.model.tabling import kind_of, whole
from webquarry.storing.faults import translated
from webquarry.storing.files import write_whole
from webquarry.storing.results import PageRegions, Storable

NARROWEST = 10
"""Cells of a terminal below which a column is hidden rather than cut; a column that needs less gets less."""
_GAP = 2  # cells between two columns
_UNKNOWN_WIDTH = 120  # cells, where there is no terminal

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
# what turns the direction of all that follows on the line; right-to-left texts turn by themselves
_TURNS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text on one line, fit for a terminal.

    >>> printable("one\\n two\\x1b[2J")
    'one two\ufffd[2J'
    """
    return _CONTROLS.sub("\ufffd", _TURNS.sub("", whole(" ".join(text.split()))))


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
        self._width = width or shutil.get_terminal_size((_UNKNOWN_WIDTH, 24)).columns
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

    def _show(self, result: PageRegions | Extraction) -> str:
        if isinstance(result, PageRegions):
            return to_text(result, self._width)
        if self._outline is None:
            raise TypeError("extractions go to a sink that was opened with their wrapper")
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
    columns = [_Column(each) for each in fields]
    shown = _fitting(columns, width)
    hidden = [each.name for each in columns if each not in shown]
    cut = any(each.natural > cells for each, cells in shown.items())
    return f"{_table(shown, width)}{_footer(count, hidden, cut=cut)}\n\n"


class _Column:
    def __init__(self, field: Field) -> None:
        from rich.cells import cell_len  # noqa: PLC0415 - slow to import

        self.name = printable(field.name)
        self.texts = [printable(text or "") for text in field.values]
        self.is_number = kind_of(field) == "number"
        self.natural = max([cell_len(self.name), *map(cell_len, self.texts)], default=1) or 1
        self.rank = (field.is_constant, field.type in ("link", "image"))
        """What a reader can best do without ranks highest."""


def _fitting(columns: Sequence[_Column], width: int) -> dict[_Column, int]:
    """The columns that have room, each with its width, in the order of the page; at least one."""
    chosen: list[_Column] = []
    room = width
    for each in sorted(columns, key=lambda column: column.rank):
        needed = min(each.natural, NARROWEST) + (_GAP if chosen else 0)
        if chosen and needed > room:
            continue
        chosen.append(each)
        room -= needed
    widths = {each: min(each.natural, NARROWEST) for each in columns if each in chosen}
    if len(chosen) == 1:
        return {chosen[0]: max(1, min(chosen[0].natural, width))}
    _share(widths, room)
    return widths


def _share(widths: dict[_Column, int], room: int) -> None:
    """Give the room that is left to those that need more, all alike until they have what they need."""
    while room > 0 and (wanting := [each for each, cells in widths.items() if each.natural > cells]):
        step = max(1, room // len(wanting))
        for each in wanting:
            more = min(step, each.natural - widths[each], room)
            widths[each] += more
            room -= more


def _table(shown: dict[_Column, int], width: int) -> str:
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for each, cells in shown.items():
        table.add_column(
            Text(each.name),
            width=cells,
            no_wrap=True,
            overflow="ellipsis",
            justify="right" if each.is_number else "left",
        )
    table.add_row(*("-" * cells for cells in shown.values()))
    for row in zip(*(each.texts for each in shown), strict=True):
        table.add_row(*map(Text, row))
    file = io.StringIO()
    Console(file=file, width=width, color_system=None, legacy_windows=False).print(table)
    return "".join(line.rstrip() + "\n" for line in file.getvalue().splitlines())


def _footer(count: int, hidden: Sequence[str], *, cut: bool) -> str:
    said = [f"{count} record{'s' * (count != 1)}"]
    if hidden:
        said.append(f"{len(hidden)} column{'s' * (len(hidden) != 1)} hidden ({list_names(hidden)})")
    if cut:
        said.append("long values cut")
    return "; ".join(said) + ("; -o FILE has everything" if hidden or cut else "")
