"""Cells as a reader sees them; rows that name the columns, and rows that are records."""

import pytest

from webquarry.html.tables import form_tables
from webquarry.mining.table_cells import Content, Grid, Reading, lay_out, name_columns, read_contents, read_rows
from webquarry.model.document import Document


def read(cell: str) -> Content:
    document = Document(f"<table><tr><td>{cell}</td></tr></table>")
    tables = form_tables(document)
    return read_contents(document, tables)[tables[0].cells[0][0].node]


def text(cell: str) -> str:
    return read(cell).text(lambda _: "nested")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("one\n  two", "one two"),
        ("one<br>two", "one two"),
        ("<p>one<p>two", "one two"),
        ("<ul><li>one<li>two</ul>three", "one two three"),
        ("<b>on</b>e", "one"),
        ("<i>one</i> <b>two</b>", "one two"),
        ("one\xa0two", "one two"),
        ("<img alt=no src=x.png>one", "one"),
        ("<svg><text>no</text></svg>one", "one"),
        ("<script>no</script>one<!-- no -->", "one"),
        ("<input value=no> one <button>no</button>", "one"),
        ("one<table><tr><td>x</table>two", "one nested two"),
    ],
)
def test_text_is_what_a_reader_sees_in_one_line(cell: str, expected: str) -> None:
    assert text(cell) == expected


@pytest.mark.parametrize(
    "cell",
    [
        "12<sup class=reference><a href='#note-1'><span>[</span>1<span>]</span></a></sup>",
        "12<sup><a href='#fn1'>1</a></sup>",
        "12<a href='#fn1'><sup>1</sup></a>",
        "12<sup>[a]</sup>",
        "12<sup>†</sup>",
        "12<sup>*</sup>",
        "12<a href='#n'>[3]</a>",
        "12<a href='#n'>‡</a>",
        "12<sup>[<i><a href='/policy'>citation needed</a></i>]</sup>",
    ],
)
def test_footnote_marks_are_left_out(cell: str) -> None:
    assert text(cell) == "12"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("5 km<sup>2</sup>", "5 km2"),
        ("1<sup>st</sup>", "1st"),
        ("CO<sub>2</sub>", "CO2"),
        ("<a href='#spain'>Spain</a>", "Spain"),
        ("<a href='#y1998'>1998</a>", "1998"),
        ("<a href='https://example.org/'>[1]</a>", "[1]"),
        ("10<sup><a href='/powers'>6</a></sup>", "106"),
        ("[sic]", "[sic]"),
    ],
)
def test_what_only_resembles_a_footnote_mark_is_kept(cell: str, expected: str) -> None:
    assert text(cell) == expected


@pytest.mark.parametrize(
    "key",
    [
        "<span style='display:none'>0012</span>",
        "<span style='display: none; speak: none'>0012</span>",
        "<span hidden>0012</span>",
        "<span class=sortkey>Twelve, the</span>",
        "<span class='x sort-key'>0012</span>",
        "<span class=sr-only>sorted</span>",
        "<span class=visually-hidden>sorted</span>",
    ],
)
def test_keys_to_sort_by_are_left_out(key: str) -> None:
    assert text(f"{key}<span>12</span>") == "12"


def test_counts_what_a_cell_is_made_of() -> None:
    content = read("<h2>ab</h2><input>cd<br><a href=/x>ef</a><a name=y>gh</a>")
    assert (content.size, content.links, content.blocks, content.controls) == (8, 2, 1, 1)


def test_gives_text_of_a_nested_table_to_its_own_cells() -> None:
    document = Document("<table><tr><td>a<table><tr><td>b</table>c<td>d</table>")
    outer, inner = form_tables(document)
    contents = read_contents(document, [outer, inner])
    said = [contents[cell.node].text(lambda _: "-") for cell in (*outer.cells[0], *inner.cells[0])]
    assert said == ["a - c", "d", "b"]
    assert contents[outer.cells[0][0].node].tables == [inner.node]


def read_table(rows: str) -> tuple[Grid, Reading]:
    document = Document(f"<table>{rows}</table>")
    tables = form_tables(document)
    grid = lay_out(document, tables[0], read_contents(document, tables), lambda _: "")
    assert grid is not None
    return grid, read_rows(document, grid)


def names(rows: str) -> list[str]:
    return name_columns(*read_table(rows))


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
    reading = read_table(rows)[1]
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
