"""Join the records that are seen on a page with the items that it states: confirm, name, type and complete them.

Only typed items (JSON-LD, microdata, RDFa) are joined.  The states of scripts are written for programs: on 384 pages
with items they gave 3 columns another name and took two thirds of the time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from webquarry.html.urls import fold_address, fold_image
from webquarry.mining.record_matches import Matches, Records, match_items
from webquarry.mining.stated_regions import (
    find_units,
    is_image,
    is_link,
    is_money,
    make_field,
    name_paths,
    to_number,
)
from webquarry.model.names import distinct
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.model.table_columns import DATA, Field
from webquarry.model.wording import count
from webquarry.page.stated_blocks import describe_faults
from webquarry.page.stated_items import Item, ItemList, PageData, Stated
from webquarry.values.dates import read_dates, read_iso_day
from webquarry.values.text_value import Locale, Value, find_locale, fold, fold_name

MAX_ADDED = 8
"""Columns that are added."""
MIN_AGREEMENT = 0.8
"""Share of the matched records in which a column agrees with a property, for them to be the same."""
MIN_FILLED = 0.34
"""Share of the records that have a property, for it to be added."""
MIN_MATCHED = 0.5
"""Share of the records that are matched, for properties to be added."""
_MAX_MEAN_LENGTH = 200  # characters of the texts of a column that is added, two sentences; longer ones are articles
_MAX_SHARED = 0.8  # share of the records with one and the same value, for it to tell them apart
_MIN_SHOWN_WORDS = 0.8  # share of the words of a text that a record shows, for the text to be seen in it
_MIN_WORDS = 4  # for this; fewer words are in many texts
_MIN_SHOWN_TEXT = 40  # characters of a shown text that is found in a longer stated one
_CENTS = 100  # of an amount; some shops state those


def join_stated(regions: Sequence[Region], data: PageData) -> list[Region]:
    """Join regions with the data of their page, each when its columns or reasons are asked for."""
    joined = [_Joined(region, data, is_best=not place) for place, region in enumerate(regions)]
    return [replace_fields(each.region, fields=each.fields, reasons=each.reasons) for each in joined]


def without_stated(region: Region) -> Region:
    """Leave out the columns that are not on the page itself."""
    return replace(region, fields=tuple(field for field in region.fields if not field.name.startswith(DATA)))


class _Joined:
    """A region with the data about it, joined on first use."""

    def __init__(self, region: Region, data: PageData, *, is_best: bool) -> None:
        self.region, self._data, self._is_best = region, data, is_best

    def fields(self) -> tuple[Field, ...]:
        return self._join[0]

    def reasons(self) -> tuple[str, ...]:
        return self._join[1]

    @cached_property
    def _join(self) -> tuple[tuple[Field, ...], tuple[str, ...]]:
        lists = [each for each in self._data.lists if not each.is_furniture]
        fields, reasons = join_fields(self.region, lists)
        faults = describe_faults(self.region.document, self._data.blocks) if self._is_best else []
        return fields, (*self.region.reasons, *reasons, *faults)


def join_fields(region: Region, lists: Sequence[ItemList]) -> tuple[tuple[Field, ...], list[str]]:
    """Join the columns of a region with the list of items that fits best; say what they have in common."""
    fields = region.fields
    if not fields or not lists:
        return fields, []
    records = Records(region.document, region.spans, fields)
    found, matches = find_list(records, lists)
    if found is None:
        return fields, []
    reasons = _describe(found, matches, len(records))
    if len(records) == 1 or len(matches) < MIN_MATCHED * len(records):
        return fields, reasons
    join = _Join(_with_days(records, found.items, matches), found.items, matches)
    named = join.name_and_type()
    added = join.add(named)
    return (*named, *added), reasons + join.describe_differences(named, added)


def find_list(records: Records, lists: Sequence[ItemList]) -> tuple[ItemList | None, Matches]:
    """Find the list with most matches."""
    best: ItemList | None = None
    matches: Matches = {}
    for each in lists:
        found = match_items(records, each.items)
        if len(found) > len(matches) and are_enough(len(found), each, len(records)):
            best, matches = each, found
    return best, matches


def are_enough(matched: int, found: ItemList, length: int) -> bool:
    """Tell whether there are too many matches for a coincidence."""
    return matched >= MIN_MATCHED * min(length, len(found.items)) and (matched > 1 or length == 1)


def _describe(found: ItemList, matches: Matches, length: int) -> list[str]:
    reasons = [f"{len(matches)} of {count(length, 'record')} {'is' if length == 1 else 'are'} {found.describe()}"]
    if len(found.items) != length:
        reasons.append(f"{count(len(found.items), 'item')} {found.describe()}, {count(length, 'record')} found")
    return reasons


_NAMES = {
    "name": "title", "title": "title", "headline": "title", "price": "price", "lowPrice": "price", "startDate": "date",
    "datePosted": "date", "datePublished": "date", "location.name": "location", "location": "location",
    "jobLocation.address.addressLocality": "location", "address.addressLocality": "location", "author.name": "author",
    "hiringOrganization.name": "company", "brand.name": "brand", "brand": "brand", "description": "description",
    "aggregateRating.ratingValue": "rating", "aggregateRating.reviewCount": "reviews", "category": "category",
    "aggregateRating.ratingCount": "reviews", "endDate": "end_date", "availability": "availability", "sku": "sku",
}  # fmt: skip
"""Names of columns for properties of schema.org, without `offers`."""
_USUAL = frozenset(("title", "price", "date", "location"))
"""Names that a column has rather than any other."""
_GOOD = frozenset(("name", "headline", "venue", "place", "address", "old_price"))
"""Names that pages give themselves, which are as good."""
_GENERIC = re.compile(r"(?:text|number|date|price|column|value|label|title)(?:_\d+)?\Z")


def _plain_path(path: str) -> str:
    return ".".join(part for part in path.split(".") if part not in ("offers", "priceSpecification"))


@dataclass(frozen=True)
class _Join:
    """Records with the items that they are matched with."""

    records: Records
    items: Sequence[Item]
    matches: Matches

    @cached_property
    def columns(self) -> dict[str, list[Stated | None]]:
        """The stated values of each path, one or None for each record; those of an address joined."""
        paths = dict.fromkeys(path for number in self.matches.values() for path in self.items[number].values)
        every = range(len(self.records))
        return {
            path: [
                self.items[self.matches[place]].values.get(path) if place in self.matches else None for place in every
            ]
            for path in paths
        }

    @cached_property
    def same(self) -> dict[str, int]:
        """The place of the field that shows a property, by path; each field shows one."""
        options = []
        shown = [[_cell(field, place) for place in self.matches] for field in self.records.fields]
        for order, (path, column) in enumerate(self.columns.items()):
            forms = [self._forms(path, column[place]) for place in self.matches]
            present = sum(map(bool, forms))
            for number, cells in enumerate(shown):
                both = [(form, cell) for form, cell in zip(forms, cells, strict=True) if form and cell is not None]
                agreeing = sum(form.get(kind) == value for form, (kind, value) in both)
                if 2 * len(both) >= present and agreeing >= max(1, MIN_AGREEMENT * len(both), len(self.matches) / 2):
                    wanted = _NAMES.get(_plain_path(path))
                    is_named = wanted == self.records.fields[number].name
                    options.append((-agreeing, not is_named, wanted is None, order, path, number))
        found: dict[str, int] = {}
        for *_, path, number in sorted(options):
            if path not in found and number not in found.values():
                found[path] = number
        return found

    def _forms(self, path: str, stated: Stated | None) -> dict[str, Any]:
        """Write a stated value in all forms in which cells may show it."""
        if stated is None:
            return {}
        text = stated.text
        if is_image(path, text):
            return {"image": fold_image(text)}
        if is_link(path, text):
            return {"link": fold_address(self.records.resolve(text) or text)}
        day = read_iso_day(text)
        return {"text": fold_name(text), "number": to_number(text), "day": day.value if day else None}

    def _agrees(self, path: str, stated: Stated | None, field: Field, place: int) -> bool:
        cell = _cell(field, place)
        return cell is not None and self._forms(path, stated).get(cell[0]) == cell[1]

    def name_and_type(self) -> list[Field]:
        """Rename columns that show a property, and type their amounts by the stated currency."""
        fields = list(self.records.fields)
        for path, number in self.same.items():
            units = find_units(path, self.columns)[1]
            fields[number] = _with_units(fields[number], units)
            wanted = _NAMES.get(_plain_path(path))
            if wanted is not None and fields[number].type not in ("link", "image"):
                fields = self._rename(fields, number, wanted)
        return fields

    def _rename(self, fields: list[Field], number: int, wanted: str) -> list[Field]:
        field = fields[number]
        if field.name in (wanted, *_GOOD) or not (wanted in _USUAL or _GENERIC.match(field.name)):
            return fields
        holder = next((place for place, each in enumerate(fields) if each.name == wanted), None)
        if holder is not None and holder in self.same.values():
            return fields
        names = [each.name for each in fields]
        names[number] = wanted
        if holder is not None:
            names[holder] = field.name
        if wanted == "title":
            names = ["link" if name == f"{field.name}_link" and "link" not in names else name for name in names]
        return [replace(each, name=name) for each, name in zip(fields, distinct(names), strict=True)]

    def add(self, fields: Sequence[Field]) -> list[Field]:
        """Make columns of what is stated but not seen."""
        columns = _join_addresses(self.columns)
        units = {path: find_units(path, columns) for path in columns}
        used = {unit for unit, _ in units.values()}
        paths = [path for path in columns if path not in used and self._is_new(path, columns[path])]
        paths = sorted(paths, key=_usefulness)[:MAX_ADDED]
        short = [_NAMES.get(_plain_path(path), name) for path, name in zip(paths, name_paths(paths), strict=True)]
        names = distinct([DATA + name for name in short], [field.name for field in fields])
        return [
            make_field(name, path, columns[path], units[path][1], self.records.resolve)
            for name, path in zip(names, paths, strict=True)
        ]

    def _is_new(self, path: str, column: Sequence[Stated | None]) -> bool:
        if _LEFT_OUT.search(path) or not _tells_records_apart(path, column):
            return False
        if path in self.same:
            return self._differs(path) > 0
        present = [(place, stated) for place, stated in enumerate(column) if stated is not None]
        seen = sum(self._is_seen(place, stated, path) for place, stated in present)
        return seen < MIN_AGREEMENT * len(present)

    def _is_seen(self, place: int, stated: Stated, path: str) -> bool:
        """Tell whether a record shows a value: as it is, in cents, cut off, as part of a longer text or mostly."""
        if self.records.holds(place, stated, path):
            return True
        number = to_number(stated.text)
        if number is not None:
            return is_money(path) and number / _CENTS in self.records.numbers[place]
        if read_iso_day(stated.text) is not None:
            return False
        words, shown = fold_name(stated.text).split(), self._words[place]
        if len(words) >= _MIN_WORDS and sum(word in shown for word in words) >= _MIN_SHOWN_WORDS * len(words):
            return True
        text = f" {' '.join(words)} "
        return any(f" {each} " in text for each in self._shown_texts[place])

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [frozenset(text.split()) for text in self.records.texts]

    @cached_property
    def _shown_texts(self) -> list[list[str]]:
        """The longer texts that each record shows, without a last word that may be cut off."""
        texts: list[list[str]] = [[] for _ in range(len(self.records))]
        for field in self.records.fields:
            if field.type == "text":
                for place, text in enumerate(field.values):
                    if text is not None and len(text) >= _MIN_SHOWN_TEXT:
                        texts[place].append(fold_name(text).rpartition(" ")[0])
        return [[text for text in each if text] for each in texts]

    def _differs(self, path: str) -> int:
        """Count the records that show another value than the stated one, and not the stated one elsewhere."""
        field = self.records.fields[self.same[path]]
        return sum(
            not self._agrees(path, stated, field, place)
            and not self._is_seen(place, stated, path)
            and not self._is_next_day(place, stated)
            for place, stated in enumerate(self.columns[path])
            if stated is not None and field.values[place] is not None
        )

    def _is_next_day(self, place: int, stated: Stated) -> bool:
        """Tell whether a record names a day beside that of a stated time, as it may in another time zone."""
        day = read_iso_day(stated.text)
        if day is None or not isinstance(day.value, date) or len(stated.text) == len("2026-01-31"):
            return False
        return any(abs(each - day.value) <= timedelta(days=1) for each in self.records.days[place])

    def describe_differences(self, fields: Sequence[Field], added: Sequence[Field]) -> list[str]:
        """Say where a column and the data of the same name disagree."""
        shown = {DATA + field.name: field for field in fields}
        amount = next((field for field in fields if field.type == "money"), None)
        reasons = []
        for field in added:
            seen = shown.get(field.name, amount if field.name == f"{DATA}price" else None)
            if seen is None:
                continue
            pairs = zip(seen.values, seen.typed or seen.values, field.values, field.typed or field.values, strict=True)
            differing = sum(_are_different(*pair) for pair in pairs)
            if differing:
                noun = "record" if differing == 1 else "records"
                reasons.append(f"{seen.name} differs from {field.name} in {differing} {noun}")
        return reasons


def _with_days(records: Records, items: Sequence[Item], matches: Matches) -> Records:
    """Type texts that name a day without its year, where the year that is stated makes them the stated day."""
    days = {
        path: {place: value.value for place, number in matches.items() if (value := _day_of(items[number], path))}
        for path in dict.fromkeys(path for number in matches.values() for path in items[number].values)
    }
    stated = [each for each in days.values() if 2 * len(each) >= len(matches)]
    locale = find_locale(records.document.language, [])
    fields = [_type_days(field, stated, locale) for field in records.fields] if stated else []
    is_typed = any(field is not given for field, given in zip(fields, records.fields, strict=False))
    return replace(records, fields=fields) if is_typed else records  # which knows its texts


def _day_of(item: Item, path: str) -> Value | None:
    stated = item.values.get(path)
    return read_iso_day(stated.text) if stated is not None else None


def _type_days(field: Field, stated: Sequence[Mapping[int, Any]], locale: Locale) -> Field:
    if field.type != "text" or not all(_may_be_day(text) for text in field.values):
        return field
    for days in stated:
        both = [place for place, text in enumerate(field.values) if text is not None and place in days]
        if len(both) < sum(text is not None for text in field.values) or not both:
            continue
        read = read_dates([fold(f"{field.values[place]} {days[place].year}") for place in both], locale) or []
        if read and all(value.value == days[place] for place, value in zip(both, read, strict=True)):
            typed = dict(zip(both, read, strict=True))
            return replace(field, type="date", typed=tuple(typed.get(place) for place in range(len(field.values))))
    return field


def _may_be_day(text: str | None) -> bool:
    return text is None or (len(text) <= _MAX_DAY_TEXT and any(map(str.isdigit, text)) and any(map(str.isalpha, text)))


def _cell(field: Field, place: int) -> tuple[str, Any] | None:
    """Reduce a value of a column to its kind and what is compared; None if there is none."""
    text = field.values[place]
    if text is None:
        return None
    if field.type == "link":
        return "link", fold_address(text)
    if field.type == "image":
        return "image", fold_image(text.partition(" ")[0])
    typed = field.typed[place] if field.typed else None
    value = typed.value if typed is not None else None
    if isinstance(value, date):
        return "day", value
    if value is not None and not isinstance(value, bool):
        return "number", value
    return "text", fold_name(text)


_MAX_DAY_TEXT = 30  # characters of a day with the name of its month and perhaps of its weekday
_LEFT_OUT = re.compile(
    r"(?:\A|\.)(?:@?id|_id|\w*Id|uuid|key|hash|slug|handle|position|index|order|sameAs|identifier|url|urlTemplate|href"
    r"|width|height|caption|inLanguage|encodingFormat|valueAddedTaxIncluded|priceValidUntil|eventAttendanceMode|eventStatus"
    r"|itemCondition|seller|email|telephone|faxNumber|dateModified|dateCreated|uploadDate|(?!review|rating)\w*Count|hasMerchantReturnPolicy"
    r"|shippingDetails|bestRating|worstRating|logo|keywords|type|__typename)(?:\.|\Z)"
)
"""Properties that identify or describe the entry, not the thing."""
_FLAGS = frozenset(("true", "false", "yes", "no", "0", "1", "True", "False"))
_ADDRESS_PARTS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")


def _tells_records_apart(path: str, column: Sequence[Stated | None]) -> bool:
    """Tell whether a column has different short texts for enough records; addresses do not count."""
    texts = [stated.text for stated in column if stated is not None]
    if len(texts) < max(1, MIN_FILLED * len(column)):
        return False
    if len(texts) > 1 and Counter(texts).most_common(1)[0][1] >= _MAX_SHARED * len(texts):
        return False
    if all(text in _FLAGS for text in texts):
        return False
    is_short = sum(map(len, texts)) <= _MAX_MEAN_LENGTH * len(texts)
    return is_short and not all(is_link(path, text) or is_image(path, text) for text in texts)


def _usefulness(path: str) -> int:
    """Order the paths with usual names first; sorting keeps the page's order of the others."""
    return 0 if _plain_path(path) in _NAMES else 1


