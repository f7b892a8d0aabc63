from __future__ import annotations

import pytest

from webquarry.wrapping.section_headings import heading_name, plain_heading


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Area:", "Area"),
        ("Geography ::", "Geography"),
        ("6. Mapping", "Mapping"),
        ("1.2) Methods", "Methods"),
        ("IV. Results", "Results"),
        ("A. Annex", "Annex"),
        ("A Annex", "A Annex"),
        ("1990", "1990"),
        (":", ":"),
        ("» News »", "News"),
    ],
)
def test_a_heading_has_no_number_and_no_end(text, expected):
    assert plain_heading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Land boundaries:", "land_boundaries"),
        ("Border countries (8):", "border_countries"),
        ("0-14 years", "_0_14_years"),
        ("::", "column"),
    ],
)
def test_the_name_of_a_section_is_its_heading_in_snake_case(text, expected):
    assert heading_name(text) == expected
