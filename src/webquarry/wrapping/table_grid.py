"""Grids: tables as rows of slots with what their cells say, and the rows that name the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from webquarry.html.tables import Cell as TableCell, Table, form_tables
from webquarry.wrapping.listing_signatures import Step, View

_SLOTS_PER_CELL = 50  # real tables have under 10; more is made to exhaust memory
_SLOTS_ANYWAY = 10_000
_HIGHEST_HEADER = 4
"""Rows that name columns together."""
_DEEPEST_HEADER = 10
"""Rows among which the names are looked for."""


_FOOTNOTE = re.compile(r"\[\w{1,4}\]")


class Header(NamedTuple):
    """Rows that name columns, and for each heading that was looked for the column, or None."""

    first: int
    stop: int
    columns: tuple[int | None, ...]

    @property
    def found(self) -> int:
        """How many headings there are."""
        return sum(column is not None for column in self.columns)


class Grid:
    """A table of a document; columns in which no cell begins are left out."""

    def __init__(self, view: View, table: Table, ignored: frozenset[Step] = frozenset()) -> None:
        self.view = view
        self.table = table
        self._ignored = ignored
        self._texts: dict[int, str] = {}

    @cached_property
    def rows(self) -> list[list[TableCell | None]]:
        """For each row its slots, each with the cell that covers it; none where spans make them far too many."""
        cells = [cell for row in self.table.cells for cell in row]
        columns = sorted({cell.column for cell in cells})
        if len(columns) * len(self.table.rows) > _SLOTS_PER_CELL * len(cells) + _SLOTS_ANYWAY:
            return []
        places = {column: place for place, column in enumerate(columns)}
        rows: list[list[TableCell | None]] = [[None] * len(columns) for _ in self.table.rows]
        for cell in cells:
            first = places[cell.column]
            stop = first + 1
            while stop < len(columns) and columns[stop] < cell.column + cell.width:
                stop += 1
            for row in rows[cell.row : cell.row + cell.height]:
                row[first:stop] = [cell] * (stop - first)
        return rows

    def text(self, cell: TableCell | None) -> str:
        """What a cell says, without what is ignored."""
        if cell is None:
            return ""
        if cell.node not in self._texts:
            if self._ignored:
                self._ignore(cell.node)
            self._texts[cell.node] = self.view.text(cell.node)
        return self._texts[cell.node]

    def _ignore(self, node: int) -> None:
        view = self.view
        for inner in range(node + 1, view.ends[node]):
            if view.tags[inner] >= 0 and Step(view.name(inner), view.classes(inner)) in self._ignored:
                view.unread[inner] = True

    def find_header(self, headings: Sequence[str], places: Sequence[int | None]) -> Header:
        """The rows that say most of the headings, the first and fewest of equals.

        Where several columns have one heading, `places` tells where each stood.
        """
        best = Header(0, 0, (None,) * len(headings))
        rows = range(min(_DEEPEST_HEADER, len(self.rows)))
        for first in rows if any(headings) else ():
            for stop in range(first + 1, min(first + _HIGHEST_HEADER, len(rows)) + 1):
                header = Header(first, stop, self._find_columns(first, stop, headings, places))
                if header.found > best.found:
                    best = header
        return best

    def _find_columns(
        self, first: int, stop: int, headings: Sequence[str], places: Sequence[int | None]
    ) -> tuple[int | None, ...]:
        columns: dict[str, list[int]] = {}
        for column in range(len(self.rows[first])):
            texts = dict.fromkeys(self.text(row[column]) for row in self.rows[first:stop])
            columns.setdefault(_folded(" ".join(filter(None, texts))), []).append(column)
        same = [columns.get(_folded(heading), []) if heading else [] for heading in headings]
        found = [place if place in here else None for place, here in zip(places, same, strict=True)]
        taken = set(found)
        for number, here in enumerate(same):
            if found[number] is None:
                found[number] = next((column for column in here if column not in taken), None)
                taken.add(found[number])
        return tuple(found)

    def records(self, header: Header) -> list[int]:
        """The rows below the header that are records: they say something, in more than one cell, and no names again."""
        named = {self._said(row) for row in range(header.first, header.stop)}
        rows = range(header.stop, len(self.rows))
        return [row for row in rows if any(said := self._said(row)) and said not in named and not self._is_title(row)]

    def _said(self, row: int) -> tuple[str, ...]:
        return tuple(map(self.text, self.rows[row]))

    def _is_title(self, row: int) -> bool:
        """Whether one cell takes more than half of a row of several columns, and nothing else in it says a word."""
        slots = self.rows[row]
        spoken = [cell for cell in slots if self.text(cell)]
        return len(slots) > 1 and len(spoken) * 2 > len(slots) and len(set(spoken)) == 1 and spoken[0] is not None


def find_grids(view: View, ignored: frozenset[Step] = frozenset()) -> list[Grid]:
    """The tables of a document."""
    return [Grid(view, table, ignored) for table in form_tables(view.document, view.document.hidden)]


def _folded(text: str) -> str:
    """A heading without what differs between pages: the marks of footnotes, spaces, capitals."""
    return "".join(_FOOTNOTE.sub("", text).split()).casefold()
