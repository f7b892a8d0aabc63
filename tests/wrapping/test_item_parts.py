"""Parts of detail pages as sites write them: learnt from all pages but the last, which is then read."""

from __future__ import annotations

from typing import Any

import webquarry as wq
from webquarry.model.document import Document


def make_page(title: str, body: str) -> Document:
    markup = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
    return wq.clean(wq.Page(f"https://shop.example/{title}.html", markup.encode()))


def read_last(*bodies: str) -> dict[str, Any]:
    names = ("Tin kettle", "Oak stool", "Wool rug", "Iron pan", "Clay pot", "Brass lamp")
    pages = [make_page(name, body) for name, body in zip(names, bodies, strict=False)]
    return dict(wq.extract(wq.wrap(pages[:-1], name="things", kind="item"), pages[-1]).record)


def test_prices_with_and_without_a_sale_are_one_field() -> None:
    full = '<div class="box"><span class="regular"><b>£{}</b></span></div>'
    sale = (
        '<div class="box"><span class="old-price"><b>£{}</b></span><span class="special-price"><b>£{}</b></span></div>'
    )
    bodies = full.format(40), sale.format(90, 70), full.format(12), full.format(31), sale.format(85, 66)
    assert (read_last(*bodies)["price"], read_last(*bodies)["old_price"]) == ("£66", "£85")
    assert read_last(*bodies, full.format(99))["price"] == "£99"


def test_class_names_of_parts_that_few_pages_have_tell_them_apart() -> None:
    plain = "<div><div class='seller'>{}</div></div>"
    more = "<div><div class='seller'>{}</div><div class='warranty'>{}</div></div>"
    bodies = more.format("Ann", "2 years"), plain.format("Bob"), plain.format("Cyd"), more.format("Dee", "5 years")
    record = read_last(*bodies, plain.format("Eve"), more.format("Fay", "9 years"))
    assert (record["seller"], record["warranty"]) == ("Fay", "9 years")


def test_names_in_any_order_are_not_labels() -> None:
    row = "<div class='cast'>{}</div>"

    def cast(*pairs: str) -> str:
        return row.format("".join(f"<div><p>{pair.split()[0]}</p><p>{pair.split()[1]}</p></div>" for pair in pairs))

    record = read_last(
        cast("Ann King", "Bob Page", "Cyd Fool"),
        cast("Cyd Queen", "Ann Page", "Bob Fool"),
        cast("Bob King", "Ann Fool"),
    )
    assert {"Ann", "Bob", "Cyd"}.isdisjoint(record)


def test_pictured_links_are_cards_and_not_labelled_values() -> None:
    def cards(*pairs: tuple[str, str]) -> str:
        card = "<li><a href='/{0}'><img src='/{0}.jpg'></a><strong><a href='/{0}'>{0}</a></strong><i>{1}</i></li>"
        return f"<ol>{''.join(card.format(*pair) for pair in pairs)}</ol>"

    record = read_last(
        cards(("Mug", "£4"), ("Jug", "£9"), ("Pan", "£8")),
        cards(("Mug", "£5"), ("Jug", "£7"), ("Pan", "£6")),
        cards(("Mug", "£3"), ("Jug", "£2"), ("Pan", "£9")),
    )
    assert {"Mug", "Jug", "Pan", "specifications"}.isdisjoint(record)


def test_mean_and_count_of_reviews_are_fields_and_reviews_are_not() -> None:
    part = (
        "<div class='reviews-summary'><span class='mean'>{}</span><a class='count' href='#r'>{} reviews</a></div>"
        "<div class='reviews' id='r'><h2>Reviews</h2><div><b>{}</b><p>{}, I would buy it again at once.</p></div></div>"
    )
    record = read_last(
        part.format("4.5", 12, "Ann", "Good"),
        part.format("3.1", 7, "Bob", "Fine"),
        part.format("4.9", 31, "Cyd", "Wow"),
    )
    assert (record["mean"], record["count"]) == ("4.9", "31 reviews")
    assert not any("buy it again" in str(value) for value in record.values())


def test_panels_of_tabs_and_accordions_are_read_and_dialogs_are_not() -> None:
    part = (
        "<details><summary>Care</summary><p class='care'>{0}</p></details>"
        "<div class='tab-pane' hidden><p class='origin'>{1}</p></div>"
        "<div class='modal-panel' hidden><p class='chart'>{2}</p></div>"
    )
    record = read_last(
        part.format("Wash cold", "Wales", "One"),
        part.format("Wipe", "Kent", "Two"),
        part.format("Air", "Fife", "Three"),
    )
    assert (record["care"], record["origin"]) == ("Air", "Fife")
    assert "Three" not in map(str, record.values())
