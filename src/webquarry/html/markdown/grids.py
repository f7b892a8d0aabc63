"""Tables that Markdown can hold: a line for each row, a text for each cell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from webquarry.html.markdown.tree import Tree
from webquarry.html.tables import Table, form_tables

_BLOCKS = ("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "listing", "pre", "table", "xmp")
"""What no cell of Markdown can hold; a table with such cells lays out the page rather than data."""
_WIDEST = 100
"""Columns: wider tables are written cell by cell, as nobody can read their lines."""


def find_grids(tree: Tree, leaves: NDArray[np.int64]) -> dict[int, Table]:
    """The tables that hold data, by their nodes: of two columns and rows or more, and of nothing but texts."""
    if "table" not in tree.tag_names:
        return {}
    blocks = np.flatnonzero(tree.has_tag(_BLOCKS))
    return {table.node: table for table in form_tables(tree) if _is_grid(table, tree, leaves, blocks)}


def write_grid(table: Table, write_cell: Callable[[int], str]) -> str:
    """A table as HTML without spans: the text of a cell stands in the first place that it covers.

    Rows and columns without any text are left out.
    """
    rows = [{cell.column: write_cell(cell.node) for cell in cells} for cells in table.cells]
    columns = sorted({column for row in rows for column, html in row.items() if html})
    parts = ["<table>"]
    for number, row in enumerate(row for row in rows if any(row.values())):
        tag = "th" if number == 0 else "td"
        parts += ["<tr>", *(f"<{tag}>{row.get(column, '')}</{tag}>" for column in columns), "</tr>"]
    return "".join([*parts, "</table>"])


def _is_grid(table: Table, tree: Tree, leaves: NDArray[np.int64], blocks: NDArray[np.int64]) -> bool:
    node, end = table.node, int(tree.ends[table.node])
    if tree.attributes[node].get("role", "").strip().lower() in ("presentation", "none"):
        return False
    if ((blocks > node) & (blocks < end)).any():
        return False
    inside = leaves[(leaves > node) & (leaves < end)]
    filled = {
        (cell.row, cell.column): count
        for cells in table.cells
        for cell in cells
        if (count := _count(inside, cell.node, int(tree.ends[cell.node])))
    }
    columns = {column for _, column in filled}
    captioned = _count(inside, table.caption, int(tree.ends[table.caption])) if table.caption else 0
    is_whole = sum(filled.values()) + captioned == len(inside)
    return is_whole and len({row for row, _ in filled}) > 1 and 1 < len(columns) <= _WIDEST


def _count(leaves: NDArray[np.int64], start: int, stop: int) -> int:
    """How many leaves stand from one node to before another."""
    return int(np.searchsorted(leaves, stop) - np.searchsorted(leaves, start))
