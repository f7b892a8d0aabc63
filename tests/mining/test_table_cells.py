"""What a reader sees in a cell."""

from __future__ import annotations

import pytest

from webquarry.html.tables import form_tables
from webquarry.mining.table_cells import Content, read_contents
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
