"""Tables formed as the HTML standard says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from webquarry.html.columns import build_columns
from webquarry.html.tables import Cell, Table, form_tables
from webquarry.model.document import Document


def form(markup: str) -> Table:
    return form_tables(Document(markup))[0]


def slots(document: Document, table: Table) -> list[list[str]]:
    """For each row and column the texts of the cells that cover it."""
    grid = [[""] * table.width for _ in table.rows]
    for cell in (cell for row in table.cells for cell in row):
        for row in range(cell.row, cell.row + cell.height):
            for column in range(cell.column, cell.column + cell.width):
                grid[row][column] += document.text(cell.node)
    return grid


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<tr><td>a<td>b<tr><td>c<td>d", ["a b", "c d"]),
        ("<tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e", ["a a b", "c d e"]),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", ["a b", "a c"]),
        ("<tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e", ["a b c", "d b e"]),
        ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c", ["a a b", "a a c"]),
        ("<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d", ["a b", "a c", "a d"]),
        ("<tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d<td>e", ["a b", "a c", "d e"]),
        ("<tbody><tr><td rowspan=9>a<td>b<tr><td>c<tbody><tr><td>d<td>e", ["a b", "a c", "d e"]),
        ("<tr><td>a<tr><td>b<td>c", ["a .", "b c"]),
        ("<tr><td rowspan=2>a<td>b<td rowspan=2>c<tr><td colspan=2>d", ["a b c", "a d cd"]),
        ("<tfoot><tr><td>f</tfoot><tbody><tr><td>b</tbody><thead><tr><td>h", ["b", "h", "f"]),
        ("<tr><td rowspan=2>a<tr><tr><td>b", ["a", "a", "b"]),
        ("<tr><td colspan=0>a<td colspan=-3>b<td rowspan=x>c", ["a b c"]),
        ("<tr><td>a<td><table><tr><td>in</table><tr><td>c<td>d", ["a in", "c d"]),
    ],
)
def test_covers_slots_as_the_standard_says(markup: str, expected: list[str]) -> None:
    document = Document(f"<table>{markup}</table>")
    table = form_tables(document)[0]
    assert [" ".join(text or "." for text in row) for row in slots(document, table)] == expected


def test_knows_caption_groups_and_headers() -> None:
    markup = "<table><caption>C</caption><thead><tr><th>a<tbody><tr><td scope=row>b<td>c</table>"
    document = Document(markup)
    table = form_tables(document)[0]
    assert table.caption is not None
    assert document.text(table.caption) == "C"
    assert table.groups == ("thead", "tbody")
    assert [[cell.is_header for cell in row] for row in table.cells] == [[True], [True, False]]


def test_takes_rows_that_stand_in_no_group() -> None:
    columns = build_columns("<table><tbody><tr><td rowspan=2>a<td>b<tr><td>c</table>")
    body = columns.tag_names.index("tbody")
    moved = columns.parents.copy()
    group = int(np.flatnonzero(columns.tags == body)[0])
    moved[columns.parents == group] = columns.parents[group]
    table = form_tables(replace(columns, parents=moved))[0]
    assert table.groups == ("table", "table")
    assert [[(cell.column, cell.height) for cell in row] for row in table.cells] == [[(0, 2), (1, 1)], [(1, 1)]]


def test_gives_nested_tables_their_own_cells() -> None:
    outer, inner = form_tables(Document("<table><tr><td>a<td><table><tr><td>b<td>c<td>d</table></table>"))
    assert (outer.width, inner.width) == (2, 3)
    assert outer.node < outer.cells[0][1].node < inner.node


def test_gives_no_place_to_what_is_not_displayed() -> None:
    document = Document("<table><tr><td>a<td style='display:none'>no<td>b<tr hidden><td>no<td>no</table>")
    table = form_tables(document, document.hidden)[0]
    assert slots(document, table) == [["a", "b"]]


def test_bounds_spans_as_the_standard_does() -> None:
    cell = form("<table><tr><td colspan=99999999999999999999 rowspan=70000>a").cells[0][0]
    assert (cell.width, cell.height) == (1000, 1)


def test_gives_up_spans_that_cover_far_more_than_there_is() -> None:
    table = form("<table><tr>" + "<td rowspan=65534>a" * 1000 + "<tr><td>b" * 1000)
    assert {cell.height for row in table.cells for cell in row} == {1}


def test_an_empty_document_has_no_table() -> None:
    assert form_tables(Document("")) == []
    assert form("<table></table>") == Table(form("<table></table>").node, None, (), (), (), 0)


spans = st.sampled_from(
    ["", " rowspan=2", " rowspan=3", " rowspan=0", " colspan=2", " colspan=3 rowspan=2", " rowspan=9"]
)
cells = st.builds(lambda name, span: f"<{name}{span}></{name}>", st.sampled_from(["td", "th"]), spans)
rows = st.builds(lambda inner: f"<tr>{''.join(inner)}</tr>", st.lists(cells, max_size=5))
groups = st.builds(
    lambda name, inner: f"<{name}>{''.join(inner)}</{name}>",
    st.sampled_from(["thead", "tbody", "tfoot"]),
    st.lists(rows, max_size=5),
)


@given(st.lists(groups, max_size=4))
def test_each_slot_is_covered_as_the_algorithm_to_the_letter_says(inner: list[str]) -> None:
    document = Document(f"<table>{''.join(inner)}</table>")
    table = form_tables(document)[0]
    covered: dict[tuple[int, int], set[int]] = {}
    for cell in (cell for row in table.cells for cell in row):
        for row in range(cell.row, cell.row + cell.height):
            for column in range(cell.column, cell.column + cell.width):
                covered.setdefault((table.rows[row], column), set()).add(cell.node)
    expected, width = cover_to_the_letter(document, table.node)
    assert covered == expected
    assert table.width == width


@given(st.text(alphabet="<>/tabledrhospn =019\"'", max_size=200))
def test_never_raises(markup: str) -> None:
    document = Document("<table>" + markup)
    for table in form_tables(document, np.zeros(len(document), dtype=bool)):
        assert len(table.rows) == len(table.groups) == len(table.cells)
        assert all(isinstance(cell, Cell) for row in table.cells for cell in row)


class ToTheLetter:
    """Section 4.9.12.1 of the standard, slot by slot; slots are known by the node of their row."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.slots: dict[tuple[int, int], set[int]] = {}
        self.rows: dict[int, int] = {}
        self.x_width = self.y_height = self.y_current = 0
        self.growing: list[tuple[int, int, int]] = []

    def children(self, node: int, *names: str) -> list[int]:
        held = np.flatnonzero(self.document.parents == node).tolist()
        return [child for child in held if self.document.tag(child) in names]

    def run(self, table: int) -> None:
        pending = []
        for group in self.children(table, "thead", "tbody", "tfoot"):
            if self.document.tag(group) == "tfoot":
                pending.append(group)
            else:
                self.process_group(group)
        for group in pending:
            self.process_group(group)

    def process_group(self, group: int) -> None:
        for row in self.children(group, "tr"):
            self.process_row(row)
        while self.y_current < self.y_height:
            self.y_current += 1
            if self.y_current < self.y_height:  # the letter would let cells grow into the next group
                self.grow()
        self.growing = []

    def grow(self) -> None:
        for node, x, width in self.growing:
            for column in range(x, x + width):
                self.slots.setdefault((self.y_current, column), set()).add(node)

    def process_row(self, row: int) -> None:
        if self.y_height == self.y_current:
            self.y_height += 1
        self.rows[self.y_current] = row
        x = 0
        self.grow()
        for cell in self.children(row, "td", "th"):
            while x < self.x_width and (self.y_current, x) in self.slots:
                x += 1
            self.x_width = max(self.x_width, x + 1)
            attributes = self.document.attributes[cell]
            width, height = int(attributes.get("colspan", 1)), int(attributes.get("rowspan", 1))
            grows_downward, height = height == 0, height or 1
            self.x_width = max(self.x_width, x + width)
            self.y_height = max(self.y_height, self.y_current + height)
            for column in range(x, x + width):
                for line in range(self.y_current, self.y_current + height):
                    self.slots.setdefault((line, column), set()).add(cell)
            if grows_downward:
                self.growing.append((cell, x, width))
            x += width
        self.y_current += 1


def cover_to_the_letter(document: Document, table: int) -> tuple[dict[tuple[int, int], set[int]], int]:
    run = ToTheLetter(document)
    run.run(table)
    kept = {(run.rows[row], column): held for (row, column), held in run.slots.items() if row in run.rows}
    return kept, run.x_width
