from __future__ import annotations

import pytest

from webquarry.validating.computed_values import parse_length

LENGTHS = {
    "0px": 0,
    "-12.5px": -12.5,
    "700": 700,
    "1.67772e+07px": 16777200,
    "10px 20px": 10,
    "50%": 100,
    "50% 10%": 100,
    "calc(10% + 2px)": 22,
    "calc(10% - 2px)": 18,
    "calc(-1 * (10% + 2px))": -22,
    "calc(100% / 4)": 50,
    "min(8px, 50%)": 8,
    "max(8px, 50%)": 100,
    "clamp(1px, 50%, 30px)": 30,
    "max(0px, min(8px, (100% - 4px) * 9999))": 8,
    "auto": 0,
    "": 0,
    "calc(": 0,
    "calc(1px / 0)": 0,
    "calc(1px +)": 0,
    "clamp(1px)": 0,
    "unheard-of(1px)": 0,
    "min(" * 5000 + "1px": 0,
}


@pytest.mark.parametrize(("value", "expected"), LENGTHS.items())
def test_gives_pixels_of_what_browsers_write(value, expected):
    assert parse_length(value, 200) == pytest.approx(expected)
