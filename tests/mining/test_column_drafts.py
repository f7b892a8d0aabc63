"""Values that are shown without a text."""

from __future__ import annotations

from datetime import date

import pytest

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document

NAMES = ("Oak table", "Elm chair", "Fir bench")


def pages(extra: str) -> str:
    return "".join(
        f"<article><h3>{name}</h3>{extra.replace('{n}', str(n))}</article>" for n, name in enumerate(NAMES, start=2)
    )


@pytest.mark.parametrize(
    "stars",
    [
        pytest.param('<i aria-label="{n}.5 out of 5 stars"></i>', id="a label"),
        pytest.param('<i aria-label="{n},5 von 5 Sternen"></i>', id="a label in German"),
        pytest.param('<i aria-label="{n},5 stelle su 5"></i>', id="a label with a word between"),
        pytest.param('<i aria-label="5つ星のうち{n}.5"></i>', id="a label in Japanese"),
        pytest.param('<i aria-label="{n}.5 Stars"></i>', id="a label without the highest rating"),
        pytest.param(
            "<div class=stars aria-hidden=true><span hidden>Table of oak with drawers, oiled, for six people to sit"
            ' at. Rating: {n}.5 of 5 stars</span><b class=star><i class=star style="width: 22%"></i></b></div>',
            id="a hidden sentence that names the thing first",
        ),
        pytest.param('<p class=rating aria-label="{n}.5 out of 5 stars">★★★</p>', id="a label of drawn stars"),
        pytest.param('<i title="Rated {n}.5/5"></i>', id="a title"),
        pytest.param('<img src="s.png" alt="{n}.5 of 5" width=1 height=1>', id="the text of a picture"),
        pytest.param('<i data-rating="{n}.5"></i>', id="data of scripts"),
        pytest.param("<p class=sr-only>Rating: {n}.5 out of 5</p>", id="a sentence for screen readers"),
    ],
)
def test_a_rating_is_said_by(align, stars):
    rating = align(pages(stars))["rating"]
    assert (rating.type, list(rating.values)) == ("number", ["2.5", "3.5", "4.5"])
    assert [value.value for value in rating.typed if value] == [2.5, 3.5, 4.5]


def test_the_width_of_one_star_of_five_is_no_rating(align):
    full, partly = "<b class=star></b>", '<b class=star><i class="star fill" style="width: {n}0%"></i></b>'
    assert "rating" not in align(pages(f"<div class=stars>{4 * full}{partly}</div>"))


def test_a_rating_is_shown_by_the_width_of_its_stars(align):
    rating = align(pages('<div class="star-rating"><span style="width: {n}0%"></span></div>'))["rating"]
    assert list(rating.values) == ["1", "1.5", "2"]


@pytest.mark.parametrize(
    "bar",
    [
        pytest.param('<div class="progress"><span style="width: {n}0%"></span></div>', id="bars of something else"),
        pytest.param('<i aria-label="{n} of 12 photos"></i>', id="counts"),
        pytest.param(
            '<div class=stars><i style="width: 100%"></i><i style="width: {n}0%"></i></div>', id="stars of their own"
        ),
    ],
)
def test_no_rating_is_said_by(align, bar):
    assert "rating" not in align(pages(bar))


def test_a_relative_time_has_the_date_of_its_element(align):
    found = align(pages('<p><time datetime="2026-03-0{n}T09:00:00Z">{n} days ago</time></p>'))["date"]
    assert (found.type, found.values[0]) == ("date", "2 days ago")
    assert [value.value for value in found.typed if value] == [date(2026, 3, 2), date(2026, 3, 3), date(2026, 3, 4)]


@pytest.mark.parametrize("stated", ["", "09:30", "2026-02-31"])
def test_a_time_without_a_date_is_no_date(align, stated):
    assert "date" not in align(pages(f'<p><time datetime="{stated}">number {{n}}</time></p>'))


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param("<div style=\"background: #eee url('p{n}.webp') center\"></div>", id="a background"),
        pytest.param('<div data-bg="p{n}.webp"></div>', id="a background that loads late"),
        pytest.param('<img src="data:image/gif;base64,R0lG" data-src="p{n}.webp">', id="a picture that loads late"),
        pytest.param('<picture><source srcset="p{n}.webp 2x, s.webp 1x"><img></picture>', id="sources of a picture"),
        pytest.param('<lazy-picture src="p{n}.webp"></lazy-picture>', id="an element of a script"),
    ],
)
def test_a_picture_is(align, picture):
    image = align(pages(picture))["image"]
    assert list(image.values) == [f"https://example.org/shop/p{n}.webp" for n in (2, 3, 4)]


def test_a_link_over_a_whole_card_is_its_link(align):
    assert list(align(pages("<a href='/{n}'></a>"))["link"].values) == [f"https://example.org/{n}" for n in (2, 3, 4)]


