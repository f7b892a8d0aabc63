from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from webquarry.mining.emine import MAX_LINES, explain_emine, mine_emine, trace_emine
from webquarry.model.document import Document, Layout


def laid_out(markup: str) -> Document:
    """A document in which each element with `data-box="width height"` has that box, and no other node has one."""
    document = Document(markup)
    boxes = np.full((len(document), 4), np.nan, dtype=np.float32)
    for node, attributes in enumerate(document.attributes):
        if "data-box" in attributes:
            boxes[node] = [0, 0, *map(float, attributes["data-box"].split())]
    layout = Layout(
        boxes=boxes,
        styles=np.full((len(document), 0), -1, dtype=np.int32),
        values=(),
        properties=(),
        visible=np.ones(len(document), dtype=np.bool_),
        width=1000,
        height=1000,
        browser="none",
        viewport=1000,
    )
    return Document(markup, kind="rendered", layout=layout)


def texts(document: Document) -> list[str]:
    return [record.text for region in mine_emine(document) for record in region.records]


def books(tag: str, child: str) -> str:
    """The paper's example: a navigation, and a container with books and a lower line of links below them."""
    rows = "".join(f'<{child} data-box="600 100">Book {number}</{child}>' for number in (1, 2, 3))
    return (
        f'<div data-box="800 90">Menu</div><div data-box="800 500">'
        f'<{tag} data-box="600 360">{rows}<{child} data-box="600 30">Help</{child}></{tag}></div>'
    )


@pytest.mark.parametrize(
    ("tag", "child"), [("div", "div"), ("ul", "li"), ("form", "p"), ("section", "article"), ("p", "span")]
)
def test_the_region_is_found_whatever_the_tag_of_its_container(tag, child):
    assert texts(laid_out(books(tag, child))) == ["Book 1", "Book 2", "Book 3"]


def test_the_region_says_how_it_was_found():
    document = laid_out(books("div", "div"))
    [region] = mine_emine(document)
    assert (region.kind, region.method, region.role, region.fields) == ("records", "emine", "main", ())
    assert document.xpath(region.node) == "/html/body/div[2]/div"
    assert region.reasons == (
        "largest child of body: /html/body/div[2]",
        "last element over half of it: /html/body/div[2]/div",
        "3 of 4 children not lower than their average",
    )


def test_the_steps_are_traced_for_the_picture():
    document = laid_out(books("div", "div"))
    trace = trace_emine(document)
    assert [(name, [document.xpath(node) for node in nodes]) for name, nodes in trace.steps] == [
        ("largest rectangle", ["/html/body/div[2]"]),
        ("container", ["/html/body/div[2]/div"]),
        ("kept", [f"/html/body/div[2]/div/div[{place}]" for place in (1, 2, 3)]),
        ("discarded", ["/html/body/div[2]/div/div[4]"]),
    ]


def test_each_area_and_each_height_is_compared_once():
    # two children of body, five elements in the larger, four children of the container
    assert trace_emine(laid_out(books("div", "div"))).comparisons == 2 + 5 + 4


def test_of_several_largest_children_of_body_the_first_counts():
    page = '<div data-box="9 9"><p data-box="9 9">One</p></div><div data-box="9 9"><p data-box="9 9">Two</p></div>'
    assert texts(laid_out(page)) == ["One"]


def test_the_last_element_over_half_is_the_container_even_beside_a_larger_one():
    page = """<div data-box="100 100"><div data-box="100 80"><p data-box="9 9">Larger</div>
              <div data-box="100 60"><p data-box="9 9">Last</div>
              <div data-box="100 50"><p data-box="9 9">Half</div></div>"""
    assert texts(laid_out(page)) == ["Last"]


def test_the_largest_rectangle_is_the_container_when_nothing_in_it_is_over_half():
    page = """<div data-box="100 100"><p data-box="100 40">One<p data-box="100 40">Two<p data-box="100 20">Low</div>"""
    assert texts(laid_out(page)) == ["One", "Two"]


def test_an_advertisement_between_records_is_discarded_if_it_is_low():
    page = """<ul data-box="100 250"><li data-box="100 50">One<li data-box="100 50">Two<li data-box="100 20">Buy now
              <li data-box="100 50">Three</ul>"""
    assert texts(laid_out(page)) == ["One", "Two", "Three"]


