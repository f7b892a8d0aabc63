"""Records that are seen on a page, joined with the items that it states."""

from __future__ import annotations

import json
import pickle
from datetime import date

import duckdb
import pytest

import webquarry as wq
from webquarry.mining.record_matches import Records, match_items
from webquarry.mining.stated_join import without_stated
from webquarry.page.stated_blocks import read_blocks
from webquarry.page.stated_items import find_item_lists
from webquarry.storing.formats import open_sink
from webquarry.values.text_value import Value

NAMES = ("Copper kettle", "Brass lamp", "Iron trivet", "Tin scoop", "Oak stool", "Clay jug")
PRICES = (12.5, 40.0, 9.0, 4.25, 33.0, 18.0)
SKUS = ("K-1", "L-2", "T-3", "S-4", "O-5", "J-6")


def card(name, price, more="", heading="h3"):
    link = name.lower().replace(" ", "-")
    return (
        f'<li class=card><img src="/{link}.jpg"><span class=note>Ships in {len(name)} days</span>'
        f'<{heading}><a href="/goods/{link}">{name}</a></{heading}><b>${price:.2f}</b>{more}</li>'
    )


def product(name, price, sku, **more):
    link = name.lower().replace(" ", "-")
    return {"@type": "Product", "name": name, "sku": sku, "url": f"https://example.org/goods/{link}",
            "offers": {"@type": "Offer", "price": price, "priceCurrency": "CAD"}, **more}  # fmt: skip


def page(cards, stated):
    script = f'<script type="application/ld+json">{json.dumps(stated)}</script>' if stated else ""
    return wq.Document(
        f"<!DOCTYPE html><html lang=en><title>Goods</title>{script}<h1>Goods</h1><ul>{''.join(cards)}</ul>",
        url="https://example.org/",
    )


CARDS = [card(name, price) for name, price in zip(NAMES, PRICES, strict=True)]
PRODUCTS = [product(*each) for each in zip(NAMES, PRICES, SKUS, strict=True)]


def best(document):
    return wq.mine(document)[0]


def field(region, name):
    return next((each for each in region.fields if each.name == name), None)


def test_confirms_records_and_adds_what_only_the_data_have():
    region = best(page(CARDS, PRODUCTS[::-1]))
    assert "6 of 6 records are stated as Product in JSON-LD" in region.reasons
    added = [each.name for each in region.fields if each.name.startswith("data.")]
    assert added == ["data.sku"]
    assert field(region, "data.sku").values == SKUS
    assert region.to_dict()["records"][0]["nodes"]["data.sku"] == "/html/head/script#/5/sku"
    assert pickle.loads(pickle.dumps(region)) == region


def test_currency_is_that_of_the_data():
    assert field(best(page(CARDS, PRODUCTS)), "price").typed[0] == Value(12.5, "CAD")


def test_columns_are_named_by_the_data():
    cards = [card(name, price, heading="span") for name, price in zip(NAMES, PRICES, strict=True)]
    assert field(best(page(cards, PRODUCTS)), "title").values == NAMES


def test_both_are_kept_and_told_where_they_disagree():
    stated = [*PRODUCTS[:-1], product("Clay jug", 20.0, "J-6")]
    region = best(page(CARDS, stated))
    assert "price differs from data.price in 1 record" in region.reasons
    assert field(region, "price").typed[-1].value == 18.0
    assert field(region, "data.price").typed[-1] == Value(20.0, "CAD")


def test_one_agreeing_value_is_not_enough():
    stated = [{"@type": "Product", "name": name, "sku": sku} for name, sku in zip(NAMES, SKUS, strict=True)]
    region = best(page(CARDS, stated))
    assert not any("records are stated" in reason for reason in region.reasons)
    assert not any(each.name.startswith("data.") for each in region.fields)


def test_a_value_that_is_stated_twice_counts_once():
    stated = [
        {"@type": "Product", "name": name, "title": name, "sku": sku} for name, sku in zip(NAMES, SKUS, strict=True)
    ]
    assert not any("records are stated" in reason for reason in best(page(CARDS, stated)).reasons)


def test_a_single_record_needs_the_title_of_its_item():
    text = "<p>".join(f"{name} is described at some length, by Ann Adams. " * 4 for name in NAMES)
    item = {"@type": "Article", "author": {"name": "Ann Adams"}, "articleSection": "described at some length"}
    document = wq.Document(f"<h1>Kettles</h1><article>{text}</article>")
    records = Records(document, [(0, len(document.tags))], [])
    for name, matched in (("Lamps", {}), ("Kettles", {0: 0})):
        script = f'<script type="application/ld+json">{json.dumps({**item, "headline": name})}</script>'
        lists = find_item_lists(read_blocks(wq.Document(script)))
        assert match_items(records, lists[0].items) == matched


def test_states_of_scripts_are_not_joined():
    script = f"<script type=application/json>{json.dumps(PRODUCTS)}</script>"
    region = best(wq.Document(page(CARDS, None).markup + script, url="https://example.org/"))
    assert not any("stated" in reason for reason in region.reasons)
    assert field(region, "data.sku") is None


def test_numbers_that_differ_are_told():
    stated = PRODUCTS[:4]
    assert "4 items stated as Product in JSON-LD, 6 records found" in best(page(CARDS, stated)).reasons


def test_what_all_items_share_and_what_is_shown_is_not_added():
    stated = [
        {**each, "brand": {"name": "Anvil"}, "description": f"Ships in {len(each['name'])} days"} for each in PRODUCTS
    ]
    assert [each.name for each in best(page(CARDS, stated)).fields if each.name.startswith("data.")] == ["data.sku"]


