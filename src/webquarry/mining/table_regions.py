"""Mine tables: every data table of a document as a region, the most important first.

A table with a header row is data (`page/data_tables.py`); the only exceptions in our corpora are 3 of 337, which have a
single record of two values.  Other marks count next: a caption, other header cells, a role.  A table without any must
look like data: short values, alike rows, columns of one kind.  Fails on grids of pictures with a line of text each, and
on a page laid out as a table with headers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

import numpy as np

from webquarry.html.columns import Kind, find_inside
from webquarry.html.tables import Table, form_tables
from webquarry.mining.table_cells import (
    Content,
    Grid,
    Reading,
    is_number_like,
    lay_out,
    name_columns,
    read_contents,
    read_rows,
)
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale, find_locale

_MAX_DEPTH = 3  # tables within tables; one that holds more levels is a frame

# Data or layout
_LAYOUT_ROLES = frozenset(["presentation", "none"])
_SAMPLE_RECORDS = 60  # records that show what a table is like
_LONG_TEXT = 400  # characters of a cell that is a part of a page rather than a value
_MAX_MEDIAN_LENGTH = 80  # characters of values

# Ranking
_FULL_SIZE = 400  # values from which a larger table ranks no higher
_MENU_LINKS = 0.7  # share of link text that makes a table without header a menu
_MENUS = frozenset(["nav"])
_ASIDE = frozenset("aside footer header".split())
_ROLE_FACTORS = {"main": 1.0, "side": 0.7, "menu": 0.3}


def mine_tables(document: Document) -> list[Region]:
    """Find every data table of a document, ranked by size, share of the page's text, headers and caption."""
    tables = form_tables(document)
    if not tables:
        return []
    contents = read_contents(document, tables)
    ranking = _Ranking(document, contents)
    found = _DataTables(document, tables, contents).find()
    regions = [_region(document, grid, reading, ranking) for grid, reading in found]
    return sorted(regions, key=lambda region: -region.score)


class _DataTables:
    """Finder of data tables, inner ones before those that hold them.

    The text of a nested table belongs to the cell around it only if the nested table is not data itself.
    """

    def __init__(self, document: Document, tables: Sequence[Table], contents: dict[int, Content]) -> None:
        self._document = document
        self._tables = {table.node: table for table in tables}
        self._contents = contents
        self._depths: dict[int, int] = {}
        self._texts: dict[int, str] = {}

    def find(self) -> list[tuple[Grid, Reading]]:
        """Find the data tables, with header rows and records, in document order."""
        found = [self._read(table) for table in reversed(self._tables.values())]
        return [each for each in reversed(found) if each is not None]

    def _read(self, table: Table) -> tuple[Grid, Reading] | None:
        inner = [each for row in table.cells for cell in row for each in self._contents[cell.node].tables]
        depth = self._depths[table.node] = 1 + max((self._depths.get(each, 0) for each in inner), default=0)
        if depth > _MAX_DEPTH:
            return None
        result = None
        if _may_be_data(self._document, table, self._contents) and not self._is_frame(table, inner):
            grid = lay_out(self._document, table, self._contents, self._text_of)
            reading = read_rows(self._document, grid) if grid else None
            if grid and reading and _is_data(self._document, grid, reading):
                result = grid, reading
        if result is None and depth < _MAX_DEPTH:
            cells = (cell for row in table.cells for cell in row)
            self._texts[table.node] = " ".join(self._contents[cell.node].text(self._text_of) for cell in cells)
        return result

    def _text_of(self, table: int) -> str:
        return self._texts.get(table, "")

    def _is_frame(self, table: Table, inner: Sequence[int]) -> bool:
        """Tell whether most text of a table is in tables within it."""
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
        return nested > own or (holding * 4 > len(cells) and not _is_marked(self._document, table))


