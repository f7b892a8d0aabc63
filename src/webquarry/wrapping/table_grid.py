"""Read tables as rows of slots, and find the rows that name the columns of a wrapper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from webquarry.html.tables import Cell as TableCell, Table, form_tables
from webquarry.page.data_tables import lay_out_slots
from webquarry.wrapping.listing_signatures import Step, View

_MAX_HEADER_ROWS = 4  # rows that name columns together
_MAX_HEADER_DEPTH = 10  # rows among which the names are looked for
_FOOTNOTE = re.compile(r"\[\w{1,4}\]")


class Header(NamedTuple):
    """Rows that name columns, and the column of each wanted heading, or None."""

    first: int
    stop: int
    columns: tuple[int | None, ...]

    @property
    def found(self) -> int:
        """The number of headings found."""
        return sum(column is not None for column in self.columns)


class Grid:
    """A table of a document with the texts of its cells."""

    def __init__(self, view: View, table: Table, ignored: frozenset[Step] = frozenset()) -> None:
        self.view = view
        self.table = table
        self._ignored = ignored
        self._texts: dict[int, str] = {}

    @cached_property
    def rows(self) -> list[list[TableCell | None]]:
        """For each row its slots, each with the cell that covers it; empty if spans make them far too many."""
        return lay_out_slots(self.table, lambda cell: cell) or []

    def text(self, cell: TableCell | None) -> str:
        """Return the text of a cell without ignored elements."""
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
        """Find the rows with most of the headings; of equals the first and fewest.

        `places` gives the former places of columns, for headings that several columns share.
        """
        best = Header(0, 0, (None,) * len(headings))
        rows = range(min(_MAX_HEADER_DEPTH, len(self.rows)))
        for first in rows if any(headings) else ():
            for stop in range(first + 1, min(first + _MAX_HEADER_ROWS, len(rows)) + 1):
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
        moved: dict[tuple[str, int | None], int | None] = {}  # parts of one column are found in one
        for number, (here, heading, place) in enumerate(zip(same, headings, places, strict=True)):
            if found[number] is None:
                if (heading, place) not in moved:
                    moved[heading, place] = next((column for column in here if column not in taken), None)
                found[number] = moved[heading, place]
                taken.add(found[number])
        return tuple(found)

    def records(self, header: Header) -> list[int]:
        """List the rows below the header that are records: not empty, not a title, and not the header again."""
        names = {self._texts_of(row) for row in range(header.first, header.stop)}
        rows = range(header.stop, len(self.rows))
        return [
            row for row in rows if any(texts := self._texts_of(row)) and texts not in names and not self._is_title(row)
        ]

    def _texts_of(self, row: int) -> tuple[str, ...]:
        return tuple(map(self.text, self.rows[row]))

    def _is_title(self, row: int) -> bool:
        """Tell whether one cell covers more than half of a row, and no other cell of it has text."""
        slots = self.rows[row]
        filled = [cell for cell in slots if self.text(cell)]
        return len(slots) > 1 and len(filled) * 2 > len(slots) and len(set(filled)) == 1 and filled[0] is not None


def find_grids(view: View, ignored: frozenset[Step] = frozenset()) -> list[Grid]:
    """Find the tables of a document."""
    return [Grid(view, table, ignored) for table in form_tables(view.document, view.document.hidden)]


def _folded(text: str) -> str:
    """Drop what differs between pages from a heading: footnote marks, spaces, capitals."""
    return "".join(_FOOTNOTE.sub("", text).split()).casefold()
