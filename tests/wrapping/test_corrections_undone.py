"""Whatever is done can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Wrapper
from webquarry.wrapping.ashish import extract_ashish
from webquarry.wrapping.corrections import Correction, correct, undo
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

EXAMPLES = st.sampled_from(
    "Geography Location Size total land note Climate People Population Growth chief Extent Motto size.note size.total"
    " people.population government.note extent.land Government book".split()
)
NAMES = st.sampled_from(["area", "size", "Chief of state", "growth", "_other"])
ACTIONS = st.one_of(
    st.builds(
        Correction,
        st.just("add"),
        EXAMPLES,
        st.just("") | EXAMPLES,
        name=st.just("") | NAMES,
        whole_format=st.booleans(),
    ),
    st.builds(Correction, st.just("drop"), EXAMPLES, whole_format=st.booleans()),
    st.builds(Correction, st.sampled_from(["move", "join"]), EXAMPLES, EXAMPLES),
    st.builds(Correction, st.just("rename"), EXAMPLES, name=NAMES),
)


Samples = tuple[Wrapper, list[Document]]


@pytest.fixture(scope="session", params=["format", "ashish"])
def samples(request: pytest.FixtureRequest) -> Samples:
    """A wrapper of each method, with its sample pages."""
    is_ours = request.param == "format"
    wrapper = request.getfixturevalue("book" if is_ours else "paper_book")
    return wrapper, request.getfixturevalue("pages" if is_ours else "paper_pages")


def read(wrapper: Wrapper, documents: Sequence[Document]) -> list[Extraction]:
    if wrapper.method == "ashish":
        return [extract_ashish(wrapper, document) for document in documents]
    return [Reader(wrapper).read(document) for document in documents]


@given(st.lists(ACTIONS, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_corrections_are_undone_one_by_one_from_the_file(samples: Samples, actions: list[Correction]) -> None:
    book, pages = samples
    states = [read_wrapper(write_wrapper(book))]
    for action in actions:
        with suppress(InputError):
            states.append(correct(states[-1], action, pages))
    wrapper = read_wrapper(write_wrapper(states[-1]))
    assert wrapper == states[-1]
    while states[1:]:
        wrapper = undo(wrapper)
        states.pop()
        assert wrapper == states[-1]


@given(st.lists(ACTIONS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_corrected_wrapper_loses_no_text(samples: Samples, actions: list[Correction]) -> None:
    wrapper, pages = samples
    for action in actions:
        with suppress(InputError):
            wrapper = correct(wrapper, action, pages)
    if not any(path == ("geography",) for path, _ in wrapper.grammar.walk()):
        return  # what comes before the first heading belongs to no section
    for extraction in read(wrapper, pages):
        said = " ".join(value.text for value in extraction.values)
        assert "sq km" in said
        assert "elected for" in said


@given(st.lists(ACTIONS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_names_of_one_section_stay_distinct(samples: Samples, actions: list[Correction]) -> None:
    wrapper, pages = samples
    for action in actions:
        with suppress(InputError):
            wrapper = correct(wrapper, action, pages)
    for _, section in [((), wrapper.grammar), *wrapper.grammar.walk()]:
        names = [child.name for child in section.children]
        assert len(names) == len(set(names))


@given(st.lists(ACTIONS, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_sample_pages_have_all_that_the_grammar_asks_for(samples: Samples, actions: list[Correction]) -> None:
    wrapper, pages = samples
    pages = pages[: len(wrapper.source.samples)]
    for action in actions:
        with suppress(InputError):
            wrapper = correct(wrapper, action, pages)
    found = read(wrapper, pages)
    assert [each.missing for each in found] == [()] * len(pages)
    if not any(action.action == "drop" and "." in action.example for action in actions):
        assert [each.unknown for each in found] == [()] * len(pages)
