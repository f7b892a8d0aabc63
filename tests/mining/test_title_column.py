"""Which column is the title."""

from __future__ import annotations

import pytest

NAMES = ("Oak table", "Elm chair", "Fir bench", "Ash stool")
NOTES = ("made in Hull", "made in York", "made in Ely", "made in Bath")


@pytest.mark.parametrize(
    "card",
    [
        pytest.param("<p>{note}</p><h3>{name}</h3>", id="a heading"),
        pytest.param("<p>{note}</p><a href='/{n}'>{name}</a>", id="a link"),
        pytest.param("<p>{note}</p><p class=product-name>{name}</p>", id="a class that says so"),
        pytest.param("<p>{note}</p><p><b>{name}</b></p>", id="bold letters"),
        pytest.param("<p>{name}</p><p>{note}</p>", id="the first of equals"),
        pytest.param(
            "<a href='mailto:{n}@example.org'>{note}</a><p><strong>{name}</strong></p>", id="not a mail address"
        ),
        pytest.param("<h4>{note}</h4><h2>{name}</h2>", id="the higher of two headings"),
        pytest.param("<h4>{note}</h4><i>old{n}</i><h3>{name}</h3>", id="the higher, also if later"),
    ],
)
def test_the_title_is(columns, card):
    cards = [
        card.replace("{name}", name).replace("{note}", note).replace("{n}", str(n))
        for n, (name, note) in enumerate(zip(NAMES, NOTES, strict=True))
    ]
    assert columns(*cards)["title"] == list(NAMES)


def test_the_title_is_longer_than_the_source_before_it(columns):
    sources, stories = ("Mail", "Post", "Echo"), ("Ferries stay in port", "A bridge for the reeds", "Fog until Friday")
    cards = [
        f"<a href=/{n}><div>{source}</div><div>{story}, says the harbour</div></a>"
        for n, (source, story) in enumerate(zip(sources, stories, strict=True))
    ]
    assert columns(*cards)["title"] == [f"{story}, says the harbour" for story in stories]


@pytest.mark.parametrize(
    ("card", "case"),
    [
        ("<h2>{n}.</h2><p>{name}</p>", "a rank"),
        ("<h2>{letter}</h2><p>{name}</p>", "a letter"),
        ("<h2>Sale</h2><p>{name}</p>", "a badge"),
        ("<h2>{long}</h2><p><a href='/{n}'><b>{name}</b></a></p>", "a description"),
    ],
)
def test_the_title_is_no(columns, card, case):
    long = (
        f"Solid, oiled and waxed by hand, {'with a drawer and a shelf below it, ' * 3}with legs that can be taken off"
    )
    cards = [
        card.replace("{name}", name)
        .replace("{n}", str(n + 1))
        .replace("{letter}", "ABCD"[n])
        .replace("{long}", f"{long}, number {n}")
        for n, name in enumerate(NAMES)
    ]
    assert columns(*cards)["title"] == list(NAMES), case


def test_records_that_have_another_link_instead_of_the_title_have_that_as_title(columns):
    found = columns(
        *(f"<h3><a href='/{name}'>{name}</a></h3><p>{note}</p>" for name, note in zip(NAMES, NOTES, strict=True)),
        "<div><a href='/fair'>Furniture fair</a></div><p>made anywhere</p>",
    )
    assert found["title"] == [*NAMES, "Furniture fair"]


def test_a_text_that_few_records_have_is_not_the_title(columns):
    found = columns(
        "<h2>Our favourite of the week</h2><p>Oak table</p>", "<p>Elm chair</p>", "<p>Fir bench</p>", "<p>Ash stool</p>"
    )
    assert found["title"] == list(NAMES)


def test_times_and_durations_are_no_title(columns):
    times = [("08:15", "1h 5m"), ("10:40", "1h 10m"), ("13:05", "2h 25m")]
    found = columns(*(f"<b>{time}</b><i>{duration}</i><p>Northern Ferries</p>" for time, duration in times))
    assert "title" not in found
