from __future__ import annotations

import pytest

from webquarry.validating.style_vectors import parse_colour, parse_length

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
    "max(8px, 50% - 2px)": 98,
    "calc(min(1%, 2px) + (2 * max(3%, 4px)))": 14,
    "calc(-10% + 20px)": 0,
    "auto": 0,
    "": 0,
    "calc(": 0,
    "calc(1px / 0)": 0,
    "calc(1px +)": 0,
    "clamp(1px)": 0,
    "unheard-of(1px)": 0,
    "round(10%, 3px)": 0,
    "__import__('os')": 0,
    "min(" * 5000 + "1px": 0,
}


@pytest.mark.parametrize(("value", "expected"), LENGTHS.items())
def test_gives_pixels_of_what_browsers_write(value, expected):
    assert parse_length(value, 200) == pytest.approx(expected)


COLOURS = {
    "rgb(1, 2, 3)": (1, 2, 3, 1),
    "rgba(1, 2, 3, 0)": (1, 2, 3, 0),
    "rgb(1 2 3 / 0.25)": (1, 2, 3, 0.25),
    "rgb(1 2 3 / 25%)": (1, 2, 3, 0.25),
    "color(srgb 1 0.2 0)": (255, 51, 0, 1),
    "color(srgb 1 0.2 0 / 0.5)": (255, 51, 0, 0.5),
    "color(srgb none 1e-9 1)": (0, 0, 255, 1),
    "color(display-p3 1 0.2 0)": (255, 51, 0, 1),
    "color(rec2020 1.2 -0.1 0)": (255, 0, 0, 1),
}
RED = (  # of sRGB, as the CSS specifications and converters give it in other spaces
    "lab(54.2905 80.8049 69.891)",
    "lch(54.2905 106.837 40.8577)",
    "oklab(0.627955 0.224863 0.125846)",
    "oklch(0.627955 0.257683 29.2339)",
)


@pytest.mark.parametrize(("value", "expected"), COLOURS.items())
def test_reads_colours_of_rgb_spaces(value, expected):
    assert parse_colour(value) == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("value", RED)
def test_converts_lab_and_oklab_to_srgb(value):
    assert parse_colour(value) == pytest.approx((255, 0, 0, 1), abs=1)


@pytest.mark.parametrize("value", ["lab(100 0 0)", "lch(100 0 none)", "oklab(1 0 0)", "oklch(1 0 0)"])
def test_white_is_white_in_every_space(value):
    assert parse_colour(value) == pytest.approx((255, 255, 255, 1), abs=0.1)


def test_a_first_component_of_none_is_zero():
    assert parse_colour("lab(none 0 0 / 0.5)") == pytest.approx((0, 0, 0, 0.5), abs=0.01)


def test_clips_colours_that_srgb_cannot_show():
    red, green, _, alpha = parse_colour("oklch(0.85 0.4 145 / 0.5)")
    assert (red, green, alpha) == (0, 255, 0.5)


@pytest.mark.parametrize(
    "value", ["", "auto", "currentcolor", "rgb(1, 2)", "color(unheard-of 1 1 1)", "rgb(var(--x))", "color(xyz 1 1 1)"]
)
def test_anything_else_is_transparent_black(value):
    assert parse_colour(value) == (0, 0, 0, 0)
