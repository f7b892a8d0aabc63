"""Columns as an lxml tree."""

from __future__ import annotations

import lxml.etree
import lxml.html
import pytest

from webquarry.model.document import Document


def test_a_tree_is_that_of_the_page_without_namespaces():
    root = Document("<!--a--><p class=x>one<b>two</b>three<svg viewBox=1></svg></p>").to_lxml()
    assert isinstance(root, lxml.html.HtmlElement)
    assert root.xpath("//p[@class='x']/b/text()") == ["two"]
    assert root.xpath("//svg/@viewBox") == ["1"]
    assert root.getprevious().text == "a"
    assert root.text_content() == "onetwothree"


@pytest.mark.parametrize(
    ("markup", "path", "expected"),
    [
        ("<p @click=1>", "//@_x0040_click", ["1"]),
        ("<p o:a=1>", "//@o_x003a_a", ["1"]),
        ("<p>a\x01b\x0cc", "//p/text()", ["ab c"]),
        ("<p title='a\x01b'>", "//@title", ["ab"]),
        ("<o:p>x", "//o_x003a_p/text()", ["x"]),
        ("<p>a&#xd800;\ud800b", "//p/text()", ["a\ufffdb"]),
    ],
)
def test_what_lxml_refuses_is_changed_as_in_xhtml(markup, path, expected):
    assert Document(markup).to_lxml().xpath(path) == expected


def test_comments_that_lxml_refuses_are_changed_too():
    comments = Document("<p><!-- a -- b ---->").to_lxml().iter(lxml.etree.Comment)
    assert [comment.text for comment in comments] == [" a - - b - - "]


def test_a_tree_is_made_anew_each_time():
    document = Document("<p>x")
    document.to_lxml().clear()
    assert document.to_lxml().text_content() == "x"
