"""A shop as a browser shows it, with an advertisement among the prices."""

from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.validating.column_outliers import validate_columns
from webquarry.validating.selections import drop_from_region, select_region

pytestmark = pytest.mark.needs_browser

STYLE = """
    body {font: 16px sans-serif}
    td {padding: 12px; border-bottom: 1px solid #ccc}
    tr:nth-child(even) td {background: #f4f4f4}
    .price {font-weight: bold}
    .sale {color: #c00}
    .partner {font-size: 11px; font-weight: normal; color: #999}
"""
LAMPS = "Arc Beam Cone Dome Echo Flare Glow Halo Iris Jade Kite Lumen".split()
AD, SALES = 6, (2, 4, 9)


def price(place: int) -> str:
    if place == AD:
        return "<td class='price partner'>Insure your home with Northway, see our offers"
    return f"<td class='price{' sale' * (place in SALES)}'>£{19 + 8 * place}.90"


def shop() -> wq.Document:
    items = "".join(
        f"<tr><td><a href='/{lamp}'>{lamp} lamp</a><td>A lamp of the {lamp} range, with a cord.{price(place)}"
        for place, lamp in enumerate(LAMPS)
    )
    markup = f"<!doctype html><title>Lamps</title><style>{STYLE}</style><h1>Lamps</h1><table>{items}</table>"
    document = wq.render(wq.Page(url="https://shop.example/", body=markup.encode()))
    assert isinstance(document, wq.Document)
    return document


def test_the_advertisement_is_dropped_and_every_price_kept():
    region = wq.mine(shop())[0]
    (verdicts,) = validate_columns([select_region(region)])
    dropped = {
        text: reason
        for text, drop, reason in zip(verdicts.selection.texts, verdicts.drops, verdicts.reasons, strict=True)
        if drop
    }
    assert [text.split()[0] for text in dropped] == ["Insure"]
    (reason,) = dropped.values()
    assert "It is text, the others are prices" in reason
    assert "its letters are 11px high, those of the others 16px" in reason
    left = drop_from_region(region, verdicts)
    assert len(left) == len(LAMPS)
    assert "Insure" not in str([record.values for record in left.records])
    assert len(left.records[AD].values) == len(region.records[AD].values) - 1