LONG = "A sturdy {} for daily use, made by hand in a small workshop"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("brand", lambda place: {"name": "Anvil" if place else "Other"}),
        ("isFamilyFriendly", lambda place: place % 2 == 0),
        ("commentCount", lambda place: 100 + place),
        ("description", lambda place: LONG.format(NAMES[place]) + f" since {1900 + place}, in many colours and sizes."),
        ("abstract", lambda place: f"Made by hand: {NAMES[place]}, a sturdy workshop classic in daily use"),
        ("text", lambda place: f"{place} is a number about which much can be said. " * 6),
    ],
    ids=["nearly all share", "flag", "count", "longer than shown", "same words", "article"],
)
def test_restrained_columns(name, make):
    cards = [card(*each, more=f"<p>{LONG.format(each[0])}...</p>") for each in zip(NAMES, PRICES, strict=True)]
    stated = [{**each, name: make(place)} for place, each in enumerate(PRODUCTS)]
    assert [each.name for each in best(page(cards, stated)).fields if each.name.startswith("data.")] == ["data.sku"]


def test_a_price_in_cents_and_a_day_in_another_time_zone_are_no_difference():
    cards = [
        card(*each, more=f"<time datetime=2026-03-0{place + 1}>March {place + 1}, 2026</time>")
        for place, each in enumerate(zip(NAMES, PRICES, strict=True))
    ]
    stated = [
        product(name, int(price * 100), sku, releaseDate=f"2026-03-0{place + 1 + (place == 2)}T01:00:00Z")
        for place, (name, price, sku) in enumerate(zip(NAMES, PRICES, SKUS, strict=True))
    ]
    region = best(page(cards, stated))
    assert field(region, "data.sku") is not None
    assert field(region, "data.price") is None
    assert field(region, "data.releaseDate") is None


def test_marked_items_belong_to_the_record_around_them():
    cards = [
        f'<li itemscope itemtype="https://schema.org/Product"><h3><a href="/{place}" itemprop=name>{name}</a></h3>'
        f"<p>Good value {place}</p><meta itemprop=sku content={sku}></li>"
        for place, (name, sku) in enumerate(zip(NAMES, SKUS, strict=True))
    ]
    region = best(page(cards, None))
    assert "6 of 6 records are stated as Product in microdata" in region.reasons
    assert field(region, "data.sku").values == SKUS
    assert region.to_dict()["records"][1]["nodes"]["data.sku"].endswith("/li[2]/meta")


def test_a_day_without_its_year_is_typed_by_the_stated_one():
    days = ("March 2", "March 9", "April 4", "April 5", "May 6", "May 30")
    cards = [
        f"<li><h3><a href=/{name[:3]}>{name}</a></h3><span>{day}</span><p>Hall {name[0]}</p></li>"
        for name, day in zip(NAMES, days, strict=True)
    ]
    stated = [
        {"@type": "Event", "name": name, "url": f"/{name[:3]}", "startDate": f"2026-{month:02}-{day:02}T19:00"}
        for name, (month, day) in zip(NAMES, ((3, 2), (3, 9), (4, 4), (4, 5), (5, 6), (5, 30)), strict=True)
    ]
    region = best(page(cards, stated))
    assert field(region, "date").values == days
    assert field(region, "date").typed[-1] == Value(date(2026, 5, 30))
    assert field(region, "data.date") is None


def test_broken_json_ld_is_told():
    document = wq.Document(page(CARDS, None).markup + '<script type="application/ld+json">{"name": </script>')
    assert any("broken JSON" in reason for reason in best(document).reasons)


def test_equal_items_are_told_apart_by_their_order_or_left_out():
    cards = [*CARDS, card("Oak stool", 33.0)]
    both = [*PRODUCTS, product("Oak stool", 33.0, "O-7")]
    assert field(best(page(cards, both)), "data.sku").values == (*SKUS, "O-7")
    one = field(best(page(cards, PRODUCTS)), "data.sku").values
    assert (one[4], one[6]) == (None, None)


@pytest.mark.parametrize("ending", ["parquet", "duckdb"])
def test_stored_as_structures(tmp_path, ending):

    document = page(CARDS, PRODUCTS)
    place = tmp_path / f"goods.{ending}"
    sink = open_sink(ending, place, table="goods" if ending == "duckdb" else None)
    sink.add(wq.PageRegions(document.url, document.kind, wq.mine(document)))
    sink.finish()
    if ending == "duckdb":  # the table grows by further properties
        more = page(CARDS, [{**each, "material": each["name"].split()[0]} for each in PRODUCTS])
        sink = open_sink(ending, place, table="goods")
        sink.add(wq.PageRegions(more.url, more.kind, wq.mine(more)))
        sink.finish()
    source = f"'{place}'" if ending == "parquet" else "goods"
    with duckdb.connect(place if ending == "duckdb" else ":memory:") as connection:
        rows = connection.sql(f"SELECT data.sku FROM {source} ORDER BY 1").fetchall()
    assert rows == sorted((sku,) for sku in SKUS) if ending == "parquet" else len(rows) == 12


def test_frames_are_flat():
    assert "data.sku" in best(page(CARDS, PRODUCTS)).to_pandas().columns


def test_wrappers_are_learnt_without_what_is_only_stated():

    assert field(without_stated(best(page(CARDS, PRODUCTS))), "data.sku") is None
