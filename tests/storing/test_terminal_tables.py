"""Tables for a terminal: readable at any width, honest about what they leave out, and harmless."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings, strategies as st
from rich.cells import cell_len

from webquarry.model.page import Failure
from webquarry.model.region import PageRegions
from webquarry.model.wording import printable
from webquarry.storing.terminal_tables import TextTables, to_text

SHOP = {
    "title": ["A kettle of brushed steel with a long spout", "Lamp", None],
    "price": [("12,50 €", 12.5, "EUR"), ("9 €", 9.0, "EUR"), None],
    "maker": ["Kettleby and Sons", "Lumen", "Drill works of the north"],
    "stock": ["in stock"] * 3,
}


def table_of(text: str) -> list[str]:
    """The lines of the table, without the address above and the footer below."""
    return text.splitlines()[1:-2]


def test_a_table_of_thousands_of_columns_has_a_footer_of_one_screen(page_of):
    text = to_text(page_of({f"column {number}": ["Kettle", "Lamp"] for number in range(5000)}), 80)
    footer = text.splitlines()[-2]
    assert footer.endswith(" and 4,962 more); -o FILE has everything")
    assert len(footer) < 500


def test_a_table_has_a_line_a_record_under_the_names(page_of):
    lines = to_text(page_of({"title": ["Kettle", "Lamp"], "price": [("12 €", 12.0, "EUR"), ("9 €", 9.0, "EUR")]}), 80)
    assert lines.splitlines() == [
        "https://example.org/a",
        "title   price",
        "------  -----",
        "Kettle   12 €",
        "Lamp      9 €",
        "2 records",
        "",
    ]


@pytest.mark.parametrize("width", [1, 2, 5, 10, 11, 20, 33, 40, 60, 80, 200])
def test_no_line_of_a_table_is_wider_than_the_terminal(page_of, width):
    table = table_of(to_text(page_of(SHOP), width))
    assert len(table) == 5
    assert max(map(cell_len, table)) <= width


def test_wide_characters_count_twice(page_of):
    table = table_of(to_text(page_of({"名前": ["漢字かな" * 10], "x": ["y"]}), 30))
    assert max(map(cell_len, table)) <= 30


def test_a_narrow_terminal_says_what_is_hidden_and_cut(page_of):
    text = to_text(page_of(SHOP), 21)
    assert table_of(text)[0].split() == ["title", "price"]
    assert "3 records; 2 columns hidden (maker, stock); long values cut; -o FILE has everything" in text


def test_a_wide_terminal_hides_nothing_and_says_nothing(page_of):
    text = to_text(page_of(SHOP), 200)
    assert "A kettle of brushed steel with a long spout" in text
    assert text.endswith("\n3 records\n\n")


def test_constants_and_links_are_hidden_before_what_tells_records_apart(page_of, field_of):
    link = field_of("link", ["https://example.org/one", "https://example.org/two"])
    link = type(link)("link", "link", link.values, link.nodes)
    fields = [field_of("shop", ["Kettleby and Sons"] * 2), link, field_of("title", ["A long title", "Another title"])]
    assert table_of(to_text(page_of(fields), 15))[0].split() == ["title"]


def test_room_goes_to_the_columns_that_need_it(page_of):
    table = table_of(to_text(page_of({"a": ["x" * 30], "b": ["y"], "c": ["z" * 14]}), 51))
    assert table[2] == f"{'x' * 30}  y  {'z' * 14}"


def test_titles_are_shown_whole_before_other_columns_get_more(page_of):
    columns = {"notes": ["n" * 60, "m" * 60], "title": ["Whistling kettle K-15", "Desk lamp"]}
    table = table_of(to_text(page_of(columns), 50))
    assert table[2] == f"{'n' * 26}…  Whistling kettle K-15"


def test_addresses_give_way_to_texts_and_show_their_end(page_of):
    columns = {
        "link": [f"https://example.org/offers/{name}.html" for name in ("kettle", "lamp")],
        "notes": ["n" * 30] * 2,
    }
    table = table_of(to_text(page_of(columns), 42))
    assert table[2:] == [f"…ttle.html  {'n' * 30}", f"…lamp.html  {'n' * 30}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b]0;title\x07x", "\ufffd]0;title\ufffdx"),
        ("\x9b2Jx", "\ufffd2Jx"),
        ("a\r\n\tb\x0bc", "a b c"),
        ("a\u202eb\u2066c", "abc"),
        ("a\u2028b", "a b"),
        ("\ud83d\ude00 \ud800", "\U0001f600 \ufffd"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_what_a_page_says_cannot_act_on_the_terminal(text, expected):
    assert printable(text) == expected


@settings(deadline=None, derandomize=True, database=None, max_examples=50)
@given(st.text(), st.text(), st.text(), st.integers(1, 60))
def test_no_control_reaches_the_terminal_whatever_the_page_says(page_of, address, name, value, width):
    text = to_text(page_of({name: [value, "x"], "other": [None, value]}, page=address), width)
    assert not [mark for mark in text if mark != "\n" and (ord(mark) < 32 or 127 <= ord(mark) < 160)]
    assert len(text.splitlines()) == 7


def test_markup_of_rich_is_text(page_of):
    assert "[red]Kettle[/red]" in to_text(page_of({"title": ["[red]Kettle[/red]"]}), 80)


def test_several_regions_have_their_numbers_above_them(region_of):
    regions = [region_of({"a": ["1"]}), region_of({"b": ["2"]}, kind="table", role="side", score=0.5)]
    assert to_text(PageRegions("https://example.org/", "static", regions), 80).splitlines() == [
        "https://example.org/",
        "region 1 (records, main, score 0.93)",
        *["a", "-", "1", "1 record", ""],
        "region 2 (table, side, score 0.50)",
        *["b", "-", "2", "1 record", ""],
    ]


def test_a_page_without_records_says_so():
    assert to_text(PageRegions("https://example.org/", "static", []), 80) == "https://example.org/\nno records\n\n"


def test_a_stream_gets_each_page_at_once_and_failures_none(page_of):
    stream = io.BytesIO()
    sink = TextTables(None, stream, width=80)
    sink.add(Failure("https://example.org/b", "why"))
    assert stream.getvalue() == b""
    sink.add(page_of(SHOP))
    assert stream.getvalue().startswith(b"https://example.org/a\ntitle")


def test_a_file_is_seen_when_it_is_finished(page_of, tmp_path):
    sink = TextTables(tmp_path / "a.txt", io.BytesIO(), width=80)
    sink.add(page_of(SHOP))
    assert not (tmp_path / "a.txt").exists()
    sink.finish()
    assert (tmp_path / "a.txt").read_text().startswith("https://example.org/a\ntitle")
