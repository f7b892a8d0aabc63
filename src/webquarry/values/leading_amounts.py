"""The value that a text begins with, whatever follows it: `12 nm (2010)`, `$2.1 trillion in all; see the note`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.amounts import After, exponent_of, read_after, read_before
from webquarry.values.column_values import CROWNS
from webquarry.values.currencies import DASHES, code_of, join_signs, sign_of
from webquarry.values.dates import read_leading_date
from webquarry.values.locale import Locale, find_mark, read_digits
from webquarry.values.text_value import Value, fold
from webquarry.values.units import OF_POWERS, is_counted, is_measure, is_relative, may_be_unit

# MERGED values/tails: What the words after the first number of a text make of it: a magnitude, a currency, a
_LONGEST_UNIT = 40  # characters
_FIRST_OF_CJK = "\u2e80"
_RANGE = frozenset(("-", "to", "bis", "and", "or", "und", "et", "y", "x", "by"))
_SET_APART = frozenset(("in", "as", "out", "est.", "-", "|"))  # "12 as of 2010": what follows is no unit
_NO_UNITS = _RANGE | _SET_APART | {"of", "for", "from", "at", "with", "von", "de", "di", "a", "the"}
# 6 ft 2 in, 5 h 30 min: the first unit is half of a value.
_PARTED = frozenset("ft feet foot h hr hrs hour hours min mins lb lbs".split())
_RATE = re.compile(
    r"[^\W\d_][\w().-]*(?: [^\W\d_][\w().-]*)?(?:/| per )(?:\d[\d,.]* )?[^\W\d_][\w().-]*(?: [\w.-]+){0,2}"
)
_SYMBOL = re.compile(r"[A-Z][a-z]|[A-Z]{2,4}s?|[a-z]{1,3}-[a-z]{1,3}")


class Tail(NamedTuple):
    """What follows a number and belongs to it."""

    exponent: int
    currency: str
    unit: str | None


BARE = Tail(0, "", None)
"""Of a number alone."""


@lru_cache(maxsize=4096)  # the same units again and again; prose passes through
def read_tail(after: str, money: bool, following: str, capitals: bool) -> Tail | None:
    """What belongs to a number of the words after it; None when they show that it is no value.

    It is `money` when a currency stands before the number; `following` is the character at which the words end, if
    that is a digit or a comma; `capitals` tells whether nouns begin with one.

    >>> read_tail(" million bbl/day ", False, "", False), read_tail("-", False, "5", False)
    (Tail(exponent=6, currency='', unit='bbl/day'), None)
    """
    digit = following.isdecimal()
    if digit and after[-1:].strip():
        head, space, sign = after.rpartition(" ")  # of the next value: "$12 $15"; else digits in one word: 12€50, 3x4
        if not space or not sign_of(sign, before=True):
            return None
        after = head
    words = after.split()
    if not words:
        return None if digit and not money else BARE
    if digit and words[-1].lower() in _RANGE:
        return None
    said = read_after(_without_marks(after, alone=len(words) == 1 and not following), money=money)
    attached = said.tail[:1] not in ("", " ")
    if money or said.currency:
        return None if attached and said.tail[0] != "/" else Tail(said.exponent, said.currency, None)
    return None if attached else _measured(said, digit=digit, capitals=capitals)


def _measured(said: After, *, digit: bool, capitals: bool) -> Tail | None:
    """The magnitude and the unit of a number that is no money."""
    unit, rest = said.unit, said.tail.strip()
    if unit == "in" and (rest or digit):  # the word, not inches
        return Tail(said.exponent, "", None)
    if unit:
        return None if _is_no_unit(unit, rest, digit=digit) else Tail(said.exponent, "", unit)
    if not rest or rest.split()[0] in _SET_APART:
        return Tail(said.exponent, "", None)
    unknown = _read_unit(rest, capitals=capitals)
    if (unknown is None and not (said.exponent and rest[0].islower())) or (digit and rest >= _FIRST_OF_CJK):
        return None
    return Tail(said.exponent, "", unknown)


def _without_marks(after: str, *, alone: bool) -> str:
    """The words after a number without marks of footnotes, the plus of "1,000+" and the stop of the sentence."""
    if after[0] in "+*†":
        after = after[1:]
    if alone:
        after = after.rstrip(" .:*†")
    return after.replace("per cent", "percent")


def _is_no_unit(unit: str, rest: str, *, digit: bool) -> bool:
    """Whether a known unit is none here: part of a title ("12 Years a Slave"), of a place (46 N), of a time ago."""
    titled = rest != "" and not is_measure(unit) and unit[0].isupper()
    parted = digit and not rest and unit.lower() in _PARTED
    return titled or parted or unit == "N" or is_relative(rest)


def _read_unit(words: str, *, capitals: bool) -> str | None:
    """The unit that words after a number are, though none of them is known to be one; else None."""
    first, *others = words.split()
    if first in OF_POWERS and others:
        return f"{first} {others[0].rstrip('.:')}"
    words = words.rstrip(".:- ")
    if len(words) > _LONGEST_UNIT or first.lower() in _NO_UNITS:
        return None
    if _RATE.fullmatch(words):
        return words
    small = not words[:1].isupper() or (capitals and not others) or _SYMBOL.fullmatch(words)
    return words if small and may_be_unit(words) else None


_LOOKED_AT = 120  # characters: a value with its label and unit is shorter
_CAPITAL_NOUNS = "de"  # where what is counted begins with a capital
_CODE_DIGITS = 10  # without a mark: numbers so long are phones, books or articles
# Possessive throughout, so that prose is given up at once.  The words after a number end where a bracket, a comma,
# a semicolon, a line or another number begins; in "male(s)/female", "deaths/1,000 live births" and "m3" none does.
_AMOUNT = re.compile(
    r"(\D{0,24}+)"
    r"(\d{1,3}(?>(?: \d{3})+)(?:[.,]\d++)?(?![ ]?\d)|\d++(?>(?:[.,']\d++)*))([.,]--?(?!\d))?"
    r"([^\d(),;\n\[]*+(?>(?:(?:(?<=\w)\(\w{1,3}\)|(?:(?<=/)|(?<=per ))\d[\d,.]*+|(?<=[a-z])[23]\b)[^\d(),;\n\[]*+)*))"
    r"(\d|,\s*+[^\W\d_]|\s*+\(\d++\)[ -]?+\d)?"
)
_NEAR = re.compile(r"\D{0,40}+\d")
_LABEL = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?: ")  # one word or two: more are a sentence
# A rounded value or a bound is taken as the value, as those who publish tables of such values do; its text says more.
_WORDS_BEFORE = (
    "about|around|approximately|approx.|roughly|some|nearly|almost|estimated|an estimated|over|under|above|below"
    "|more than|less than|fewer than|at least|at most|up to|ca.|ca|c.|circa|etwa|rund|ungefähr|über|unter|mehr als"
    "|weniger als|mindestens|bis zu|environ|plus de|moins de|près de|más de|menos de|unos|casi|oltre|quasi|più di"
    "|meno di|mais de"
)
_ROUNDED = (*(f"{words} " for words in _WORDS_BEFORE.split("|")), "<=", ">=", "<", ">", "~", "≈", "≤", "≥", "±")


class _Lead(NamedTuple):
    sign: str
    currency: str
    zero: str
    """What to put before the digits of a number that begins with its point."""


def read_leading(text: str, locale: Locale) -> tuple[str, Value] | None:
    """The type (`number`, `money` or `date`) and the value that the text begins with; None when it begins with none.

    A percentage is a number with the unit `%`, whatever it is a share of.  A label of one or two words with a colon
    may stand first, and words such as "about" and "less than", which do not change the value.

    >>> read_leading("2.6% of GDP (2005 est.)", Locale()), read_leading("$-53.29 billion (2010)", Locale())
    (('number', Value(value=2.6, unit='%')), ('money', Value(value=-53290000000.0, unit='USD')))
    >>> read_leading("4101 Reservoir Road NW", Locale()), read_leading("17-40 years of age", Locale())
    (None, None)
    """
    head = plain_head(text)
    amount = read_leading_amount(head, locale)
    if amount is not None:
        return amount
    date = read_leading_date(head, locale)
    return None if date is None else ("date", date)


def plain_head(text: str) -> str:
    """The beginning of a text in plain characters, as far as a value can reach; nothing when it has no number."""
    head = text[:_LOOKED_AT].lstrip()
    if head.isascii():
        return head
    return fold(head) if _NEAR.match(head) else ""  # folding costs more than all the rest


def read_leading_amount(head: str, locale: Locale) -> tuple[str, Value] | None:
    """The number or the money that a plain text begins with; None when it begins with none."""
    match = _AMOUNT.match(head)
    if match is None:
        return None
    before, run, dashes, after, following = match.groups()
    lead = _read_lead(before)
    if lead is None:
        return None
    tail = read_tail(after, bool(lead.currency), (following or "")[:1], locale.language[:2] == _CAPITAL_NOUNS)
    currency = None if tail is None else join_signs(lead.currency, tail.currency)
    if tail is None or currency is None:
        return None
    if dashes:
        run, currency = f"{run}{dashes[0]}00", currency or DASHES
    elif tail == BARE and not currency and _is_code(run, lead.sign, following):
        return None
    number = read_digits(lead.zero + run, _find_mark(run, tail, currency, locale), tail.exponent)
    if number is None:
        return None
    return _with_unit(0 - number if lead.sign == "-" else number, tail.unit, currency, locale)  # never -0.0


def _with_unit(number: float, unit: str | None, currency: str, locale: Locale) -> tuple[str, Value] | None:
    if not currency:
        return "number", Value(number, unit)
    code = code_of(currency, locale)
    if code:
        return "money", Value(number, code)
    return ("number", Value(number, currency)) if currency == CROWNS else None


def _find_mark(run: str, tail: Tail, currency: str, locale: Locale) -> str:
    """The decimal mark, which is the other one where the locale's would part what comes whole, or noughts."""
    if not tail.exponent and not run.isdecimal() and (run.endswith("000") if currency else is_counted(tail.unit or "")):
        return find_mark(run) or ("." if "," in run else ",")
    return locale.decimal


