from __future__ import annotations

import pytest
from benchmarks.scoring.correction_steps import StepCount, count_steps, match_names, outline
from hypothesis import given, strategies as st

from webquarry.model.wrapper import Section

WANTED = [
    ("Geography",),
    ("Geography", "Location"),
    ("Geography", "Area"),
    ("Geography", "Area", "total area"),
    ("Geography", "Area", "note"),
    ("People",),
    ("People", "note"),
]


def counted(found: list[tuple[str, ...]]) -> tuple[int, int, int, int]:
    steps = count_steps(found, WANTED)
    return steps.deleted, steps.added, steps.rules, steps.misplaced


def test_the_right_outline_needs_no_step():
    assert counted(WANTED) == (0, 0, 0, 0)
    assert count_steps(WANTED, WANTED).total == 0


def test_deleted_and_added_tokens_and_corrected_rules_are_counted_apart():
    found, wanted = [("Area",), ("http",), ("http", "total")], [("Area",), ("Area", "total"), ("Area", "land")]
    assert count_steps(found, wanted) == StepCount(deleted=1, added=1, rules=2, misplaced=1)


def test_names_are_paired_by_a_longest_common_subsequence():
    assert match_names(["menu", "area", "note", "area"], ["area", "total", "area", "note"]) == [(1, 0), (3, 2)]


def test_names_in_snake_case_are_the_same_headings():
    assert counted([tuple(name.lower().replace(" ", "_") for name in path) for path in WANTED]) == (0, 0, 0, 0)


def test_each_token_too_many_is_a_step_though_it_occurs_again():
    assert counted([("http",), *WANTED, ("People", "http")]) == (2, 0, 0, 0)


def test_each_token_that_lacks_is_a_step_and_is_then_in_its_place():
    assert counted([path for path in WANTED if path[-1] != "note"]) == (0, 2, 0, 0)


def test_sections_whose_heading_was_not_found_are_in_a_wrong_section():
    found = [path for path in WANTED if path[-1] != "Area"]
    found[2:4] = [("Geography", "total area"), ("Geography", "note")]
    assert counted(found) == (0, 1, 2, 2)  # geography -> ..., area -> ...


def test_all_at_the_top_is_one_wrong_rule_for_each_section_that_has_children():
    assert counted([path[-1:] for path in WANTED]) == (0, 0, 4, 5)


def test_sections_in_a_deleted_one_fall_to_the_next_outside():
    found = [
        *WANTED[:2],
        ("Geography", "http"),
        *[("Geography", "http", *path[1:]) for path in WANTED[2:5]],
        *WANTED[5:],
    ]
    assert counted(found) == (1, 0, 0, 0)


def test_a_method_may_nest_anew_once_the_tokens_are_right():
    found = [("http",), *(("http", path[-1]) for path in WANTED)]
    kept: list[int] = []

    def nest(numbers):
        kept.extend(numbers)
        return WANTED

    assert count_steps(found, WANTED, nest=nest) == StepCount(deleted=1, added=0, rules=0, misplaced=0)
    assert kept == [1, 2, 3, 4, 5, 6, 7]


def test_a_repeated_section_has_one_rule():
    wanted = [("Job",), ("Job", "Pay"), ("Job", "Place")] * 3
    found = [path[-1:] for path in wanted]
    assert count_steps(found, wanted) == StepCount(deleted=0, added=0, rules=2, misplaced=2)


def test_tokens_count_in_page_order():
    assert count_steps([("B",), ("A",)], [("A",), ("B",)]).total == 2


def test_nothing_found_is_all_to_add():
    assert counted([]) == (0, 7, 0, 0)


def test_the_outline_of_a_grammar_goes_by_what_pages_call_its_sections():
    grammar = Section(
        "factbook",
        children=(
            Section("area", children=(Section("note"), Section("note_2", headings=("note",)))),
            Section("size", headings=("Area - total",)),
        ),
    )
    assert outline(grammar) == [("area",), ("area", "note"), ("area", "note"), ("Area - total",)]


def longest(found: str, wanted: str) -> int:
    if not found or not wanted:
        return 0
    if found[0] == wanted[0]:
        return 1 + longest(found[1:], wanted[1:])
    return max(longest(found[1:], wanted), longest(found, wanted[1:]))


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_names_are_matched_in_a_longest_common_sequence(found, wanted):
    pairs = match_names(found, wanted)
    assert [found[number] for number, _ in pairs] == [wanted[place] for _, place in pairs]
    assert pairs == sorted(pairs)
    assert len({number for number, _ in pairs}) == len({place for _, place in pairs}) == len(pairs)
    assert len(pairs) == longest(found, wanted)


@pytest.mark.parametrize("found", [[("a", "b")], [("x", "a"), ("a",)]])
def test_paths_whose_parents_are_not_given_stand_at_the_top(found):
    assert count_steps(found, [path[-1:] for path in found]).total == 0
