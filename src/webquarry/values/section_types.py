"""Find the type of a section from its texts on many pages, and read each text as that type.

A section can be a list: its texts then have several short, similar items.

A number or an amount of money is what a text begins with, whatever follows: `12 nm (2010)`, `$2.1 trillion in all`. A
percentage is a number with the unit `%`. A label of one or two words with a colon may come first, and words such as
"about" and "less than", which do not change the value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.column_values import DIGIT, MISSING, PHONE, truth_of
from webquarry.values.dates import read_leading_date
from webquarry.values.text_value import Locale, Value, find_mark, fold, read_digits
from webquarry.values.units import (
    CROWNS,
    DASHES,
    FIRST_OF_CJK,
    MIN_CODE_DIGITS,
    UNIT_PREFIXES,
    After,
    code_of,
    exponent_of,
    is_counted,
    is_known,
    is_measure,
    is_relative,
    join_signs,
    may_be_unit,
    read_after,
    read_before,
    same_unit,
    sign_of,
)

_MIN_SHARE_OF_TYPE = 0.8  # of the texts that say anything: one of five samples may be odd
_SAYS_NOTHING = MISSING | {"NA", "na", "none", "None", "nil"}
_HEAD = re.compile(r"[^(\[;,\n]*")
_DATED = re.compile(r"\([^()]*\d")
_ANY_KNOWN_UNIT = " "  # known units may differ
_SEPARATOR = re.compile(r"[,;](?:\s+|$)|[、，；]\s*| [|•·] ")  # noqa: RUF001 - in their own scripts
_BOUNDARY = re.compile(r"[(\[{（【]|[)\]}）】]|" + _SEPARATOR.pattern)  # noqa: RUF001
_OPENING = frozenset("([{（【")  # noqa: RUF001
_CLOSING = frozenset(")]}）】")  # noqa: RUF001
_BRACKETS = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_MAX_BRACKET_DEPTH = 3

_MAX_WORDS_PER_ITEM = 4  # outside brackets; clauses of a sentence have more
_MAX_MEAN_LINE_CHARACTERS = 120  # lines of a paragraph are longer
# In the lists of a fact book at least .83 of the items are so short, in its prose at most .74.
_MIN_SHARE_OF_SHORT_ITEMS = 0.8
_MAX_SHARE_OF_PAIRS = 0.8  # of the texts
_MIN_ITEMS_PER_LINE = 3  # of lines that go on with one list, on average; lines of two are pairs, such as names
_MAX_SHARE_OF_ODD_ITEMS = 0.25  # nearly no or nearly all items of a list have digits; in an address some do

# Leading amounts
_MAX_VALUE_CHARACTERS = 120  # with label and unit
_CAPITAL_NOUNS = "de"  # the language whose nouns begin with a capital
# Possessive throughout, so that prose fails at once. The words after a number end at a bracket, a comma, a semicolon,
# a line end or another number, but not within "male(s)/female", "deaths/1,000 live births" and "m3".
_AMOUNT = re.compile(
    r"(\D{0,24}+)"
    r"(\d{1,3}(?>(?: \d{3})+)(?:[.,]\d++)?(?![ ]?\d)|\d++(?>(?:[.,']\d++)*))([.,]--?(?!\d))?"
    r"([^\d(),;\n\[]*+(?>(?:(?:(?<=\w)\(\w{1,3}\)|(?:(?<=/)|(?<=per ))\d[\d,.]*+|(?<=[a-z])[23]\b)[^\d(),;\n\[]*+)*))"
    r"(\d|,\s*+[^\W\d_]|\s*+\(\d++\)[ -]?+\d)?"
)
_NUMBER_NEARBY = re.compile(r"\D{0,40}+\d")
_LABEL = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?: ")  # more than two words are a sentence
# A rounded value or a bound counts as the value, as in tables that publish such values.
_ROUNDING_WORDS = (
    "about|around|approximately|approx.|roughly|some|nearly|almost|estimated|an estimated|over|under|above|below"
    "|more than|less than|fewer than|at least|at most|up to|ca.|ca|c.|circa|etwa|rund|ungefähr|über|unter|mehr als"
    "|weniger als|mindestens|bis zu|environ|plus de|moins de|près de|más de|menos de|unos|casi|oltre|quasi|più di"
    "|meno di|mais de"
)
_ROUNDING_PREFIXES = (*(f"{words} " for words in _ROUNDING_WORDS.split("|")), *"<= >= < > ~ ≈ ≤ ≥ ±".split())
_MAX_UNIT_CHARACTERS = 40
_RANGE_WORDS = frozenset(("-", "to", "bis", "and", "or", "und", "et", "y", "x", "by"))
_REMARK_WORDS = frozenset(("in", "as", "out", "est.", "-", "|"))  # "12 as of 2010": no unit follows
_NOT_UNITS = _RANGE_WORDS | _REMARK_WORDS | {"of", "for", "from", "at", "with", "von", "de", "di", "a", "the"}
# 6 ft 2 in, 5 h 30 min: the first number is only a part of the value.
_FIRST_OF_TWO_UNITS = frozenset("ft feet foot h hr hrs hour hours min mins lb lbs".split())
_RATE = re.compile(
    r"[^\W\d_][\w().-]*(?: [^\W\d_][\w().-]*)?(?:/| per )(?:\d[\d,.]* )?[^\W\d_][\w().-]*(?: [\w.-]+){0,2}"
)
_SYMBOL = re.compile(r"[A-Z][a-z]|[A-Z]{2,4}s?|[a-z]{1,3}-[a-z]{1,3}")


def read_section(texts: Sequence[str], locale: Locale) -> str:
    """Return the type of a section by its texts on sample pages: number, money, date, boolean, list or text.

    A section has a type if nearly all its texts begin with a value of that type, and numbers are of
    one kind: percentages, bare, measures, or counts of one thing. Texts such as `none` and
    `NA (2010)` are ignored.

    >>> read_section(["12 nm", "3 nm (1990)", "none"], Locale()), read_section(["yes", "no; see note"], Locale())
    ('number', 'boolean')
    >>> read_section(["coal, iron ore, tin", "fish"], Locale()), read_section(["coal, tin", "gold, tin, oil"], Locale())
    ('text', 'list')
    """
    present = [text for text in texts if not _says_nothing(text)]
    if not present:
        return "text"
    enough = _MIN_SHARE_OF_TYPE * len(present)
    for type_ in ("boolean", "date"):
        if sum(read_as(type_, text, locale) is not None for text in present) >= enough:
            return type_
    type_, count = _amounts_of_one_kind(present, locale)
    lists = are_lists(present)
    if count >= enough and not (lists and _list_different_things(present, locale)):
        return "text" if all(map(PHONE.fullmatch, present)) else type_
    return "list" if lists else "text"


def read_as(type_: str, text: str, locale: Locale) -> Value | tuple[Value | str, ...] | None:
    """Read a text of a section that has a type; None if it has no value of that type.

    >>> read_as("number", "643,801 sq km; 551,500 sq km (metropolitan)", Locale()), read_as("number", "NA", Locale())
    (Value(value=643801, unit='sq km'), None)
    >>> read_as("list", "coal, iron ore (little)", Locale()), read_as("list", "12 km\\n15 km", Locale())
    (('coal', 'iron ore (little)'), (Value(value=12, unit='km'), Value(value=15, unit='km')))
    """
    if type_ in ("number", "money"):
        found = read_leading_amount(text, locale)
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
    """Read an item that is a value and nothing else."""
    found = read_leading_amount(item, locale)
    if found is None or without_brackets(item) != item:
        return None
    rest = " ".join(words_beside(item))
    return found[1] if found[0] == "money" or rest in ("", found[1].unit, "%") else None


def _amounts_of_one_kind(texts: Sequence[str], locale: Locale) -> tuple[str, int]:
    """Return the type of the most common kind of amount that texts begin with, and the number of such texts."""
    kinds: Counter[tuple[str, str]] = Counter()
    for text in texts:
        found = read_leading_amount(text, locale)
        if found is not None:
            kinds[found[0], _kind(found[1].unit)] += 1
    if not kinds:
        return "text", 0
    (type_, common), _ = kinds.most_common(1)[0]
    alike = (n for (other, kind), n in kinds.items() if other == type_ and (type_ == "money" or _agree(kind, common)))
    return type_, sum(alike)


def _kind(unit: str | None) -> str:
    if not unit or unit == "%":
        return unit or ""
    return _ANY_KNOWN_UNIT if is_known(unit) else unit


def _agree(kind: str, common: str) -> bool:
    """Tell whether two kinds agree: a bare number agrees with any unit but a percentage."""
    if kind == common:
        return True
    if "%" in (kind, common) or _ANY_KNOWN_UNIT in (kind, common):
        return "" in (kind, common) and "%" not in (kind, common)
    return not kind or not common or same_unit(kind, common)


def _list_different_things(texts: Sequence[str], locale: Locale) -> bool:
    """Tell whether most texts list different things, so that the first number is not the value of the section.

    Items that only differ in their numbers, with years in brackets, are one thing measured repeatedly:
    the first counts.
    """
    return sum(_is_list_of_things(split_items(text), locale) for text in texts) > 0.5 * len(texts)


def _is_list_of_things(items: list[str], locale: Locale) -> bool:
    if len(items) < 2:
        return False
    numbers = sum(read_leading_amount(item, locale) is not None for item in items)
    if numbers < len(items):
        return 2 * numbers < len(items)
    same = len({words_beside(item) for item in items}) == 1
    dated = sum(_DATED.search(item) is not None for item in items)
    return not same or 2 * dated <= len(items)


def _says_nothing(text: str) -> bool:
    said = _head(text)
    return said.strip("$€£% ") in _SAYS_NOTHING if said else not text.strip()


def _head(text: str) -> str:
    """Fold what precedes the first bracket, comma or semicolon."""
    match = _HEAD.match(text.lstrip())
    head = match[0].strip() if match else ""
    return head if head.isascii() else fold(head)


def split_items(text: str) -> list[str]:
    """Split a text into items: at commas and semicolons outside brackets, or its lines if these are the items.

    >>> split_items("coal, iron ore (high grade, little), and fish; timber")
    ['coal', 'iron ore (high grade, little)', 'fish', 'timber']
    >>> split_items("first, with a comma\\nsecond"), split_items("coal, tin, iron ore, lead\\nfish, timber")
    (['first, with a comma', 'second'], ['coal', 'tin', 'iron ore', 'lead', 'fish', 'timber'])
    """
    if "\n" not in text:
        return _split_line(text)
    lines = [line for each in text.split("\n") if (line := each.strip())]
    items = [_split_line(line) for line in lines]
    return [item for line in items for item in line] if _are_parts_of_one_list(items) else lines


def _are_parts_of_one_list(lines: Sequence[Sequence[str]]) -> bool:
    """Tell whether lines go on with one list: they have several short items of one kind.

    Lines with the same number of items and no numbers are rows, such as `name, first name, town`.
    """
    items = [item for line in lines for item in line]
    if len(items) < max(_MIN_ITEMS_PER_LINE * len(lines), 1) or not _are_short_and_alike(items):
        return False
    return len({len(line) for line in lines}) > 1 or all(map(DIGIT.search, items))


def _split_line(text: str) -> list[str]:
    parts = _split_outside_brackets(text) if _opens(text) else _SEPARATOR.split(text)
    return [item for part in parts if (item := part.strip().removeprefix("and "))]


def without_brackets(text: str) -> str:
    """Remove what is in brackets."""
    for _ in range(_MAX_BRACKET_DEPTH):
        if not _opens(text):
            break
        text = _BRACKETS.sub("", text)
    return text.strip()


def are_lists(texts: Sequence[str]) -> bool:
    """Tell whether texts are lists: most have several items, and these are short and similar.

    Two parts in nearly every text are a pair, such as coordinates. Fails on prose with many commas and
    few words between them, which counts as a list.
    """
    counts = []
    items: list[str] = []
    for text in texts:
        found = split_items(text)
        counts.append(len(found))
        items.extend(found)
    if sum(count > 1 for count in counts) <= 0.5 * len(texts) or counts.count(2) >= _MAX_SHARE_OF_PAIRS * len(texts):
        return False
    lines = sum("\n" in text for text in texts)
    if lines > 0.5 * len(texts):
        return sum(map(len, items)) <= _MAX_MEAN_LINE_CHARACTERS * len(items)
    return _are_short_and_alike(items)


def _are_short_and_alike(items: Sequence[str]) -> bool:
    plain = [without_brackets(item) for item in items]
    short = sum(len(item.split()) <= _MAX_WORDS_PER_ITEM for item in plain)
    numbered = sum(DIGIT.search(item) is not None for item in plain) / len(items)
    return (
        short >= _MIN_SHARE_OF_SHORT_ITEMS * len(items)
        and not _MAX_SHARE_OF_ODD_ITEMS < numbered < 1 - _MAX_SHARE_OF_ODD_ITEMS
    )


@lru_cache(maxsize=256)
def words_beside(item: str) -> tuple[str, ...]:
    """Return the words of an item outside brackets, without numbers and their magnitudes.

    >>> words_beside("1.2 million km of road (paved 3%)"), words_beside("$900")
    (('km', 'of', 'road'), ())
    """
    words = without_brackets(item).split()
    return tuple(word for word in words if not (DIGIT.search(word) or exponent_of(word, money=True, attached=False)))


def _opens(text: str) -> bool:
    return "(" in text or "[" in text or "{" in text or "（" in text or "【" in text  # noqa: RUF001


def _split_outside_brackets(text: str) -> list[str]:
    """Split at separators outside brackets; if a bracket is never closed, inside as well."""
    parts, start, depth = [], 0, 0
    for match in _BOUNDARY.finditer(text):
        mark = match[0]
        if mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth = max(depth - 1, 0)
        elif not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    if depth:
        return _SEPARATOR.split(text)
    parts.append(text[start:])
    return parts


class _Lead(NamedTuple):
    """What precedes a number."""

    sign: str
    currency: str
    zero: str
    """Inserted before the digits of a number that begins with its decimal point."""


class _Tail(NamedTuple):
    """What follows a number and belongs to it."""

    exponent: int
    currency: str
    unit: str | None


_BARE = _Tail(0, "", None)


def read_leading_amount(text: str, locale: Locale) -> tuple[str, Value] | None:
    """Return `number` or `money` and the value that a text begins with; None if it begins with neither.

    >>> read_leading_amount("2.6% of GDP (2005 est.)", Locale()), read_leading_amount("$-5.3 billion (2010)", Locale())
    (('number', Value(value=2.6, unit='%')), ('money', Value(value=-5300000000.0, unit='USD')))
    >>> read_leading_amount("4101 Reservoir Road NW", Locale()), read_leading_amount("17-40 years of age", Locale())
    (None, None)
    """
    match = _AMOUNT.match(plain_head(text))
    if match is None:
        return None
    before, run, dashes, after, following = match.groups()
    lead = _read_lead(before)
    if lead is None:
        return None
    tail = _read_tail(after, bool(lead.currency), (following or "")[:1], locale.language[:2] == _CAPITAL_NOUNS)
    currency = None if tail is None else join_signs(lead.currency, tail.currency)
    if tail is None or currency is None:
        return None
    if dashes:
        run, currency = f"{run}{dashes[0]}00", currency or DASHES
    elif tail == _BARE and not currency and _is_code(run, lead.sign, following):
        return None
    number = read_digits(lead.zero + run, _find_decimal_mark(run, tail, currency, locale), tail.exponent)
    if number is None:
        return None
    return _with_unit(0 - number if lead.sign == "-" else number, tail.unit, currency, locale)  # never -0.0


def plain_head(text: str) -> str:
    """Fold the beginning of a text, as far as a value can reach; return `""` if no number is near."""
    head = text[:_MAX_VALUE_CHARACTERS].lstrip()
    if head.isascii():
        return head
    return fold(head) if _NUMBER_NEARBY.match(head) else ""  # folding is the expensive part


def _with_unit(number: float, unit: str | None, currency: str, locale: Locale) -> tuple[str, Value] | None:
    if not currency:
        return "number", Value(number, unit)
    code = code_of(currency, locale)
    if code:
        return "money", Value(number, code)
    return ("number", Value(number, currency)) if currency == CROWNS else None


def _find_decimal_mark(run: str, tail: _Tail, currency: str, locale: Locale) -> str:
    """Return the decimal mark: not that of the locale if it would split a whole count, or thousands of money."""
    if not tail.exponent and not run.isdecimal() and (run.endswith("000") if currency else is_counted(tail.unit or "")):
        return find_mark(run) or ("." if "," in run else ",")
    return locale.decimal


def _is_code(run: str, sign: str, following: str | None) -> bool:
    """Tell whether a number without a unit only identifies something: a house, a phone, an article."""
    if following is not None and not following.isdecimal():
        return True
    return (sign == "+" and " " in run) or (run.isdecimal() and len(run) >= MIN_CODE_DIGITS)


@lru_cache(maxsize=1024)  # few differ: signs, currencies, labels
def _read_lead(before: str) -> _Lead | None:
    """Read the sign and currency before a number; None if other words make it part of something else."""
    words = " ".join(before.split()) + " " * before[-1:].isspace()
    words = words.removeprefix(label[0]) if (label := _LABEL.match(words)) else words
    rounded = next((each for each in _ROUNDING_PREFIXES if words.lower().startswith(each)), "")
    words, zero = words[len(rounded) :].lstrip(), ""
    if words[-1:] == "." and not words[-2:-1].isalnum():
        words, zero = words[:-1], "0."
    said = read_before(words)
    return None if said.label else _Lead(said.sign, said.currency, zero)


@lru_cache(maxsize=4096)  # the same units recur; prose passes through
def _read_tail(after: str, money: bool, following: str, capitals: bool) -> _Tail | None:
    """Read which of the words after a number belong to it; None if they show that it is not a value.

    `money` says that a currency precedes the number, `following` is the character at which the words
    end if that is a digit or a comma, and `capitals` says that nouns begin with a capital.

    >>> _read_tail(" million bbl/day ", False, "", False), _read_tail("-", False, "5", False)
    (_Tail(exponent=6, currency='', unit='bbl/day'), None)
    """
    digit = following.isdecimal()
    if digit and after[-1:].strip():
        # The sign of the next value may precede the digit ("$12 $15"); otherwise it is one word: 12€50, 3x4.
        after, space, sign = after.rpartition(" ")
        if not space or not sign_of(sign, before=True):
            return None
    words = after.split()
    if not words:
        return None if digit and not money else _BARE
    if digit and words[-1].lower() in _RANGE_WORDS:
        return None
    said = read_after(_without_marks(after, alone=len(words) == 1 and not following), money=money)
    attached = said.tail[:1] not in ("", " ")
    if money or said.currency:
        return None if attached and said.tail[0] != "/" else _Tail(said.exponent, said.currency, None)
    return None if attached else _measured(said, digit=digit, capitals=capitals)


def _measured(said: After, *, digit: bool, capitals: bool) -> _Tail | None:
    """Read the magnitude and unit of a number that is not money."""
    unit, rest = said.unit, said.tail.strip()
    if unit == "in" and (rest or digit):  # the word, not inches
        return _Tail(said.exponent, "", None)
    if unit:
        return None if _is_not_a_unit(unit, rest, digit=digit) else _Tail(said.exponent, "", unit)
    if not rest or rest.split()[0] in _REMARK_WORDS:
        return _Tail(said.exponent, "", None)
    unknown = _read_unit(rest, capitals=capitals)
    if (unknown is None and not (said.exponent and rest[0].islower())) or (digit and rest >= FIRST_OF_CJK):
        return None
    return _Tail(said.exponent, "", unknown)


def _without_marks(after: str, *, alone: bool) -> str:
    """Remove footnote marks, the plus of "1,000+" and the full stop from the words after a number."""
    if after[0] in "+*†":
        after = after[1:]
    if alone:
        after = after.rstrip(" .:*†")
    return after.replace("per cent", "percent")


def _is_not_a_unit(unit: str, rest: str, *, digit: bool) -> bool:
    """Tell whether a known unit is not one here: in a title ("12 Years a Slave"), a place (46 N), a time ago."""
    titled = rest != "" and not is_measure(unit) and unit[0].isupper()
    parted = digit and not rest and unit.lower() in _FIRST_OF_TWO_UNITS
    return titled or parted or unit == "N" or is_relative(rest)


def _read_unit(words: str, *, capitals: bool) -> str | None:
    """Return words after a number as its unit, though none is a known one; else None."""
    first, *others = words.split()
    if first in UNIT_PREFIXES and others:
        return f"{first} {others[0].rstrip('.:')}"
    words = words.rstrip(".:- ")
    if len(words) > _MAX_UNIT_CHARACTERS or first.lower() in _NOT_UNITS:
        return None
    if _RATE.fullmatch(words):
        return words
    small = not words[:1].isupper() or (capitals and not others) or _SYMBOL.fullmatch(words)
    return words if small and may_be_unit(words) else None