def _is_code(run: str, sign: str, following: str | None) -> bool:
    """Whether a number without a unit only names something: a house, a phone, an article."""
    if following is not None and not following.isdecimal():
        return True
    return (sign == "+" and " " in run) or (run.isdecimal() and len(run) >= _CODE_DIGITS)


@lru_cache(maxsize=1024)  # few differ: signs, currencies, labels
def _read_lead(before: str) -> _Lead | None:
    """The sign and the currency before a number; None when words stand there that make it part of something else."""
    words = " ".join(before.split()) + " " * before[-1:].isspace()
    words = words.removeprefix(label[0]) if (label := _LABEL.match(words)) else words
    rounded = next((each for each in _ROUNDED if words.lower().startswith(each)), "")
    words, zero = words[len(rounded) :].lstrip(), ""
    if words[-1:] == "." and not words[-2:-1].isalnum():
        words, zero = words[:-1], "0."
    said = read_before(words)
    return None if said.label else _Lead(said.sign, said.currency, zero)


# MERGED values/items: Texts that list several things, and the items in them.
_SEPARATOR = re.compile(r"[,;](?:\s+|$)|[、，；]\s*| [|•·] ")  # noqa: RUF001 - in their own scripts
_BOUNDARY = re.compile(r"[(\[{（【]|[)\]}）】]|" + _SEPARATOR.pattern)  # noqa: RUF001
_OPENING = frozenset("([{（【")  # noqa: RUF001
_CLOSING = frozenset(")]}）】")  # noqa: RUF001
_BRACKETS = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_DEEPEST = 3  # brackets in brackets
_DIGIT = re.compile(r"\d")

