"""Addresses of other systems' trees lead to the nodes of ours."""

from __future__ import annotations

import lxml.html
import numpy as np
import pytest

from webquarry.model.document import Document
from webquarry.validating.foreign_xpaths import UNMAPPED, Paths, Row, map_rows, select_rows

PAGE = Document(
    "<!DOCTYPE html><title>T</title><div id=top><p>One</p><p>Two<br>three</p></div>"
    "<table><tr><td>a<td>b<tr><td>c<td>d</table><svg><linearGradient>g</linearGradient></svg>"
    "<p class=LEAD>Four <b>five</b></p><a href='news/six.html'>Six</a>"
)


@pytest.mark.parametrize(
    ("xpath", "node"),
    [
        ("/html/body/div/p[2]", "/html/body/div/p[2]"),
        ("/html[1]/body[1]/div[1]/p[1]/text()[1]", "/html/body/div/p[1]/text()"),
        ("/html/body/div/p[2]/text()[2]", "/html/body/div/p[2]/text()[2]"),
        ("/HTML/BODY[1]/DIV/P[2]", "/html/body/div/p[2]"),
        ("html/body/div", "/html/body/div"),
        ("body/div/", "/html/body/div"),
        ("/h:html/h:body/h:div/h:p[1]", "/html/body/div/p[1]"),
        ("/html/body/table/tr[2]/td[1]", "/html/body/table/tbody/tr[2]/td[1]"),
        ("/html/body/svg/linearGradient", "/html/body/svg/linearGradient"),
        ("/html/body/a/@href", "/html/body/a"),
        ('//*[@id="top"]/p[2]', "/html/body/div/p[2]"),
        ("id('top')/p[2]/text()[1]", "/html/body/div/p[2]/text()[1]"),
        (".//p[@class='LEAD']", "/html/body/p"),
        ("//P[@class='LEAD']/B", "/html/body/p/b"),
        ("//b/text()", "/html/body/p/b/text()"),
        ("//br/following-sibling::text()", "/html/body/div/p[2]/text()[2]"),
        ("//a/@href", "/html/body/a"),
        ("//td", "/html/body/table/tbody/tr[1]/td[1]"),
    ],
)
def test_an_address_leads_to_its_node(xpath, node):
    assert PAGE.xpath(map_rows(PAGE, [Row("", xpath)])[0]) == node


@pytest.mark.parametrize(
    "xpath", ["/html/body/div/p[3]", "/", "", "//nothing", "//p[", "count(//p)", "div.post > p", "//*[@id='none']/p"]
)
def test_an_address_that_matches_nothing_is_unmapped(xpath):
    assert map_rows(PAGE, [Row("", xpath)]).tolist() == [UNMAPPED]


def test_an_id_that_is_on_two_elements_may_mean_either():
    document = Document("<ul id=x></ul><ul id=x><li>One</ul>")
    assert document.xpath(map_rows(document, [Row("", "//*[@id='x']/li")])[0]) == "/html/body/ul[2]/li"


def test_rows_without_a_body_of_a_table_are_found_where_the_page_has_none():
    document = Document("<table><tr><td>a</table>", method="cleandom")
    plain = Document(document.markup.replace("<tr>", "<tbody><tr>"))
    assert plain.xpath(map_rows(plain, [Row("", "/html/body/table/tr/td")])[0]) == "/html/body/table/tbody/tr/td"


def test_of_an_ambiguous_address_the_node_with_the_text_is_meant():
    assert PAGE.xpath(map_rows(PAGE, [Row("", "//td", "C")])[0]) == "/html/body/table/tbody/tr[2]/td[1]"


def test_a_path_that_leads_to_another_text_gives_way_to_the_text():
    found = map_rows(PAGE, [Row("", "/html/body/div/p[1]", "two three"), Row("", "/html/body/div/p/text()", "Six")])
    assert [PAGE.xpath(node) for node in found] == ["/html/body/div/p[2]", "/html/body/a/text()"]


