"""A table as rows of slots, each with the cell that covers it: what is read off a table as a reader sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webquarry.html.tables import Cell, Table
from webquarry.mining.tables.cell_contents import Content
from webquarry.model import Document

_SLOTS_PER_CELL = 50  # real tables have under 10; more is made to exhaust memory
_SLOTS_ANYWAY = 10_000


class Entry(NamedTuple):
    """A cell with what it says."""

    cell: Cell
    text: str
    is_header: bool
    """Whether it is marked as the header of other cells."""
    heads_row: bool
    """Whether it is marked as the header of its row, not of its column."""
    is_broken: bool
    """Whether it is set in several lines."""


Row = tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table.  Columns in which no cell begins are left out: browsers give them no width."""

    table: Table
    rows: tuple[Row, ...]
    """For each row of the table its slots; None where no cell is."""

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0]) if self.rows else 0

    def own(self, row: int) -> list[Entry]:
        """The entries that begin in a row."""
        return [each for each in _distinct(self.rows[row]) if each.cell.row == row]

    def is_empty(self, row: int) -> bool:
        """Whether a row says nothing."""
        return not any(each and each.text for each in self.rows[row])

    def is_title(self, row: int) -> bool:
        """Whether one cell takes more than half of a row of several columns, and nothing else in it says a word."""
        slots = self.rows[row]
        middle = slots[len(slots) // 2]
        if len(slots) < 2 or middle is None or middle.cell.width < 2 or not middle.text:
            return False
        spoken = [each for each in slots if each and each.text]
        return len(spoken) * 2 > len(slots) and all(each is middle for each in spoken)


def are_mostly_broken(rows: Sequence[Row]) -> bool:
    """Whether most of what rows say is set in several lines, as cards are and values are not."""
    spoken = [each.is_broken for row in rows for each in row if each and each.text]
    return sum(spoken) * 2 > len(spoken)


def lay_out(
    document: Document, table: Table, contents: dict[int, Content], text_of: Callable[[int], str]
) -> Grid | None:
    """The grid of a table, or None where spans make it far greater than its cells account for."""
    cells = [cell for row in table.cells for cell in row]
    columns = sorted({cell.column for cell in cells})
    if len(columns) * len(table.rows) > _SLOTS_PER_CELL * len(cells) + _SLOTS_ANYWAY:
        return None
    place = {column: number for number, column in enumerate(columns)}
    heading = _referred(document, cells)
    rows: list[list[Entry | None]] = [[None] * len(columns) for _ in table.rows]
    attributes = document.attributes
    for cell in cells:
        node = cell.node
        own = attributes[node]
        heads_row = "scope" in own and own["scope"].lower() in ("row", "rowgroup")
        content = contents[node]
        is_header = cell.is_header or node in heading
        entry = Entry(cell, content.text(text_of), is_header, heads_row, content.breaks > 0)
        first = place[cell.column]
        if cell.width == cell.height == 1:
            rows[cell.row][first] = entry
            continue
        stop = first + 1
        while stop < len(columns) and columns[stop] < cell.column + cell.width:
            stop += 1
        for row in rows[cell.row : cell.row + cell.height]:
            row[first:stop] = [entry] * (stop - first)
    return Grid(table, tuple(map(tuple, rows)))


def _distinct(row: Row) -> list[Entry]:
    return list({id(each): each for each in row if each is not None}.values())


def _referred(document: Document, cells: list[Cell]) -> set[int]:
    """The cells that others name in their `headers`."""
    attributed = [(cell.node, own) for cell in cells if (own := document.attributes[cell.node])]
    names = {name for _, own in attributed for name in own.get("headers", "").split()}
    return {node for node, own in attributed if own.get("id") in names}
