"""The value that a text begins with, whatever follows it: `12 nm (2010)`, `$2.1 trillion in all; see the note`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.amounts import read_before
from webquarry.values.currencies import DASHES, code_of, join_signs
from webquarry.values.dates import read_leading_date
from webquarry.values.digits import find_mark, read_digits
from webquarry.values.folding import fold
from webquarry.values.locale import Locale
from webquarry.values.numbers import CROWNS
from webquarry.values.tails import BARE, Tail, read_tail
from webquarry.values.units import is_counted
from webquarry.values.value import Value

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
