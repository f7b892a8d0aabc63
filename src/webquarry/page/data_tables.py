"""Tables that hold data, told from those that lay out a page by their row of headers."""

from __future__ import annotations

from typing import Any

from webquarry.html.visibility import CELLS
from webquarry.page.trees import Tree

_PARTS = frozenset(["thead", "tbody", "tfoot"])
FEWEST_COLUMNS = 2


def is_data_table(tree: Tree[Any], table: Any) -> bool:
    """Whether the first row of a table is all headers, and others below it have cells."""
    if not tree.has(table, "th"):
        return False
    rows = table_rows(tree, table)
    if len(rows) < FEWEST_COLUMNS:
        return False
    tags = [[tree.tag(cell) for cell in tree.children(row) if tree.tag(cell) in CELLS] for row in rows[:2]]
    return len(tags[0]) >= FEWEST_COLUMNS and set(tags[0]) == {"th"} and "td" in tags[1]


def table_rows(tree: Tree[Any], table: Any) -> list[Any]:
    """The rows of a table, without those of tables in it."""
    rows = []
    for child in tree.children(table):
        if tree.tag(child) == "tr":
            rows.append(child)
        elif tree.tag(child) in _PARTS:
            rows += [row for row in tree.children(child) if tree.tag(row) == "tr"]
    return rows
