"""Join the records that are seen on a page with the items that it states: confirm, name, type and complete them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from webquarry.html.urls import fold_address, fold_image
from webquarry.mining.record_matches import MIN_TEXT, Matches, Records, match_items
from webquarry.mining.stated_regions import (
    describe_faults,
    find_units,
    is_image,
    is_link,
    make_field,
    name_paths,
    to_day,
    to_number,
)
from webquarry.model.document import Document
from webquarry.model.names import count, distinct
from webquarry.model.nouns import replace_fields
from webquarry.model.region import Region
from webquarry.model.table_columns import DATA, Field
from webquarry.page.stated_blocks import STATE, Block, read_blocks
from webquarry.page.stated_items import Item, ItemList, Stated, find_item_lists
from webquarry.values.dates import read_dates
from webquarry.values.locale import Locale, find_locale
from webquarry.values.text_value import Value, fold, fold_name

MAX_ADDED, MAX_ADDED_OF_STATE = 8, 2
"""Columns that are added; the properties in states are mostly for programs."""
MIN_AGREEMENT = 0.8
"""Share of the matched records in which a column agrees with a property, for them to be the same."""
MIN_FILLED = 0.34
"""Share of the records that have a property, for it to be added."""
MIN_MATCHED = 0.5
"""Share of the records that are matched, for properties to be added."""
MIN_NAMED = 0.5
"""Share of the items whose names are in the records, for a number that differs to be told."""
_MIN_SHARE_OF_STATE = 1.25  # times as many matches for a state to be preferred to JSON-LD
_MIN_NAMED_ITEMS = 3  # for a number of items to say something about the number of records
_MAX_MEAN_LENGTH = 400  # characters of the texts of a column that is added; longer ones are articles


def join_stated(document: Document, regions: Sequence[Region]) -> list[Region]:
    """Join regions with the data of their page, each when its columns or reasons are asked for."""
    data = PageData(document)
    joined = [_Joined(region, data, is_best=not place) for place, region in enumerate(regions)]
    return [replace_fields(each.region, fields=each.fields, reasons=each.reasons) for each in joined]


def without_stated(region: Region) -> Region:
    """Leave out the columns that are not on the page itself."""
    return replace(region, fields=tuple(field for field in region.fields if not field.name.startswith(DATA)))


class PageData:
    """The data of a page, read on first use."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def faults(self) -> list[str]:
        """Blocks that could not be read; scripts that are no plain data are none of the reader's business."""
        return describe_faults(self._document, (block for block in self._blocks if block.format != STATE))

    @cached_property
    def lists(self) -> list[ItemList]:
        """The lists of items that records may be of."""
        return [each for each in find_item_lists(self._blocks) if not each.is_furniture]

    @cached_property
    def _blocks(self) -> list[Block]:
        return read_blocks(self._document)


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
        fields, reasons = join_fields(self.region, self._data.lists)
        faults = self._data.faults if self._is_best else []
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
    added = join.add(named, is_state=found.format == STATE)
    return (*named, *added), reasons + join.describe_differences(named, added)


def find_list(records: Records, lists: Sequence[ItemList]) -> tuple[ItemList | None, Matches]:
    """Find the list with most matches; if there is none, one whose names are those of the records."""
    best: ItemList | None = None
    matches: Matches = {}
    for each in lists:
        found = match_items(records, each.items)
        needed = len(matches) * (_MIN_SHARE_OF_STATE if each.format == STATE else 1)
        if len(found) > needed and are_enough(len(found), each, len(records)):
            best, matches = each, found
    if best is None:
        best = next((each for each in lists if each.format != STATE and _are_named(records, each)), None)
    return best, matches


def are_enough(matched: int, found: ItemList, length: int) -> bool:
    """Tell whether the matches are no coincidence: states hold all kinds of lists, of which a few items may match."""
    if found.format == STATE:
        return matched > 1 and matched >= MIN_MATCHED * length
    return matched >= MIN_MATCHED * min(length, len(found.items)) and (matched > 1 or length == 1)


def _are_named(records: Records, found: ItemList) -> bool:
    """Tell whether most items of a list have names that are in the records."""
    names = [stated for item in found.items if (stated := item.values.get("name") or item.values.get("headline"))]
    if len(names) < _MIN_NAMED_ITEMS:
        return False
    held = sum(bool(records.holders(stated, "name")) for stated in names if len(stated.text) >= MIN_TEXT)
    return held >= MIN_NAMED * len(found.items)


