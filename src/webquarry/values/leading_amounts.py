"""Read the number or money that a text begins with, whatever follows: `12 nm (2010)`, `$2.1 trillion in all`.

A percentage is a number with the unit `%`. A label of one or two words with a colon may come first,
and words such as "about" and "less than", which do not change the value.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.amounts import FIRST_OF_CJK, MIN_CODE_DIGITS, After, read_after, read_before
from webquarry.values.currencies import CROWNS, DASHES, code_of, join_signs, sign_of
from webquarry.values.locale import Locale, find_mark, read_digits
from webquarry.values.text_value import Value, fold
from webquarry.values.units import UNIT_PREFIXES, is_counted, is_measure, is_relative, may_be_unit

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
