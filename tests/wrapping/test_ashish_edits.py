"""Corrections of wrappers that the paper's method learnt."""

from __future__ import annotations

from typing import Any

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Wrapper
from webquarry.wrapping.ashish import extract_ashish, wrap_ashish
from webquarry.wrapping.corrections import Correction, correct, undo
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

FREEDONIA = """<title>Freedonia</title><body>
<h2>Freedonia</h2>
<h3>Geography</h3>
<b>Location:</b> far away
<b>Area:</b>
<br><i>total area:</i> 1,200 sq km
<br><i>note:</i> with the duck pond
<b>Coast:</b> 12 km <b>Rivers:</b> none
<h3>People</h3>
<b>Population:</b> 1,933
<p>Ticker FRD on the exchange
<dl><dt>Motto</dt><dd>Hail<dt>Colours</dt><dd>red</dl>
"""


@pytest.fixture
def freedonia() -> Document:
    return Document(FREEDONIA, url="freedonia.html")


@pytest.fixture
def wrapper(freedonia: Document) -> Wrapper:
    return wrap_ashish([freedonia], name="book")


def corrected(wrapper: Wrapper, document: Document, *actions: Correction) -> Wrapper:
    for action in actions:
        wrapper = correct(wrapper, action, [document])
    return wrapper


def record(wrapper: Wrapper, document: Document) -> dict[str, Any]:
    return extract_ashish(wrapper, document).record


def tree(section: Section) -> dict[str, Any]:
    return {child.name: tree(child) for child in section.children}


def test_as_learnt(wrapper: Wrapper) -> None:
    area = {"total_area": {}, "note": {}}
    geography = {"location": {}, "area": area, "coast_12_km_rivers": {}}
    assert tree(wrapper.grammar) == {"geography": geography, "people": {"population": {}}}


def test_a_dropped_heading_is_text_of_the_section_before_it(wrapper: Wrapper, freedonia: Document) -> None:
    after = corrected(wrapper, freedonia, Correction("drop", "note"))
    assert record(after, freedonia)["Geography"]["Area"] == {"total area": "1,200 sq km note: with the duck pond"}


def test_sections_in_a_dropped_one_are_nested_again(wrapper: Wrapper, freedonia: Document) -> None:
    after = corrected(wrapper, freedonia, Correction("drop", "Area"))
    location = {"total_area": {}, "note": {}}
    assert tree(after.grammar)["geography"] == {"location": location, "coast_12_km_rivers": {}}
    assert [
        token.signature for token in corrected(wrapper, freedonia, Correction("drop", "note", whole_format=True)).tokens
    ] == [
        "h3",
        "b",
    ]


def test_headings_that_one_line_has_together_are_told_apart(wrapper: Wrapper, freedonia: Document) -> None:
    with pytest.raises(InputError, match='part of the heading "Coast: 12 km Rivers"; drop that first'):
        corrected(wrapper, freedonia, Correction("add", "Rivers"))
    after = corrected(
        wrapper,
        freedonia,
        Correction("drop", "Coast: 12 km Rivers"),
        Correction("add", "Coast"),
        Correction("add", "Rivers"),
    )
    assert record(after, freedonia)["Geography"]["Coast"] == "12 km"
    assert record(after, freedonia)["Geography"]["Rivers"] == "none"
    assert after.steps == (3, 3)


def test_words_without_a_tag_become_a_heading(wrapper: Wrapper, freedonia: Document) -> None:
    after = corrected(wrapper, freedonia, Correction("add", "Ticker", to="people", name="symbol"))
    assert record(after, freedonia)["People"]["Ticker"].startswith("FRD on the exchange")
    assert tree(after.grammar)["people"] == {"population": {}, "symbol": {}}
    other = Document(FREEDONIA.replace("Ticker FRD", "Ticker: QQQ").replace("far away", "near the Ticker"))
    found = record(after, other)
    assert found["People"]["Ticker"].startswith("QQQ on")
    assert found["Geography"]["Location"] == "near the Ticker"


