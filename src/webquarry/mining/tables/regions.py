"""Mining tables: every data table of a document as a region, the most important first."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tables import Table, form_tables
from webquarry.mining.tables.cell_contents import Content, read_contents
from webquarry.mining.tables.data_tables import has_marks, holds_data, may_hold_data
from webquarry.mining.tables.grid import Grid, lay_out
from webquarry.mining.tables.headers import Reading, name_columns, read_rows
from webquarry.mining.tables.ranking import Rank, Ranking
from webquarry.model import Document, Field, Region
from webquarry.values import Locale, find_locale, read_column

_DEEPEST = 3  # tables within tables within tables: what holds more is a frame, and its text is not put together
_TAKES_PLACE = re.compile(r"visibility\s*:", re.IGNORECASE)


def mine_tables(document: Document) -> list[Region]:
    """Every data table of a document, ranked by size, share of the page's text, headers and caption."""
    tables = form_tables(document, _absent(document))
    if not tables:
        return []
    contents = read_contents(document, tables)
    found = _DataTables(document, tables, contents)
    ranking = Ranking(document)
    regions = [_region(document, grid, reading, ranking.rank(grid, reading, contents)) for grid, reading in found.all()]
    return sorted(regions, key=lambda region: -region.score)


def grid_of(region: Region) -> list[list[str]]:
    """The rows of a table as texts, the names of its columns first."""
    names = [each.name for each in region.fields]
    columns = [[value or "" for value in each.values] for each in region.fields]
    return [names, *map(list, zip(*columns, strict=True))]


class _DataTables:
    """Finds the tables that hold data, inner ones before those that hold them.

    The text of a nested table belongs to the cell around it only if the nested one holds no data.
    """

    def __init__(self, document: Document, tables: Sequence[Table], contents: dict[int, Content]) -> None:
        self._document = document
        self._tables = {table.node: table for table in tables}
        self._contents = contents
        self._depths: dict[int, int] = {}
        self._texts: dict[int, str] = {}

    def all(self) -> list[tuple[Grid, Reading]]:
        """The data tables with their rows told apart, in document order."""
        found = [self._read(table) for table in reversed(self._tables.values())]
        return [each for each in reversed(found) if each is not None]

    def _read(self, table: Table) -> tuple[Grid, Reading] | None:
        inner = [each for row in table.cells for cell in row for each in self._contents[cell.node].tables]
        depth = self._depths[table.node] = 1 + max((self._depths.get(each, 0) for each in inner), default=0)
        if depth > _DEEPEST:
            return None
        result = None
        if may_hold_data(self._document, table, self._contents) and not self._is_frame(table, inner):
            grid = lay_out(self._document, table, self._contents, self._text_of)
            reading = read_rows(self._document, grid) if grid else None
            if grid and reading and holds_data(self._document, grid, reading):
                result = grid, reading
        if result is None and depth < _DEEPEST:
            cells = (cell for row in table.cells for cell in row)
            self._texts[table.node] = " ".join(self._contents[cell.node].text(self._text_of) for cell in cells)
        return result

    def _text_of(self, table: int) -> str:
        return self._texts.get(table, "")

    def _is_frame(self, table: Table, inner: Sequence[int]) -> bool:
        """Whether most of what a table says stands in tables within it."""
        if not inner:
            return False
        cells = [self._contents[cell.node] for row in table.cells for cell in row]
        holding = sum(bool(each.tables) for each in cells)
        own = sum(each.size for each in cells)
        nested = sum(
            self._contents[cell.node].size
            for each in inner
            if each in self._tables
            for row in self._tables[each].cells
            for cell in row
        )
        return nested > own or (holding * 4 > len(cells) and not has_marks(self._document, table))


def _region(document: Document, grid: Grid, reading: Reading, rank: Rank) -> Region:
    records = [grid.rows[row] for row in reading.records]
    names = name_columns(grid, reading)
    columns = [
        [(each.text or None) if (each := row[column]) else None for row in records] for column in reading.columns
    ]
    nodes = [[each.cell.node if (each := row[column]) else None for row in records] for column in reading.columns]
    locale = find_locale(document.language, (text for column in columns for text in column if text))
    fields = tuple(_field(*each, locale) for each in zip(names, columns, nodes, strict=True))
    spans = ((grid.table.rows[row], int(document.ends[grid.table.rows[row]])) for row in reading.records)
    return Region(
        document=document,
        node=grid.table.node,
        spans=tuple(spans),
        fields=fields,
        kind="table",
        method="tables",
        role=rank.role,
        score=rank.score,
        reasons=rank.reasons,
    )


def _field(name: str, texts: list[str | None], nodes: list[int | None], locale: Locale) -> Field:
    kind, typed = read_column(texts, locale) or ("text", ())
    return Field(name=name, type=kind, values=tuple(texts), nodes=tuple(nodes), typed=typed)


def _absent(document: Document) -> NDArray[np.bool_]:
    """For each node whether it takes no place in a table."""
    if document.layout is not None:
        return document.hidden & np.isnan(document.layout.boxes[:, 0])
    absent = document.hidden.copy()
    for node in np.flatnonzero(absent).tolist():
        style = document.attributes[node].get("style", "")
        if _TAKES_PLACE.search(style) and "display" not in style and not document.hidden[document.parents[node]]:
            absent[node] = False
    return absent
