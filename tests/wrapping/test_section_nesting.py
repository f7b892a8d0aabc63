from __future__ import annotations

import pytest

from webquarry.page.looks import Look, static_look
from webquarry.wrapping.section_headings import Mark
from webquarry.wrapping.section_nesting import MAX_LEVELS, SamplePart, find_indented, nest, rank_formats
from webquarry.wrapping.section_samples import Format, SamplePiece

LABEL = Format("b", Look())
HEADING = Format("h2", Look(24))
LEVELS = {HEADING: 1, LABEL: 2}


def piece(format_: Format, indent: float = 0.0) -> SamplePiece:
    return SamplePiece(0, 0, "", 0, format_.signature, format=format_, left=indent)


def mark(name: str, format_: Format = LABEL, indent: float = 0.0) -> Mark:
    return Mark(piece(format_, indent), name)


def outline(root: SamplePart) -> list[str]:
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


def marks(outline: str) -> list[Mark]:
    """Headings by their signatures; `+` after one says that text follows it, `-` that it is bound to what is before."""
    return [
        Mark(
            piece(Format(word.strip("+-"), static_look(word.strip("+-")))),
            f"name {place}",
            [piece(LABEL)] * word.count("+"),
            "-" in word,
        )
        for place, word in enumerate(outline.split())
    ]


def levels(*outlines: str) -> dict[str, int]:
    return {format_.signature: level for format_, level in rank_formats([marks(each) for each in outlines]).items()}


@pytest.mark.parametrize(
    ("outline", "expected"),
    [
        ("", {}),
        ("h2+", {"h2": 1}),
        ("h2+ h3+ h3+ h2+ h3+", {"h2": 1, "h3": 2}),
        ("h2 b+ i+ b+ h2 b+", {"h2": 1, "b": 2, "i": 2}),
        ("h2 b i+ i+ b i+ h2 b i+", {"h2": 1, "b": 2, "i": 3}),
        ("b+ i+ b+ i+", {"b": 1, "i": 1}),
        ("b- i+ b- i+", {"b": 1, "i": 1}),
        ("small h2+ h2+ small h2+", {"small": 1, "h2": 2}),
        ("b i+ i b+", {"b": 1, "i": 1}),
    ],
)
def test_size_and_what_is_directly_below_decide_levels(outline, expected):
    assert levels(outline) == expected


def test_pages_speak_together():
    assert levels("b i+", "b i+", "b i+", "i b+") == {"b": 1, "i": 2}


def test_formats_that_lead_to_each_other_in_a_circle_are_ranked():
    assert levels("b i+", "i u+", "u b+").keys() == {"b", "i", "u"}


def test_labels_look_alike_whether_their_value_is_in_their_line_or_below():
    found = rank_formats([marks("h2 p+")]).values()
    assert list(found) == [1, 2]
    run_in, alone = Format("p :…", static_look("p :…")), Format("p :", static_look("p :"))
    assert run_in.style == alone.style == alone


def test_levels_end_where_nobody_nests_deeper():
    outline = " ".join(f"p[font-size:{size}px]+" for size in range(300, 100, -1))
    assert max(levels(outline).values()) == MAX_LEVELS


def test_the_outermost_level_is_the_first_also_where_all_names_recur():
    page = [mark("area", Format("h2", static_look("h2")))] * 3
    assert set(rank_formats([page]).values()) == {1}
