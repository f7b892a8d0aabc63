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
    content_word,
    drawn_name,
    is_old,
    property_name,
    shorten_name,
    split_words,
    standard_name,
    telling_words,
)
from webquarry.page.looks import are_struck
from webquarry.page.stated_blocks import read_blocks
from webquarry.page.stated_items import find_item_lists
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale
from webquarry.values.units import dimension_of
from webquarry.wrapping.field_values import COLONS, LIST, PAIRS
from webquarry.wrapping.item_reader import ALTERNATIVE, EDGE, fold_label
from webquarry.wrapping.item_samples import TEXT, ItemPage, Unit

TITLE = "title"
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


class ItemNames:
    """Names the units of some pages."""

    def __init__(self, pages: Sequence[ItemPage]) -> None:
        self._pages = pages
        self.stated = [read_stated(page) for page in pages]

    def name(self, units: Sequence[Unit], types: Sequence[str], title: Unit | None, locale: Locale) -> list[str]:
        """Name units; several may have one name."""
        names = [
            TITLE if unit is title else self._find_name(unit, kind) for unit, kind in zip(units, types, strict=True)
        ]
        prices = {
            unit: _amounts(unit, locale)
            for unit, kind, name in zip(units, types, names, strict=True)
            if kind == "money" and name == "price"
        }
        old = {one for one, other in permutations(prices, 2) if self._is_old_price(one, other, prices)}
        return ["old_price" if unit in old else name for unit, name in zip(units, names, strict=True)]

    def tells(self, unit: Unit) -> bool:
        """Tell whether a label, property, statement, known word, icon or the words before it say what a unit is."""
        if unit.kind == PAIRS or unit.label or self.label_before(unit):
            return True
        name = self._by_property(unit) or self._by_statement(unit) or self._by_classes(unit)
        return name in CONTENT_WORDS - _NAMING or bool(self._by_icon(unit) or self._by_lead(unit))

    def _is_old_price(self, unit: Unit, other: Unit, prices: Mapping[Unit, Mapping[int, float]]) -> bool:
        """Tell whether a price is the higher one of two beside each other, on all pages with both."""
        both = [number for number in unit.nodes if number in other.nodes]
        return bool(both) and all(
            self._distance(number, unit, other) <= MAX_TEXTS_BETWEEN_PRICES
            and prices[unit].get(number, 0.0) > prices[other].get(number, 0.0) > 0
            for number in both
        )

    def _distance(self, number: int, unit: Unit, other: Unit) -> int:
        """Count the texts from one unit to another."""
        places = sorted(self._pages[number].span(each.nodes[number][0]) for each in (unit, other))
        return places[1][0] - places[0][1]

    def _find_name(self, unit: Unit, kind: str) -> str:
        if unit.kind == PAIRS:
            return "specifications"
        if unit.name:
            return unit.name
        label = unit.label.split(ALTERNATIVE)[0].strip(EDGE + COLONS) or self.label_before(unit)
        if label:
            name = shorten_name(label)
            return standard_name(name, kind) or name
        if kind == "money" and self._is_struck(unit):
            return "old_price"
        name = self._by_property(unit) or self._by_statement(unit)
        called = "" if name else self._by_classes(unit)
        counted, measured = _by_unit(unit)
        name = name or (called if called in CONTENT_WORDS else counted or called)
        name = name or self._by_icon(unit) or self._by_address(unit) or measured
        is_long = max(map(len, unit.texts), default=0) > MAX_NAME_LENGTH
        if not name and (unit.kind == LIST or is_long):
            name = shorten_name(self.heading_before(unit))
        name = name or self._by_holder(unit)
        if not name and kind in (_NAMELESS, "number"):
            name = self._by_lead(unit) or self._by_heading(unit)
            name = name or ("description" if is_long else "")
        if kind == "date" and name == "time":
            name = "date"
        if kind == "money" and (not name or "price" in split_words(name) or name in ("amount", "value")):
            return "old_price" if is_old(name or "") else "price"
        return (standard_name(name, kind) or name) if name else TYPE_NAMES.get(kind, _NAMELESS)

    def label_before(self, unit: Unit) -> str:
        """Find the text before a unit that is the same on all pages and looks like a label."""
        found = Counter(self._label_before(number, unit) for number, nodes in unit.nodes.items() if nodes)
        label, count = found.most_common(1)[0]
        return label if count == len(unit.nodes) else ""

    def _label_before(self, number: int, unit: Unit) -> str:
        page = self._pages[number]
        start = page.first_text(unit, number)
        if not start:
            return ""
        text = page.leaf_text(start - 1)
        holder = page.parents[page.leaves[start - 1]]
        names = " ".join(page.step(holder).classes).lower()
        is_label = text.endswith(tuple(COLONS)) or page.tag(holder) in ("dt", "th", "label") or "label" in names
        return text.strip(EDGE + COLONS) if is_label and len(text) <= MAX_NAME_LENGTH else ""

    def heading_before(self, unit: Unit) -> str:
        """Find the heading before a unit that is the same on all pages, or the words that all begin with."""
        found = [self._heading_before(number, nodes[0]) for number, nodes in unit.nodes.items() if nodes]
        if len(found) < 2 and len(self._pages) > 1:
            return ""
        return found[0] if len(set(found)) == 1 else _first_words(found)

    def _heading_before(self, number: int, node: int) -> str:
        page = self._pages[number]
        start, _ = page.span(node)
        for place in range(start - 1, max(-1, start - 1 - MAX_BEFORE), -1):
            heading = page.find_tag(page.leaves[place], HEADING_TAGS)
            if heading is not None:
                return page.text(heading)
        return ""

    def _around(self, unit: Unit) -> list[list[Mapping[str, str]]]:
        """List the attributes of the elements around the first element of each page that hold nothing else."""
        found = []
        for number, nodes in unit.nodes.items():
            page = self._pages[number]
            node = nodes[0] if unit.leaf else _innermost(page, nodes[0])
            outer = page.parents[nodes[0]] if unit.kind == LIST else nodes[0]
            span = page.span(outer)
            levels: list[Mapping[str, str]] = []
            while node > page.body and len(levels) < MAX_LEVELS and (node >= outer or page.span(node) == span):
                levels.append(page.document.attributes[node])
                node = page.parents[node]
            found.append(levels)
        return found

    def _by_property(self, unit: Unit) -> str:
        words = [
            next((name for own in levels if (name := property_name(own.get("itemprop", "")))), "")
            for levels in self._around(unit)
        ]
        return _agreed(words)

    def _by_statement(self, unit: Unit) -> str:
        words = [self.stated[number].get(fold_value(" ".join(values)), "") for number, values in unit.values.items()]
        counts = Counter(word for word in words if word)
        word, count = counts.most_common(1)[0] if counts else ("", 0)
        return word if 2 * count > len(words) else ""

    def _by_classes(self, unit: Unit) -> str:
        around = self._around(unit)
        shared: list[str] = []
        for place, levels in enumerate(around):
            called = [own[name][:200] for own in levels for name in _CALLED if name in own]
            words = [word for each in called for word in telling_words(each)]
            words += [word for each in called for word in telling_words(" ".join(_MODIFIER.findall(each)))]
            shared = words if not place else [word for word in shared if word in words]
        known = [word for word in shared if word in CONTENT_WORDS]
        return (known or shared or [""])[0]

    def _by_holder(self, unit: Unit) -> str:
        """Name a heading by the class of the small element that it is the heading of."""
        found = []
        for number, nodes in unit.nodes.items():
            page = self._pages[number]
            heading = page.find_tag(nodes[0], HEADING_TAGS, 2)
            holder = page.parents[heading] if heading is not None else page.body
            start, stop = page.span(holder)
            words = telling_words(page.document.attributes[holder].get("class", "")[:200])
            known = [word for word in words if word in CONTENT_WORDS]
            found.append(known[0] if known and stop - start <= MAX_HELD else "")
        return _agreed(found)

    def _by_heading(self, unit: Unit) -> str:
        """Name a unit by the heading directly before it, if that is the same on all pages."""
        found = []
        for number, nodes in unit.nodes.items():
            page = self._pages[number]
            start = page.span(nodes[0])[0]
            is_headed = start > 0 and not unit.leaf and page.tag(page.parents[page.leaves[start - 1]]) in HEADING_TAGS
            found.append(page.leaf_text(start - 1).strip(EDGE + COLONS) if is_headed else "")
        return shorten_name(_agreed(found)) if len(found) > 1 else ""

    def _by_lead(self, unit: Unit) -> str:
        """Name a unit by the words before it on its line, as `by` before an author."""
        found = []
        for number, nodes in unit.nodes.items():
            page = self._pages[number]
            start = page.span(nodes[0])[0]
            is_beside = start > 0 and not unit.leaf and page.parents[page.leaves[start - 1]] == page.parents[nodes[0]]
            text = page.leaf_text(start - 1).strip(EDGE + COLONS) if is_beside else ""
            found.append(text if text.count(" ") < MAX_LEAD_WORDS else "")
        return _agreed(found) if len(found) > 1 and any(map(str.isalpha, found[0])) else ""

    def _by_icon(self, unit: Unit) -> str:
        return _agreed([self._icon_before(number, nodes[0]) for number, nodes in unit.nodes.items()])

    def _by_address(self, unit: Unit) -> str:
        """Name the text of a link by a word of its address, such as `company` by `/companies/acme`, or by its kind."""
        found = []
        for number, nodes in unit.nodes.items() if unit.kind == TEXT and not unit.leaf else ():
            page = self._pages[number]
            near = [nodes[0], _innermost(page, nodes[0]), *page.around(nodes[0], 1)]
            link = next((page.document.attributes[each].get("href", "") for each in near if page.tag(each) == "a"), "")
            scheme, _, rest = link.partition(":")
            if scheme in _SCHEMES and rest:
                found.append(_SCHEMES[scheme])
                continue
            words = [re.sub(r"ies\Z", "y", word) for word in split_words(link.rpartition("/")[0])]
            singular = [word if word in CONTENT_WORDS else word.removesuffix("s") for word in words]
            found.append(next((word for word in reversed(singular) if word in CONTENT_WORDS), ""))
        return _agreed(found)

    def _icon_before(self, number: int, node: int) -> str:
        page = self._pages[number]
        start, _ = page.span(node)
        low = page.leaves[start - 1] if start else page.body
        for before in range(page.leaves[start] - 1, max(low, page.leaves[start] - 12), -1):
            own = page.document.attributes[before]
            if own and (name := drawn_name(page.tag(before), own)):
                return name
        return ""

    def _is_struck(self, unit: Unit) -> bool:
        pairs = ((self._pages[number], nodes[0]) for number, nodes in unit.nodes.items() if nodes)
        return any(are_struck(page.document, np.array([_innermost(page, node)])).any() for page, node in pairs)


