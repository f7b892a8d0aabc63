"""Pictures and links of the item on detail pages that we wrote: learnt from three pages, read on a fourth."""

from __future__ import annotations

from typing import Any

import pytest

import webquarry as wq
from webquarry.model.document import Document

NAMES = ("Enamel kettle", "Linen apron", "Copper pan", "Bread tin")
PRICES = ("£32.50", "£28.00", "£81.00", "£14.00")
ABOUT = (
    "A kettle for the stove, glazed twice and fired in Wales.",
    "Washed linen with two deep pockets and a long tie.",
    "Two millimetres of copper, lined with tin by hand.",
    "Folded steel that needs no soap, only a dry cloth.",
)
SITE = "https://shop.example"


def make_pages(body: str, head: str = "", **values: tuple[str, ...]) -> list[Document]:
    """Make a page of each item; `{key}` is its number."""
    markup = (
        f"<html><head><title>{{name}} - Kettle</title>{head}</head><body>"
        '<header><a class="logo" href="/"><img src="/logo.png"></a></header>'
        f'<main><h1>{{name}}</h1><p class="price">{{price}}</p>{body}<p class="about">{{about}}</p></main>'
        "<footer>Kettle & Cloth</footer></body></html>"
    )
    rows = zip(NAMES, PRICES, ABOUT, strict=True)
    pages = []
    for key, (name, price, about) in enumerate(rows):
        own = {word: each[key] for word, each in values.items()}
        text = markup.format(key=key, name=name, price=price, about=about, **own)
        pages.append(wq.clean(wq.Page(url=f"{SITE}/item/{key}.html", body=text.encode())))
    return pages


def read_last(pages: list[Document]) -> dict[str, Any]:
    *samples, other = pages
    return wq.extract(wq.wrap(samples, name="shop", kind="item"), other).record


def addresses(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if SITE in str(value) or "://" in str(value)}


@pytest.mark.parametrize(
    "picture",
    [
        '<img class="main" src="/p/{key}.jpg">',
        '<img class="main" src="/wait.gif" data-src="/p/{key}.jpg">',
        '<img class="main" src="data:image/gif;base64,R0lG" srcset="/s/{key}.jpg 100w, /p/{key}.jpg 900w">',
        '<picture><source srcset="/p/{key}.jpg"><img src="data:image/gif;base64,R0lG"></picture>',
        '<img class="main" data-src="/p/{key}_{{width}}x.jpg" src="/p/{key}.jpg">',
        '<a href="/large/{key}.jpg"><img class="main" src="/p/{key}.jpg"></a>',
    ],
)
def test_main_picture_is_a_field(picture: str) -> None:
    assert addresses(read_last(make_pages(picture))) == {"image": f"{SITE}/p/3.jpg"}


def test_wrapper_says_that_a_picture_is_an_image() -> None:
    wrapper = wq.wrap(make_pages('<img class="main" src="/p/{key}.jpg">')[:3], name="shop", kind="item")
    assert [(rule.name, rule.type) for rule in wrapper.fields if rule.attribute] == [("image", "image")]


def test_pictures_of_a_gallery_are_a_list() -> None:
    slides = tuple(
        "".join(
            f'<li><a href="/large/{key}-{place}.jpg"><img data-src="/p/{key}-{place}.jpg"></a></li>' for place in places
        )
        for key, places in enumerate(["abc", "ab", "a", "abcd"])
    )
    record = read_last(make_pages('<ul class="slides">{slides}</ul>', slides=slides))
    assert record["images"] == [f"{SITE}/p/3-{place}.jpg" for place in "abcd"]
    assert record["image"] == f"{SITE}/p/3-a.jpg"


def test_repeated_slides_are_listed_once() -> None:
    slide = '<div class="slide"><img src="/p/{key}-%s.jpg"></div>'
    gallery = "".join(slide % place for place in "aba")
    assert read_last(make_pages(f'<div class="slides">{gallery}</div>'))["images"] == [
        f"{SITE}/p/3-a.jpg",
        f"{SITE}/p/3-b.jpg",
    ]


def test_main_picture_is_apart_from_the_gallery() -> None:
    thumbs = "".join(f'<img class="thumb" src="/t/{{key}}-{place}.jpg">' for place in "ab")
    record = read_last(make_pages(f'<img class="main" src="/p/{{key}}.jpg"><div class="thumbs">{thumbs}</div>'))
    assert record["image"] == f"{SITE}/p/3.jpg"
    assert record["images"] == [f"{SITE}/t/3-a.jpg", f"{SITE}/t/3-b.jpg"]


