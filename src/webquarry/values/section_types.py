"""Sections of many pages: the type of their texts, and each text as a value of that type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from webquarry.values.booleans import truth_of
from webquarry.values.column_values import MISSING
from webquarry.values.dates import read_leading_date
from webquarry.values.leading_amounts import (
    are_lists,
    plain_head,
    read_leading_amount,
    split_items,
    without_brackets,
    words_beside,
)
from webquarry.values.locale import Locale
from webquarry.values.text_value import Value, fold
from webquarry.values.units import is_known, same_unit

_NEARLY_ALL = 0.8  # of the texts that say anything: one of five samples may be odd
_MOST = 0.5
_SAID_NOTHING = MISSING | {"NA", "na", "none", "None", "nil"}
_HEAD = re.compile(r"[^(\[;,\n]*")
_DATED = re.compile(r"\([^()]*\d")
_PHONE = re.compile(r"\d{3}[ .]\d{3}[ .]\d{3}")
_MEASURE = " "  # stands for every known unit: they may differ


def read_section(texts: Sequence[str], locale: Locale) -> str:
    """The type of a section by its texts on sample pages: number, money, date, boolean, list or text.

    It is of a type when nearly all texts that say anything begin with a value of that type, and the numbers of one
    kind: percentages, or bare, or measures, or counts of one thing.  Texts such as `none` and `NA (2010)` say nothing.

    >>> read_section(["12 nm", "3 nm (1990)", "none"], Locale()), read_section(["yes", "no; see note"], Locale())
    ('number', 'boolean')
    >>> read_section(["coal, iron ore, tin", "fish"], Locale()), read_section(["coal, tin", "gold, tin, oil"], Locale())
    ('text', 'list')
    """
    present = [text for text in texts if not _says_nothing(text)]
    if not present:
        return "text"
    enough = _NEARLY_ALL * len(present)
    for type_ in ("boolean", "date"):
        if sum(read_as(type_, text, locale) is not None for text in present) >= enough:
            return type_
    type_, count = _amounts_of_one_kind(present, locale)
    lists = are_lists(present)
    if count >= enough and not (lists and _name_different_things(present, locale)):
        return "text" if all(map(_PHONE.fullmatch, present)) else type_
    return "list" if lists else "text"


def read_as(type_: str, text: str, locale: Locale) -> Value | tuple[Value | str, ...] | None:
    """What a text of a section says, the section being of a type; None when it says nothing of that type.

    >>> read_as("number", "643,801 sq km; 551,500 sq km (metropolitan)", Locale()), read_as("number", "NA", Locale())
    (Value(value=643801, unit='sq km'), None)
    >>> read_as("list", "coal, iron ore (little)", Locale()), read_as("list", "12 km\\n15 km", Locale())
    (('coal', 'iron ore (little)'), (Value(value=12, unit='km'), Value(value=15, unit='km')))
    """
    if type_ in ("number", "money"):
        found = read_leading_amount(plain_head(text), locale)
        return found[1] if found is not None and found[0] == type_ else None
    if type_ == "date":
        return read_leading_date(plain_head(text), locale)
    if type_ == "boolean":
        truth = truth_of(_head(text))
        return None if truth is None else Value(truth)
    return _read_list(text, locale) if type_ == "list" else None


def _read_list(text: str, locale: Locale) -> tuple[Value | str, ...] | None:
    if _says_nothing(text):
        return None
    items = split_items(text)
    values = []
    for item in items:
        value = _whole_value(item, locale)
        if value is None:
            return tuple(items) or None
        values.append(value)
    return tuple(values) or None


def _whole_value(item: str, locale: Locale) -> Value | None:
    """The value that an item is, when it says nothing else."""
    found = read_leading_amount(plain_head(item), locale)
    if found is None or without_brackets(item) != item:
        return None
    rest = " ".join(words_beside(item))
    return found[1] if found[0] == "money" or rest in ("", found[1].unit, "%") else None


def _amounts_of_one_kind(texts: Sequence[str], locale: Locale) -> tuple[str, int]:
    """The type of the most common kind of amount that texts begin with, and how many are of that kind."""
    kinds: Counter[tuple[str, str]] = Counter()
    for text in texts:
        found = read_leading_amount(plain_head(text), locale)
        if found is not None:
            kinds[found[0], _kind(found[1].unit)] += 1
    if not kinds:
        return "text", 0
    (type_, common), _ = kinds.most_common(1)[0]
    alike = (n for (other, kind), n in kinds.items() if other == type_ and (type_ == "money" or _fit(kind, common)))
    return type_, sum(alike)


def _kind(unit: str | None) -> str:
    if not unit or unit == "%":
        return unit or ""
    return _MEASURE if is_known(unit) else unit


def _fit(kind: str, common: str) -> bool:
    """Whether two kinds go together: a bare number is of whatever the others count, but no percentage."""
    if kind == common:
        return True
    if "%" in (kind, common) or _MEASURE in (kind, common):
        return "" in (kind, common) and "%" not in (kind, common)
    return not kind or not common or same_unit(kind, common)


def _name_different_things(texts: Sequence[str], locale: Locale) -> bool:
    """Whether most texts list different things, so that the first number is not the value of the section.

    Items that begin with numbers and say the same beside them are one thing measured again when brackets tell the
    year: the first counts.
    """
    return sum(_is_list_of_things(split_items(text), locale) for text in texts) > _MOST * len(texts)


def _is_list_of_things(items: list[str], locale: Locale) -> bool:
    if len(items) < 2:
        return False
    numbers = sum(read_leading_amount(plain_head(item), locale) is not None for item in items)
    if numbers < len(items):
        return 2 * numbers < len(items)
    same = len({words_beside(item) for item in items}) == 1
    dated = sum(_DATED.search(item) is not None for item in items)
    return not same or 2 * dated <= len(items)


def _says_nothing(text: str) -> bool:
    said = _head(text)
    return said.strip("$€£% ") in _SAID_NOTHING if said else not text.strip()


def _head(text: str) -> str:
    """What stands before the first bracket, comma or semicolon, in plain characters."""
    match = _HEAD.match(text.lstrip())
    head = match[0].strip() if match else ""
    return head if head.isascii() else fold(head)
