"""Take a text with one number apart: what precedes the number, its digits, what follows it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.text_value import fold
from webquarry.values.units import DASHES, join_signs, may_be_unit, sign_of, unit_of

MIN_CODE_DIGITS = 10
"""Longer numbers without a mark are phone numbers, ISBNs or article numbers."""
FIRST_OF_CJK = "\u2e80"
_MAX_WORDS_CHARACTERS = 40  # before or after a number: a label or a unit, not a sentence
_MIN_PHONE_DIGITS = 8  # after a plus, without a mark
# Possessive throughout, so that each text is scanned once. Groups are atomic instead: early releases of
# Python 3.11 match them wrongly when they are repeated possessively.
_PARTS = re.compile(r"(\D*+)(\d++(?>(?:[.,' ]\d++)*))(\D*+(?:(?<=[a-z])[23])?)")
_EURO_WITHIN = re.compile(r"(\d++(?>(?:[ .]\d{3})*)) ?€ ?(\d\d)")  # 12€50
_HOURS_AND_MINUTES = re.compile(
    r"\d+ ?(?:d|h|hrs?|hours?|heures?|horas?|ore|uur|std|ч)\.? ?\d\d? ?(?:h|m|mins?|minut\w*|мин)?\.?", re.IGNORECASE
)
_NO_CENTS = re.compile(r"[.,:]--?")
_SIGNS = frozenset("+-")

_MAGNITUDES = {
    3: "thousand thousands tausend tsd tsd. tys tys. тыс тыс.",
    4: "万 萬 만",
    5: "lakh lakhs lac lacs",
    6: "million millions mn mln mln. mio mio. millionen millones millón milioni milione milhões milhão miljoen miljoner"
    " miljon millioner mill. milionów miliony milion млн млн.",
    7: "crore crores",
    8: "亿 億 억",
    9: "billion billions bn bln mrd mrd. milliarden milliarde milliard milliards miliardi miliardo mld mld. md mds"
    " miljard miljarder milliarder mia. miliardów miliardy млрд млрд.",
    12: "trillion trillions tn billionen",
}
_EXPONENTS = {word: exponent for exponent, words in _MAGNITUDES.items() for word in words.split()}
_MAGNITUDE_SIGNS = frozenset("万萬만亿億억")  # no space follows them: 2340万次
_LETTERS = {"k": 3, "K": 3, "M": 6}
_MONEY_LETTERS = _LETTERS | {"m": 6, "b": 9, "B": 9, "T": 12, "L": 5}
_MONEY_WORDS = {"cr": 7, "cr.": 7}  # credits, where it is not money


class Amount(NamedTuple):
    """The parts of a text with one number in it."""

    run: str
    """The digits and the marks between them, as written."""
    negative: bool
    exponent: int
    currency: str
    """A code, or a sign that several currencies share; empty if the number is not money."""
    unit: str
    label: str
    """Unknown words before the number, with the space that separates them."""
    tail: str
    """Unknown words after the number, with the space that separates them."""
    form: str
    """`(` for a number in parentheses, `.` for one with a full stop, else empty."""


class Before(NamedTuple):
    """What precedes a number."""

    sign: str
    currency: str
    label: str


class After(NamedTuple):
    """What follows a number."""

    exponent: int
    currency: str
    unit: str
    tail: str


def take_apart(text: str) -> Amount | None:
    """Split a folded text; None if it has no number, several numbers or too many words.

    >>> take_apart("from -$1,299.00 each")
    Amount(run='1,299.00', negative=True, exponent=0, currency='$', unit='', label='from ', tail=' each', form='')
    """
    if text.isdecimal():
        return Amount(text, False, 0, "", "", "", "", "")
    match = _PARTS.fullmatch(text)
    if match is None:
        inner = _EURO_WITHIN.fullmatch(text)
        return Amount(f"{inner[1]},{inner[2]}", False, 0, "EUR", "", "", "", "") if inner else None
    words_before, run, words_after = match[1], match[2], match[3]
    if len(words_before) > _MAX_WORDS_CHARACTERS or len(words_after) > _MAX_WORDS_CHARACTERS:
        return None
    form = ""
    if words_after and words_before and words_after[-1] == ")" and "(" in words_before:
        form, words_after = "(", words_after[:-1].rstrip()
        head, _, rest = words_before.rpartition("(")
        words_before = head + rest
    if words_before[-1:] == "." and (len(words_before) == 1 or words_before[-2] in _SIGNS) and run.isdecimal():
        words_before, run = words_before[:-1], f"0.{run}"
    if _NO_CENTS.match(words_after):  # 1.299,- tells which mark is the decimal one
        run += words_after[0].replace(":", ",") + "00"
    if words_after == "." and run.isdecimal():
        form, words_after = form + ".", ""
    before = read_before(words_before)
    if before.sign == "+" and (" " in run or (run.isdecimal() and len(run) >= _MIN_PHONE_DIGITS)):
        return None
    after = read_after(words_after, money=bool(before.currency))
    currency = join_signs(before.currency, after.currency)
    if currency is None:
        return None
    is_booked = form == "(" and currency != "" and not before.label and not after.tail  # ($12) is a loss
    negative = before.sign == "-" or is_booked
    return Amount(run, negative, after.exponent, currency, after.unit, before.label, after.tail, form)


def unit_in(text: str) -> str:
    """Return what the only number of a text counts or measures, if it begins the text; else an empty string.

    >>> unit_in("62,4 m²"), unit_in("3 pièces"), unit_in("2 h 30"), unit_in("Room 3"), unit_in("$12 off")
    ('m²', 'pièces', 'h', '', '')
    """
    amount = take_apart(fold(text)) if len(text) <= _MAX_WORDS_CHARACTERS else None
    if amount is None and _HOURS_AND_MINUTES.fullmatch(text):
        return "h"
    if amount is None or amount.currency or amount.label.strip(" (~<>≈"):
        return ""
    words = amount.tail.strip(" )")
    return amount.unit or (words if may_be_unit(words) else "")


@lru_cache(maxsize=1024)  # the texts of a column have few: signs, units, labels
def read_before(before: str) -> Before:
    """Read a label, then a sign and a currency in either order."""
    if not before:
        return Before("", "", "")
    sign, words = "", before
    # A dash followed by a space is a separator, not a minus: "Price - 5", " - 38k".
    if words[-1] in _SIGNS:
        sign, words = words[-1], words[:-1]
    stripped = words.rstrip()
    start = max(stripped.rfind(" "), stripped.rfind(":"), stripped.rfind("\n")) + 1
    label, word = stripped[:start].rstrip(), stripped[start:]
    if not sign and len(word) > 1 and word[0] in _SIGNS:
        sign, word = word[0], word[1:]
    currency = sign_of(word, before=True)
    if not currency:
        return Before(sign, "", words)
    named = sign_of(label, before=True) or sign_of(label + word, before=True)  # CAD $ 12, US $ 12
    return Before(sign, named or currency, label + " " if label and not named else "")


@lru_cache(maxsize=1024)
def read_after(after: str, *, money: bool) -> After:
    """Read a magnitude, then a currency or a unit, then other words."""
    currency = ""
    dashes = _NO_CENTS.match(after)
    if dashes:
        currency, after = "" if money else DASHES, after[dashes.end() :]
        money = True
    attached = after[:1] not in (" ", "\n")
    rest = after.lstrip()
    word = rest[0] if rest[:1] in _MAGNITUDE_SIGNS else _first_word(rest)
    exponent = exponent_of(word, money=money, attached=attached)
    if exponent:
        rest, attached = rest[len(word) :].lstrip(), False
        word = _first_word(rest)
    if not word:
        return After(exponent, currency, "", "")
    two_words = " ".join(rest.split(None, 2)[:2])  # 12 $ US
    for name in (two_words, word, word.partition("/")[0].rstrip(",;*~～")):  # noqa: RUF001 - as after Japanese prices
        if sign := sign_of(name, before=False):
            return After(exponent, sign, "", _set_apart(rest[len(name) :]))
    if unit := unit_of(word, attached=attached):
        return After(exponent, currency, unit, _set_apart(rest[len(word) :]))
    return After(exponent, currency, "", rest if attached and rest < FIRST_OF_CJK else " " + rest)


def exponent_of(word: str, *, money: bool, attached: bool) -> int:
    """Return the power of ten that a word after a number stands for; 0 if none.

    A letter must touch its number (300 K is a temperature), and `m` and `B` only count with a
    currency (otherwise they are metres and bytes).
    """
    if len(word) == 1 and word.isascii():
        return (_MONEY_LETTERS if money else _LETTERS).get(word, 0) if attached or money else 0
    small = word.lower()
    return _EXPONENTS.get(word) or _EXPONENTS.get(small) or (_MONEY_WORDS.get(small, 0) if money else 0)


def _first_word(text: str) -> str:
    return text.split(None, 1)[0] if text else ""


def _set_apart(words: str) -> str:
    return words and " " + words.strip()
