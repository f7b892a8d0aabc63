from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.page.data_tables import find_data_tables, is_data_table
from webquarry.page.trees import ColumnsTree


def first_table(markup: str) -> tuple[ColumnsTree, int]:
    document = Document(markup)
    return ColumnsTree(document), next(node for node in range(len(document)) if document.tag(node) == "table")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th>A<th>B<tr><td>1<td>2", True),
        ("<thead><tr><th>A<th>B<tbody><tr><td>1<td>2", True),
        ("<tr><th>A<th>B<tr><th>1<td>2", True),
        ("<tr><th>A<th>B", False),
        ("<tr><th>A<tr><td>1", False),
        ("<tr><th>A<td>B<tr><td>1<td>2", False),
        ("<tr><th>A<th>B<tr><th>1<th>2", False),
        ("<tr><td>A<td>B<tr><td>1<td>2", False),
        ("", False),
        ("<tr><tr>", False),
    ],
)
def test_a_table_whose_first_row_is_all_headers_holds_data(rows, expected):
    assert is_data_table(*first_table(f"<table>{rows}</table>")) is expected


def test_rows_of_tables_in_a_table_are_not_its_own():
    inner = "<table><tr><td>x<td>y<tr><td>z</table>"
    assert is_data_table(*first_table(f"<table><tr><th>A<th>B<tr><td>{inner}<td>1</table>"))
    assert not is_data_table(*first_table(f"<table><tr><th>{inner}<th>B</table>"))


def test_finds_the_data_tables_of_a_document():
    document = Document("<table><tr><td><table><tr><th>A<th>B<tr><td>1<td>2</table></table><table><tr><td>x</table>")
    assert document.text(int(find_data_tables(document).nonzero()[0][0])) == "A\tB\n1\t2"
    assert find_data_tables(document).sum() == 1
    assert not find_data_tables(Document("<p>x")).any()