def test_class_names_around_a_picture_may_differ() -> None:
    body = '<div class="item {state}"><img class="main {lazy}" src="/p/{key}.jpg"></div><p class="sale lazy">Sale</p>'
    pages = make_pages(body, state=("sale", "", "sale", "new"), lazy=("lazy", "lazy", "", ""))
    assert addresses(read_last(pages)) == {"image": f"{SITE}/p/3.jpg"}


def test_variants_may_share_the_stated_picture() -> None:
    head = '<meta property="og:image" content="/p/{file}">'
    files = ("pot.jpg", "pot.jpg", "pan.jpg", "tin.jpg")
    record = read_last(make_pages('<img class="main" src="/p/{file}">', head, file=files))
    assert addresses(record) == {"image": f"{SITE}/p/tin.jpg"}


def test_stated_picture_wins_over_a_nearer_one() -> None:
    head = '<meta property="og:image" content="https://cdn.example/p/{key}_600x.jpg">'
    body = '<img class="scene" src="/scene/view-{key}.jpg"><p>In use</p><img class="shot" src="/p/{key}.jpg">'
    assert read_last(make_pages(body, head))["image"] == f"{SITE}/p/3.jpg"


@pytest.mark.parametrize(
    "beside",
    [
        '<img src="/logo-large.png">',
        '<div class="seller-logo"><img src="/firm/{key}.png"></div>',
        '<p class="stars"><img src="/star.png"><img src="/star.png"></p>',
        '<img class="tick" src="/tick/{key}.png" width="24" height="24">',
        '<div class="says"><img class="avatar" src="/u/{key}.jpg"><b>Ann</b><p>Boils well.</p></div>',
        '<div class="reviews"><h2>Said</h2><div><img src="/u/{key}.jpg"><b>Ann</b><p>Well, {key}.</p></div></div>',
        '<div class="next"><a href="/item/{key}0.html"><img src="/p/{key}0.jpg"></a></div>',
        '<ul class="row">'
        + "".join(
            f'<li><a href="/item/{{key}}{place}.html"><img src="/p/{{key}}{place}.jpg"></a></li>' for place in range(4)
        )
        + "</ul>",
        '<div class="row">'
        + "".join(f'<div><img src="/p/{{key}}{place}.jpg"><p>Towel {place}</p></div>' for place in range(2))
        + "</div>",
    ],
)
def test_pictures_beside_the_item_are_left_out(beside: str) -> None:
    assert addresses(read_last(make_pages(beside))) == {}
    with_main = make_pages(f'<img class="main" src="/main/{{key}}.jpg">{beside}')
    assert addresses(read_last(with_main)) == {"image": f"{SITE}/main/3.jpg"}


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a class="btn" href="/item/{key}/apply">Send</a>', {"apply_link": f"{SITE}/item/3/apply"}),
        ('<a href="https://firm{key}.example/jobs">Apply now</a>', {"apply_link": "https://firm3.example/jobs"}),
        ('<a href="https://firm{key}.example/">Website</a>', {"Website_link": "https://firm3.example/"}),
    ],
)
def test_links_of_the_item_are_fields(link: str, expected: dict[str, str]) -> None:
    body = f'<p class="acts"><a href="/help">Help</a> {link}</p>'
    assert addresses(read_last(make_pages(body))) == expected


def test_address_of_a_vendor_is_beside_its_name() -> None:
    record = read_last(
        make_pages(
            '<p class="vendor"><a href="/v/{vendor}">{seller}</a></p>',
            vendor=("ann", "bob", "ann", "cy"),
            seller=("Ann Ltd", "Bob & Co", "Ann Ltd", "Cy Inc"),
        )
    )
    assert record["vendor"] == "Cy Inc"
    assert addresses(record) == {"vendor_link": f"{SITE}/v/cy"}


@pytest.mark.parametrize(
    "links",
    [
        '<a href="https://post.example/share?u=https%3A%2F%2Fshop.example%2Fitem%2F{key}.html">Tell friends</a>',
        '<a href="/cart?add={key}">Buy</a>',
        '<a href="#top{key}">Up</a> <a href="/item/{key}.html?print=1">Print</a>',
        '<nav><a href="https://other{key}.example/">Elsewhere</a></nav>',
        '<a rel="prev" href="/item/{key}0.html">Before {key}</a>',
        '<a href="tel:555{key}">555 {key}</a>',
    ],
)
def test_links_that_are_not_of_the_item_are_left_out(links: str) -> None:
    assert addresses(read_last(make_pages(f'<p class="acts">{links}</p>'))) == {}
