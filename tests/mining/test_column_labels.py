"""A heading above a group of records is a column of them."""

from __future__ import annotations

from datetime import date

import pytest

ACTS = [["Trio Moss", "Fern and Sons"], ["Lichen Choir"], ["Pebble Band", "Old Quarry", "Slate"]]
DAYS = ["6 March 2026", "7 March 2026", "9 March 2026"]
PARKS = ["Ohio", "Utah", "Iowa"]


def listing(headings: list[str], heading: str = "<h2>{}</h2>", group: str = "{}") -> str:
    return "<main><h1>All of them</h1>" + "".join(
        heading.format(text)
        + group.format("".join(f"<article><h3>{act}</h3><p>on {act}</p></article>" for act in acts))
        for text, acts in zip(headings, ACTS, strict=True)
    )


@pytest.mark.parametrize(
    ("heading", "group"),
    [
        pytest.param("<h2>{}</h2>", "{}", id="siblings of the records"),
        pytest.param("<h2><span>{}</span></h2>", "<div>{}</div>", id="siblings of their groups"),
        pytest.param("<p class=day>{}</p>", "<div>{}</div>", id="texts that are no headings"),
        pytest.param("<h2>{}</h2><p>See more</p>", "<div>{}</div>", id="above a note"),
    ],
)
def test_headings_are_found(align, heading, group):
    found = align(listing(PARKS, heading, group))["group"]
    assert list(found.values) == ["Ohio", "Ohio", "Utah", "Iowa", "Iowa", "Iowa"]


def test_dates_above_groups_are_the_dates_of_the_records(align):
    found = align(listing(DAYS))["date"]
    days = [date(2026, 3, day) for day in (6, 6, 7, 9, 9, 9)]
    assert [value.value for value in found.typed if value] == days


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param(listing(["Advertisement"] * 3), id="a text that repeats"),
        pytest.param(listing(PARKS, heading="<!-- {} -->"), id="nothing between the records"),
        pytest.param(
            listing([f"{park} and {'more ' * 20}" for park in PARKS], "<p>{0}</p>" * 13), id="whole paragraphs"
        ),
    ],
)
def test_no_headings_are(align, markup):
    assert "group" not in align(markup)


def test_the_colon_of_a_time_ends_no_label(columns):
    times = [f"Today at 12:0{minute}" for minute in range(4)]
    found = columns(*(f"<b>Topic {name}</b><i>{time}</i>" for name, time in zip("abcd", times, strict=True)))
    assert times in found.values()


def test_what_is_between_records_without_being_their_heading_names_no_group(align):
    card = "<article><h3><a href=/{n}>{name}</a></h3><p>{n}0 kg</p></article>"
    cards = [card.format(n=n, name=name) for n, name in enumerate(("Oak", "Elm", "Fir", "Ash", "Yew"))]
    tile = "<div><p>Sell your timber</p><p>It is free</p><button>Begin</button></div>"
    videos = "<div><h2>Videos</h2><p>Sawing</p><p>Drying</p><p>Planing</p><p>Oiling</p></div>"
    for between in (tile, videos):
        head = "<div><button>More filters</button></div><div><h2>Timber</h2></div>"
        assert "group" not in align(head + "".join(cards[:3]) + between + "".join(cards[3:]))