@pytest.mark.parametrize("xpath", ["", "p[2]", "div.post > p", "???", "//p["])
def test_an_address_of_another_kind_leaves_the_text_to_tell(xpath):
    assert PAGE.tag(map_rows(PAGE, [Row("", xpath, "Six")])[0]) == "a"


def test_a_text_that_is_only_part_of_what_is_there_verifies_the_path():
    assert PAGE.xpath(map_rows(PAGE, [Row("", "/html/body/p", "four f")])[0]) == "/html/body/p"


def test_a_part_that_is_alone_elsewhere_stays_where_its_path_leads():
    document = Document("<p>One</p><p>Price: 12</p><p>Two</p><b>12</b>")
    rows = [Row("", "/html/body/p[1]", "One"), Row("", "/html/body/p[2]", "12"), Row("", "/html/body/p[3]", "Two")]
    assert document.xpath(map_rows(document, rows)[1]) == "/html/body/p[2]"


def test_an_attribute_that_ends_alike_by_chance_verifies_nothing():
    document = Document("<p>One</p><b class=e>1</b><p>price</p>")
    rows = [Row("", "/html/body/div", "One"), Row("", "/html/body/b", "price")]
    assert document.xpath(map_rows(document, rows)[1]) == "/html/body/p[2]"


def test_the_value_of_an_attribute_verifies_the_path():
    rows = [Row("", "/html/body/div/p[2]", "One"), Row("", "/html/body/a", "https://example.org/news/six.html")]
    assert PAGE.xpath(map_rows(PAGE, rows)[1]) == "/html/body/a"


def test_a_text_that_the_page_has_not_is_unmapped_where_paths_have_shifted():
    rows = [
        Row("", "/html/body/div[7]/p[1]", "One"),
        Row("", "/html/body/div/p[2]", "gone"),
        Row("", "/html/body/div[7]/a", "Six"),
    ]
    assert map_rows(PAGE, rows)[1] == UNMAPPED


def test_a_value_that_was_rewritten_is_taken_by_its_path_where_paths_are_right():
    rows = [
        Row("", "/html/body/div/p[1]", "One"),
        Row("", "/html/body/div/p[2]", "2.0"),
        Row("", "/html/body/a", "Six"),
    ]
    assert PAGE.xpath(map_rows(PAGE, rows)[1]) == "/html/body/div/p[2]"


LISTING = "".join(f"<li><h2>Title {number}</h2><a>Read more</a></li>" for number in range(1, 6))
BEFORE = Document(f"<ul>{LISTING}</ul><p>Read more</p>")
AFTER = Document(
    "<div>We use cookies. <a>Read more</a></div>"
    f"<ul>{LISTING.replace('<li><h2>Title 3', '<li>Advertisement <a>Read more</a></li><li><h2>Title 3')}</ul>"
    "<div><p>Read more</p></div>"
)


def texts_of(document: Document) -> list[int]:
    return [node for node in range(len(document)) if document.texts[node].strip()]


def test_twins_are_distinguished_by_what_is_around_them():
    rows = [Row("", BEFORE.xpath(node), BEFORE.texts[node]) for node in texts_of(BEFORE)]
    new = {"We use cookies. ", "Advertisement "}
    mapped = map_rows(AFTER, rows).tolist()
    advertised = [node for node in texts_of(AFTER) if AFTER.texts[node] in new]
    put_in = {*advertised, *(node for node in texts_of(AFTER) if node - 2 in advertised)}
    assert mapped == [node for node in texts_of(AFTER) if node not in put_in]


def test_the_first_row_is_what_is_nearest_to_the_second_and_not_a_word_of_the_menu():
    page = Document("<nav><a>New</a><a>Sale</a></nav><ul><li><b>Sale</b><i>Lamp</i><li><b>Sale</b><i>Kettle</i></ul>")
    rows = [Row("", "", "Sale"), Row("", "", "Lamp"), Row("", "", "Sale"), Row("", "", "Kettle")]
    assert [page.tag(node) for node in map_rows(page, rows)] == ["b", "i", "b", "i"]


