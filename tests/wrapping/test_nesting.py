from __future__ import annotations

import pytest

from webquarry.page.looks import Look
from webquarry.wrapping.levels import Part, find_indented, nest
from webquarry.wrapping.sample_pages import Format
from webquarry.wrapping.section_headings import Mark

LABEL = Format("b", Look())
HEADING = Format("h2", Look(24))
LEVELS = {HEADING: 1, LABEL: 2}


def mark(name: str, format_: Format = LABEL, indent: float = 0.0) -> Mark:
    return Mark(0, name, format_, indent, ())


def outline(root: Part) -> list[str]:
    return [".".join(part.path) for part in root.walk()]


def test_smaller_headings_are_in_the_section_of_the_larger_one_before_them():
    found = [mark("a", HEADING), mark("b"), mark("c"), mark("d", HEADING), mark("e")]
    assert outline(nest(found, LEVELS, ())) == ["a", "a.b", "a.c", "d", "d.e"]


def test_the_page_itself_is_never_left():
    assert outline(nest([mark("b"), mark("a", HEADING), mark("c", HEADING)], LEVELS, ())) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("indents", "expected"),
    [
        ([0, 10, 10, 0], ["a", "a.b", "a.c", "d"]),
        ([0, 10, 20, 10], ["a", "a.b", "a.b.c", "a.d"]),
        ([0, 2, 0, 0], ["a", "b", "c", "d"]),
        ([0, 300, 300, 0], ["a", "b", "c", "d"]),
    ],
)
def test_of_equal_headings_those_set_in_are_in_the_section_of_the_one_before(indents, expected):
    found = [mark(name, indent=indent) for name, indent in zip("abcd", indents, strict=True)]
    assert outline(nest(found, LEVELS, find_indented([found]))) == expected


def test_headings_at_many_places_are_not_set_in():
    found = [mark(name, indent=10 * place) for place, name in enumerate("abcdef")]
    assert find_indented([found]) == set()
    assert find_indented([found[:5]]) == {LABEL}
    assert outline(nest(found, LEVELS, ())) == list("abcdef")
