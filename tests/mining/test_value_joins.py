"""Texts that touch in a line are one value."""

# ruff: noqa: RUF001 - dashes

from __future__ import annotations

import pytest

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.pipeline.render_pages import render
from webquarry.values.text_value import Value

NAMES = ("Kettle", "Lamp", "Saw")
AMOUNTS = ("12", "21", "36")


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        ("<span>$</span>{n}.50", "${n}.50", Value(12.5, "USD")),
        ("<span>$</span><span>{n}.50</span>", "${n}.50", Value(12.5, "USD")),
        ("{n}.50&nbsp;<span>€</span>", "{n}.50 €", Value(12.5, "EUR")),
        ("${n}<sup>50</sup>", "${n}.50", Value(12.5, "USD")),
        ("{n}<sup>€50</sup>", "{n}€50", Value(12.5, "EUR")),
        ("€ {n}.<sup>50*</sup>", "€ {n}.50*", Value(12.5, "EUR")),
        ("<b>{n}<sup>€50</sup></b><small>/mois</small>", "{n}€50/mois", Value(12.5, "EUR", note="/mois")),
        ("<b>{n}.50 <small>ر.س</small></b><i>لكل ليلة</i>", "{n}.50 ر.س", Value(12.5, "SAR")),
        (
            "<span>$</span><span>{n}</span><span class=price-fraction>50</span>",
            "${n}.50",
            Value(12.5, "USD"),
        ),
        ("<span>From</span> <span>£{n}.00 GBP</span>", "From £{n}.00 GBP", Value(12.0, "GBP", note="from")),
        ("<span>${n}K</span><span>–</span><span>$248K</span>", "${n}K–$248K", Value(12_000.0, "USD", to=248_000.0)),
        ("<span>£{n}</span> <span>to</span> <span>£40</span>", "£{n} to £40", Value(12, "GBP", to=40)),
        ("<span>₹{n},000</span> <span>/ month</span>", "₹{n},000 / month", Value(12_000, "INR", note="/ month")),
        ("<span>{n} €</span><span>/Nacht</span>", "{n} €/Nacht", Value(12, "EUR", note="/Nacht")),
        ("<b>{n}.500.000</b> <i>€</i>", "{n}.500.000 €", Value(12_500_000, "EUR")),
    ],
)
def test_pieces_of_an_amount_are_one_value(align, line, text, value):
    cards = [f"<article><h3>{name}</h3><p>{line}</p></article>" for name in NAMES]
    price = align("".join(card.replace("{n}", n) for card, n in zip(cards, AMOUNTS, strict=True)))["price"]
    assert list(price.values) == [text.replace("{n}", n) for n in AMOUNTS]
    assert price.typed[0] == value


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("<b>{n}</b><i>%</i>", ["12%", "21%", "36%"]),
        ("<b>{n}</b><i>°</i>", ["12°", "21°", "36°"]),
        ("<b>{n}</b><i>/50</i>", ["12/50", "21/50", "36/50"]),
        ("<b>{n},</b><i>90</i>", ["12,90", "21,90", "36,90"]),
    ],
)
def test_marks_that_touch_a_number_belong_to_it(columns, line, texts):
    found = columns(
        *(f"<h3>{name}</h3><p>{line.replace('{n}', n)}</p>" for name, n in zip(NAMES, AMOUNTS, strict=True))
    )
    assert texts in found.values()


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        pytest.param("<del>$40.00</del> <b>${n}.00</b>", "${n}.00", id="a struck price and the price"),
        pytest.param("<b>${n}.00</b> <s>$40.00</s>", "${n}.00", id="the price and a struck price"),
        pytest.param("<b>${n}.00</b> <i>$40.00</i>", "${n}.00", id="two prices without a dash"),
        pytest.param("<i>3</i> <b>${n}.00</b>", "${n}.00", id="a number and the price behind it"),
        pytest.param("<b>{n}.00 €</b> <i>3</i>", "{n}.00 €", id="a price and the number behind it"),
    ],
)
def test_other_numbers_of_the_line_stay_apart(columns, line, apart):
    found = columns(
        *(f"<h3>{name}</h3><p>{line.replace('{n}', n)}</p>" for name, n in zip(NAMES, AMOUNTS, strict=True))
    )
    assert [apart.replace("{n}", n) for n in AMOUNTS] in found.values()


def test_a_count_that_touches_a_price_is_no_part_of_it(columns):
    counts = ["8 places left", "12 places left", "2 places left"]
    found = columns(
        *(f"<h3>{name}</h3><div><b>£{n}</b><i>{c}</i></div>" for name, n, c in zip(NAMES, AMOUNTS, counts, strict=True))
    )
    assert [f"£{n}" for n in AMOUNTS] in found.values()
    assert counts in found.values()


