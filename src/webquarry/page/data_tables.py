"""Tell data tables from tables that lay out a page, and lay tables out as slots.

A table with a header row is data to every stage.  `mining/table_regions.py` also accepts tables without one, by their
looks; `html/markdown_blocks.py` asks another question: whether Markdown can hold a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tables import Cell, Table
from webquarry.html.visibility import CELLS
from webquarry.model.document import Document
from webquarry.page.trees import ColumnsTree, Tree

MIN_COLUMNS = 2
_GROUPS = frozenset(["thead", "tbody", "tfoot"])
_MAX_SLOTS_PER_CELL = 50  # real tables have under 10; more is made to exhaust memory
_MIN_SLOT_LIMIT = 10_000  # slots that any table may have

T = TypeVar("T")


def find_data_tables(document: Document) -> NDArray[np.bool_]:
    """Tell for each node whether it is a table with a header row."""
    is_data = np.zeros(len(document), dtype=np.bool_)
    if "th" in document.tag_names:
        tree = ColumnsTree(document)
        tables = tree.named("table")
        is_data[[table for table in tables if is_data_table(tree, table)]] = True
    return is_data


def is_data_table(tree: Tree[Any], table: Any) -> bool:
    """Tell whether the first row of a table is a header row, and the next one has other cells."""
    if not tree.has(table, "th"):
        return False
    tags = [
        [tree.tag(cell) for cell in tree.children(row) if tree.tag(cell) in CELLS] for row in _rows(tree, table)[:2]
    ]
    return len(tags) > 1 and is_header_row(tags[0]) and "td" in tags[1]


def is_header_row(tags: Sequence[str]) -> bool:
    """Tell whether the cells of a row, given by their tags, are headers of columns."""
    return len(tags) >= MIN_COLUMNS and set(tags) == {"th"}


def _rows(tree: Tree[Any], table: Any) -> list[Any]:
    """List the rows of a table, without those of tables in it."""
    rows = []
    for child in tree.children(table):
        if tree.tag(child) == "tr":
            rows.append(child)
        elif tree.tag(child) in _GROUPS:
            rows += [row for row in tree.children(child) if tree.tag(row) == "tr"]
    return rows


def lay_out_slots(table: Table, read: Callable[[Cell], T]) -> list[list[T | None]] | None:
    """Return for each row of a table its slots, each with what `read` makes of the cell that covers it.

    Columns in which no cell begins are left out: browsers give them no width.  None if spans make the slots far more
    than the cells account for.
    """
    cells = [cell for row in table.cells for cell in row]
    columns = sorted({cell.column for cell in cells})
    if len(columns) * len(table.rows) > _MAX_SLOTS_PER_CELL * len(cells) + _MIN_SLOT_LIMIT:
        return None
    places = {column: place for place, column in enumerate(columns)}
    rows: list[list[T | None]] = [[None] * len(columns) for _ in table.rows]
    for cell in cells:
        content, first = read(cell), places[cell.column]
        if cell.width == cell.height == 1:
            rows[cell.row][first] = content
            continue
        stop = first + 1
        while stop < len(columns) and columns[stop] < cell.column + cell.width:
            stop += 1
        for row in rows[cell.row : cell.row + cell.height]:
            row[first:stop] = [content] * (stop - first)
    return rows
