"""How texts are split at marks, and dates joined, on small pages of our own."""

from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.model.document import Document


def mined(*contents: str, language: str = "en") -> dict[str, list[str | None]]:
    cards = "".join(f"<article>{content}</article>" for content in contents)
    region = wq.mine(Document(f'<html lang="{language}"><main>{cards}</main>'))[0]
    return {field.name: list(field.values) for field in region.fields}


ADS = [("Bike", "Hull, Avenues"), ("Sofa", "York, Acomb"), ("Lamp", "Ely"), ("Desk", "Hull, Newland")]
DAYS = ["today at 10:12", "yesterday at 9:40", "16 November 2026", "3 May"]


@pytest.mark.parametrize("mark", [" - ", " \u2013 ", " \u2022 "])
def test_a_dash_separates_a_place_from_a_date(mark):
    found = mined(*(f"<h3>{name}</h3><p>{place}{mark}{day}</p>" for (name, place), day in zip(ADS, DAYS, strict=True)))
    assert found["date"] == DAYS
    assert [place for _, place in ADS] in found.values()


def test_a_dash_between_two_days_or_two_words_separates_nothing():
    spans = ["3 May - 5 May", "1 June - 9 June", "2 July - 3 July"]
    songs = ["Moss - Slate", "Fern - Rain", "Loam - Snow"]
    found = mined(*(f"<h3>{song}</h3><p>{span}</p>" for song, span in zip(songs, spans, strict=True)))
    assert found == {"title": songs, "date": spans}


def test_bars_separate_facts_of_one_class_beside_texts_of_another():
    found = mined(
        *(
            f"<h3>Course {n}</h3><div><p class=skills>Sums</p></div><div><p class=facts>{level} · {n} weeks</p></div>"
            for n, level in enumerate(["Beginner", "Advanced", "Mixed"], 2)
        )
    )
    assert ["2 weeks", "3 weeks", "4 weeks"] in found.values()


@pytest.mark.parametrize(
    ("language", "months"),
    [("nl", ("nov", "dec", "mei")), ("fi", ("marras", "joulu", "touko")), ("ru", ("ноя", "дек", "мая"))],
)
def test_day_and_month_in_elements_of_their_own_are_one_date(language, months):
    leaf = "<div><span>za</span><div class=day>{}</div><div class=month>{}</div></div><h3>Act {}</h3><p>Hall</p>"
    found = mined(*(leaf.format(21 + n, month, n) for n, month in enumerate(months)), language=language)
    assert found["date"] == [f"{21 + n} {month}" for n, month in enumerate(months)]


def test_a_month_before_its_day_and_a_year_behind_them_are_one_date():
    leaf = "<i>{}</i><b>{}</b><u>2026</u><h3>Act {}</h3><p>Hall {}</p>"
    found = mined(
        *(
            leaf.format(f"<p>{month}</p>", f"<p>{day}</p>", day, day)
            for month, day in (("May", 3), ("Jun", 14), ("Jul", 30))
        )
    )
    assert found["date"] == ["May 3 2026", "Jun 14 2026", "Jul 30 2026"]


def test_what_is_beside_a_date_is_not_called_one():
    found = mined(
        *(f"<h3>{name}</h3><p class='place-date'>{place}</p><b>5{n} €</b>" for n, (name, place) in enumerate(ADS))
    )
    assert "date" not in found


def test_post_codes_tell_places():
    places = ["Rennes 35000", "Vitré 35500", "Redon 35600"]
    found = mined(
        *(f"<h3>{name}</h3><p>Very good</p><i>{place}</i>" for (name, _), place in zip(ADS, places, strict=False))
    )
    assert found["location"] == places


def test_both_ends_of_a_period_are_one_date_and_hours_stay_apart():
    found = mined(
        *(
            f"<h3>Show {n}</h3><p><time>1{n}.09.2026</time> \u2013 <time>3{n}.01.2027</time></p>"
            f"<p><b>7:1{n}</b> - <b>9:4{n}</b></p>"
            for n in range(2)
        ),
        language="de",
    )
    assert found["date"] == ["10.09.2026 \u2013 30.01.2027", "11.09.2026 \u2013 31.01.2027"]
    assert ["7:10", "7:11"] in found.values()


def test_floors_are_no_dates_and_years_are_called_so():
    found = mined(*(f"<h3>House {n}</h3><p>Floor {n}/6</p><i>(19{n}4)</i>" for n in range(4, 8)))
    assert found["year"] == ["(1944)", "(1954)", "(1964)", "(1974)"]
    assert "date" not in found


def test_a_title_above_a_written_text_in_one_element_stays_apart():
    said = ["It keeps the rain out.", "We wear it every day.<br>It dries overnight.<br>It has two pockets.", "Warm."]
    long = " Nobody who has one would ever like to be without it again."
    found = mined(
        *(
            f"<div class=info><div class=name><a href=/{n}>{name}</a></div>{text.replace('.', '.' + long, 1)}</div>"
            for n, (name, text) in enumerate(zip(["Coat", "Hat", "Scarf"], said, strict=True))
        )
    )
    assert found["title"] == ["Coat", "Hat", "Scarf"]
    assert sum(any("rain" in (value or "") for value in column) for column in found.values()) == 1