def test_words_that_are_marked_in_short_texts_are_part_of_them(columns):
    said = [
        "<b>West</b> <b>S</b> Tache",
        "<b>S</b> <b>West</b> Howard",
        "The <b>West</b> End Society",
        "<b>West</b> Pole",
    ]
    names = ["Voters 1935", "Voters 1949", "Notaries", "Census"]
    found = columns(*(f"<h3>{n}</h3><p>Name: <span>{s}</span></p>" for n, s in zip(names, said, strict=True)))
    assert found["Name"] == ["West S Tache", "S West Howard", "The West End Society", "West Pole"]


def test_words_after_a_link_with_a_number_are_not_counted_by_it(columns):
    found = columns(
        *(
            f"<h3>{name}</h3><p><a href=/{n}>{n}</a> <i>Updated</i> <b>May</b></p>"
            for name, n in zip(NAMES, AMOUNTS, strict=True)
        )
    )
    assert list(AMOUNTS) in found.values()


def test_two_digits_beside_a_number_are_no_cents_without_a_sign_of_it(columns):
    found = columns(*(f"<h3>{name}</h3><p><b>{n}</b> <i>50</i></p>" for name, n in zip(NAMES, AMOUNTS, strict=True)))
    assert f"{AMOUNTS[0]}.50" not in str(found)


def test_a_long_text_is_no_part_of_an_amount(columns):
    story = "It was made in a village by the sea where everyone paid in shells and stones and never in"
    found = columns(*(f"<p><i>{story} {n} $</i> <b>{n}.50</b></p>" for n in AMOUNTS))
    assert [f"{n}.50" for n in AMOUNTS] in found.values()


def test_a_price_with_and_without_an_old_one_and_a_range_are_one_column(align):
    found = align(
        "<article><h3>Kettle</h3><p><b>$12</b></p></article>"
        "<article><h3>Lamp</h3><p><del>$30</del> <ins>$21</ins></p></article>"
        "<article><h3>Saw</h3><p><b>$36</b> – <b>$50</b></p></article>"
    )
    assert list(found["price"].typed) == [Value(12, "USD"), Value(21, "USD"), Value(36, "USD", to=50)]
    assert list(found["old_price"].values) == [None, "$30", None]


def rendered(style: str, *contents: str) -> list[list[str | None]]:
    articles = "".join(f"<article>{content}</article>" for content in contents)
    document = render(Page(url="https://example.org/", body=f"<style>{style}</style>{articles}".encode()))
    assert isinstance(document, Document)
    found = [document.node(f"/html/body/article[{place + 1}]") for place in range(len(contents))]
    spans = [(node, int(document.ends[node])) for node in found if node is not None]
    return [list(field.values) for field in align_fields(document, spans)]


PIECES = [f"<h3>{name}</h3><p><b>$</b><u>{n}</u><i>50</i></p>" for name, n in zip(NAMES, AMOUNTS, strict=True)]


@pytest.mark.usefixtures("browser")
def test_cents_are_told_by_smaller_letters():
    assert [f"${n}.50" for n in AMOUNTS] in rendered("i {font-size: 60%; vertical-align: super}", *PIECES)


@pytest.mark.usefixtures("browser")
def test_a_time_that_touches_its_day_is_no_part_of_it():
    days = [f"<h3>{name}</h3><p><u>7/9/{n}</u><i>7:57 PM</i></p>" for name, n in zip(NAMES, AMOUNTS, strict=True)]
    assert [f"7/9/{n}" for n in AMOUNTS] in rendered("", *days)


@pytest.mark.usefixtures("browser")
def test_a_brand_in_capitals_that_touches_the_name_is_no_part_of_it():
    assert list(NAMES) in rendered("", *[f"<p><u>ACME</u><i>{name}</i></p><p>{n}</p>" for n, name in enumerate(NAMES)])


@pytest.mark.usefixtures("browser")
def test_boxes_side_by_side_are_one_value_although_they_are_blocks():
    blocks = [piece.replace("<i>50</i>", "") for piece in PIECES]
    assert [f"${n}" for n in AMOUNTS] in rendered("p {display: flex}", *blocks)


@pytest.mark.usefixtures("browser")
def test_a_price_level_above_a_count_is_no_sign_of_it():
    levels = [f"<h3>{name}</h3><p><b>$</b><u>{n}</u></p>" for name, n in zip(NAMES, AMOUNTS, strict=True)]
    assert list(AMOUNTS) in rendered("p {display: flex; flex-direction: column; line-height: 0.8}", *levels)


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(
    "style",
    [
        pytest.param("p {display: flex; flex-direction: column}", id="below each other"),
        pytest.param("p {display: flex; gap: 60px}", id="far from each other"),
    ],
)
def test_boxes_that_do_not_touch_are_values_of_their_own(style):
    dates = [f"<h3>{name}</h3><p><b>{n} €</b><u>3</u></p>" for name, n in zip(NAMES, AMOUNTS, strict=True)]
    assert [f"{n} €" for n in AMOUNTS] in rendered(style, *dates)