def _may_be_data(document: Document, table: Table, contents: dict[int, Content]) -> bool:
    """Rule out tables whose structure alone shows that they lay out a page."""
    if document.attributes[table.node].get("role", "").strip().lower() in _LAYOUT_ROLES:
        return False
    inside = [contents[cell.node] for row in table.cells for cell in row]
    if len(table.rows) < 2 or len(inside) < 2:
        return False
    blocks, controls = sum(each.blocks for each in inside), sum(each.controls > 0 for each in inside)
    is_marked = _is_marked(document, table)
    if blocks > len(inside) * (1.0 if is_marked else 0.3) or controls > len(inside) * (0.5 if is_marked else 0.2):
        return False
    sizes = [each.size for each in inside if each.size]
    return is_marked or (bool(sizes) and max(sizes) < max(_LONG_TEXT, sum(sizes) / 2))


def _is_marked(document: Document, table: Table) -> bool:
    """Tell whether the markup marks a table as data: by a caption, headers or a head."""
    if table.caption is not None or "thead" in table.groups:
        return True
    return any(cell.is_header or "headers" in document.attributes[cell.node] for row in table.cells for cell in row)


def _is_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Decide for a table that may be data."""
    if not reading.records or not reading.columns:
        return False
    if len(reading.columns) == 1:
        return reading.is_marked and len(reading.records) > 2 and _is_regular(grid, reading)
    if reading.is_marked:
        return len(reading.records) > 1 or len(reading.columns) > 2
    return len(reading.records) > 1 and (_has_row_headers(grid, reading) or _looks_like_data(document, grid, reading))


def _looks_like_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Tell whether an unmarked table looks like data."""
    if not _is_regular(grid, reading):
        return False
    return bool(reading.header) or _has_lines(document, grid) or _has_numbers(grid, reading)


def _has_row_headers(grid: Grid, reading: Reading) -> bool:
    """Tell whether most records begin with a header cell and end with another cell."""
    ends = [(grid.rows[row][reading.columns[0]], grid.rows[row][reading.columns[-1]]) for row in reading.records]
    headed = sum(bool(first and first.is_header and last and not last.is_header) for first, last in ends)
    return headed * 2 > len(ends)


def _is_regular(grid: Grid, reading: Reading) -> bool:
    """Tell whether most records have a cell for most columns, and most cells a short text."""
    rows = [[grid.rows[row][column] for column in reading.columns] for row in reading.records[:_SAMPLE_RECORDS]]
    complete = sum(len({id(each) for each in row if each}) * 5 >= len(reading.columns) * 3 for row in rows)
    lengths = [len(each.text) for row in rows for each in row if each and each.text]
    return (
        complete * 2 > len(rows)
        and len(lengths) * 2 > len(rows) * len(reading.columns)
        and median(lengths) < _MAX_MEDIAN_LENGTH
        and max(lengths) < (_LONG_TEXT if len(reading.columns) < 3 or not reading.header else math.inf)
    )


def _has_numbers(grid: Grid, reading: Reading) -> bool:
    """Tell whether a column holds mostly numbers."""
    for column in reading.columns:
        entries = [grid.rows[row][column] for row in reading.records[:_SAMPLE_RECORDS]]
        texts = [each.text for each in entries if each and each.text]
        if len(texts) * 2 > len(entries) and sum(map(is_number_like, texts)) * 5 > len(texts) * 4:
            return True
    return False


def _has_lines(document: Document, grid: Grid) -> bool:
    """Tell whether lines are drawn around the cells."""
    layout = document.layout
    if layout is None:
        border = document.attributes[grid.table.node].get("border", "0").strip()
        return border not in ("", "0")
    cells = [each.cell.node for row in grid.rows[:_SAMPLE_RECORDS] for each in row if each]
    drawn = sum(
        layout.style(node, "border-bottom-style") not in ("", "none")
        and layout.style(node, "border-bottom-width") not in ("", "0px")
        for node in cells
    )
    return drawn * 2 > len(cells)


