from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from webquarry.mining.mdr import MAX_TAGS, edit_distance, explain_mdr, is_within, mine_mdr, trace_mdr
from webquarry.model.document import Document


def texts(markup: str) -> list[list[str]]:
    return [[record.text for record in region.records] for region in mine_mdr(Document(markup))]


@pytest.mark.parametrize(
    "markup",
    [
        "<ul><li><a>One</a><li><a>Two</a><li><a>Three</a></ul>",
        "<div><p><b>One</b><p><b>Two</b><p><b>Three</b></div>",
        "<form><div><i>One</i></div><div><i>Two</i></div><div><i>Three</i></div></form>",
        "<table><tr><td>One<tr><td>Two<tr><td>Three</table>",
    ],
)
def test_neighbours_with_like_tags_are_records(markup):
    assert texts(markup) == [["One", "Two", "Three"]]


def test_records_may_be_several_siblings():
    page = "<div>" + "".join(f"<h3><a>Title {n}</a></h3><p>Text <b>{n}</b></p>" for n in (1, 2, 3)) + "</div>"
    [region] = mine_mdr(Document(page))
    assert [record.text for record in region.records] == ["Title 1\nText 1", "Title 2\nText 2", "Title 3\nText 3"]
    assert region.reasons == ("3 adjacent runs of 2 with similar tags",)


def test_the_text_behind_a_record_belongs_to_it():
    page = "<div>" + "".join(f"<b><i>Title {n}</i></b> text {n} <br> more {n}<hr>" for n in (1, 2)) + "</div>"
    assert texts(page) == [["Title 1 text 1\nmore 1", "Title 2 text 2\nmore 2"]]
    assert texts("<div><b><i>One</i></b> first <b><i>Two</i></b> second</div>") == [["One first", "Two second"]]


def test_parts_that_are_missing_leave_records_alike():
    full = "<li><h2><a>{0}</a></h2><p>a</p><p><b>b</b></p><img><small>c</small></li>"
    short = "<li><h2><a>{0}</a></h2><p>a</p><p><b>b</b></p><img></li>"
    page = "<ul>" + "".join(each.format(n) for n, each in enumerate((full, short, full, full, short))) + "</ul>"
    assert [len(each) for each in texts(page)] == [5]


def test_neighbours_over_the_threshold_are_no_records():
    # three of five tags differ: 0.6
    assert texts("<div><p><a></a><a></a><a></a>x</p><p><b></b><i></i><u></u>y</p></div>") == []


def test_a_distance_of_the_threshold_is_near_enough():
    # three of ten tags differ: 0.3
    same = "<p>" + "<a></a>" * 6
    assert len(texts(f"<div>{same}<b>1</b><b></b><b></b></p>{same}<i>2</i><i></i><i></i></p></div>")) == 1
    # four of ten: 0.4
    same = "<p>" + "<a></a>" * 5
    assert texts(f"<div>{same}<b>1</b>{'<b></b>' * 3}</p>{same}<i>2</i>{'<i></i>' * 3}</p></div>") == []


def test_a_single_record_is_not_found():
    assert texts("<div><div><h2>Only</h2><p>one <b>record</b></p></div></div>") == []


def test_an_advertisement_parts_a_region_in_two():
    item = "<li><h2><a>{}</a></h2><p>text</p></li>"
    ad = "<li><table><tr><td><b>Buy now</b></table></li>"
    page = "<ul>" + "".join(map(item.format, "abc")) + ad + "".join(map(item.format, "de")) + "</ul>"
    assert texts(page) == [["a\ntext", "b\ntext", "c\ntext"], ["d\ntext", "e\ntext"]]


def test_a_list_with_a_single_level_of_tags_is_not_searched():
    assert texts("<body><ul><li>One<li>Two</ul></body>") == []


def test_regions_inside_records_are_covered():
    item = "<li><h2>{}</h2><ul><li><a>x</a><li><a>y</a><li><a>z</a></ul></li>"
    assert [len(each) for each in texts("<ul>" + item.format(1) + item.format(2) + "</ul>")] == [2]


def test_children_that_are_alike_are_the_records_of_a_row():
    cell = "<td><img><h3><a>{}</a></h3></td>"
    page = "<table>" + "".join(f"<tr>{cell.format(f'{n}a')}{cell.format(f'{n}b')}</tr>" for n in (1, 2)) + "</table>"
    assert texts(page) == [["1a", "1b", "2a", "2b"]]


def test_the_row_of_a_data_table_is_one_record():
    assert texts("<table><tr><td>a<td>1<tr><td>b<td>2</table>") == [["a\t1", "b\t2"]]


