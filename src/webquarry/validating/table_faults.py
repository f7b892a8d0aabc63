"""Find faults that a person sees in a table: headings among records, signs alone, values in a wrong column.

Each check compares a value with the others of its column, and takes what fits no right table: a price among
kilometres, a struck price among prices, a currency sign among names.  Words in place of a number, such as `sold out`,
are news and no fault.  Columns with fewer than five values are left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.report import Selection
from webquarry.model.wording import list_names
from webquarry.page.looks import are_struck
from webquarry.validating.traits import TypedText, find_inner
from webquarry.values.column_values import MISSING, says_no_value
from webquarry.values.text_value import Value, fold, fold_name
from webquarry.values.units import dimension_of, is_code

MIN_VALUES = 5
"""The number of values from which a column shows what is usual."""
MIN_SHARE_OF_TYPE = 0.8
"""The share of values that must have the type of the column."""
MAX_SHARE_OF_FAULTS = 0.4
"""The limit of the share of faulty values; if more are of a kind, that is what the column holds."""
MAX_SHARE_OF_STRUCK = 0.8
"""The share of old prices from which a column is one of old prices."""
MAX_HEADING_CHARACTERS = 40
"""Longer texts are not the names of columns."""
MAX_SHARE_OF_NAMED = 0.1
"""The limit of the share of values that repeat the name of the column as headings; above it, the column is labels."""
MAX_SHORT_CHARACTERS = 16
"""The limit of names of columns that are one or two words."""
MIN_RATIO_OF_MAGNITUDES = 8.0
"""The ratio between two kinds of amounts in one column, such as rents and prices; amounts of one kind overlap."""
TYPED = {"number": "numbers", "money": "prices", "date": "dates"}

Numbers = NDArray[np.int64]

_CALLED_OLD = re.compile(
    r"(?:was|old|before|rrp|msrp|uvp|statt|vorher|avant|antes|prima|voorheen|wcześniej|tidigare|før|раньше)\b",
    re.IGNORECASE,
)
"""Words before a price that is not asked any more."""
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")
_AMOUNT = re.compile(r"\d[\d.,'\s]*")
_SIGN_OR_WORD = re.compile(r"[^\W\d_]+|[^\w\s]")
_COPY = re.compile(r"[ _]\d+$")
_RANGE_GOES_ON = re.compile(r"\s*(?:[-~]|to\b|bis\b|à\b|hasta\b|fino\b|tot\b|do\b)\s*\D{0,5}(?:\d|$)", re.IGNORECASE)
"""In a folded text, in which every dash is a hyphen."""


@dataclass(frozen=True)
class Cell:
    """A value of a table."""

    column: str
    record: int
    text: str
    kind: str
    """text, number, money, date, boolean or link."""
    value: Value | None
    selection: int
    node: int

    @property
    def is_words(self) -> bool:
        """True for words without a number, which are not values of a typed column."""
        return self.kind == "text" and _DIGIT.search(self.text) is None


class Table:
    """The cells of selections that are judged together; without names of columns there are none."""

    def __init__(self, selections: Sequence[Selection], records: Numbers, typed: Sequence[TypedText]) -> None:
        """`records` has for each value the number of its record, `typed` what `read_values` gives."""
        self.selections = selections
        has_columns = all(each.columns for each in selections)
        self.cells = list(_list_cells(selections, records, typed)) if has_columns else []
        self.columns: dict[str, list[int]] = defaultdict(list)
        self.records: dict[int, list[int]] = defaultdict(list)
        for place, cell in enumerate(self.cells):
            self.columns[cell.column].append(place)
            self.records[cell.record].append(place)

    @cached_property
    def types(self) -> dict[str, str]:
        """The type that most values of a column have, for columns that are long enough and of one type."""
        types = {}
        for name, places in self.columns.items():
            kinds = Counter(self.cells[place].kind for place in places if not _is_missing(self.cells[place].text))
            kind, number = kinds.most_common(1)[0] if kinds else ("", 0)
            if len(places) >= MIN_VALUES and number >= MIN_SHARE_OF_TYPE * kinds.total():
                types[name] = kind
        return types

    @cached_property
    def named(self) -> set[int]:
        """The places of values that repeat the name of their column."""
        names = {column: fold_name(_COPY.sub("", column).replace("_", " ")) for column in self.columns}
        return {place for place, cell in enumerate(self.cells) if _is_named(cell.text, names[cell.column])}

    @cached_property
    def old(self) -> set[int]:
        """The places of values that are struck through, or called old."""
        old = {place for place, cell in enumerate(self.cells) if _CALLED_OLD.match(cell.text)}
        start = 0
        for selection in self.selections:
            struck = are_struck(selection.document, find_inner(selection.document, selection.nodes).astype(np.int64))
            old.update((start + np.flatnonzero(struck)).tolist())
            start += len(selection)
        return old

    def find(self, record: int, column: str) -> Cell | None:
        """Find the value of a record in a column."""
        places = [place for place in self.records[record] if self.cells[place].column == column]
        return self.cells[places[0]] if places else None


def find_ranges(table: Table) -> set[int]:
    """Find the values that are ranges of what their column has, which are right however they are set."""
    return {
        place
        for place, cell in enumerate(table.cells)
        if cell.value is not None and cell.value.to is not None and table.types.get(cell.column) == cell.kind
    }


def find_faults(table: Table) -> dict[int, str]:
    """Find the faulty values by their place among all values, each with a sentence that says why."""
    faults: dict[int, str] = {}
    for check in (
        _find_headings,
        _find_signs,
        _find_swapped,
        _find_misplaced,
        _find_units,
        _find_several,
        _find_old,
        _find_ends,
    ):
        for place, reason in check(table):
            faults.setdefault(place, reason)
    for place, reason in _find_populations(table):
        faults.setdefault(place, reason)
    return faults


def _list_cells(selections: Sequence[Selection], records: Numbers, typed: Iterable[TypedText]) -> Iterator[Cell]:
    read = zip(records.tolist(), typed, strict=True)
    for number, selection in enumerate(selections):
        rows = zip(selection.columns, selection.texts, selection.nodes.tolist(), strict=True)
        for column, text, node in rows:
            record, (kind, value) = next(read)
            yield Cell(column, record, text, kind, value, number, node)


def _is_missing(text: str) -> bool:
    return fold(text.strip()) in MISSING


def _find_headings(table: Table) -> Iterator[tuple[int, str]]:
    """Find records that repeat the names of their columns, or have words wherever the others have numbers."""
    numeric, labels = _find_numeric(table), _find_labels(table)
    first = {min(places) for places in table.records.values()} & set(_starts(table.selections))
    for places in table.records.values():
        cells = {place: table.cells[place] for place in places if table.cells[place].kind != "link"}
        named = sum(place in table.named and cell.column not in labels for place, cell in cells.items())
        if named >= 2 and named * 2 >= len(cells):
            reason = "The values of this record are the names of their columns, so it is a heading, not a record."
        elif _is_heading(list(cells.values()), numeric, is_first=min(places) in first):
            names = list_names([f'"{cell.column}"' for cell in cells.values() if cell.column in numeric])
            reason = (
                f"This record has words where the others have numbers, prices or dates ({names}): it may be a heading."
            )
        else:
            continue
        yield from ((place, reason) for place in places)


def _is_named(text: str, name: str) -> bool:
    return bool(name) and fold_name(text) == name


def _find_labels(table: Table) -> set[str]:
    """Find the columns that are called by the label that they hold, such as `Add to cart`."""
    named = {name: sum(place in table.named for place in places) for name, places in table.columns.items()}
    return {name for name, places in table.columns.items() if named[name] > max(1, MAX_SHARE_OF_NAMED * len(places))}


def _find_numeric(table: Table) -> set[str]:
    """Find the columns whose values nearly all have a digit."""
    return {
        name
        for name, places in table.columns.items()
        if len(places) >= MIN_VALUES
        and sum(_DIGIT.search(table.cells[place].text) is not None for place in places)
        >= MIN_SHARE_OF_TYPE * len(places)
    }


def _starts(selections: Sequence[Selection]) -> list[int]:
    """Find the place of the first value of each selection."""
    return [0, *np.cumsum([len(each) for each in selections])[:-1].tolist()]


def _is_heading(cells: Sequence[Cell], numeric: set[str], *, is_first: bool) -> bool:
    """Tell a heading by words in columns of numbers: in two of them, or in one of the first record if all are short."""
    odd = [cell for cell in cells if cell.column in numeric]
    is_short = len(cells) >= 3 and all(len(cell.text) <= MAX_SHORT_CHARACTERS for cell in cells)
    return (
        len(odd) >= (1 if is_first and is_short else 2)
        and len({fold_name(cell.text) for cell in cells}) == len(cells)
        and all(cell.is_words and len(cell.text) <= MAX_HEADING_CHARACTERS for cell in cells)
        and not any(says_no_value(cell.text) for cell in odd)
    )


def _find_signs(table: Table) -> Iterator[tuple[int, str]]:
    """Find values that are a currency or a mark of punctuation alone, in columns of words or amounts."""
    for places in table.columns.values():
        signs = [place for place in places if _is_sign(table.cells[place].text)]
        if len(places) < MIN_VALUES or not signs or len(signs) > MAX_SHARE_OF_FAULTS * len(places):
            continue
        for place in signs:
            text = table.cells[place].text
            yield place, f'This is only the sign "{text}"; the other values of the column are words or amounts.'


def _is_sign(text: str) -> bool:
    plain = text.strip()
    if not plain or _is_missing(plain) or len(plain) > 4:
        return False
    if _WORD.search(plain):
        return is_code(plain)
    categories = {unicodedata.category(mark) for mark in plain if not mark.isspace()}
    return plain == "|" or (bool(categories) and all(each == "Sc" or each.startswith("P") for each in categories))


def _find_misplaced(table: Table) -> Iterator[tuple[int, str]]:
    """Find amounts and dates among values of another type."""
    for name, places in table.columns.items():
        usual = table.types.get(name)
        if usual is None or usual == "link":
            continue
        odd = [place for place in places if _is_misplaced(table.cells[place], usual)]
        if usual == "text":
            odd = [place for place in odd if _find_better(table, table.cells[place])]
        if len(odd) > (1 - MIN_SHARE_OF_TYPE) * len(places):
            continue
        for place in odd:
            cell = table.cells[place]
            better = _find_better(table, cell)
            fits = f' It would fit the column "{better}", which this record lacks.' if better else ""
            others = TYPED.get(usual, "words")
            yield place, f"This is {_name_kind(cell.kind)}; the other values of the column are {others}.{fits}"


def _is_misplaced(cell: Cell, usual: str) -> bool:
    kind, text = cell.kind, fold(cell.text.strip())
    if kind == usual or kind not in TYPED:
        return False
    if usual == "text":
        return kind != "number"  # 1984 is a title
    if kind == "number":  # prices may lack their sign, and years are dates
        return _measure(cell) not in ("", "share")
    return not text.isdecimal()


def _name_kind(kind: str) -> str:
    return {"number": "a number", "money": "a price", "date": "a date"}.get(kind, "text")


def _find_better(table: Table, cell: Cell) -> str | None:
    """Find a column that has the type of a value, and no value of that type in its record."""
    for name, kind in table.types.items():
        if name != cell.column and kind == cell.kind:
            own = table.find(cell.record, name)
            if own is None or own.kind != kind:
                return name
    return None


def _find_swapped(table: Table) -> Iterator[tuple[int, str]]:
    """Find words in a typed column, where a column of words has the value of that type in the same record."""
    for place, cell in enumerate(table.cells):
        usual = table.types.get(cell.column)
        if usual not in TYPED or not cell.is_words or _is_missing(cell.text):
            continue
        for other in table.records[cell.record]:
            found = table.cells[other]
            if table.types.get(found.column) == "text" and found.kind == usual:
                yield (
                    place,
                    f'Words in a column of {TYPED[usual]}: they seem to be swapped with the value of "{found.column}".',
                )
                yield (
                    other,
                    f'{TYPED[usual].capitalize()} are under "{cell.column}"; this one seems to be swapped with it.',
                )


def _find_units(table: Table) -> Iterator[tuple[int, str]]:
    """Find numbers that measure something else than the others: kilograms among kilometres."""
    for name, places in table.columns.items():
        if table.types.get(name) != "number":
            continue
        measured = {place: dimension for place in places if (dimension := _measure(table.cells[place]))}
        if len(measured) < MIN_VALUES:
            continue
        usual, number = Counter(measured.values()).most_common(1)[0]
        if number < MIN_SHARE_OF_TYPE * len(measured):
            continue
        for place, dimension in measured.items():
            if dimension != usual:
                yield place, f"This measures {dimension}; the other values of the column measure {usual}."


def _measure(cell: Cell) -> str:
    return "" if cell.value is None or not cell.value.unit else dimension_of(cell.value.unit)


def _find_several(table: Table) -> Iterator[tuple[int, str]]:
    """Find texts with several prices, such as an old one and a new one, in columns of one price."""
    for name, places in table.columns.items():
        if table.types.get(name) != "money":
            continue
        for place in places:
            cell = table.cells[place]
            prices = _count_prices(cell.text) if cell.kind == "text" else 0
            if prices > 1:
                yield place, f"This text has {prices} prices; the other values of the column have one."


def _count_prices(text: str) -> int:
    """Count the currency signs and codes in a text that has as many numbers.

    >>> _count_prices("£900 was £1100"), _count_prices("EUR 3 or USD 4"), _count_prices("2 for £10")
    (2, 2, 1)
    """
    signs = sum(unicodedata.category(each[0]) == "Sc" or is_code(each) for each in _SIGN_OR_WORD.findall(text))
    return min(signs, len(_AMOUNT.findall(text)))


def _find_old(table: Table) -> Iterator[tuple[int, str]]:
    """Find prices that are struck through, in columns where most are not."""
    for name, places in table.columns.items():
        if table.types.get(name) != "money":
            continue
        struck = [place for place in places if place in table.old]
        if len(struck) > MAX_SHARE_OF_STRUCK * len(places):
            continue
        for place in struck:
            others = len(places) - len(struck)
            yield place, f"This price is struck through or called old; {others} others of the column are not."


def _find_ends(table: Table) -> Iterator[tuple[int, str]]:
    """Find prices that are only the lower end of a range on the page."""
    for name, places in table.columns.items():
        if table.types.get(name) != "money":  # scores and pages also stand before dashes
            continue
        ends = [place for place in places if _goes_on(table, table.cells[place])]
        if not ends or len(ends) > MAX_SHARE_OF_FAULTS * len(places):
            continue
        for place in ends:
            yield place, "On the page a range begins here, and this is only its lower end; the others are not ranges."


def _goes_on(table: Table, cell: Cell) -> bool:
    if cell.value is None or cell.value.to is not None:
        return False
    document = table.selections[cell.selection].document
    seen = document.seen_texts
    after = int(np.searchsorted(seen, document.ends[cell.node]))
    following = " ".join(document.texts[node].strip() for node in seen[after : after + 2].tolist())
    if not _RANGE_GOES_ON.match(fold(following)) or _DIGIT.search(following) is None:
        return False
    holder = int(document.parents[cell.node])
    return after < len(seen) and int(seen[after]) < int(document.ends[max(int(document.parents[holder]), 0)])


def _find_populations(table: Table) -> Iterator[tuple[int, str]]:
    """Find amounts that are of another form, and much larger or smaller than all others of their column."""
    for name, places in table.columns.items():
        if table.types.get(name) not in ("money", "number"):
            continue
        groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place in places:
            if (cell := table.cells[place]).value is not None:
                groups[_form_of(table, cell)].append(place)
        yield from _compare_groups(table, groups)


def _form_of(table: Table, cell: Cell) -> tuple[str, ...]:
    """Describe how an amount is written and set: its unit, its note, and the element and size of its letters."""
    document, value = table.selections[cell.selection].document, cell.value
    element = cell.node if document.kinds[cell.node] == Kind.ELEMENT else int(document.parents[cell.node])
    size = document.layout.style(element, "font-size") if document.layout else ""
    unit, note = (value.unit or "", value.note or "") if value else ("", "")
    return unit, note, document.tag(element), document.attributes[element].get("class", ""), size


def _compare_groups(table: Table, groups: Mapping[tuple[str, ...], Sequence[int]]) -> Iterator[tuple[int, str]]:
    total = sum(map(len, groups.values()))
    if len(groups) < 2 or total < 2 * MIN_VALUES:
        return
    largest = max(groups.values(), key=len)
    if len(largest) * 2 < total:
        return
    low, high = _bounds(table, largest)
    for places in groups.values():
        if places is largest or len(places) < 2:
            continue
        own_low, own_high = _bounds(table, places)
        if own_high * MIN_RATIO_OF_MAGNITUDES <= low or own_low >= high * MIN_RATIO_OF_MAGNITUDES:
            usual = median(_amounts(table, largest))
            for place in places:
                yield place, f"It is written unlike the others, and far from them in size (they are about {usual:g})."


def _bounds(table: Table, places: Iterable[int]) -> tuple[float, float]:
    amounts = _amounts(table, places)
    return min(amounts), max(amounts)


def _amounts(table: Table, places: Iterable[int]) -> list[float]:
    values = (table.cells[place].value for place in places)
    return [abs(float(value.value)) for value in values if value is not None and isinstance(value.value, int | float)]