def test_records_lower_than_the_average_are_lost_too():
    page = '<ul data-box="9 90"><li data-box="9 40">Long<li data-box="9 20">Short<li data-box="9 30">Middle</ul>'
    assert texts(laid_out(page)) == ["Long", "Middle"]


def test_a_single_record_is_kept():
    page = '<div data-box="100 100"><div data-box="100 90"><div data-box="100 40">The only one</div></div></div>'
    assert texts(laid_out(page)) == ["The only one"]


def test_children_without_a_box_lower_the_average():
    rows = '<li data-box="9 50">One<li data-box="9 40">Two<li data-box="9 60">Three'
    assert texts(laid_out(f'<ul data-box="9 200">{rows}</ul>')) == ["One", "Three"]
    assert texts(laid_out(f'<ul data-box="9 200"><script></script>{rows}</ul>')) == ["One", "Two", "Three"]


def test_a_container_of_text_alone_is_the_only_record():
    document = laid_out('<div data-box="100 100">Just words<br></div>')
    [region] = mine_emine(document)
    assert [record.text for record in region.records] == ["Just words"]
    assert document.xpath(region.node) == "/html/body"


def test_sizes_that_a_table_names_come_before_its_box():
    page = '<div data-box="100 100"><p data-box="1 1">Box</div><table {} data-box="1 1"><tr><td>Table</table>'
    assert texts(laid_out(page.format("width=200 height=100"))) == ["Table"]
    assert texts(laid_out(page.format('width="200px" height=" 100 "'))) == ["Table"]
    assert texts(laid_out(page.format("width=100% height=90%"))) == ["Box"]
    assert texts(laid_out(page.format("width=999999"))) == ["Table"]


def test_a_static_page_is_mined_by_the_sizes_of_its_tables():
    assert texts(
        Document("<table width=9 height=9><tr><td>Small</table><table width=90 height=9><td>Large</table>")
    ) == ["Large"]


@pytest.mark.parametrize("markup", ["", "<p>x", "<table width=9><td>x", "<frameset><frame></frameset>", "<body>"])
def test_nothing_is_found_where_nothing_has_a_size(markup):
    assert mine_emine(Document(markup)) == []
    assert trace_emine(Document(markup)) is None


@given(st.binary() | st.text("<>/table divwh=h1'\"").map(str.encode))
def test_any_bytes_are_mined_alike_twice(body):
    document = Document("<table width=9 height=9>" + body.decode("latin-1"))
    before = document.to_xhtml()
    assert mine_emine(document) == mine_emine(document)
    assert document.to_xhtml() == before


def test_rows_that_differ_by_a_part_of_a_pixel_are_equally_high():
    heights = [147.65625, 147.65625, 147.71875, 147.65625]
    rows = "".join(f'<div data-box="600 {height}">Row {place}</div>' for place, height in enumerate(heights))
    document = laid_out(f'<div data-box="600 591">{rows}</div>')
    assert texts(document) == ["Row 0", "Row 1", "Row 2", "Row 3"]


def test_the_steps_are_explained_with_areas_heights_average_and_comparisons():
    lines = explain_emine(laid_out(books("div", "div")))
    assert lines[0] == "getMaxRect: 2 children of body, the largest is /html/body/div[2]"
    assert lines[2].split() == ["800", "x", "500", "=", "400,000", "largest", "/html/body/div[2]"]
    assert (
        lines[3] == "getContainer: 5 elements in it, 1 over half its area (200,000); the last is /html/body/div[2]/div"
    )
    assert lines[5] == "Filter: 4 children of the container, average height 82.50"
    assert [line.split()[5] for line in lines[6:10]] == ["kept", "kept", "kept", "discarded"]
    assert lines[-1] == "comparisons of numbers: 2 + 5 + 4 = 11"


def test_a_page_without_sizes_is_explained():
    assert explain_emine(Document("<p>x")) == ["eMine: nothing on the page has a size"]


def test_long_steps_are_cut():
    rows = "".join(f'<div data-box="600 10">{place}</div>' for place in range(MAX_LINES + 2))
    lines = explain_emine(laid_out(f'<div data-box="600 500">{rows}</div>'))
    assert "  2 more before these" in lines
    assert len(lines) == MAX_LINES + 6