def _join_addresses(columns: Mapping[str, list[Stated | None]]) -> dict[str, list[Stated | None]]:
    """Join the parts of postal addresses to one value each, at the node of the first."""
    joined: dict[str, list[Stated | None]] = {}
    for path, column in columns.items():
        above, _, name = path.rpartition(".")
        if name not in _ADDRESS_PARTS or not above:
            joined[path] = column
        elif above not in joined:
            parts = [columns[f"{above}.{part}"] for part in _ADDRESS_PARTS if f"{above}.{part}" in columns]
            joined[above] = [_join_parts(values) for values in zip(*parts, strict=True)]
    return joined


def _join_parts(values: Sequence[Stated | None]) -> Stated | None:
    present = [stated for stated in values if stated is not None]
    if not present:
        return None
    pointer = present[0].pointer
    above = pointer.rpartition("/")[0] if pointer is not None and len(present) > 1 else pointer
    return replace(present[0], text=", ".join(dict.fromkeys(stated.text for stated in present)), pointer=above)


def _with_units(field: Field, units: Sequence[str | None]) -> Field:
    """Give amounts the stated currency, unless the page itself writes a code."""
    if field.type not in ("number", "money") or not any(units):
        return field
    typed = tuple(
        replace(value, unit=unit) if value is not None and unit else value
        for value, unit, text in zip(field.typed, units, field.values, strict=True)
    )
    every = all(value is None or value.unit for value in typed)
    return replace(field, type="money", typed=typed) if every else field


def _are_different(text: str | None, shown: object, stated_text: str | None, stated: object) -> bool:
    if text is None or stated_text is None:
        return False
    if isinstance(shown, Value) and isinstance(stated, Value):
        return shown.value != stated.value
    return fold_name(text) != fold_name(stated_text)
