"""Tables as regions."""

from __future__ import annotations

import pytest
from benchmarks.miners import grid_of
from hypothesis import given, strategies as st

from webquarry.mining.table_regions import mine_tables
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.model.region import Region
from webquarry.page.data_tables import find_data_tables
from webquarry.pipeline.render_pages import render

CITIES = """
<table><caption>Cities</caption>
<tr><th>City<th>State<th>Size</tr>
<tr><td>Rome<td rowspan=2>Italy<td>2.8<sup><a href=#n>[1]</a></sup></tr>
<tr><td>Milan<td>1.4</tr>
<tr><td>Oslo<td>Norway<td></tr>
</table>
"""
LINKS = """
<table>
<tr><th>News<td><a href=/1>Home affairs</a> <a href=/2>The world</a></tr>
<tr><th>Sport<td><a href=/3>Football</a></tr>
</table>
"""


def mine_one(markup: str) -> Region:
    regions = mine_tables(Document(markup))
    assert len(regions) == 1
    return regions[0]


def test_a_table_is_a_region_with_a_record_a_row() -> None:
    region = mine_one(CITIES)
    assert (region.kind, region.method, region.role) == ("table", "tables", "main")
    assert grid_of(region) == [
        ["City", "State", "Size"],
        ["Rome", "Italy", "2.8"],
        ["Milan", "Italy", "1.4"],
        ["Oslo", "Norway", ""],
    ]
    assert [record.values for record in region.records] == [
        {"City": "Rome", "State": "Italy", "Size": "2.8"},
        {"City": "Milan", "State": "Italy", "Size": "1.4"},
        {"City": "Oslo", "State": "Norway"},
    ]


def test_every_value_can_be_traced_to_its_cell() -> None:
    region = mine_one(CITIES)
    document = region.document
    assert document.xpath(region.node) == "/html/body/table"
    assert [document.xpath(first) for first, _ in region.spans] == [
        f"/html/body/table/tbody/tr[{n}]" for n in (2, 3, 4)
    ]
    assert all(stop == document.ends[first] for first, stop in region.spans)
    shared = region.records[1].nodes["State"]
    assert document.xpath(shared) == "/html/body/table/tbody/tr[2]/td[2]"
    assert [document.xpath(node or 0) for node in region.fields[0].nodes] == [
        f"/html/body/table/tbody/tr[{n}]/td[1]" for n in (2, 3, 4)
    ]


def test_reasons_are_words() -> None:
    assert mine_one(CITIES + "<p>" + "x" * 120).reasons == (
        "3 records in 3 columns",
        "the markup names the columns",
        "25% of the page's text",
        "caption: Cities",
    )


def test_the_more_important_table_comes_first() -> None:
    small = "<table><tr><td>Rome<td>2<tr><td>Oslo<td>1</table>"
    large = "<table><tr><th>City<th>Size" + "".join(f"<tr><td>Town {n}<td>{n}" for n in range(40)) + "</table>"
    regions = mine_tables(Document(small + large))
    assert [len(region) for region in regions] == [40, 2]
    assert 1 >= regions[0].score > regions[1].score > 0


@pytest.mark.parametrize(
    ("markup", "role"),
    [
        (CITIES, "main"),
        (f"<aside>{CITIES}</aside>", "side"),
        (CITIES.replace("<table>", "<table style='float: right'>"), "side"),
        (f"<nav>{CITIES}</nav>", "menu"),
        (LINKS, "menu"),
    ],
)
def test_a_table_has_a_role(markup: str, role: str) -> None:
    assert mine_one(markup).role == role


def test_a_nested_data_table_is_a_region_of_its_own_and_not_in_the_cell() -> None:
    inner = "<table><tr><th>x<th>y<tr><td>1<td>2<tr><td>3<td>4</table>"
    rows = "".join(f"<tr><td>City {n}<td>Something to say of {n}<td>{n}" for n in range(9))
    markup = f"<table><tr><th>City<th>Note<th>Size{rows}<tr><td>Last<td>See {inner}<td>9</table>"
    outer, nested = mine_tables(Document(markup))
    assert grid_of(nested) == [["x", "y"], ["1", "2"], ["3", "4"]]
    assert grid_of(outer)[-1] == ["Last", "See", "9"]


def test_text_of_a_nested_layout_table_stays_in_the_cell() -> None:
    rows = "".join(f"<tr><td>City {n}<td>Something to say of {n}<td>{n}" for n in range(9))
    inner = "<table><tr><td>so<td>far</table>"
    region = mine_one(f"<table><tr><th>City<th>Note<th>Size{rows}<tr><td>Last<td>{inner}<td>9</table>")
    assert grid_of(region)[-1] == ["Last", "so far", "9"]


