"""Name the fields of detail pages: by label, property, the page's own data, class words, headings and type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations, takewhile

import numpy as np

from webquarry.html.columns import HEADING_TAGS
from webquarry.page.column_words import (
    CONTENT_WORDS,
    MAX_LEAD_WORDS,
    MAX_NAME_LENGTH,
    TYPE_NAMES,
    drawn_name,
    is_old,
    property_name,
    shorten_name,
    split_words,
    standard_name,
    telling_words,
)
from webquarry.page.looks import are_struck
from webquarry.values.column_values import read_column, read_value
from webquarry.values.places import are_places
from webquarry.values.text_value import Locale
from webquarry.values.units import dimension_of
from webquarry.wrapping.field_values import COLONS, LIST, PAIRS
from webquarry.wrapping.item_samples import TEXT, TITLE, ItemPage, Unit
from webquarry.wrapping.label_texts import ALTERNATIVE, EDGE, fold_value

MAX_LEVELS = 6
"""Elements around a unit whose class names are read."""
MAX_BEFORE = 400
"""Texts before a unit among which its heading is looked for."""
MIN_LAST_LETTERS = 4
"""Letters of the last word that varying headings share; shorter ones lead to what varies."""
MAX_HELD = 6
"""Texts of an element whose class names its heading."""
MAX_TEXTS_BETWEEN_PRICES = 3
"""Texts between an old price and the one that holds, such as a discount."""
_CALLED = ("class", "id", "data-testid", "data-test", "data-qa", "data-hook", "data-field", "data-name")
_MODIFIER = re.compile(r"(?<=--)[a-z-]+")
"""The last part of class names such as `list__item--price`."""
_NAMING = frozenset(["headline", "name", "title"])
"""Words of class names of captions too: a name that all pages share names no item."""
_SCHEMES = {"mailto": "email", "tel": "phone"}
_DIMENSION_NAMES = {"area": "area", "time": "duration", "weight": "weight", "data": "size", "speed": "speed"}
_NAMELESS = "text"
UNTOLD_NAMES = frozenset([_NAMELESS, "description", "number"])
"""Names of fields that nothing on the page names."""


def name_units(
    units: Sequence[Unit], types: Sequence[str], title: Unit | None, locale: Locale, *, samples: int
) -> list[str]:
    """Name the units of so many sample pages; several may have one name."""
    names = [
        TITLE if unit is title else _find_name(unit, kind, samples) for unit, kind in zip(units, types, strict=True)
    ]
    prices = {
        unit: _amounts(unit, locale)
        for unit, kind, name in zip(units, types, names, strict=True)
        if kind == "money" and name == "price"
    }
    old = {one for one, other in permutations(prices, 2) if _is_old_price(one, other, prices)}
    return ["old_price" if unit in old else name for unit, name in zip(units, names, strict=True)]


def is_told(unit: Unit) -> bool:
    """Tell whether a label, property, statement, known word, icon or the words before it say what a unit is."""
    if unit.kind == PAIRS or unit.label or _shared_label_before(unit):
        return True
    name = _by_property(unit) or _by_statement(unit) or _by_classes(unit)
    return name in CONTENT_WORDS - _NAMING or bool(_by_icon(unit) or _by_lead(unit))


def _is_old_price(unit: Unit, other: Unit, prices: Mapping[Unit, Mapping[ItemPage, float]]) -> bool:
    """Tell whether a price is the higher one of two beside each other, on all pages with both."""
    both = [page for page in unit.nodes if page in other.nodes]
    return bool(both) and all(
        _distance(page, unit, other) <= MAX_TEXTS_BETWEEN_PRICES
        and prices[unit].get(page, 0.0) > prices[other].get(page, 0.0) > 0
        for page in both
    )


def _distance(page: ItemPage, unit: Unit, other: Unit) -> int:
    """Count the texts from one unit to another."""
    places = sorted(page.span(each.nodes[page][0]) for each in (unit, other))
    return places[1][0] - places[0][1]


def _find_name(unit: Unit, kind: str, samples: int) -> str:
    if unit.kind == PAIRS:
        return "specifications"
    if unit.name:
        return unit.name
    label = unit.label.split(ALTERNATIVE)[0].strip(EDGE + COLONS) or _shared_label_before(unit)
    if label:
        name = shorten_name(label)
        return standard_name(name, kind) or name
    if kind == "money" and _is_struck(unit):
        return "old_price"
    name = _by_property(unit) or _by_statement(unit)
    called = "" if name else _by_classes(unit)
    counted, measured = _by_unit(unit)
    name = name or (called if called in CONTENT_WORDS else counted or called)
    name = name or _by_icon(unit) or _by_address(unit) or measured
    is_long = max(map(len, unit.texts), default=0) > MAX_NAME_LENGTH
    if not name and (unit.kind == LIST or is_long):
        name = shorten_name(_shared_heading_before(unit, samples))
    name = name or _by_holder(unit) or _by_looks(unit)
    if not name and kind in (_NAMELESS, "number"):
        name = _by_lead(unit) or _by_heading(unit)
        name = name or ("description" if is_long else "")
    if kind == "date" and name == "time":
        name = "date"
    if kind == "money" and (not name or "price" in split_words(name) or name in ("amount", "value")):
        return "old_price" if is_old(name or "") else "price"
    return (standard_name(name, kind) or name) if name else TYPE_NAMES.get(kind, _NAMELESS)


def _shared_label_before(unit: Unit) -> str:
    """Find the text before a unit that is the same on all pages and looks like a label."""
    found = Counter(_label_before(page, unit) for page in unit.firsts)
    label, count = found.most_common(1)[0]
    return label if count == len(unit.nodes) else ""


def _label_before(page: ItemPage, unit: Unit) -> str:
    start = page.first_text(unit)
    if not start:
        return ""
    text = page.leaf_text(start - 1)
    holder = page.parents[page.leaves[start - 1]]
    names = " ".join(page.step(holder).classes).lower()
    is_label = text.endswith(tuple(COLONS)) or page.tag(holder) in ("dt", "legend", "th", "label") or "label" in names
    return text.strip(EDGE + COLONS) if is_label and len(text) <= MAX_NAME_LENGTH else ""


def _shared_heading_before(unit: Unit, samples: int) -> str:
    """Find the heading before a unit that is the same on all pages, or the words that all begin with."""
    found = [_heading_before(page, node) for page, node in unit.firsts.items()]
    if len(found) < 2 and samples > 1:
        return ""
    return found[0] if len(set(found)) == 1 else _first_words(found)


def _heading_before(page: ItemPage, node: int) -> str:
    start, _ = page.span(node)
    for place in range(start - 1, max(-1, start - 1 - MAX_BEFORE), -1):
        heading = page.find_tag(page.leaves[place], HEADING_TAGS)
        if heading is not None:
            return page.text(heading)
    return ""


def _around(unit: Unit) -> list[list[Mapping[str, str]]]:
    """List the attributes of the elements around the first element of each page that hold nothing else."""
    found = []
    for page, first in unit.firsts.items():
        node = first if unit.leaf else page.innermost(first)
        outer = page.parents[first] if unit.kind == LIST else first
        span = page.span(outer)
        levels: list[Mapping[str, str]] = []
        while node > page.body and len(levels) < MAX_LEVELS and (node >= outer or page.span(node) == span):
            levels.append(page.document.attributes[node])
            node = page.parents[node]
        found.append(levels)
    return found


def _by_property(unit: Unit) -> str:
    words = [
        next((name for own in levels if (name := property_name(own.get("itemprop", "")))), "")
        for levels in _around(unit)
    ]
    return _agreed(words)


def _by_statement(unit: Unit) -> str:
    words = [page.stated.get(fold_value(" ".join(values)), "") for page, values in unit.values.items()]
    counts = Counter(word for word in words if word)
    word, count = counts.most_common(1)[0] if counts else ("", 0)
    return word if 2 * count > len(words) else ""


def _by_classes(unit: Unit) -> str:
    around = _around(unit)
    shared: list[str] = []
    for place, levels in enumerate(around):
        called = [own[name][:200] for own in levels for name in _CALLED if name in own]
        words = [word for each in called for word in telling_words(each)]
        words += [word for each in called for word in telling_words(" ".join(_MODIFIER.findall(each)))]
        shared = words if not place else [word for word in shared if word in words]
    known = [word for word in shared if word in CONTENT_WORDS]
    return (known or shared or [""])[0]


def _by_holder(unit: Unit) -> str:
    """Name a heading by the class of the small element that it is the heading of."""
    found = []
    for page, node in unit.firsts.items():
        heading = page.find_tag(node, HEADING_TAGS, 2)
        holder = page.parents[heading] if heading is not None else page.body
        start, stop = page.span(holder)
        words = telling_words(page.document.attributes[holder].get("class", "")[:200])
        known = [word for word in words if word in CONTENT_WORDS]
        found.append(known[0] if known and stop - start <= MAX_HELD else "")
    return _agreed(found)


def _by_heading(unit: Unit) -> str:
    """Name a unit by the heading directly before it, if that is the same on all pages."""
    found = []
    for page, node in unit.firsts.items():
        start = page.span(node)[0]
        is_headed = start > 0 and not unit.leaf and page.tag(page.parents[page.leaves[start - 1]]) in HEADING_TAGS
        found.append(page.leaf_text(start - 1).strip(EDGE + COLONS) if is_headed else "")
    return shorten_name(_agreed(found)) if len(found) > 1 else ""


def _by_looks(unit: Unit) -> str:
    """Name texts that are places, on several pages."""
    language = next(iter(unit.nodes)).document.language
    return "location" if unit.kind == TEXT and len(unit.texts) > 1 and are_places(unit.texts, language) else ""


def _by_lead(unit: Unit) -> str:
    """Name a unit by the words before it on its line, as `by` before an author."""
    found = []
    for page, node in unit.firsts.items():
        start = page.span(node)[0]
        is_beside = start > 0 and not unit.leaf and page.parents[page.leaves[start - 1]] == page.parents[node]
        text = page.leaf_text(start - 1).strip(EDGE + COLONS) if is_beside else ""
        found.append(text if text.count(" ") < MAX_LEAD_WORDS else "")
    return _agreed(found) if len(found) > 1 and any(map(str.isalpha, found[0])) else ""


def _by_icon(unit: Unit) -> str:
    return _agreed([_icon_before(page, node) for page, node in unit.firsts.items()])


def _by_address(unit: Unit) -> str:
    """Name the text of a link by a word of its address, such as `company` by `/companies/acme`, or by its kind."""
    found = []
    for page, node in unit.firsts.items() if unit.kind == TEXT and not unit.leaf else ():
        near = [node, page.innermost(node), *page.around(node, 1)]
        link = next((page.document.attributes[each].get("href", "") for each in near if page.tag(each) == "a"), "")
        scheme, _, rest = link.partition(":")
        if scheme in _SCHEMES and rest:
            found.append(_SCHEMES[scheme])
            continue
        words = [re.sub(r"ies\Z", "y", word) for word in split_words(link.rpartition("/")[0])]
        singular = [word if word in CONTENT_WORDS else word.removesuffix("s") for word in words]
        found.append(next((word for word in reversed(singular) if word in CONTENT_WORDS), ""))
    return _agreed(found)


def _icon_before(page: ItemPage, node: int) -> str:
    start, _ = page.span(node)
    low = page.leaves[start - 1] if start else page.body
    for before in range(page.leaves[start] - 1, max(low, page.leaves[start] - 12), -1):
        own = page.document.attributes[before]
        if own and (name := drawn_name(page.tag(before), own)):
            return name
    return ""


def _is_struck(unit: Unit) -> bool:
    firsts = unit.firsts.items()
    return any(are_struck(page.document, np.array([page.innermost(node)])).any() for page, node in firsts)


def _first_words(headings: Sequence[str]) -> str:
    """Return the words that headings begin with, without short ones at the end, as `for` in `Ingredients for two`."""
    words = zip(*(heading.split() for heading in headings), strict=False)
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, words)]
    while shared and len(shared[-1]) < MIN_LAST_LETTERS:
        shared.pop()
    return " ".join(shared)


def _by_unit(unit: Unit) -> tuple[str, str]:
    """Name numbers by what they count, such as `beds`, or by what they measure, such as `area`."""
    read = [read_value(text.strip(EDGE), Locale()) for text in unit.texts]
    units = {each[1].unit or "" for each in read if each is not None and each[0] == "number"}
    dimensions = set(map(dimension_of, units))
    if any(each is None for each in read) or len(dimensions) != 1:
        return "", ""
    if dimension := dimensions.pop():
        return "", _DIMENSION_NAMES.get(dimension, "")
    is_one = len({word.lower().removesuffix("s") for word in units}) == 1
    return max(units, key=len) if is_one else "", ""


def _amounts(unit: Unit, locale: Locale) -> dict[ItemPage, float]:
    """Read the amounts of a price by page, without those for a kilogram, a month and the like."""
    read = read_column([text.strip(EDGE) for text in unit.texts], locale)
    pages = [page for page, texts in unit.values.items() if texts]
    return {
        page: value.value
        for page, value in zip(pages, read[1] if read else [], strict=False)
        if value is not None and isinstance(value.value, int | float) and not value.note
    }


def _agreed(words: Sequence[str]) -> str:
    """Return the word that all have."""
    return words[0] if words and words[0] and len(set(words)) == 1 else ""
