"""Match the items that a page states with the records that are seen on it, by two or more agreeing values."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from webquarry.html.urls import Resolver, fold_address, fold_image, make_resolver
from webquarry.mining.stated_regions import is_image, is_link, is_money, to_number
from webquarry.model.document import Document
from webquarry.model.table_columns import Field
from webquarry.page.stated_items import Item, Stated
from webquarry.values.dates import read_iso_day
from webquarry.values.text_value import fold_name

MIN_AGREEING = 2
"""Values of an item and a record that must agree."""
MIN_BITS = 2.0
"""What they must say together, in bits: the smaller the share of records with a value, the more it says."""
_MAX_SHARE = 0.5  # of the records that a value may agree with, for it to say something; unless there are hardly any
MIN_TEXT = 4
"""Characters of a text that is looked for in records."""
_MAX_TEXT = 300  # the same, at most
_MAX_TEXTS = 8  # texts of an item that are looked for
_GLANCED, _VALUES_GLANCED = 12, 4  # items, and values of an item, that are looked for at first
_MAX_PAIRS = 400_000  # texts times records
_TITLES = frozenset(("name", "title", "headline"))

_NUMBER = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f ]\d{3})*(?:[.,]\d{1,2})?(?!\d)")

Matches = dict[int, int]
"""The place of the item of each matched record."""


@dataclass(frozen=True)
class Records:
    """Records as they are compared with items."""

    document: Document
    spans: Sequence[tuple[int, int]]
    fields: Sequence[Field]

    def __len__(self) -> int:
        return len(self.spans)

    @cached_property
    def resolve(self) -> Resolver:
        """Resolve an address of the page."""
        return make_resolver(self.document)

    @cached_property
    def texts(self) -> list[str]:
        """The folded text of each record, with a space at both ends."""
        return [f" {fold_name(text)} " for text in self._written]

    @cached_property
    def _written(self) -> list[str]:
        return [self.document.text(first, stop) for first, stop in self.spans]

    @cached_property
    def links(self) -> list[set[str]]:
        """The targets of the links of each record, as `fold_address` writes them."""
        attributes, parents = self.document.attributes, self.document.parents
        nodes = np.flatnonzero(self.document.has_tag(["a"]))
        found = []
        for first, stop in self.spans:
            low, high = np.searchsorted(nodes, (first, stop))
            inside = nodes[low:high].tolist()
            above = parents.item(first)
            around = [above] if above > 0 and self.document.tag(above) == "a" else []
            addresses = (self.resolve(attributes[node].get("href", "")) for node in (*inside, *around))
            found.append({fold_address(address) for address in addresses if address})
        return found

    @cached_property
    def images(self) -> list[set[str]]:
        """The file names of the images of each record, without their sizes."""
        found: list[set[str]] = [set() for _ in self.spans]
        for field in self.fields:
            if field.type == "image":
                for place, value in enumerate(field.values):
                    found[place].update(map(fold_image, (value or "").split()))
        return found

    @cached_property
    def numbers(self) -> list[set[float]]:
        """The numbers that each record shows."""
        shown = [{number for match in _NUMBER.findall(text) for number in readings(match)} for text in self._written]
        for field in self.fields:
            for place, value in enumerate(field.typed):
                if value is not None:
                    ends = (value.value, value.to)
                    shown[place].update(each for each in ends if isinstance(each, int | float))
        return shown

    @cached_property
    def days(self) -> list[set[date]]:
        """The days that each record names."""
        attributes, times = self.document.attributes, np.flatnonzero(self.document.has_tag(["time"]))
        named: list[set[date]] = []
        for first, stop in self.spans:
            low, high = np.searchsorted(times, (first, stop))
            stated = (read_iso_day(attributes[node].get("datetime", "")) for node in times[low:high].tolist())
            named.append({value.value for value in stated if value and isinstance(value.value, date)})
        for field in self.fields:
            for place, value in enumerate(field.typed):
                if value is not None:
                    named[place].update(each for each in (value.value, value.to) if isinstance(each, date))
        return named

    @cached_property
    def _whole(self) -> str:
        return "".join(self.texts)

    @cached_property
    def _holders(self) -> dict[str, dict[Any, set[int]]]:
        """The records that hold an address, image, number or day, by kind; filled when a kind is asked for."""
        return {}

    def holders(self, stated: Stated, path: str) -> set[int]:
        """Find the records that hold a stated value, in whatever form."""
        return self.find(self.key_of(stated, path))

    def find(self, key: tuple[str, Any]) -> set[int]:
        """Find the records that hold what a stated value is reduced to."""
        kind, value = key
        if kind != "text":
            if kind not in self._holders:
                held = {"link": "links", "image": "images", "number": "numbers", "day": "days"}[kind]
                self._holders[kind] = _index(getattr(self, held))
            return self._holders[kind].get(value, set())
        if not value or f" {value} " not in self._whole:
            return set()
        return {place for place, text in enumerate(self.texts) if f" {value} " in text}

    def holds(self, place: int, stated: Stated, path: str) -> bool:
        """Tell whether a record holds a stated value."""
        return place in self.holders(stated, path)

    def key_of(self, stated: Stated, path: str) -> tuple[str, Any]:
        """Reduce a stated value to what is looked for in records, with its kind."""
        text = stated.text
        if is_image(path, text):
            return "image", fold_image(text)
        if is_link(path, text):
            return "link", fold_address(self.resolve(text) or text)
        if (day := read_iso_day(text)) is not None:
            return "day", day.value
        if (number := to_number(text)) is not None and (is_money(path) or stated.kind == "number"):
            return "number", number
        return "text", fold_name(text)

    def may_hold(self, items: Sequence[Item]) -> bool:
        """Tell at a glance whether records may be these items: a few of their values are in them."""
        for item in items[:: max(1, len(items) // _GLANCED)]:
            for path, stated in islice(comparable(item), _VALUES_GLANCED):
                if self.holders(stated, path):
                    return True
        return False


def _index(held: Sequence[Collection[Any]]) -> dict[Any, set[int]]:
    """Find for each value the places of the records that hold it."""
    places: dict[Any, set[int]] = defaultdict(set)
    for place, values in enumerate(held):
        for value in values:
            places[value].add(place)
    return places


def readings(text: str) -> set[float]:
    """Read a number in all ways in which it may be meant.

    >>> sorted(readings("1.250")), sorted(readings("12,50")), sorted(readings("1,299.00"))
    ([1.25, 1250.0], [12.5], [1299.0])
    """
    plain = re.sub(r"['\u2019\u00a0\u202f ]", "", text)
    marks = [mark for mark in plain if mark in ".,"]
    found = set()
    if not marks:
        found.add(float(plain))
    elif len(set(marks)) == 2:  # the last one is that of decimals
        other = "," if marks[-1] == "." else "."
        found.add(float(plain.replace(other, "").replace(marks[-1], ".")))
    else:
        is_grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", plain) is not None
        if is_grouped:
            found.add(float(plain.replace(marks[0], "")))
        if len(marks) == 1:
            found.add(float(plain.replace(marks[0], ".")))
    return found


def match_items(records: Records, items: Sequence[Item], without: Collection[str] = ()) -> Matches:
    """Match records with items, one to one; leave out what is not clear.

    Marked items that are in a record belong to it.  `without` are paths that are not compared.
    """
    if not items or not len(records):
        return {}
    found = _match_by_place(records, items)
    if found is not None:
        return found
    return _assign(_score_pairs(records, items, without)) if records.may_hold(items) else {}


def _match_by_place(records: Records, items: Sequence[Item]) -> Matches | None:
    """Match marked items with the records that they are in; None if they are in none."""
    if any(stated.pointer is not None for stated in items[0].values.values()):
        return None
    starts = np.array([first for first, _ in records.spans])
    inside: dict[int, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        place = int(np.searchsorted(starts, item.node, side="right")) - 1
        if place >= 0 and item.node < records.spans[place][1]:
            inside[place].append(number)
    found = {place: numbers[0] for place, numbers in inside.items() if len(numbers) == 1}
    return found or None


def _score_pairs(records: Records, items: Sequence[Item], without: Collection[str]) -> dict[int, dict[int, float]]:
    """Rate the pairs that agree in two or more values that say something, by item and record."""
    known: dict[tuple[str, Any], set[int]] = {}
    most = max(1.0, _MAX_SHARE * len(records))
    left = _MAX_PAIRS
    scores: dict[int, dict[int, float]] = {}
    for number, item in enumerate(items):
        if len(records) == 1 and not _is_titled(records, item):  # pages of a site share authors, brands and dates
            continue
        counts: dict[int, int] = defaultdict(int)
        bits: dict[int, float] = defaultdict(float)
        compared: set[tuple[str, Any]] = set()
        for path, stated in comparable(item):
            if path in without:
                continue
            key = records.key_of(stated, path)
            if key in compared:  # a name is often stated twice, which is no further evidence
                continue
            compared.add(key)
            if key not in known:
                left -= len(records)
                known[key] = records.find(key) if left > 0 else set()
            holders = known[key]
            if holders and len(holders) <= most:
                for place in holders:
                    counts[place] += 1
                    bits[place] += math.log2((len(records) + 1) / len(holders))
        good = {place: bits[place] for place, count in counts.items() if count >= MIN_AGREEING}
        scores[number] = {place: each for place, each in good.items() if each >= min(MIN_BITS, len(records))}
    return scores


def _is_titled(records: Records, item: Item) -> bool:
    """Tell whether a record holds a title of an item."""
    return any(records.holders(stated, path) for path, stated in item.values.items() if path in _TITLES)


def comparable(item: Item) -> Iterable[tuple[str, Stated]]:
    """List the values of an item that can identify a record, names first."""
    texts = 0
    for path, stated in sorted(item.values.items(), key=lambda pair: pair[0].rpartition(".")[2] not in _TITLES):
        if is_link(path, stated.text) or is_image(path, stated.text) or read_iso_day(stated.text) is not None:
            yield path, stated
        elif to_number(stated.text) is not None:
            if is_money(path):
                yield path, stated
        elif MIN_TEXT <= len(stated.text) <= _MAX_TEXT and texts < _MAX_TEXTS and any(map(str.isalpha, stated.text)):
            texts += 1
            yield path, stated


def _assign(scores: Mapping[int, Mapping[int, float]]) -> Matches:
    """Pair items with records, the best first.

    Order decides between equally good records for an item, if as many items have them to choose from.
    """
    found: Matches = {}
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for number, places in scores.items():
        if places:
            top = max(places.values())
            best[number] = top, tuple(sorted(place for place, score in places.items() if score > top - 1e-9))
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, (_, tied) in best.items():
        groups[tied].append(number)
    for tied, numbers in sorted(groups.items(), key=lambda group: -max(best[number][0] for number in group[1])):
        if len(tied) != len(numbers) or any(place in found for place in tied):
            continue
        for place, number in zip(tied, numbers, strict=True):
            found[place] = number
    return found
