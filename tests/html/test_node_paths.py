"""Addresses of nodes, and the way back."""

from __future__ import annotations

import re

import lxml.etree
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.html.columns import Kind
from webquarry.model.document import Document

TAGS = 'p div table tr td b a svg math mi template o:p é a"b x_y select option li title head body script'.split()
markups = st.lists(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS])
    | st.sampled_from(["word ", "<!--c-->", "<?php x?>", "<!DOCTYPE html>", "&amp;", "\x01", "<br>"]),
    max_size=30,
).map("".join)
thorough = settings(
    deadline=None, derandomize=True, max_examples=150, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>x", ["/", "/html", "/html/head", "/html/body", "/html/body/p", "/html/body/p/text()"]),
        (
            "<p>x<br>y<p>z",
            [
                *("/", "/html", "/html/head", "/html/body", "/html/body/p[1]", "/html/body/p[1]/text()[1]"),
                *("/html/body/p[1]/br", "/html/body/p[1]/text()[2]", "/html/body/p[2]", "/html/body/p[2]/text()"),
            ],
        ),
        (
            "<!DOCTYPE html><!--a--><html><body></html><!--b-->",
            ["/", "/doctype()", "/comment()[1]", "/html", "/html/head", "/html/body", "/comment()[2]"],
        ),
    ],
)
def test_addresses_are_absolute_with_an_index_where_there_are_others(markup, expected):
    document = Document(markup)
    assert [document.xpath(node) for node in range(len(document))] == expected


def test_names_that_xpath_cannot_express_are_addressed_by_their_place():
    document = Document('<body><div>1</div><o:p>2</o:p><div>3</div><a"b>4</a"b>')
    found = [document.xpath(node) for node in range(len(document)) if document.kinds[node] == Kind.ELEMENT]
    assert found[3:] == ["/html/body/div[1]", "/html/body/*[2]", "/html/body/div[2]", "/html/body/*[4]"]


@pytest.mark.parametrize("address", ["/html/body/*[2]", "/html[1]/body[1]/*[2]", "/*[1]/*[2]/*[2]", "/html/body/p[2]/"])
def test_an_address_may_be_written_in_other_ways(address):
    document = Document("<p>x<p>y")
    assert document.xpath(document.node(address)) == "/html/body/p[2]"


@pytest.mark.parametrize(
    "address",
    [
        "/html/body/p[3]",
        "/html/body/p[0]",
        "/html/body/ul",
        "/html/body/comment()",
        "/html/body/p[-1]",
        "/html/body/p[1]/text()[2]",
        "//p",
        "html/body",
        "p",
        "/html/body/p[x]",
        "/html/body/p[1",
        "/html/body/p[1]x",
        "/html/body/p[@class='a']",
        "/html/body/p[99999999999999999999]",
    ],
)
def test_an_address_of_nothing_finds_nothing(address):
    assert Document("<p>x<p>y").node(address) is None


@pytest.mark.parametrize("address", ["/", ""])
def test_the_document_itself_is_at_the_root(address):
    assert Document("<p>x").node(address) == 0


@thorough
@given(markup=markups)
def test_every_node_is_found_at_its_address(markup):
    document = Document(markup)
    addresses = [document.xpath(node) for node in range(len(document))]
    assert len(set(addresses)) == len(addresses)
    assert [document.node(address) for address in addresses] == list(range(len(document)))


@thorough
@given(markup=markups)
def test_addresses_are_those_of_lxml(markup):
    document = Document(markup)
    tree = document.to_lxml().getroottree()
    elements = [node for node in range(len(document)) if document.kinds[node] == Kind.ELEMENT]
    ours = [document.xpath(node) for node in elements]
    theirs = list(tree.getroot().iter(lxml.etree.Element))
    assert len(ours) == len(theirs)
    for address, element in zip(ours, theirs, strict=True):
        assert tree.xpath(address) == [element]
        if "*" not in address and re.fullmatch(r"[a-z_]+", element.tag):
            assert tree.getpath(element) == address


@thorough
@given(markup=markups)
def test_lxml_finds_the_same_texts_and_comments(markup):
    document = Document(markup)
    tree = document.to_lxml().getroottree()
    for node in range(len(document)):
        if document.kinds[node] == Kind.TEXT and "\x01" not in document.texts[node]:
            assert tree.xpath(document.xpath(node)) == [document.texts[node]]
        elif document.kinds[node] == Kind.COMMENT:
            assert [found.text for found in tree.xpath(document.xpath(node))] == [document.texts[node]]
