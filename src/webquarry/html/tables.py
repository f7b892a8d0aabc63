"""Form the tables of a tree as the HTML standard says (section 4.9.12.1, "Forming a table").

Cells are kept as rectangles, never as slots, so spans of any size cost nothing. Three points differ from the standard.
A cell that grows beyond the last row of its group is cut off there, as browsers do: the standard would make rows
without a `tr`. Hidden cells take no place, as in a browser. And row spans are ignored in a group of rows where they
cover far more rows than it has cells: such tables are made to exhaust the reader.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webquarry.html.columns import Nodes

MAX_WIDTH = 1000
"""Columns that a cell may span, by the standard."""
MAX_HEIGHT = 65_534
"""Rows that a cell may span, by the standard."""
_MAX_ROWS_PER_CELL = 50  # rows that a cell of a table covers on average: real tables have under 10
_ALLOWED_ROWS = 10_000  # rows that cells may cover in any table

_GROUPS = frozenset(["thead", "tbody", "tfoot"])
_CELLS = frozenset(["td", "th"])
_LEADING_DIGITS = re.compile(r"[ \t\n\f\r]*\+?([0-9]+)")


class Cell(NamedTuple):
    """Cell with the rectangle of slots that it covers."""

    node: int
    row: int
    column: int
    height: int
    width: int
    is_header: bool
    """A `th`, or a cell with a scope."""


@dataclass(frozen=True, slots=True)
class Table:
    """Table with its rows and the cells that begin in each of them."""

    node: int
    caption: int | None
    rows: tuple[int, ...]
    """Nodes of rows in the order of display: those of a `tfoot` are last."""
    groups: tuple[str, ...]
    """Name of the group of each row: thead, tbody, tfoot, or table when there is none."""
    cells: tuple[tuple[Cell, ...], ...]
    width: int


def form_tables(tree: Nodes, absent: NDArray[np.bool_] | None = None) -> list[Table]:
    """Form every table of a tree, in document order.

    Nodes in `absent` are not displayed and take no place.
    """
    parts = _find_parts(tree, absent)
    return [_form(node, parts, tree) for node in parts.tables]


class _Parts:
    """Parts of tables by their parents."""

    def __init__(self) -> None:
        self.tables: list[int] = []
        self.captions: dict[int, int] = {}
        self.children: dict[int, list[tuple[int, str]]] = {}


def _find_parts(tree: Nodes, absent: NDArray[np.bool_] | None) -> _Parts:
    wanted = {"table", "caption", "tr"} | _GROUPS | _CELLS
    matches = np.array([name in wanted for name in tree.tag_names] + [False])[tree.tags] & (tree.namespaces == 0)
    if absent is not None:
        matches &= ~absent
    found = np.flatnonzero(matches)
    parts = _Parts()
    codes, holders = tree.tags[found].tolist(), tree.parents[found].tolist()
    children: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    names = tree.tag_names
    for node, code, parent in zip(found.tolist(), codes, holders, strict=True):
        name = names[code]
        if name == "table":
            parts.tables.append(node)
        elif name == "caption":
            parts.captions.setdefault(parent, node)
        else:
            children[parent].append((node, name))
    parts.children.update(children)
    return parts


def _form(node: int, parts: _Parts, tree: Nodes) -> Table:
    rows: list[int] = []
    groups: list[str] = []
    cells: list[tuple[Cell, ...]] = []
    width = 0
    for group, members in _in_order(parts.children.get(node, ()), parts):
        spans = [_read_spans(parts.children.get(row, ()), tree) for row in members]
        placed = _place(spans, len(rows))
        width = max((width, *(row[-1].column + row[-1].width for row in placed if row)))
        cells += placed
        rows += members
        groups += [group] * len(members)
    return Table(node, parts.captions.get(node), tuple(rows), tuple(groups), tuple(cells), width)


def _in_order(children: Iterable[tuple[int, str]], parts: _Parts) -> list[tuple[str, list[int]]]:
    """List the groups of rows in the order of display; rows outside of any group form a group of their own."""
    ordered: list[tuple[str, list[int]]] = []
    last: list[tuple[str, list[int]]] = []
    for node, name in children:
        if name in _GROUPS:
            rows = [row for row, tag in parts.children.get(node, ()) if tag == "tr"]
            (last if name == "tfoot" else ordered).append((name, rows))
        elif name == "tr" and ordered and ordered[-1][0] == "table":
            ordered[-1][1].append(node)
        elif name == "tr":
            ordered.append(("table", [node]))
    return ordered + last


class _Span(NamedTuple):
    """Cell without its place; a height of 0 reaches to the end of the group."""

    node: int
    width: int
    height: int
    is_header: bool


def _read_spans(children: Iterable[tuple[int, str]], tree: Nodes) -> list[_Span]:
    widths, heights, scopes = map(tree.values_of, ("colspan", "rowspan", "scope"))
    spans = []
    for node, name in children:
        if name in _CELLS:
            width = (read_span(widths[node], MAX_WIDTH) or 1) if node in widths else 1
            height = read_span(heights[node], MAX_HEIGHT) if node in heights else 1
            spans.append(_Span(node, width, height, name == "th" or node in scopes))
    return spans


def read_span(text: str, most: int) -> int:
    """Read a span attribute, at most `most`; 1 where it has no number.

    >>> [read_span(text, 1000) for text in ("3", " 2x", "", "-1", "0", "99999999")]
    [3, 2, 1, 1, 0, 1000]
    """
    digits = _LEADING_DIGITS.match(text)
    if not digits:
        return 1
    said = digits[1].lstrip("0")
    return most if len(said) > len(str(most)) else min(int(said or 0), most)


def _place(rows: list[list[_Span]], first: int) -> list[tuple[Cell, ...]]:
    """Place the cells of one group, whose first row has the given number."""
    if _is_excessive(rows):
        rows = [[span._replace(height=1) for span in spans] for spans in rows]
    placed: list[tuple[Cell, ...]] = []
    growing: list[tuple[int, int, int]] = []  # column, column after it, row after it, of cells that go on below
    for number, spans in enumerate(rows):
        cells: list[Cell] = []
        column = 0
        above = iter(growing)
        ahead = next(above, None)
        left = len(rows) - number
        for node, width, height, is_header in spans:
            while ahead is not None and ahead[0] <= column:
                column = max(column, ahead[1])
                ahead = next(above, None)
            cells.append(Cell(node, first + number, column, min(height or left, left), width, is_header))
            column += width
        placed.append(tuple(cells))
        below = first + number + 1
        growing = [each for each in growing if each[2] > below]
        growing += [
            (cell.column, cell.column + cell.width, cell.row + cell.height) for cell in cells if cell.height > 1
        ]
        growing.sort()
    return placed


def _is_excessive(rows: list[list[_Span]]) -> bool:
    """Tell whether row spans cover far more rows than there are cells."""
    tall = [(number, span.height) for number, spans in enumerate(rows) for span in spans if span.height != 1]
    cover = sum(min(height or MAX_HEIGHT, len(rows) - number) for number, height in tall)
    return cover > _MAX_ROWS_PER_CELL * sum(map(len, rows)) + _ALLOWED_ROWS
