from __future__ import annotations

import webquarry as wq
from webquarry.model.document import Document
from webquarry.wrapping.learner import read_samples


def test_classes_that_vary_over_the_pages_are_left_out():
    pages = [Document(f"<p class='field region{number}'>x") for number in range(3)]
    assert read_samples(pages).classes == {"field"}
    assert [piece.signature for page in read_samples(pages).pages for piece in page.pieces] == ["p.field"] * 3


def test_what_a_class_hides_by_convention_is_not_seen():
    samples = read_samples([Document("<p>One<span class='sr-only'>two</span><p class='modal big'>three")])
    assert [piece.text for piece in samples.pages[0].pieces] == ["One"]
    assert samples.hidden == ("p.big.modal", "span.sr-only")


def test_a_browser_tells_what_is_hidden(browser):
    body = b"<style>.tip { display: none } .y b { display: none }</style><p>One<i class=tip>two</i><p class=y><b>x</b>z"
    samples = read_samples([wq.render(wq.Page(url="https://example.org/", body=body))])
    assert [piece.text for piece in samples.pages[0].pieces] == ["One", "z"]
    assert samples.hidden == ("i.tip", "p.y > b")
    assert samples.is_rendered


def test_pieces_know_how_far_they_are_set_in():
    (page,) = read_samples([Document("One<ul><li>two</ul><pre>   three</pre>")]).pages
    assert page.indents == [0.0, 40.0, 24.0]