_FEW_WORDS = 4  # of an item outside brackets; clauses of a sentence have more
_LONGEST_LINE = 120  # characters, on the average; lines of a paragraph are longer
_MOST = 0.5
# Of all items: in the lists of a fact book at least .83 are so short, in its prose at most .74.
_SHORT = 0.8
_PAIRS = 0.8  # of the texts
_ALIKE = 0.25  # items with digits: nearly none or nearly all of a list; some are an address


def split_items(text: str) -> list[str]:
    """The items of a text: its lines, or else what commas and semicolons part outside brackets.

    >>> split_items("coal, iron ore (high grade, little), and fish; timber")
    ['coal', 'iron ore (high grade, little)', 'fish', 'timber']
    >>> split_items("first, with a comma\\nsecond")
    ['first, with a comma', 'second']
    """
    if "\n" in text:
        return [line for each in text.split("\n") if (line := each.strip())]
    parts = _split_outside_brackets(text) if _opens(text) else _SEPARATOR.split(text)
    return [item for part in parts if (item := part.strip().removeprefix("and "))]


def without_brackets(text: str) -> str:
    """The text without what stands in brackets."""
    for _ in range(_DEEPEST):
        if not _opens(text):
            break
        text = _BRACKETS.sub("", text)
    return text.strip()


def are_lists(texts: Sequence[str]) -> bool:
    """Whether texts are lists: most have several items, and these are short and alike.

    Two parts in nearly every text are a pair, such as coordinates.  Prose with many commas and few words between
    them is taken for a list.
    """
    counts = []
    items: list[str] = []
    for text in texts:
        found = split_items(text)
        counts.append(len(found))
        items.extend(found)
    if sum(count > 1 for count in counts) <= _MOST * len(texts) or counts.count(2) >= _PAIRS * len(texts):
        return False
    lines = sum("\n" in text for text in texts)
    if lines > _MOST * len(texts):
        return sum(map(len, items)) <= _LONGEST_LINE * len(items)
    plain = [without_brackets(item) for item in items]
    short = sum(len(item.split()) <= _FEW_WORDS for item in plain)
    numbered = sum(_DIGIT.search(item) is not None for item in plain) / len(items)
    return short >= _SHORT * len(items) and not _ALIKE < numbered < 1 - _ALIKE


@lru_cache(maxsize=256)
def words_beside(item: str) -> tuple[str, ...]:
    """What an item says beside numbers and their magnitudes, outside brackets.

    >>> words_beside("1.2 million km of road (paved 3%)"), words_beside("$900")
    (('km', 'of', 'road'), ())
    """
    words = without_brackets(item).split()
    return tuple(word for word in words if not (_DIGIT.search(word) or exponent_of(word, money=True, attached=False)))


def _opens(text: str) -> bool:
    return "(" in text or "[" in text or "{" in text or "（" in text or "【" in text  # noqa: RUF001


def _split_outside_brackets(text: str) -> list[str]:
    """The parts between separators; when a bracket is never closed, also those within it."""
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
