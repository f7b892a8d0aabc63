"""Tables that hold data, told from tables that lay out a page.

What the markup says counts first (a role, headers, a caption).  A table that says nothing must look like data: short
values, rows alike, columns of one kind.  It fails on grids of pictures with a line of text each, and on a form that is
set as a table with headers.
"""

from __future__ import annotations

import math
from statistics import median

from webquarry.html.tables import Table
from webquarry.mining.tables.cell_contents import Content
from webquarry.mining.tables.grid import Grid, are_mostly_broken
from webquarry.mining.tables.headers import Reading
from webquarry.mining.tables.texts import is_number_like
from webquarry.model import Document

_ONLY_LAYOUT = frozenset(["presentation", "none"])
_LOOKED_AT = 60  # records that tell what a table is like
_LONG = 400  # characters of a cell that is a part of a page rather than a value
_VALUE = 80  # characters that most values stay below


def may_hold_data(document: Document, table: Table, contents: dict[int, Content]) -> bool:
    """False where the structure alone shows that a table lays out a page."""
    if document.attributes[table.node].get("role", "").strip().lower() in _ONLY_LAYOUT:
        return False
    inside = [contents[cell.node] for row in table.cells for cell in row]
    if len(table.rows) < 2 or len(inside) < 2:
        return False
    blocks, controls = sum(each.blocks for each in inside), sum(each.controls > 0 for each in inside)
    is_marked = has_marks(document, table)
    if blocks > len(inside) * (1.0 if is_marked else 0.3) or controls > len(inside) * (0.5 if is_marked else 0.2):
        return False
    spoken = [each.size for each in inside if each.size]
    return is_marked or (bool(spoken) and max(spoken) < max(_LONG, sum(spoken) / 2))


def has_marks(document: Document, table: Table) -> bool:
    """Whether the markup says that a table holds data: by a caption, headers or a head."""
    if table.caption is not None or "thead" in table.groups:
        return True
    return any(cell.is_header or "headers" in document.attributes[cell.node] for row in table.cells for cell in row)


def holds_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Whether a table that may hold data does."""
    if not reading.records or not reading.columns:
        return False
    if len(reading.columns) == 1:
        return reading.is_marked and len(reading.records) > 2 and _is_regular(grid, reading)
    if reading.is_marked:
        return len(reading.records) > 1 or len(reading.columns) > 2
    return len(reading.records) > 1 and (_has_row_headers(grid, reading) or _looks_like_data(document, grid, reading))


def _looks_like_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Whether a table in which nothing is marked is like data to look at."""
    if not _is_regular(grid, reading):
        return False
    if reading.header:
        return True
    rows = [grid.rows[row] for row in reading.records]
    return not are_mostly_broken(rows) and (_has_lines(document, grid) or _has_numbers(grid, reading))


def _has_row_headers(grid: Grid, reading: Reading) -> bool:
    """Whether most records begin with a header and go on with something else."""
    ends = [(grid.rows[row][reading.columns[0]], grid.rows[row][reading.columns[-1]]) for row in reading.records]
    headed = sum(bool(first and first.is_header and last and not last.is_header) for first, last in ends)
    return headed * 2 > len(ends)


def _is_regular(grid: Grid, reading: Reading) -> bool:
    """Whether most records have a cell for most columns, say something in most, and say it shortly."""
    rows = [[grid.rows[row][column] for column in reading.columns] for row in reading.records[:_LOOKED_AT]]
    complete = sum(len({id(each) for each in row if each}) * 5 >= len(reading.columns) * 3 for row in rows)
    lengths = [len(each.text) for row in rows for each in row if each and each.text]
    return (
        complete * 2 > len(rows)
        and len(lengths) * 2 > len(rows) * len(reading.columns)
        and median(lengths) < _VALUE
        and max(lengths) < (_LONG if len(reading.columns) < 3 or not reading.header else math.inf)
    )


def _has_numbers(grid: Grid, reading: Reading) -> bool:
    """Whether a column holds mostly numbers."""
    for column in reading.columns:
        entries = [grid.rows[row][column] for row in reading.records[:_LOOKED_AT]]
        texts = [each.text for each in entries if each and each.text]
        if len(texts) * 2 > len(entries) and sum(map(is_number_like, texts)) * 5 > len(texts) * 4:
            return True
    return False


def _has_lines(document: Document, grid: Grid) -> bool:
    """Whether lines are drawn around the cells."""
    layout = document.layout
    if layout is None:
        border = document.attributes[grid.table.node].get("border", "0").strip()
        return border not in ("", "0")
    cells = [each.cell.node for row in grid.rows[:_LOOKED_AT] for each in row if each]
    drawn = sum(
        layout.style(node, "border-bottom-style") not in ("", "none")
        and layout.style(node, "border-bottom-width") not in ("", "0px")
        for node in cells
    )
    return drawn * 2 > len(cells)
