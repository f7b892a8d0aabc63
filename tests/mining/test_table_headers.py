"""Which rows name the columns, which are records."""

from __future__ import annotations

import pytest

from webquarry.html.tables import form_tables
from webquarry.mining.table_cells import Grid, lay_out, read_contents
from webquarry.mining.table_headers import Reading, name_columns, read_rows
from webquarry.model.document import Document


def read(rows: str) -> tuple[Grid, Reading]:
    document = Document(f"<table>{rows}</table>")
    tables = form_tables(document)
    grid = lay_out(document, tables[0], read_contents(document, tables), lambda _: "")
    assert grid is not None
    return grid, read_rows(document, grid)


def names(rows: str) -> list[str]:
    return name_columns(*read(rows))


@pytest.mark.parametrize(
    ("rows", "header", "records"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4", [0], [1, 2]),
        ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", [0], [1]),
        ("<tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3", [0, 1], [2]),
        ("<tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>1<td>2<td>3", [0, 1], [2]),
        ("<tr><th colspan=2>title<tr><th>a<th>b<tr><td>1<td>2", [1], [2]),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><th colspan=2>part<tr><td>3<td>4<tr><td colspan=2>source", [0], [1, 3]),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><th>a<th>b<tr><td>3<td>4", [0], [1, 3]),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><td><td><tr><td>3<td>4", [0], [1, 3]),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><th>total<th>3", [0], [1, 2]),
        ("<tr><td><th>b<tr><th>x<td>1<tr><th>y<td>2", [0], [1, 2]),
        ("<tr><th>born<td>Rome<tr><th>age<td>80<tr><th>height<td>180", [], [0, 1, 2]),
        ("<tr><td>Year<td>Votes<tr><td>1990<td>12<tr><td>1994<td>15", [0], [1, 2]),
        ("<tr><td>1986<td>10<tr><td>1990<td>12<tr><td>1994<td>15", [], [0, 1, 2]),
        ("<tr><td>School<td>2007<td>2008<tr><td>Hill<td>81<td>82<tr><td>Vale<td>71<td>72", [0], [1, 2]),
        ("<tr><td><b>a</b><td><b>b</b><tr><td>x<td>y<tr><td>z<td>w", [0], [1, 2]),
        ("<tr bgcolor=#eee><td>a<td>b<tr><td>x<td>y<tr><td>z<td>w", [0], [1, 2]),
        ("<tr><td>Paris<td>France<tr><td>Rome<td>Italy<tr><td>Nice<td>France", [], [0, 1, 2]),
        ("<tr><td id=a>City<td id=b>State<tr><td headers=a>Rome<td headers=b>Italy", [0], [1]),
        ("<tr><th>a<th>b<tr><th>c<th>d", [0], [1]),
    ],
)
def test_tells_header_rows_from_records(rows: str, header: list[int], records: list[int]) -> None:
    reading = read(rows)[1]
    assert (list(reading.header), list(reading.records)) == (header, records)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th>City<th>Size<tr><td>Rome<td>3", ["City", "Size"]),
        (
            "<tr><th rowspan=2>City<th colspan=2>Population<tr><th>2000<th>2010<tr><td>Rome<td>3<td>4",
            ["City", "Population 2000", "Population 2010"],
        ),
        ("<tr><th>Name<th>m<th>Name<th>m<tr><td>a<td>1<td>b<td>2", ["Name", "m", "Name_2", "m_2"]),
        ("<tr><th>a<th>a_2<th>a<tr><td>1<td>2<td>3", ["a", "a_2", "a_3"]),
        ("<tr><th><th>b<th>c<tr><td>1<td>2<td>3", ["column_1", "b", "c"]),
        ("<tr><th>born<td>Rome<tr><th>height<td>tall", ["label", "value"]),
        ("<tr><th>a<th>Flag<th>c<tr><td>1<td><img src=f.png><td>3", ["a", "c"]),
        (
            "<tr><th colspan=2>Party<th>Seats<tr><td bgcolor=red><td>Reds<td>3<tr><td colspan=2>Total<td>3",
            ["Party", "Seats"],
        ),
        ("<tr><th>a<th>b<tr><td colspan=2>1<tr><td colspan=2>2<tr><td>3<td>4", ["a", "b"]),
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><td colspan=9>a note below", ["a", "b"]),
    ],
)
def test_names_columns_by_what_stands_above(rows: str, expected: list[str]) -> None:
    assert names(rows) == expected
