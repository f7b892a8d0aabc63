"""A wrapper of a listing keeps the columns and values that were mined."""

from __future__ import annotations

import logging

import pytest

import webquarry as wq
from webquarry.model.document import Document
from webquarry.pipeline import learn_wrappers
from webquarry.wrapping.field_signatures import Record, View
from webquarry.wrapping.listing_reader import is_same, read_records
from webquarry.wrapping.listing_samples import find_owners


def cards(inside: str) -> Document:
    goods = ["Kettle of copper", "Lamp for a desk", "Saw with teeth", "Hammer of oak", "Chair to fold", "Table for six"]
    records = "".join(
        f"<li class=card><h3><a href='/p/{number}'>{name}</a></h3>{inside.replace('N', str(number))}"
        f"<p class=price>EUR {number + 1}4.50</p></li>"
        for number, name in enumerate(goods)
    )
    return Document(f"<title>Shop</title><body><ul>{records}</ul>", url="https://shop.example/")


def compare(document: Document) -> None:
    region = wq.mine(document)[0]
    wrapper = wq.wrap([document], name="shop", kind="records")
    assert [(field.name, field.type.rstrip("s")) for field in wrapper.listing.fields] == [
        (column.name, column.type) for column in region.columns
    ]
    rows = read_records(wrapper, document)
    for place, column in enumerate(region.columns):
        read = [cell.text if (cell := row.cells[place]) else None for row in rows]
        assert all(map(is_same, read, column.values)), column.name


@pytest.mark.parametrize(
    "inside",
    [
        "<img src='/i/N.jpg' alt=''>",
        "<img src='data:image/gif;base64,R0lGOD' data-src='/i/N.jpg' alt=''>",
        "<picture><source srcset='/i/N.webp 1x, /i/N-2.webp 2x'><img src='/i/N.jpg' alt=''></picture>",
        "<a href='/p/N'><img src='/i/N.jpg' alt=''></a>",
    ],
)
def test_images_are_kept(inside):
    document = cards(inside)
    assert "image" in [column.name for column in wq.mine(document)[0].columns]
    compare(document)


def test_values_of_attributes_are_found_again():
    document = cards("<time datetime='2024-05-0N'></time>")
    view = View(document)
    node = int(document.has_tag(["time"]).nonzero()[0][1])
    item = int(document.parents[node])
    record = Record(view, (item, int(document.ends[item])), is_whole=True)
    (owner,) = find_owners(record, node, "2024-05-01", "date")
    assert (owner.attribute, [str(step) for step in owner.path]) == ("datetime", ["time"])


def test_several_images_of_a_record_are_kept_as_mined():
    records = "".join(
        f"<li class=card><h3><a href='/p/{number}'>Lamp {number} of brass</a></h3><div class=g>"
        + "".join(f"<img src='/i/{number}-{place}.jpg' alt=''>" for place in range(1 + number % 3))
        + f"</div><p class=price>EUR {number + 1}4.50</p></li>"
        for number in range(7)
    )
    document = Document(f"<title>Shop</title><body><ul>{records}</ul>", url="https://shop.example/")
    compare(document)
    wrapper = wq.wrap([document], name="shop", kind="records")
    assert next(field.type for field in wrapper.listing.fields if field.name == "image") == "images"


def test_a_column_that_cannot_be_kept_is_told(monkeypatch, caplog):
    document = cards("<i class=stock>N left</i>")
    learn = learn_wrappers.learn_listing

    def forget(regions, source, *, statics=None):
        wrapper = learn(regions, source, statics=statics)
        return wq.Wrapper(wrapper.source, listing=type(wrapper.listing)("ul", "li", 1, wrapper.listing.fields[:-1]))

    monkeypatch.setattr(learn_wrappers, "learn_listing", forget)
    lost = wq.mine(document)[0].columns[-1].name
    with caplog.at_level(logging.WARNING):
        wq.wrap([document], name="shop", kind="records")
    assert f"tags and class names do not lead to {lost}" in caplog.text
