"""Mine the data that a page states about itself: a region for each list of items, as a table."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from webquarry.html.urls import Resolver, make_resolver
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.wording import count
from webquarry.page.stated_blocks import STATE, Block, describe_faults, read_blocks, script_text
from webquarry.page.stated_items import Item, ItemList, Stated, find_item_lists, looks_like_items
from webquarry.values.dates import read_iso_day
from webquarry.values.text_value import Value

MAX_REGIONS = 40
_MIN_MAIN = 0.3  # score from which on a list can be what the page is for

_log = logging.getLogger(__name__)


def mine_data(document: Document) -> list[Region]:
    """Find the lists of items that the page states in JSON-LD, microdata, RDFa, Open Graph or its scripts' state.

    The likeliest to be what the page is for are first.  Broken blocks are logged, as a warning if they may hold items.
    """
    blocks = read_blocks(document)
    for block in blocks:
        for fault in describe_faults(document, [block]):
            _log.log(_level_of(document, block), "%s: %s", document.url, fault)
    lists = find_item_lists(blocks)[:MAX_REGIONS]
    return [_make_region(document, each, is_best=each is lists[0]) for each in lists]


def _level_of(document: Document, block: Block) -> int:
    """Rate a block that could not be read: many states are for programs only."""
    if block.format == STATE and not looks_like_items(script_text(document, block.node)):
        return logging.DEBUG
    return logging.WARNING


def _make_region(document: Document, found: ItemList, *, is_best: bool) -> Region:
    nodes = [item.node for item in found.items]
    ends = [document.ends.item(node) for node in nodes]
    is_main = not found.is_furniture and (is_best or found.score >= _MIN_MAIN)
    return Region(
        document=document,
        node=_holder(document, min(nodes), max(ends)),
        spans=tuple(zip(nodes, ends, strict=True)),
        fields=partial(make_fields, document, found.items),
        kind="records",
        method="data",
        role="main" if is_main else "side",
        score=found.score,
        reasons=(f"{count(len(found.items), 'item')} {found.describe()}",),
    )


def _holder(document: Document, first: int, last: int) -> int:
    """Find the innermost element that holds all items; a script holds its own."""
    node = first
    while document.ends[node] < last:
        node = document.parents.item(node)
    return node


def make_fields(document: Document, items: Sequence[Item]) -> tuple[Field, ...]:
    """Make a column of each property of items, typed, in the order in which they first occur."""
    resolve = make_resolver(document)
    paths = list(dict.fromkeys(path for item in items for path in item.values))
    columns = {path: [item.values.get(path) for item in items] for path in paths}
    units = {path: find_units(path, columns) for path in paths}
    used = {unit for unit, _ in units.values() if unit}
    shown = [path for path in paths if path not in used]
    names = distinct(name_paths(shown))
    return tuple(
        make_field(name, path, columns[path], units[path][1], resolve) for name, path in zip(names, shown, strict=True)
    )


_DROPPED_PARTS = frozenset(("offers", "item", "mainEntity", "node", "attributes"))
"""Objects around properties that say nothing about them."""


def name_paths(paths: Sequence[str]) -> list[str]:
    """Name columns after paths, shortened where the rest is clear.

    >>> name_paths(["name", "offers.price", "brand.name", "location.name", "location.address.postalCode"])
    ['name', 'price', 'brand', 'location', 'location.address.postalCode']
    """
    short: dict[str, str] = {}
    for path in paths:
        parts = [part for part in path.split(".") if part not in _DROPPED_PARTS] or path.split(".")
        if len(parts) > 1 and parts[-1] in ("name", "@value", "value"):
            parts = parts[:-1]
        short[path] = ".".join(parts)
    taken: dict[str, int] = {}
    for name in short.values():
        taken[name] = taken.get(name, 0) + 1
    return [short[path] if taken[short[path]] == 1 or short[path] == path else path for path in paths]


Column = Sequence[Stated | None]

_CURRENCY_NAMES = ("priceCurrency", "currency", "currencyCode", "currency_code")
_MONEY = re.compile(r"(?:price|salary|cost|amount|fee|value)\Z", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{3}\Z")


def find_units(path: str, columns: Mapping[str, Column]) -> tuple[str, list[str | None]]:
    """Find the property with the currency of an amount, beside it or above, and the currency of each item."""
    *above, name = path.split(".")
    if not _MONEY.search(name):
        return "", []
    for depth in range(len(above), -1, -1):
        for unit in _CURRENCY_NAMES:
            found = columns.get(".".join((*above[:depth], unit)), ())
            codes = [each.text if each and _CODE.match(each.text) else None for each in found]
            if any(codes):
                return ".".join((*above[:depth], unit)), codes
    return "", []


_CODES = re.compile(r"(?:sku|gtin\d*|mpn|isbn|ean|upc|phone|telephone|postal_?code|zip|id|identifier)\Z", re.IGNORECASE)
_LINKS = re.compile(r"(?:url|link|href|permalink|sameAs|item)\Z", re.IGNORECASE)
_IMAGES = re.compile(
    r"(?:\A|\.)(?:images?|logo|photos?|thumbnail\w*|primaryImage\w*)(?:\.(?:url|contentUrl|src))?\Z", re.IGNORECASE
)
_ADDRESS = re.compile(r"(?:https?:)?//\S+\Z|/[^\s/]\S*\Z")
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,9})?\Z")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")


def make_field(name: str, path: str, column: Column, units: Sequence[str | None], resolve: Resolver) -> Field:
    """Make a column of stated values, typed if all of them have the type."""
    present = [each for each in column if each is not None]
    kind, typed = _read(path, present, column, units)
    values = [None if each is None else each.text for each in column]
    if kind in ("link", "image"):
        values = [None if text is None else resolve(text) or text for text in values]
    has_pointers = any(each.pointer is not None for each in present)
    return Field(
        name,
        kind,
        tuple(values),
        tuple(None if each is None else each.node for each in column),
        typed,
        tuple(None if each is None else each.pointer for each in column) if has_pointers else (),
    )


def is_link(path: str, text: str) -> bool:
    """Tell whether a value of a property is the address of a page."""
    return _ADDRESS.match(text) is not None and not is_image(path, text)


def is_image(path: str, text: str) -> bool:
    """Tell whether a value of a property is the address of an image."""
    return _ADDRESS.match(text) is not None and _IMAGES.search(path) is not None


def is_money(path: str) -> bool:
    """Tell whether a property is an amount of money, by its name."""
    return _MONEY.search(path) is not None


def _read(
    path: str, present: Sequence[Stated], column: Column, units: Sequence[str | None]
) -> tuple[str, tuple[Value | None, ...]]:
    name = path.rpartition(".")[2]
    if all(_ADDRESS.match(each.text) for each in present):
        if _IMAGES.search(path):
            return "image", ()
        if _LINKS.search(name) or all(each.text.startswith("http") for each in present):
            return "link", ()
    if all(each.kind == "boolean" for each in present):
        return "boolean", _type_each(column, lambda text, _: Value(text == "true"))
    if not _CODES.search(name):
        kind = "money" if any(units) else "number"
        numbers = _type_each(column, lambda text, place: _to_number(text, units[place] if units else None))
        if sum(value is not None for value in numbers) == len(present):
            return kind, numbers
    dates = _type_each(column, lambda text, _: read_iso_day(text))
    if sum(value is not None for value in dates) == len(present):
        return "date", dates
    return "text", ()


def _type_each(column: Column, read: Callable[[str, int], Value | None]) -> tuple[Value | None, ...]:
    return tuple(None if each is None else read(each.text, place) for place, each in enumerate(column))


def to_number(text: str) -> float | None:
    """Read a number as data write it; None if it is none.

    >>> to_number("1,299.50"), to_number("12"), to_number("12 cm")
    (1299.5, 12, None)
    """
    text = text.strip()
    if _GROUPED.match(text):
        text = text.replace(",", "")
    if not _NUMBER.match(text):
        return None
    return float(text) if "." in text else int(text)


def _to_number(text: str, unit: str | None) -> Value | None:
    number = to_number(text)
    return None if number is None else Value(number, unit)
