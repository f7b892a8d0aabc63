"""What is read of pages, and which of them are of a source."""

from __future__ import annotations

from dataclasses import replace

import pytest

import webquarry as wq
from webquarry.model.wrapper import Section
from webquarry.pipeline.source_tables import PageReader

LABELS = [f"label_{number}" for number in range(12)]


@pytest.fixture
def wrapper(learnt: wq.Wrapper) -> wq.Wrapper:
    """Two sections, the first with twelve in it."""
    grammar = Section("", (Section("land", tuple(Section(label) for label in LABELS)), Section("folk")))
    return replace(learnt, grammar=grammar)


def document(*labels: str) -> wq.Document:
    inside = "".join(f"<h3>{label.replace('_', ' ')}</h3><p>value</p>" for label in labels)
    markup = f"<h1>Elmland</h1><h2>Land</h2><p>of elms</p>{inside}<h2>Folk</h2><p>elves</p>"
    return wq.clean(wq.Page("https://book.test/", markup.encode()))


@pytest.mark.parametrize(("labels", "is_row"), [(LABELS, True), (LABELS[:2], True), ([], False)])
def test_a_page_has_some_of_what_is_in_its_sections(wrapper, labels, is_row):
    for wanted in (None, [("land", LABELS[-1])]):
        assert (PageReader(wrapper, wanted).read(document(*labels)) is not None) is is_row


def test_a_page_without_doubt_is_not_read_whole(wrapper):
    found = PageReader(wrapper, [("land", "label_0")]).read(document(*LABELS[:2]))
    assert [value.path for value in found.values] == [("land", "label_0")]


def test_a_page_in_doubt_is_read_whole(wrapper):
    found = PageReader(wrapper, [("land", "label_0"), ("land", "label_5")]).read(document(*LABELS[:2]))
    assert ("folk",) in [value.path for value in found.values]


def test_where_no_section_is_wanted_one_tells_the_page(wrapper):
    found = PageReader(wrapper, [("_title",)]).read(document(*LABELS))
    assert [value.path for value in found.values] == [("_title",), ("land", "label_0")]


def test_what_all_pages_may_lack_tells_nothing(wrapper):
    optional = tuple(replace(each, is_optional=True) for each in wrapper.grammar.children)
    wrapper = replace(wrapper, grammar=replace(wrapper.grammar, children=optional))
    found = PageReader(wrapper, []).read(document(*LABELS))
    assert len(found.values) == 1 + 1 + 12 + 1