def test_the_source_tells_texts_that_rows_lack():
    rows = [Row("", BEFORE.xpath(node)) for node in texts_of(BEFORE)]
    with_texts = [Row("", BEFORE.xpath(node), BEFORE.texts[node]) for node in texts_of(BEFORE)]
    assert map_rows(AFTER, rows, source=BEFORE).tolist() == map_rows(AFTER, with_texts).tolist()
    assert map_rows(AFTER, rows).tolist() != map_rows(AFTER, with_texts).tolist()


def test_a_thousand_twins_are_mapped_each_to_its_own():
    rows = [Row("", f"/html/body/p[{number}]", "same") for number in range(1, 1001)]
    document = Document("<h1>New</h1>" + "<p>same</p>" * 1000)
    assert len(set(map_rows(document, rows).tolist())) == 1000


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_element_is_found_by_its_text_with_the_name_that_its_address_has(wrapped):
    inside = "<p>Some <b>bold</b> words</p>"
    document = Document(f"<nav>New</nav><div>{f'<div>{inside}</div>' if wrapped else inside}</div>")
    found = map_rows(document, [Row("", "/html/body/p", "Some bold words"), Row("", "/html/body/p/b", "bold")])
    assert [document.tag(node) for node in found] == ["p", "b"]


BROKEN = (
    "<p>One<div>two<p>three<table><tr><td>four<td>five<td><b>six<i>seven</b>eight</i></table>"
    "<ul><li>nine<li>ten<ul><li>eleven</ul></ul><dl><dt>a<dd>b<dt>c</dl><select><option>x<option>y</select>"
)


def lxml_rows(tree: lxml.html.HtmlElement) -> list[Row]:
    """The texts of a foreign tree, each with the address of its element."""
    elements = [each for each in tree.iter() if isinstance(each.tag, str) and each.text and each.text.strip()]
    return [Row("", tree.getroottree().getpath(each) + "/text()[1]", each.text) for each in elements]


def test_addresses_of_lxml_lead_to_the_same_texts():
    rows = lxml_rows(lxml.html.document_fromstring(BROKEN))
    document = Document(BROKEN)
    found = map_rows(document, rows)
    assert [document.texts[node].strip() for node in found] == [row.text.strip() for row in rows if row.text]


def test_a_selection_has_what_was_found_in_the_order_of_the_rows_and_lists_the_rest():
    rows = [Row("u", "//a", "Six", "link"), Row("u", "/html/body/ol"), Row("u", "/html/body/div/p", None, "lead")]
    selection, places = select_rows(PAGE, rows)
    assert [PAGE.xpath(node) for node in selection.nodes] == ["/html/body/a", "/html/body/div/p[1]"]
    assert (selection.texts, selection.columns) == (("Six", "One"), ("link", "lead"))
    assert selection.unmapped == ("/html/body/ol",)
    assert places.tolist() == [0, 2]
    assert selection.nodes.dtype == np.int32


def test_what_was_left_out_is_not_selected_nor_missed():
    rows = [Row("u", "//a", left_out="navigation"), Row("u", "/html/body/ol", left_out="links"), Row("u", "//p[1]")]
    selection, places = select_rows(PAGE, rows)
    assert selection.left_out == ((PAGE.node("/html/body/a"), "navigation"),)
    assert (len(selection), selection.unmapped, places.tolist()) == (1, (), [2])


def test_a_selection_of_one_kind_has_no_columns():
    assert select_rows(PAGE, [Row("u", "//a")])[0].columns == ()
    assert len(select_rows(PAGE, [])[0]) == 0


def test_plain_addresses_need_no_second_tree():
    paths = Paths(PAGE)
    for xpath in ("/html/body/div/p[9]", "//*[@id='top']/p", "/HTML/BODY"):
        paths.find(xpath)
    assert "_tree" not in vars(paths)
