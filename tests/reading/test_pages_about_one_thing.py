"""Pages about one thing are read as such, and not as the list of other things below it."""

from __future__ import annotations

import pytest

import webquarry as wq

ABOUT = "A woven cloth for the garden that keeps weeds down and lets the rain through to the soil below it."
NAMES = ("Copper watering can", "Steel garden rake", "Wooden plant label", "Hemp string, 50 m", "Glass cloche, small")
CARDS = "".join(
    f"<div class=slide><a href='/p/{place}'>{name}, from our garden range</a> <span>{place + 3}.50 EUR</span></div>"
    for place, name in enumerate(NAMES * 2)
)
STATED = '<script type="application/ld+json">{"@type": "Product", "name": "Ground cover", "sku": "1"}</script>'


def read(body: str, head: str = "") -> list[str]:
    markup = f"<!doctype html><head><title>Ground cover</title>{head}</head><body>{body}</body>"
    return wq.read(wq.clean(wq.Page(url="https://example.org/", body=markup.encode()))).text.splitlines()


def test_a_product_with_one_line_of_text_is_not_the_list_of_products_below_it():
    body = f"<div><h1>Ground cover</h1><p>{ABOUT}</p></div><div><h3>New in the shop</h3>{CARDS}</div>"
    head = STATED + "<meta property='og:type' content='product'>"
    assert read(body, head) == [ABOUT]


def test_products_that_customers_may_like_too_do_not_make_a_listing():
    body = f"<div><h1>Ground cover</h1><p>{ABOUT}</p></div><div><h3>You may also like</h3>{CARDS}</div>"
    assert read(body) == [ABOUT]


def test_a_list_of_products_stays_a_listing_whatever_its_heading():
    body = f"<h1>Garden</h1><h2>Latest products</h2><div>{CARDS}</div>"
    assert "Copper watering can, from our garden range 3.50 EUR" in read(body)


def test_the_facts_of_a_product_are_no_byline():
    facts = "".join(f"<div><b>{name}:</b> {name.lower()} in three parts</div>" for name in NAMES * 2)
    lines = read(f"<main><h1>Ground cover</h1><p>{ABOUT}</p><div class=addinfo-meta>{facts}</div><p>{ABOUT}</p></main>")
    assert "Steel garden rake: steel garden rake in three parts" in lines


@pytest.mark.parametrize("button", ["<button><h3>{}</h3></button>", "<button aria-expanded=false>{}</button>"])
def test_buttons_that_unfold_answers_are_their_headings(button):
    answers = "".join(
        f"<div class=q>{button.format(f'{name}, how is it made?')}<div><p>{ABOUT}</p></div></div>" for name in NAMES
    )
    lines = read(f"<main><h1>Ground cover</h1><p>{ABOUT}</p>{answers}</main>")
    assert lines == [ABOUT, *(line for name in NAMES for line in (f"{name}, how is it made?", ABOUT))]


def test_a_dialog_is_left_out_though_it_has_most_of_the_prose():
    dialog = (
        "<div class=hp-modal><p>Please enter your username or email address, and we will send you a link.</p></div>"
    )
    lines = read(f"<main><h1>Ground cover</h1><p>Rental tools</p><p>Added in November</p></main>{dialog}")
    assert lines == ["Ground cover", "Rental tools", "Added in November"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<span>Leeds</span><span>Full time</span>", "Leeds Full time"),
        ("<a href=/p>Copper can</a><span>3.50 EUR</span>", "Copper can 3.50 EUR"),
        ("<span>12</span><span>km</span>", "12 km"),
        ("<b>W</b>ord", "Word"),
        ("<span>wo</span><span>rd</span>", "word"),
        ("<span>CO</span><sub>2</sub>", "CO2"),
        ("<span>12</span><span>50</span>", "1250"),
    ],
)
def test_values_that_only_a_style_sheet_separates_are_kept_apart(markup, text):
    assert text in read(f"<main><p>{ABOUT}</p><p>{markup}</p><p>{ABOUT}</p></main>")