def _describe(found: ItemList, matches: Matches, length: int) -> list[str]:
    reasons = []
    if matches:
        reasons.append(
            f"{len(matches)} of {count(length, 'record')} {'is' if length == 1 else 'are'} {found.describe()}"
        )
    if len(found.items) != length and found.format != STATE:
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
        day = to_day(text)
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

    def add(self, fields: Sequence[Field], *, is_state: bool) -> list[Field]:
        """Make columns of what is stated but not seen."""
        columns = _join_addresses(self.columns)
        units = {path: find_units(path, columns) for path in columns}
        used = {unit for unit, _ in units.values()}
        paths = [path for path in columns if path not in used and self._is_new(path, columns[path], is_state=is_state)]
        paths = sorted(paths, key=_usefulness)[: MAX_ADDED_OF_STATE if is_state else MAX_ADDED]
        short = [_NAMES.get(_plain_path(path), name) for path, name in zip(paths, name_paths(paths), strict=True)]
        names = distinct([DATA + name for name in short], [field.name for field in fields])
        return [
            make_field(name, path, columns[path], units[path][1], self.records.resolve)
            for name, path in zip(names, paths, strict=True)
        ]

    def _is_new(self, path: str, column: Sequence[Stated | None], *, is_state: bool) -> bool:
        if _LEFT_OUT.search(path) or (is_state and not _USEFUL.match(path)) or not _tells_records_apart(path, column):
            return False
        if path in self.same:
            return self._differs(path) > 0
        present = [(place, stated) for place, stated in enumerate(column) if stated is not None]
        seen = sum(self._is_seen(place, stated, path) for place, stated in present)
        return seen < MIN_AGREEMENT * len(present)

    def _is_seen(self, place: int, stated: Stated, path: str) -> bool:
        if self.records.holds(place, stated, path):
            return True
        start = fold_name(stated.text[:_SHOWN_START])
        return len(stated.text) > _SHOWN_START and f" {start.rpartition(' ')[0]} " in self.records.texts[place]

    def _differs(self, path: str) -> int:
        """Count the records whose column disagrees with the property that it shows."""
        field = self.records.fields[self.same[path]]
        return sum(
            not self._agrees(path, stated, field, place)
            for place, stated in enumerate(self.columns[path])
            if stated is not None and field.values[place] is not None
        )

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
    fields = [_type_days(field, stated, locale) for field in records.fields] if stated else records.fields
    return replace(records, fields=fields)


def _day_of(item: Item, path: str) -> Value | None:
    stated = item.values.get(path)
    return to_day(stated.text) if stated is not None else None


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
_SHOWN_START = 60  # characters; a text that begins as one on the page is shown there, if cut off
_LEFT_OUT = re.compile(
    r"(?:\A|\.)(?:@?id|_id|\w*Id|uuid|key|hash|slug|handle|position|index|order|sameAs|identifier|url|urlTemplate|href"
    r"|width|height|caption|inLanguage|encodingFormat|valueAddedTaxIncluded|priceValidUntil|eventAttendanceMode|eventStatus"
    r"|itemCondition|seller|email|telephone|faxNumber|dateModified|dateCreated|uploadDate|wordCount|commentCount|hasMerchantReturnPolicy"
    r"|shippingDetails|bestRating|worstRating|logo|keywords|type|__typename)(?:\.|\Z)"
)
"""Properties that identify or describe the entry, not the thing."""
_USEFUL = re.compile(
    r"(?:\w+\.)?(?:description|summary|sku|gtin\w*|brand(?:_?name)?|\w*rating(?:_?value)?|(?:review|rating)s?_?count"
    r"|availability|in_?stock|latitude|longitude|date|start_?date|end_?date|date_?published|date_?posted"
    r"|published_?at|deadline|price|old_?price|list_?price|salary)\Z",
    re.IGNORECASE,
)
"""Properties of objects in states that people want to have; the others are mostly for the program."""
_ADDRESS_PARTS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")


def _tells_records_apart(path: str, column: Sequence[Stated | None]) -> bool:
    """Tell whether a column has different short texts for enough records; addresses do not count."""
    texts = [stated.text for stated in column if stated is not None]
    if len(texts) < max(1, MIN_FILLED * len(column)) or (len(set(texts)) == 1 and len(texts) > 1):
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
        replace(value, unit=unit) if value is not None and unit and not _writes_code(text, value) else value
        for value, unit, text in zip(field.typed, units, field.values, strict=True)
    )
    every = all(value is None or value.unit for value in typed)
    return replace(field, type="money", typed=typed) if every else field


def _writes_code(text: str | None, value: Value) -> bool:
    return bool(value.unit and text and value.unit in text)


def _are_different(text: str | None, shown: object, stated_text: str | None, stated: object) -> bool:
    if text is None or stated_text is None:
        return False
    if isinstance(shown, Value) and isinstance(stated, Value):
        return shown.value != stated.value
    return fold_name(text) != fold_name(stated_text)