def test_alike_nodes_of_a_generalised_node_are_records_each():
    # the second and the third item are too unlike, but two and two together are like enough
    page = "<ul>" + "".join("<li>" + "<b>x</b>" * count for count in (9, 12, 8, 11)) + "</ul>"
    [region] = mine_mdr(Document(page))
    assert region.reasons == ("2 adjacent runs of 2 with similar tags",)
    assert [len(record.text) for record in region.records] == [9, 12, 8, 11]


def test_children_of_a_single_level_are_no_records():
    assert texts("<ul><li><b>1</b> <b>2</b></li><li><b>3</b> <b>4</b></li></ul>") == [["1 2", "3 4"]]


def test_keeps_interleaved_records_as_one_and_says_so():
    names = "<tr><td><b>{}</b></td><td><b>{}</b></td></tr>"
    prices = "<tr><td>{} <i>x</i><u>y</u><s>z</s></td><td>{} <i>x</i><u>y</u><s>z</s></td></tr>"
    page = "<table>" + names.format("A", "B") + prices.format(1, 2) + names.format("C", "D") + prices.format(3, 4)
    [region] = mine_mdr(Document(page))
    assert len(region) == 2
    assert region.reasons[1] == "records are interleaved: each run holds several"


def test_what_is_hidden_parts_no_records():
    item = "<li><a>{}</a></li><script></script><template><p><p></template>"
    assert texts("<ul>" + "".join(map(item.format, "abc")) + "</ul>") == [["a", "b", "c"]]


def test_regions_that_cover_most_elements_come_first():
    menu = "<ul>" + "<li><a>m</a></li>" * 3 + "</ul>"
    records = "<ol>" + "<li><h2><a>r</a></h2><p>x<br>y</p></li>" * 3 + "</ol>"
    regions = mine_mdr(Document(menu + records))
    assert [(region.document.tag(region.node), region.role) for region in regions] == [("ol", "main"), ("ul", "side")]
    assert regions[0].score > regions[1].score > 0
    assert regions[0].method == "mdr"


def test_comparisons_are_counted():
    # four items: three pairs of one, and one pair of two; what they cover is not searched
    trace = trace_mdr(Document("<ul>" + "<li><a>x</a></li>" * 4 + "</ul>"))
    assert [(region.combined, len(region.children)) for region in trace.regions] == [(1, 4)]
    assert trace.comparisons == 3 + 1


def test_very_long_tag_strings_are_compared_by_their_beginning():
    tail = MAX_TAGS // 2
    one, other = ("<div>" + "<i></i>" * MAX_TAGS + f"<{tag}></{tag}>" * tail + "</div>" for tag in ("b", "u"))
    assert len(trace_mdr(Document(f"<main>{one}{other}</main>")).regions) == 1


@pytest.mark.parametrize(
    "markup",
    ["<div>" * 20_000, "<ul>" + "<li><a>x</a>" * 20_000, "".join(f"<x-{n}><i></i></x-{n}>" * 2 for n in range(5_000))],
)
def test_long_and_deep_pages_are_mined(markup):
    document = Document(markup)
    assert trace_mdr(document).comparisons <= 10 * len(document)


@given(st.binary() | st.text("<>/ulidvpa ").map(str.encode))
def test_any_bytes_are_mined_alike_twice(body):
    document = Document(body.decode("latin-1"))
    before = document.to_xhtml()
    assert mine_mdr(document) == mine_mdr(document)
    assert document.to_xhtml() == before


WORDS = st.text("abc", max_size=12)


def by_the_book(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for place, mine in enumerate(one, start=1):
        last, row = row, [place]
        for column, theirs in enumerate(other):
            row.append(min(last[column] + (mine != theirs), last[column + 1] + 1, row[column] + 1))
    return row[-1]


@given(WORDS, WORDS)
def test_the_distance_is_that_of_the_whole_table(one, other):
    assert edit_distance(one, other) == by_the_book(one, other)


@given(WORDS, WORDS, st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0, 2.0]))
def test_the_cheap_answers_are_right(one, other, share):
    assert is_within(one, other, share) == (by_the_book(one, other) <= share * (len(one) + len(other)) / 2)


def test_long_strings_are_compared_in_bounded_time():
    assert edit_distance("ab" * 5_000, "ba" * 5_000) == 2


def test_the_steps_are_explained_with_distances_and_comparisons():
    full, short = "<li><h2><a>x</a></h2><p>a</p><p><b>b</b></p></li>", "<li><h2><a>y</a></h2><p>a</p><p>b</p></li>"
    lines = explain_mdr(Document(f"<ul>{full}{short}{full}</ul>"))
    assert lines == [
        "CombComp: 2 comparisons of tag strings of up to 10 siblings on 20 tags",
        "IdentDRs and FindDRs: data regions (generalised nodes x siblings in each)",
        "     3 x 1   distance 0.18 to 0.18, 17 elements, 3 records  /html/body/ul",
        "comparisons of strings: 2, and 3 to find the records",
    ]