def test_words_within_a_text_become_a_heading(wrapper: Wrapper, freedonia: Document) -> None:
    after = corrected(wrapper, freedonia, Correction("add", "on the exchange", name="place"))
    assert next(token for token in after.tokens if token.signature == "text").is_inline
    assert record(after, freedonia)["People"]["Population"]["_text"] == "1,933 Ticker FRD"


def test_the_tag_of_an_example_finds_all_of_its_kind(wrapper: Wrapper, freedonia: Document) -> None:
    one = corrected(wrapper, freedonia, Correction("add", "Motto", to="people"))
    assert record(one, freedonia)["People"]["Motto"] == "Hail Colours red"
    every = corrected(wrapper, freedonia, Correction("add", "Motto", whole_format=True))
    assert "Colours" in str(record(every, freedonia))
    assert extract_ashish(every, freedonia).unknown == ()
    assert {token.signature: token.names for token in every.tokens}["<dt>"] == ()


def test_adding_takes_back_a_drop(wrapper: Wrapper, freedonia: Document) -> None:
    for example in ("note", "Area", "Geography"):
        after = corrected(wrapper, freedonia, Correction("drop", example), Correction("add", example))
        assert record(after, freedonia) == record(wrapper, freedonia)


def test_sections_move_join_and_get_other_names_and_types(wrapper: Wrapper, freedonia: Document) -> None:
    after = corrected(
        wrapper,
        freedonia,
        Correction("rename", "Population", name="inhabitants"),
        Correction("move", "area.note", "geography"),
        Correction("join", "area.total_area", "location"),
    )
    typed = corrected(wrapper, freedonia, Correction("retype", "area.total_area", "number"))
    assert extract_ashish(typed, freedonia).values[2].typed.value == 1200
    values = {value.path: value for value in extract_ashish(after, freedonia).values}
    assert values["people", "inhabitants"].text.startswith("1,933")
    assert values["geography", "note"].text == "with the duck pond"
    assert values["geography", "location"].text == "far away\n1,200 sq km"
    again = after
    while again.history:
        again = undo(again)
    assert again == wrapper


def test_printed_nesting_stays_printed_when_tokens_change(freedonia: Document) -> None:
    wrapper = wrap_ashish([freedonia], name="book", nesting="printed")
    after = corrected(
        read_wrapper(write_wrapper(wrapper)), freedonia, Correction("drop", "Location"), Correction("add", "Location")
    )
    assert after.grammar == wrapper.grammar


def test_a_pattern_makes_one_section_of_headings_that_vary(freedonia: Document) -> None:
    page = Document("<b>Ingredients for soup</b> leek\n<b>Steps</b> cook\n<b>Ingredients for bread</b> flour")
    wrapper = wrap_ashish([page], name="book")
    after = corrected(wrapper, page, Correction("rename", "Ingredients for *", name="ingredients"))
    assert record(after, page) == {"Ingredients for soup": "leek\nflour", "Steps": "cook"}
    other = Document("<b>Ingredients for cake</b> eggs\n<b>Steps</b> bake")
    assert [(value.path, value.text) for value in extract_ashish(after, other).values] == [
        (("ingredients",), "eggs"),
        (("steps",), "bake"),
    ]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Correction("drop", "Populaton"), 'the nearest are "Population"'),
        (Correction("add", "Population"), "a section already: people.population"),
        (Correction("add", "Tickers"), "no heading"),
        (Correction("add", "Ticker", whole_format=True), "has no tag of its own"),
        (Correction("add", "Ticker", to="geography"), "not open"),
        (Correction("move", "Location", "people"), "not open"),
        (Correction("retype", "Location", "colour"), "no type"),
    ],
)
def test_mistakes_are_told(wrapper: Wrapper, freedonia: Document, action: Correction, said: str) -> None:
    with pytest.raises(InputError, match=said.replace(".", r"\.")):
        corrected(wrapper, freedonia, action)
