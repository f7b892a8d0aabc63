from __future__ import annotations

import pytest

from webquarry.validating.computed_values import parse_colour

PLAIN = {
    "rgb(1, 2, 3)": (1, 2, 3, 1),
    "rgba(1, 2, 3, 0)": (1, 2, 3, 0),
    "rgb(1 2 3 / 0.25)": (1, 2, 3, 0.25),
    "rgb(1 2 3 / 25%)": (1, 2, 3, 0.25),
    "color(srgb 1 0.2 0)": (255, 51, 0, 1),
    "color(srgb 1 0.2 0 / 0.5)": (255, 51, 0, 0.5),
    "color(srgb none 1e-9 1)": (0, 0, 255, 1),
}
RED = (  # of sRGB, as the CSS specifications and converters give it in other spaces
    "lab(54.2905 80.8049 69.891)",
    "lch(54.2905 106.837 40.8577)",
    "oklab(0.627955 0.224863 0.125846)",
    "oklch(0.627955 0.257683 29.2339)",
    "color(srgb-linear 1 0 0)",
    "color(display-p3 0.917488 0.200287 0.138561)",
    "color(a98-rgb 0.858590 0 0)",
    "color(rec2020 0.823550 0.328466 0.180337)",
    "color(prophoto-rgb 0.702267 0.275733 0.103546)",
    "color(xyz 0.412391 0.212639 0.019331)",
    "color(xyz-d65 0.412391 0.212639 0.019331)",
    "color(xyz-d50 0.436066 0.222493 0.013924)",
)
WHITE = (
    "lab(100 0 0)",
    "oklch(1 0 0)",
    "color(srgb-linear 1 1 1)",
    "color(display-p3 1 1 1)",
    "color(display-p3-linear 1 1 1)",
    "color(a98-rgb 1 1 1)",
    "color(rec2020 1 1 1)",
    "color(prophoto-rgb 1 1 1)",
)


@pytest.mark.parametrize(("value", "expected"), PLAIN.items())
def test_reads_what_browsers_write_for_srgb(value, expected):
    assert parse_colour(value) == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("value", RED)
def test_takes_other_spaces_to_srgb(value):
    assert parse_colour(value) == pytest.approx((255, 0, 0, 1), abs=1)


@pytest.mark.parametrize("value", WHITE)
def test_white_is_white_in_every_space(value):
    assert parse_colour(value) == pytest.approx((255, 255, 255, 1), abs=0.1)


def test_clips_what_srgb_cannot_show():
    red, green, blue, alpha = parse_colour("color(display-p3 0 1 0 / 0.5)")
    assert (red, blue, alpha) == (0, 0, 0.5)
    assert green == 255


@pytest.mark.parametrize("value", ["", "auto", "currentcolor", "rgb(1, 2)", "color(unheard-of 1 1 1)", "rgb(var(--x))"])
def test_what_is_no_colour_is_black_and_transparent(value):
    assert parse_colour(value) == (0, 0, 0, 0)
