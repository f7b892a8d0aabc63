"""The stages in their order."""

from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.pipeline.fetch_pages import CLEANERS


def test_html5_is_the_default():
    page = wq.Page(url="https://example.org/", body=b"<table>a<tr><td>b")
    assert wq.clean(page) == wq.clean(page, method="html5")
    assert wq.clean(page) != wq.clean(page, method="cleandom")


def test_each_method_marks_its_documents():
    page = wq.Page(url="https://example.org/", body=b"<p>x")
    assert {method: wq.clean(page, method=method).method for method in CLEANERS} == {
        "html5": "html5",
        "cleandom": "cleandom",
    }


def test_the_document_keeps_the_address_of_its_page(method):
    assert wq.clean(wq.Page(url="https://example.org/a", body=b"x"), method=method).url == "https://example.org/a"


def test_an_unknown_method_names_those_that_there_are():
    with pytest.raises(ValueError, match=r"'tidy'.*html5, cleandom"):
        wq.clean(wq.Page(url="u", body=b""), method="tidy")


def test_a_page_that_fails_leaves_its_place_and_the_others_go_on():
    pages = [
        wq.Page(url="a", body=b"<p>one"),
        wq.Failure("b", "gone"),
        wq.Page(url="c", body=b"%PDF-1.4"),
        wq.Page(url="d", body=b"<p>two"),
    ]
    one, gone, pdf, two = wq.clean_all(pages)
    assert (one.text(), two.text()) == ("one", "two")
    assert gone == wq.Failure("b", "gone")
    assert pdf == wq.Failure("c", "c: not a web page but a PDF document")


def test_documents_come_as_soon_as_their_pages():
    def endless():
        while True:
            yield wq.Page(url="a", body=b"<p>x")

    documents = wq.clean_all(endless())
    assert next(documents) == next(documents)


def test_fetch_and_fetch_all_read_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(f"<p>{name}")
    assert wq.clean(wq.fetch(tmp_path / "a.html")).text() == "a"
    assert [wq.clean(page).text() for page in wq.fetch_all([tmp_path])] == ["a", "b"]


def test_an_unknown_knob_is_a_mistake_of_the_caller():
    with pytest.raises(TypeError, match="colour"):
        wq.fetch("a.html", colour="red")
