"""What sets a value apart from the others, in words."""

from __future__ import annotations

import numpy as np
import pytest

from webquarry.model.document import VISUAL_VALIDATION
from webquarry.validating.reasons import MAX_DIFFERENCES, describe, describe_styles, name_colour
from webquarry.validating.traits import NUMBER

PLAIN = dict.fromkeys(VISUAL_VALIDATION, "0px") | {
    "font-size": "16px",
    "color": "rgb(0, 0, 0)",
    "background-color": "rgba(0, 0, 0, 0)",
    "outline-color": "rgb(0, 0, 0)",
}


def row(**changed: str) -> tuple[str, ...]:
    said = PLAIN | {name.replace("_", "-"): value for name, value in changed.items()}
    return tuple(said[name] for name in VISUAL_VALIDATION)


@pytest.mark.parametrize(
    ("name", "value", "usual", "reason"),
    [
        ("font-size", "11px", "16px", "font-size 11px, the others 16px"),
        ("color", "rgb(153, 153, 153)", "rgb(0, 0, 0)", "colour grey (#999999), the others black (#000000)"),
        ("background-color", "rgb(255, 255, 0)", "rgba(0, 0, 0, 0)", "background yellow (#ffff00), the others none"),
        ("type", "text", "money", "text, the others are prices"),
        ("type", "number", "text", "a number, the others are text"),
        ("letters", False, True, "no letters, the others have some"),
        ("digits", True, False, "digits, the others have none"),
        ("capital", False, True, "no capital, the others begin with one"),
        ("beginning", "ad", "by", 'begins with "ad", the others with "by"'),
        ("end", "more", NUMBER, 'ends in "more", the others in a number'),
        ("text", "x" * 40, "in stock", f'"{"x" * 30}...", the others "in stock"'),
        ("length", np.log2(24), np.log2(8), "23 characters, the others about 7"),
        ("path", ("body", "div", "p"), ("body", "ul", "li", "p"), "in div, the others in ul > li"),
        ("path", ("body", "p"), ("body", "a", "p"), "not in a, as the others are"),
        ("path", ("body", "p", "a"), ("body", "p"), "in a, the others are not"),
        ("element", "span.ad", "span.price", "element span.ad, the others span.price"),
        ("place", "/html/body/p", "/html/body/div/ul", "in p, the others in div/ul"),
        ("edges", 40.0, 300.2, "left edge at 40px, the others at 300px"),
        ("height", 80.0, 20.0, "height 80px, the others 20px"),
        ("padding", "", "4px", "padding nothing, the others 4px"),
    ],
)
def test_a_difference_is_a_phrase(name, value, usual, reason):
    assert describe(name, value, usual) == reason


def test_the_others_are_most_others_when_they_are_not_of_one_mind():
    assert describe("font-size", "11px", "16px", 0.6) == "font-size 11px, most others 16px"


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ("rgb(255, 0, 0)", "red"),
        ("rgb(102, 51, 0)", "brown"),
        ("rgb(0, 0, 238)", "blue"),
        ("rgb(85, 26, 139)", "purple"),
        ("rgb(250, 250, 252)", "white"),
        ("rgb(20, 20, 20)", "black"),
        ("rgba(0, 128, 0, 0.5)", "green"),
        ("color(srgb 1 0.5 0)", "orange"),
    ],
)
def test_colours_have_the_names_that_people_use(colour, name):
    assert name_colour(colour).split(" (")[0] == name


def test_a_style_is_described_by_its_rarest_differences_from_what_most_nodes_have():
    rows = [row(), row(font_size="11px"), row(font_size="11px", color="rgb(255, 0, 0)"), row(margin_top="9px")]
    found = describe_styles(VISUAL_VALIDATION, rows, np.array([90, 30, 2, 1]))
    assert found == (
        "",
        "font-size 11px, the others 16px",
        "colour red (#ff0000), the others black (#000000); font-size 11px, most others 16px",
        "margin-top 9px, the others 0px",
    )


def test_multiplicities_say_what_is_usual():
    rows = [row(), row(font_size="11px"), row(font_size="11px", color="rgb(255, 0, 0)")]
    found = describe_styles(VISUAL_VALIDATION, rows, np.array([1000, 1, 1]))
    assert found[1:] == (
        "font-size 11px, the others 16px",
        "colour red (#ff0000), the others black (#000000); font-size 11px, the others 16px",
    )


def test_a_reason_has_few_differences_and_what_follows_others_comes_last():
    red = "rgb(255, 0, 0)"
    changed = row(font_size="11px", color=red, outline_color=red, border_top_color=red, margin_top="3px")
    (reason,) = describe_styles(VISUAL_VALIDATION, [row(), changed], np.array([9, 1]))[1:]
    assert reason.count(";") == MAX_DIFFERENCES - 1
    assert reason.startswith("font-size 11px, the others 16px; colour red")
    assert "border" not in reason
    assert "outline" not in reason


def test_no_styles_have_no_reasons():
    assert describe_styles(VISUAL_VALIDATION, [], np.array([], dtype=np.int64)) == ()