class _Ranking:
    """Roles and scores of the tables of one document."""

    def __init__(self, document: Document, contents: dict[int, Content]) -> None:
        self._document, self._contents = document, contents
        self._in_menu = find_inside(document.ends, document.has_tag(_MENUS))
        self._aside = find_inside(document.ends, document.has_tag(_ASIDE))
        shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden)
        texts = map(document.texts.__getitem__, shown.tolist())
        self._page_size = sum(len(text) for text in texts if not text.isspace())

    def rank(self, grid: Grid, reading: Reading) -> tuple[str, float, tuple[str, ...]]:
        """Return the role of a table, its score, and the reasons."""
        cells = [self._contents[cell.node] for row in grid.table.cells for cell in row]
        size = sum(each.size for each in cells)
        share = min(1.0, size / self._page_size) if self._page_size else 0.0
        links = sum(each.links for each in cells) / size if size else 0.0
        role = self._role(grid.table.node, reading, links)
        reasons = _reasons(self._document, grid, reading, share)
        return role, _ROLE_FACTORS[role] * _importance(grid, reading, share), reasons

    def _role(self, table: int, reading: Reading, links: float) -> str:
        if self._in_menu[table] or (not reading.header and links > _MENU_LINKS):
            return "menu"
        return "side" if self._aside[table] or _floats(self._document, table) else "main"


def _importance(grid: Grid, reading: Reading, share: float) -> float:
    """Rate a table from 0 to 1 by size, share of the page's text, header, filled cells and caption."""
    values = len(reading.columns) * len(reading.records)
    rows = (grid.rows[row] for row in reading.records)
    filled = sum(bool(row[column] and row[column].text) for row in rows for column in reading.columns) / values  # type: ignore[union-attr]
    size = min(1.0, math.log1p(values) / math.log1p(_FULL_SIZE))
    header = 1.0 if reading.is_marked else 0.6 if reading.header else 0.0
    caption = grid.table.caption is not None or bool(reading.titles)
    return 0.4 * size + 0.25 * math.sqrt(share) + 0.2 * header + 0.1 * filled + 0.05 * caption


def _floats(document: Document, table: int) -> bool:
    if document.layout is not None:
        x, _, width, _ = document.layout.boxes[table].tolist()
        return bool(width < document.layout.width / 3 and x > document.layout.width / 2)
    attributes = document.attributes[table]
    return "float" in attributes.get("style", "") or attributes.get("align", "").lower() in ("left", "right")


def _reasons(document: Document, grid: Grid, reading: Reading, share: float) -> tuple[str, ...]:
    caption = " ".join(document.text(grid.table.caption).split()) if grid.table.caption is not None else ""
    if reading.is_marked:
        header = "the markup names the columns"
    elif reading.header:
        header = "the first row names the columns"
    else:
        header = "no row names the columns"
    size = f"{len(reading.records)} records in {len(reading.columns)} columns"
    reasons = [size, header, f"{share:.0%} of the page's text"]
    return tuple(reasons + ([f"caption: {caption}"] if caption else []))


def _region(document: Document, grid: Grid, reading: Reading, ranking: _Ranking) -> Region:
    role, score, reasons = ranking.rank(grid, reading)
    records = [grid.rows[row] for row in reading.records]
    names = name_columns(grid, reading)
    columns = [
        [(each.text or None) if (each := row[column]) else None for row in records] for column in reading.columns
    ]
    nodes = [[each.cell.node if (each := row[column]) else None for row in records] for column in reading.columns]
    locale = find_locale(document.language, (text for column in columns for text in column if text))
    fields = tuple(_field(*each, locale) for each in zip(names, columns, nodes, strict=True))
    spans = ((grid.table.rows[row], document.ends.item(grid.table.rows[row])) for row in reading.records)
    return Region(
        document=document,
        node=grid.table.node,
        spans=tuple(spans),
        fields=fields,
        kind="table",
        method="tables",
        role=role,
        score=score,
        reasons=reasons,
    )


def _field(name: str, texts: list[str | None], nodes: list[int | None], locale: Locale) -> Field:
    kind, typed = read_column(texts, locale) or ("text", ())
    return Field(name=name, type=kind, values=tuple(texts), nodes=tuple(nodes), typed=typed)
