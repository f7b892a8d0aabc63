from __future__ import annotations

from webquarry.wrapping.section_headings import find_headings, find_marks, text_of


def marks_of(pages, **options) -> list[tuple[str, str]]:
    found = find_marks(pages[0], find_headings(pages), **options)
    return [(mark.name, text_of(pages[0], mark.following)) for mark in found]


def test_a_heading_has_what_follows_it(sample):
    pages = sample("<p>before<h2>Area</h2><p>nine <i>km</i><p>more<h2>Town</h2>")
    assert marks_of(pages) == [("area", "nine km more"), ("town", "")]


def test_a_heading_may_follow_another_in_its_line(sample):
    pages = sample("<p><b>Area</b> <i>total:</i> nine square kilometres<p><i>land:</i> some of it <i>water:</i> none")
    assert marks_of(pages) == [("area", ""), ("total", "nine square kilometres"), ("land", "some of it water: none")]


def test_labels_that_recur_stand_within_lines(sample):
    pages = sample("<p><b>Area:</b> 9 <b>Town:</b> Oak", "<p><b>Area:</b> 7 <b>Town:</b> Elm")
    assert marks_of(pages) == [("area", "9"), ("town", "Oak")]


def test_what_is_ignored_or_another_name_is_passed_over(sample):
    pages = sample("<h2>Area</h2><p>nine<p class=top>Top<p><b>note:</b> about<p>more")
    assert marks_of(pages, ignored=["p.top"], other=["note"]) == [("area", "nine more")]


def test_a_heading_without_text_is_bound_to_what_it_stands_with(sample):
    (page,) = sample("<div><p>text here<h2>One</h2></div><h2>Two</h2><p>some more text")
    one, two = find_marks(page, find_headings([page]))
    assert (one.is_bound_back, two.is_bound_back) == (True, False)
