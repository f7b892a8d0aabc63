"""Items in the data that a page states."""

from __future__ import annotations

import json

import pytest

from webquarry.model.document import Document
from webquarry.page.stated_blocks import read_blocks
from webquarry.page.stated_items import find_item_lists


def ld(*values):
    return "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)


def found(markup):
    lists = find_item_lists(read_blocks(Document(markup)))
    return [
        (each.type, each.format, [{path: stated.text for path, stated in item.values.items()} for item in each.items])
        for each in lists
    ]


KETTLE = {"@type": "Product", "name": "Kettle", "offers": {"@type": "Offer", "price": "12.50"}}
LAMP = {"@type": "Product", "name": "Lamp", "offers": {"@type": "Offer", "price": "9"}}
THINGS = [{"name": "Kettle", "offers.price": "12.50"}, {"name": "Lamp", "offers.price": "9"}]


@pytest.mark.parametrize(
    "markup",
    [
        ld([KETTLE, LAMP]),
        ld(KETTLE, LAMP),
        ld({"@graph": [{"@type": "WebSite", "name": "Shop"}, KETTLE, LAMP]}),
        ld({"@type": "ItemList", "itemListElement": [KETTLE, LAMP]}),
        ld(
            {
                "@type": "CollectionPage",
                "mainEntity": {
                    "@type": "ItemList",
                    "itemListElement": [
                        {"@type": "ListItem", "position": 1, "item": KETTLE},
                        {"@type": "ListItem", "position": 2, "item": LAMP},
                    ],
                },
            }
        ),
        (
            '<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Kettle</b>'
            "<i itemprop=offers itemscope><meta itemprop=price content=12.50></i></div>"
            '<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Lamp</b>'
            "<i itemprop=offers itemscope><meta itemprop=price content=9></i></div>"
        ),
        (
            '<div vocab="https://schema.org/" typeof="Product"><b property=name>Kettle</b>'
            "<i property=offers typeof=Offer><meta property=price content=12.50></i></div>"
            '<div vocab="https://schema.org/" typeof="Product"><b property=name>Lamp</b>'
            "<i property=offers typeof=Offer><meta property=price content=9></i></div>"
        ),
    ],
    ids=["list", "blocks", "graph", "item list", "list items", "microdata", "RDFa"],
)
def test_finds_the_same_items_however_they_are_stated(markup):
    kind, _, items = found(markup)[0]
    assert (kind, items) == ("Product", THINGS)


@pytest.mark.parametrize(
    "script",
    [
        '<script id="__NEXT_DATA__" type="application/json">{"props": {"products": %s}}</script>',
        "<script>window.__INITIAL_STATE__ = {products: %s}</script>",
    ],
)
def test_finds_lists_of_alike_objects_in_states(script):
    things = [{"name": "Kettle", "offers": {"price": 12.5}}, {"name": "Lamp", "offers": {"price": 9}}]
    assert found(script % json.dumps(things))[0][2] == [
        {"name": "Kettle", "offers.price": "12.5"},
        {"name": "Lamp", "offers.price": "9"},
    ]


def test_things_are_before_what_is_around_them():
    crumbs = {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": "Home", "item": "/"} for place in range(9)
        ],
    }
    site = {"@type": "Organization", "name": "Shop", "logo": {"@type": "ImageObject", "url": "/a.png"}}
    kinds = [
        kind for kind, _, _ in found(ld(crumbs, site, [KETTLE, LAMP]) + '<meta property="og:title" content="Shop">')
    ]
    assert kinds[0] == "Product"
    assert set(kinds[1:]) == {"BreadcrumbList", "Organization", "website"}


def test_every_value_says_where_it_is():
    document = Document(ld({"@graph": [KETTLE]}) + "<p itemscope><b itemprop=name>Lamp</b>")
    lists = {each.format: each.items[0] for each in find_item_lists(read_blocks(document))}
    price = lists["JSON-LD"].values["offers.price"]
    assert price.address(document.xpath(price.node)) == "/html/head/script#/@graph/0/offers/price"
    name = lists["microdata"].values["name"]
    assert name.address(document.xpath(name.node)) == "/html/body/p/b"


def test_texts_lose_tags_references_and_vocabulary():
    item = {
        "@type": "Product",
        "name": "Salt &amp; pepper",
        "description": "<p>Both.</p>\\n",
        "availability": "https://schema.org/InStock",
        "keywords": ["a", "b"],
    }
    assert found(ld(item))[0][2] == [
        {"name": "Salt & pepper", "description": "Both.", "availability": "InStock", "keywords": "a, b"}
    ]


def test_broken_blocks_are_told_and_the_others_read():
    blocks = read_blocks(Document('<script type="application/ld+json">{"a": </script>' + ld(KETTLE)))
    assert [bool(block.fault) for block in blocks] == [True, False]
    assert found('<script type="application/ld+json">{"a": </script>' + ld(KETTLE))[0][2] == THINGS[:1]


@pytest.mark.parametrize(
    "value",
    [
        5,
        "x",
        None,
        [],
        {},
        [[[]]],
        {"@type": 5},
        {"@type": []},
        {"@graph": "x"},
        {"@type": "ItemList", "itemListElement": 5},
        {"@type": "ItemList", "itemListElement": {"item": []}},
        {"@type": "Product", "name": [None, {}, []], "offers": [[], 3]},
    ],
)
def test_odd_values_are_read_in_peace(value):
    found(ld(value))
    found(f'<script type="application/json">{json.dumps([value, value])}</script>')
