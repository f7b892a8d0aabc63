"""What sets a value apart from the others, in words."""

from __future__ import annotations

import numpy as np
import pytest

from webquarry.model.document import VISUAL_VALIDATION
from webquarry.validating.traits import MAX_DIFFERENCES, NUMBER, describe, describe_styles, name_colour

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
        ("font-size", "11px", "16px", "its letters are 11px high, those of the others 16px"),
        ("color", "rgb(153, 153, 153)", "rgb(0, 0, 0)", "it is grey (#999999), the others are black (#000000)"),
        (
            "background-color",
            "rgb(255, 255, 0)",
            "rgba(0, 0, 0, 0)",
            "its background is yellow (#ffff00), that of the others none",
        ),
        ("type", "text", "money", "it is text, the others are prices"),
        ("type", "number", "text", "it is a number, the others are text"),
        ("letters", False, True, "it has no letters, the others have some"),
        ("digits", True, False, "it has digits, the others have none"),
        ("capital", False, True, "it begins with a small letter, the others with a capital one"),
        ("beginning", "ad", "by", 'it begins with "ad", the others with "by"'),
        ("end", "more", NUMBER, 'it ends in "more", the others in a number'),
        ("text", "x" * 40, "in stock", f'it says "{"x" * 30}...", the others "in stock"'),
        ("length", np.log2(24), np.log2(8), "it has 23 characters, the others about 7"),
        ("path", ("body", "div", "p"), ("body", "ul", "li", "p"), "it is inside div, the others are inside ul > li"),
        ("path", ("body", "p"), ("body", "a", "p"), "it is not inside a, as the others are"),
        ("path", ("body", "p", "a"), ("body", "p"), "it is inside a, the others are not"),
        ("element", "span.ad", "span.price", "its element is span.ad, that of the others span.price"),
        ("place", "/html/body/p", "/html/body/div/ul", "it is elsewhere on the page, in p, the others are in div/ul"),
        ("edges", 40.0, 300.2, "its left edge is at 40px, that of the others at 300px"),
        ("height", 80.0, 20.0, "it is 80px high, the others are 20px"),
        ("padding", "", "4px", "its padding is nothing, that of the others 4px"),
    ],
)
def test_a_difference_is_a_phrase(name, value, usual, reason):
    assert describe(name, value, usual) == reason


def test_the_others_are_most_others_when_they_are_not_of_one_mind():
    assert describe("font-size", "11px", "16px", 0.6) == "its letters are 11px high, those of most others 16px"


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
        "Its letters are 11px high, those of the others 16px.",
        "It is red (#ff0000), the others are black (#000000); its letters are 11px high, those of most others 16px.",
        "Its margin-top is 9px, that of the others 0px.",
    )


def test_multiplicities_say_what_is_usual():
    rows = [row(), row(font_size="11px"), row(font_size="11px", color="rgb(255, 0, 0)")]
    found = describe_styles(VISUAL_VALIDATION, rows, np.array([1000, 1, 1]))
    assert found[1:] == (
        "Its letters are 11px high, those of the others 16px.",
        "It is red (#ff0000), the others are black (#000000); its letters are 11px high, those of the others 16px.",
    )


def test_a_reason_has_few_differences_and_what_follows_others_comes_last():
    red = "rgb(255, 0, 0)"
    changed = row(font_size="11px", color=red, outline_color=red, border_top_color=red, margin_top="3px")
    (reason,) = describe_styles(VISUAL_VALIDATION, [row(), changed], np.array([9, 1]))[1:]
    assert reason.count(";") == MAX_DIFFERENCES - 1
    assert reason.startswith("Its letters are 11px high, those of the others 16px; it is red")
    assert "border" not in reason
    assert "outline" not in reason


def test_no_styles_have_no_reasons():
    assert describe_styles(VISUAL_VALIDATION, [], np.array([], dtype=np.int64)) == ()
