"""Pages that we wrote for the claims of eMine's paper: the same shop, with its records in other containers.

Each page has a heading, a menu, a side column with advertisements and a foot; only the list of goods in the middle
differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.corpora import page_of
from webquarry.model.page import Page

_STYLE = """
body {margin: 0; font: 14px sans-serif} .menu, .foot {padding: 8px; background: #eee} .menu a {margin-right: 20px}
.side {float: right; width: 200px; padding: 10px} .goods {margin: 0 240px 0 10px; padding: 0; list-style: none}
.good {display: block; padding: 10px; border-bottom: 1px solid #ccc; min-height: 60px} .good b {display: block}
.good i {display: block; color: #060} .offer {padding: 4px; background: #ffc}
"""
_GOODS = (
    ("Copper kettle", "Whistles when the water boils, holds two litres", "34.50"),
    ("Oak table", "Seats six, oiled by hand, legs can be taken off", "480.00"),
    ("Desk lamp", "Three joints and a heavy foot, takes any bulb", "61.20"),
    ("Wool blanket", "Woven in one piece from undyed yarn", "97.00"),
    ("Garden chair", "Folds flat and stays outside all the year", "42.75"),
    ("Bread knife", "A long serrated blade that cuts crust and crumb", "28.90"),
)
_MENU = ("Home", "Kitchen", "Garden", "Bedroom", "Help")
_OFFERS = ("Win a holiday", "Cheap loans", "Free phone")
_ADVERTISEMENT = '<div class="offer"><img width="80" height="20" alt="">Sponsored: insure your bicycle today</div>'


@dataclass(frozen=True)
class ClaimPage:
    """A page, and the texts of its true records."""

    title: str
    page: Page
    truths: tuple[tuple[str, ...], ...]


def claim_pages() -> list[ClaimPage]:
    """The pages: by container, with one record, and with an advertisement before the last record."""
    goods = [_good("div", each) for each in _GOODS]
    spans = "".join(_good("span", each) for each in _GOODS)
    rows = "".join(f"<tr><td>{_good('div', each)}</td></tr>" for each in _GOODS)
    whole = "".join(goods)
    made = {
        "in a div": f'<div class="goods">{whole}</div>',
        "in a table": f'<div class="goods"><table width="100%">{rows}</table></div>',
        "in a p": f'<p class="goods">{spans}</p>',
        "in a li": f'<ul class="goods"><li>{whole}</li></ul>',
        "in a form": f'<form class="goods">{whole}</form>',
        "a single record": f'<div class="goods">{goods[0]}</div>',
        "an advertisement before the last record": (
            f'<div class="goods">{"".join(goods[:-1])}{_ADVERTISEMENT}{goods[-1]}</div>'
        ),
    }
    return [_page(title, body, _GOODS[:1] if "single" in title else _GOODS) for title, body in made.items()]


def _good(tag: str, good: Sequence[str]) -> str:
    name, text, price = good
    return f'<{tag} class="good"><b><a href="/goods">{name}</a></b>{text}<i>EUR {price}</i></{tag}>'


def _page(title: str, goods: str, truths: Sequence[tuple[str, ...]]) -> ClaimPage:
    menu = "".join(f'<a href="/{name.lower()}">{name}</a>' for name in _MENU)
    offers = "".join(f'<div class="offer"><a href="/offer">{name}</a></div>' for name in _OFFERS)
    markup = (
        f"<!DOCTYPE html><html><head><title>Shop</title><style>{_STYLE}</style></head><body>"
        f'<div class="menu">{menu}</div><div class="side">{offers}</div><h1>Goods</h1>{goods}'
        '<div class="foot">All prices with tax. <a href="/terms">Terms</a></div></body></html>'
    )
    return ClaimPage(title, page_of("https://shop.example/", markup), tuple(truths))