def test_an_element_that_shows_nothing_but_its_record_gives_it_pictures_and_links():
    picture = "<img width=1 height=1 data-src=/{0}.jpg>"
    card = f"<a href=/{{0}}>{picture}<div><div class=card><h3>{{0}}</h3><p>wood</p></div></div></a>"
    document = Document("".join(card.format(tree) for tree in ("oak", "fir", "elm")), url="https://example.org/")
    spans = [
        (node, int(document.ends[node]))
        for node in range(len(document))
        if document.attributes[node].get("class") == "card"
    ]
    found = {field.name: field.values for field in align_fields(document, spans)}
    assert found["link"] == tuple(f"https://example.org/{tree}" for tree in ("oak", "fir", "elm"))
    assert found["image"] == tuple(f"https://example.org/{tree}.jpg" for tree in ("oak", "fir", "elm"))


def test_days_that_are_told_from_the_day_of_the_page_are_dates():
    days = ("gestern", "vor 3 Tagen", "heute")
    markup = "".join(
        f"<li><h3>{name}</h3><span class=zeit>{day}</span></li>" for name, day in zip(NAMES, days, strict=True)
    )
    document = Document(f"<html lang=de><body><ul>{markup}</ul>", received=date(2026, 11, 18))
    spans = [(node, int(document.ends[node])) for node in range(len(document)) if document.tag(node) == "li"]
    found = {field.name: field for field in align_fields(document, spans)}["date"]
    assert found.values == days
    assert [value and value.value for value in found.typed] == [
        date(2026, 11, 17),
        date(2026, 11, 15),
        date(2026, 11, 18),
    ]


def test_a_price_that_only_an_attribute_has_is_a_price(align):
    price = align(pages("<p data-price='{n}9.50'>wood</p>"))["price"]
    assert price.values == ("29.50", "39.50", "49.50")
    assert [value and value.value for value in price.typed] == [29.5, 39.5, 49.5]


def test_a_price_that_is_seen_counts_alone(align):
    found = align(pages("<p data-price='{n}9.50'>€{n}9.50</p>"))
    assert [name for name in found if "price" in name] == ["price"]
    assert found["price"].typed[0].unit == "EUR"


def test_words_within_the_stars_are_no_columns(align):
    said = "<span>Rated <strong class=rating>{n}.50</strong> out of 5</span>"
    found = align(pages(f'<div role=img aria-label="Rated {{n}}.50 out of 5">{said}</div>'))
    assert list(found) == ["title", "rating"]
    assert list(found["rating"].values) == ["2.50", "3.50", "4.50"]


def test_a_number_beside_its_stars_is_the_rating(align):
    found = align(pages('<p>{n}.5</p><i aria-label="{n}.46 out of 5"></i>'))
    assert list(found) == ["title", "rating"]
    assert list(found["rating"].values) == ["2.5", "3.5", "4.5"]


def test_the_image_of_a_picture_is_that_of_its_img(align):
    found = align(pages("<picture><source srcset='{n}.webp 2x'><img src='{n}.jpg'></picture>"))
    assert [address.rpartition("/")[2] for address in found["image"].values] == ["2.jpg", "3.jpg", "4.jpg"]


def test_a_text_that_says_a_rating_is_a_rating(align):
    rating = align(pages("<p>{n},5 von 5, {n}8 Bewertungen</p>"))["rating"]
    assert [value.value for value in rating.typed if value] == [2.5, 3.5, 4.5]


def test_numbers_beside_stars_that_exceed_any_rating_count_reviews(align):
    stars = '<p><i class="icon icon-star" aria-label="{n}.5 out of 5"></i><span>{n}811</span></p>'
    found = align(pages(stars))
    assert list(found["rating"].values) == ["2.5", "3.5", "4.5"]
    assert list(found["reviews"].values) == ["2811", "3811", "4811"]


def test_a_number_next_after_stars_counts_reviews_and_one_in_another_element_does_not(align):
    stars = '<div role=img aria-label="Rated {n}.5 out of 5 stars"></div>'
    found = align(pages(f"<div>{stars}<b>{{n}}811</b></div><p>7{{n}}</p>"))
    assert list(found["reviews"].values) == ["2811", "3811", "4811"]
    assert "reviews" not in align(pages(f"<div>{stars}</div><p>7{{n}}</p>"))


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param("src=/{n}.jpg data-src='/{n}_{width}x.jpg'", id="a template beside it"),
        pytest.param("data-delayed-url=/{n}.jpg", id="a name of its own"),
    ],
)
def test_an_image_has_the_address_that_is_whole(align, attributes):
    found = align(pages(f"<img {attributes} width=90 height=90>"))
    assert [address.rpartition("/")[2] for address in found["image"].values] == ["2.jpg", "3.jpg", "4.jpg"]