def _first_words(headings: Sequence[str]) -> str:
    """Return the words that headings begin with, without short ones at the end, as `for` in `Ingredients for two`."""
    words = zip(*(heading.split() for heading in headings), strict=False)
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, words)]
    while shared and len(shared[-1]) < MIN_LAST_LETTERS:
        shared.pop()
    return " ".join(shared)


def _innermost(page: ItemPage, node: int) -> int:
    """Find the innermost element with all the text of one."""
    while len(inside := page.children(node)) == 1 and page.span(inside[0]) == page.span(node):
        node = inside[0]
    return node


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


def _amounts(unit: Unit, locale: Locale) -> dict[int, float]:
    """Read the amounts of a price by page, without those for a kilogram, a month and the like."""
    read = read_column([text.strip(EDGE) for text in unit.texts], locale)
    numbers = [number for number, texts in unit.values.items() if texts]
    return {
        number: value.value
        for number, value in zip(numbers, read[1] if read else [], strict=False)
        if value is not None and isinstance(value.value, int | float) and not value.note
    }


def read_stated(page: ItemPage) -> dict[str, str]:
    """Map values that a page states about its item to the names of their properties."""
    found: dict[str, str] = {}
    for each in find_item_lists(read_blocks(page.document)):
        if len(each.items) > 1:
            continue
        for path, stated in each.items[0].values.items():
            word = next(
                (name for part in reversed(path.split(".")) if (name := property_name(part)) and name != TITLE), ""
            )
            if word and len(stated.text) > 1:
                found.setdefault(fold_value(stated.text), content_word(word) or word)
    return found


def fold_value(text: str) -> str:
    """Fold a value to compare it: without case, spaces and punctuation at its ends."""
    return " ".join(fold_label(text).split())


def _agreed(words: Sequence[str]) -> str:
    """Return the word that all have."""
    return words[0] if words and words[0] and len(set(words)) == 1 else ""
