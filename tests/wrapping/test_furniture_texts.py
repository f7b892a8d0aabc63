from __future__ import annotations

from webquarry.model.document import Document
from webquarry.wrapping.furniture_texts import find_constant_texts, find_running_titles, without_furniture
from webquarry.wrapping.section_headings import find_headings
from webquarry.wrapping.section_learner import read_samples


def kept(pages) -> set[str]:
    return {format_.signature for format_ in without_furniture(pages, find_headings(pages), ())}


def test_headings_over_the_same_text_on_every_page_are_furniture(sample):
    pages = [f"<h2>Area</h2><p>{n} km<p><b>Contact</b> write to us" for n in range(3)]
    assert kept(sample(*pages)) == {"h2"}


def test_headings_that_lead_to_headings_with_content_are_kept(sample):
    pages = [f"<h2>Land</h2><h3>Area</h3>{n} km<h2>People</h2><h3>Number</h3>{n}<h4>Contact</h4>us" for n in range(3)]
    assert kept(sample(*pages)) == {"h2", "h3"}


def test_a_title_that_runs_along_with_headings_is_found(sample):
    pages = [
        "".join(f"<p><b>{name}</b> <i>{title}</i><p>{name} {title}" for name in ("Area", "Town", "Coast"))
        for title in ("Elm", "Oak", "Ash")
    ]
    found = sample(*pages)
    assert find_running_titles(found, find_headings(found)) == {"p > i"}


def test_texts_of_a_class_that_are_the_same_on_every_page_are_found(sample):
    pages = [f"<h2>Area</h2><p>{n} km<p class=top>Top of page<p class=x>{n}" for n in range(3)]
    found = sample(*pages)
    assert find_constant_texts(found, find_headings(found)) == {"p.top"}
    assert find_constant_texts(found[:2], find_headings(found[:2])) == set()


def test_two_pages_are_enough_to_tell_a_refrain():
    bars = [
        Document("".join(f"<h3>Part {part}</h3><a class=top href='#'>Top</a><p>{part}{end}</p>" for part in (1, 2, 3)))
        for end in "ab"
    ]
    found = read_samples(bars).pages
    assert find_constant_texts(found, find_headings(found)) == {"body > a.top"}