def test_a_cell_that_is_hidden_but_takes_place_keeps_its_column() -> None:
    markup = "<table><tr><th style='visibility:hidden'>x<th>b<th>c<tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table>"
    assert grid_of(mine_one(markup)) == [["column_1", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]


def test_spans_made_to_exhaust_memory_end_in_no_region() -> None:
    stairs = "".join(f"<tr><td colspan={1 + n % 997}>a<td>b<td>c" for n in range(3000))
    assert mine_tables(Document(f"<table>{stairs}</table>")) == []
    deep = "<table><tr><td>a<td>b<tr><td>c<td>" * 1000
    assert mine_tables(Document(deep)) == []


def test_a_page_without_tables_has_no_region() -> None:
    assert mine_tables(Document("<p>Nothing here")) == []
    assert mine_tables(Document("")) == []


words = st.sampled_from(
    ["", "a", "Rome", "12", "1,200", "<b>x</b>", "<br>", "<input>", "<table><tr><td>n</table>", "<h2>h</h2>"]
)
spans = st.sampled_from(["", "", "", " rowspan=2", " colspan=3", " rowspan=0", " scope=row", " style='display:none'"])
cells = st.builds(lambda name, span, text: f"<{name}{span}>{text}", st.sampled_from(["td", "th"]), spans, words)
rows = st.builds(lambda inner: "<tr>" + "".join(inner), st.lists(cells, max_size=5))
parts = st.one_of(rows, st.sampled_from(["<thead>", "<tbody>", "<tfoot>", "<caption>c</caption>", "</table><table>"]))


@given(st.lists(parts, max_size=14))
def test_any_table_gives_regions_whose_columns_fit_their_records(inner: list[str]) -> None:
    document = Document(f"<table>{''.join(inner)}</table>")
    regions = mine_tables(document)
    assert regions == mine_tables(document)
    for region in regions:
        assert len(region) > 0
        assert {len(field.values) for field in region.fields} == {len(region)}
        assert {len(field.nodes) for field in region.fields} == {len(region)}
        assert len({field.name for field in region.fields}) == len(region.fields)
        assert all(any(field.values) for field in region.fields)
        assert 0 <= region.score <= 1
        assert region.to_dict()["kind"] == "table"


def test_a_rendered_table_reads_as_the_reader_sees_it() -> None:
    style = (
        "<style>.key { display: none } .gone { display: none } td, th { border: 1px solid } p { width: 3em }</style>"
    )
    markup = (
        f"{style}<table><tr><td>City<td>State<td class=gone>x"
        "<tr><td><span class=key>001</span>Rome<td><p><b>Italy</b> <b>Europe</b><td class=gone>y"
        "<tr><td><span class=key>002</span>Oslo<td><td class=gone>z</table>"
    )
    regions = mine_tables(render(Page(url="https://example.org/", body=markup.encode())))
    assert [grid_of(region) for region in regions] == [
        [["label", "value"], ["City", "State"], ["Rome", "Italy Europe"], ["Oslo", ""]]
    ]
    assert regions[0].box is not None


TEXT = "A long paragraph of an article that goes on and on, as articles do. " * 8


@pytest.mark.parametrize(
    "markup",
    [
        f"<table><tr><td><a href=/>Home</a><td>{TEXT}<tr><td><a href=/b>News</a><td>x</table>",
        f"<table width=100%><tr><td colspan=2>Header<tr><td>Menu<td>{TEXT}<tr><td colspan=2>Footer</table>",
        "<table role=presentation><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>",
        "<table><tr><td>Name<td><input><tr><td>Mail<td><input><tr><td>Age<td><input></table>",
        "<table><tr><td><h2>a</h2><p>x<td><h2>b</h2><p>y<tr><td><h2>c</h2><p>x<td><h2>d</h2><p>y</table>",
        "<table><tr><td>1<td>2<td>3</table>",
        "<table><tr><td>Pan<br>4 EUR<td>Pot<br>5 EUR<td>Jug<br>6 EUR<tr><td>Cup<br>7 EUR<td>Mug<br>8 EUR",
        "<table><tr><td>1<tr><td>2<tr><td>3</table>",
        "<table><tr><td><img src=a.gif><td><img src=b.gif><tr><td><img src=c.gif><td><img src=d.gif></table>",
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table></table>",
        "<table><tr><th>a<th>b</table>",
    ],
)
def test_a_table_that_lays_out_is_not_returned(markup: str) -> None:
    assert mine_tables(Document(markup)) == []


def test_the_frame_around_a_data_table_is_not_returned() -> None:
    inner = "<table><tr><th>City<th>Size<tr><td>Rome<td>3<tr><td>Nice<td>1</table>"
    document = Document(f"<table><tr><td>Menu<td>News<tr><td>Links<td>{inner}</table>")
    assert [[field.name for field in region.fields] for region in mine_tables(document)] == [["City", "Size"]]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><th>City<th>Size<tr><td>Rome<td>3<tr><td>Nice<td>1</table>",
        "<table><tr><td>Rome<td>2,800,000<tr><td>Nice<td>340,000<tr><td>Oslo<td>700,000</table>",
        "<table border=1><tr><td>Rome<td>Italy<tr><td>Nice<td>France<tr><td>Cannes<td>France</table>",
        "<table><tr><td>City<td>State<td>River<tr><td>Rome<td>Italy<td>Tiber<tr><td>Prague<td>Czechia<td>Vltava</table>",
        "<table><tr><th>Born<td>Rome<tr><th>Died<td>Nice<tr><th>Work<td>Poet</table>",
        f"<table><tr><th>Film<th>Plot<th>Year<tr><td>One<td>{TEXT}<td>1990<tr><td>Two<td>{TEXT}<td>1991</table>",
        "<table><tr><td>City<td>May<td>June<tr><td>Rome<td>20<br>(68)<td>25<br>(77)<tr><td>Oslo<td>9<br>(48)<td>15<br>(59)",
        "<table><tr><th><th>Name<th>Age<tr><td><input><td>One<td>1<tr><td><input><td>Two<td>2</table>",
    ],
)
def test_a_table_of_data_is_returned(markup: str) -> None:
    assert len(mine_tables(Document(markup))) == 1


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4",
        "<thead><tr><th>A<th>B<tbody><tr><td>1<td>2<tr><td>3<td>4",
        "<tr><th>A<th>B<tr><th>1<td>2<tr><th>3<td>4",
        "<tr><th>A<th>B<th>C<tr><td>1<td>2<td>3",
    ],
)
def test_a_table_with_a_header_row_is_data_to_every_stage(rows: str) -> None:
    document = Document(f"<p>x<table>{rows}</table>")
    assert [region.node for region in mine_tables(document)] == find_data_tables(document).nonzero()[0].tolist() != []
