"""The nouns: equal by value, fit for pickle, lazily built."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from webquarry.model.document import Document
from webquarry.model.page import Failure, Page


def test_documents_are_equal_by_markup_and_method():
    assert Document("<p>x") == Document("<p>x", url="https://example.org/")
    assert hash(Document("<p>x")) == hash(Document("<p>x", url="https://example.org/"))
    assert Document("<p>x") != Document("<p>y")
    assert Document("<p>x") != Document("<p>x", method="cleandom")
    assert len({Document("<p>x"), Document("<p>x"), Document("<p>y")}) == 2


def test_building_columns_changes_neither_equality_nor_hash():
    document = Document("<p>x")
    before = hash(document)
    document.text(), document.xpath(3)
    assert document == Document("<p>x")
    assert hash(document) == before


def test_a_document_survives_pickle_without_its_columns():
    document = Document("<p>x" * 1_000, url="https://example.org/")
    fresh = pickle.dumps(document)
    document.text(), document.xpath(3), document.ends
    assert pickle.dumps(document) == fresh
    assert len(fresh) < len(document.markup) + 200
    again = pickle.loads(fresh)
    assert again == document
    assert again.url == document.url
    assert again.text() == document.text()


@pytest.mark.parametrize(
    "noun", [Page(url="https://example.org/", body=b"x", headers=(("A", "b"),)), Failure("https://example.org/", "why")]
)
def test_other_nouns_survive_pickle(noun):
    assert pickle.loads(pickle.dumps(noun)) == noun
    assert hash(noun) == hash(pickle.loads(pickle.dumps(noun)))


@pytest.mark.parametrize("noun", [Page(url="u", body=b""), Failure("u", "why"), Document("")])
def test_nouns_are_not_changed(noun):
    field = dataclasses.fields(noun)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(noun, field, "other")


@pytest.mark.parametrize("name", ["content-type", "Content-Type", "CONTENT-TYPE"])
def test_headers_are_found_in_any_case(name):
    page = Page(url="u", body=b"", headers=(("X", "1"), ("Content-Type", "a"), ("content-type", "b")))
    assert page.header(name) == "a"
    assert page.header("absent") is None


def test_a_column_cannot_be_written_by_accident():
    document = Document("<p>x")
    with pytest.raises(TypeError):
        document.attributes[0]["class"] = "a"


def test_a_document_has_a_length_and_tags():
    document = Document("<p>x")
    assert len(document) == 6
    assert [document.tag(node) for node in range(6)] == ["", "html", "head", "body", "p", ""]


def test_tags_are_looked_up_in_a_table():
    document = Document("<p>One<b>two</b>")
    found = document.by_tag({"p": 4, "b": 2, "table": 1}).tolist()
    assert [(document.tag(node), number) for node, number in enumerate(found) if number] == [("p", 4), ("b", 2)]
