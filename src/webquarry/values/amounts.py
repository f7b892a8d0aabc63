"""One number in a text, taken apart: what stands before it, its digits, what stands after it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.currencies import DASHES, join_signs, sign_of
from webquarry.values.units import unit_of

# MERGED values/magnitudes: Words and letters that multiply the number before them.
_WORDS = {
    3: "thousand thousands tausend tsd tsd. tys tys. тыс тыс.",
    4: "万 萬 만",
    5: "lakh lakhs",
    6: "million millions mn mln mln. mio mio. millionen millones millón milioni milione milhões milhão miljoen miljoner"
    " miljon millioner mill. milionów miliony milion млн млн.",
    7: "crore crores",
    8: "亿 億 억",
    9: "billion billions bn bln mrd mrd. milliarden milliarde milliard milliards miliardi miliardo mld mld. md mds"
    " miljard miljarder milliarder mia. miliardów miliardy млрд млрд.",
    12: "trillion trillions tn billionen",
}
_EXPONENTS = {word: exponent for exponent, words in _WORDS.items() for word in words.split()}
_LETTERS = {"k": 3, "K": 3, "M": 6}
_MONEY_LETTERS = _LETTERS | {"m": 6, "b": 9, "B": 9, "T": 12}


def exponent_of(word: str, *, money: bool, attached: bool) -> int:
    """The power of ten that a word after a number stands for; 0 when it is no such word.

    A letter must touch its number (300 K is a temperature), and `m` and `B` count beside a currency only
    (elsewhere they are metres and bytes).
    """
    if len(word) == 1 and word.isascii():
        return (_MONEY_LETTERS if money else _LETTERS).get(word, 0) if attached or money else 0
    return _EXPONENTS.get(word) or _EXPONENTS.get(word.lower(), 0)


_LONGEST_WORDS = 40  # characters before or after a number: a label or a unit, not a sentence
# Possessive throughout: a text is passed over once, whatever stands in it.  Groups are atomic instead: early
# releases of Python 3.11 match them wrongly when they are repeated possessively.
_PARTS = re.compile(r"(\D*+)(\d++(?>(?:[.,' ]\d++)*))(\D*+(?:(?<=[a-z])[23])?)")
_SIGN_WITHIN = re.compile(r"(\d++(?>(?:[ .]\d{3})*)) ?€ ?(\d\d)")  # 12€50
_NO_CENTS = re.compile(r"[.,]--?")
_SIGNS = frozenset("+-")
_PHONE_DIGITS = 8  # from so many after a plus on, without a mark, it is dialled
_FIRST_OF_CJK = "\u2e80"


class Amount(NamedTuple):
    """The parts of a text with one number in it."""

    run: str
    """The digits and the marks between them, as written."""
    negative: bool
    exponent: int
    currency: str
    """A code, or a sign that several currencies share; empty for a number that is no money."""
    unit: str
    label: str
    """Words before the number that are not understood; they end with a space when they stood apart."""
    tail: str
    """Words after it that are not understood; they begin with a space when they stood apart."""
    form: str
    """`(` for a number in parentheses, `.` for one with a full stop, else empty."""


class Before(NamedTuple):
    """What stands before a number."""

    sign: str
    currency: str
    label: str


class After(NamedTuple):
    """What stands after a number."""

    exponent: int
    currency: str
    unit: str
    tail: str


_NOTHING_BEFORE = Before("", "", "")
_NOTHING_AFTER = After(0, "", "", "")


def take_apart(text: str) -> Amount | None:
    """The parts of a folded text; None when it has no number, several, or too many words.

    >>> take_apart("from -$1,299.00 each")
    Amount(run='1,299.00', negative=True, exponent=0, currency='$', unit='', label='from ', tail=' each', form='')
    """
    if text.isdecimal():
        return Amount(text, False, 0, "", "", "", "", "")
    match = _PARTS.fullmatch(text)
    if match is None:
        inner = _SIGN_WITHIN.fullmatch(text)
        return Amount(f"{inner[1]},{inner[2]}", False, 0, "EUR", "", "", "", "") if inner else None
    before, run, after = match[1], match[2], match[3]
    if len(before) > _LONGEST_WORDS or len(after) > _LONGEST_WORDS:
        return None
    form = ""
    if after and before and after[-1] == ")" and "(" in before:
        form, after = "(", after[:-1].rstrip()
        head, _, rest = before.rpartition("(")
        before = head + rest
    if before[-1:] == "." and (len(before) == 1 or before[-2] in _SIGNS) and run.isdecimal():
        before, run = before[:-1], f"0.{run}"
    if _NO_CENTS.match(after):  # 1.299,- tells which mark is the decimal one
        run += after[0] + "00"
    if after == "." and run.isdecimal():
        form, after = form + ".", ""
    return _join(run, read_before(before), after, form)


def _join(run: str, before: Before, after: str, form: str) -> Amount | None:
    if before.sign == "+" and (" " in run or (run.isdecimal() and len(run) >= _PHONE_DIGITS)):
        return None
    behind = read_after(after, money=bool(before.currency))
    currency = join_signs(before.currency, behind.currency)
    if currency is None:
        return None
    negative = before.sign == "-" or (form == "(" and currency != "")
    return Amount(run, negative, behind.exponent, currency, behind.unit, before.label, behind.tail, form)


@lru_cache(maxsize=1024)  # the texts of a column have few: signs, units, labels
def read_before(before: str) -> Before:
    """A sign, a currency and a label, in whatever order signs and currencies stand."""
    if not before:
        return _NOTHING_BEFORE
    sign, words = "", before
    # A dash with a space after it parts the number from what stood before it: "Price - 5", " - 38k".
    if words[-1] in _SIGNS:
        sign, words = words[-1], words[:-1]
    stripped = words.rstrip()
    place = max(stripped.rfind(" "), stripped.rfind(":"), stripped.rfind("\n")) + 1
    label, word = stripped[:place].rstrip(), stripped[place:]
    if not sign and len(word) > 1 and word[0] in _SIGNS:
        sign, word = word[0], word[1:]
    currency = sign_of(word, before=True)
    if not currency:
        return Before(sign, "", words)
    named = sign_of(label, before=True) or sign_of(label + word, before=True)  # CAD $ 12, US $ 12
    return Before(sign, named or currency, label + " " if label and not named else "")


@lru_cache(maxsize=1024)
def read_after(after: str, *, money: bool) -> After:
    """A magnitude, then a currency or a unit, then words."""
    if not after:
        return _NOTHING_AFTER
    currency = ""
    dashes = _NO_CENTS.match(after)
    if dashes:
        currency, after = "" if money else DASHES, after[dashes.end() :]
        money = True
    attached = after[:1] not in (" ", "\n")
    rest = after.lstrip()
    word = rest.split(None, 1)[0] if rest else ""
    exponent = exponent_of(word, money=money, attached=attached) if word else 0
    if exponent:
        rest, attached = rest[len(word) :].lstrip(), False
        word = rest.split(None, 1)[0] if rest else ""
    if not word:
        return After(exponent, currency, "", "")
    return _read_unit(rest, word, exponent, currency, attached=attached)


def _read_unit(rest: str, word: str, exponent: int, currency: str, *, attached: bool) -> After:
    for name in (word, word.partition("/")[0].rstrip(",;*")):
        if sign := sign_of(name, before=False):
            return After(exponent, sign, "", _apart(rest[len(name) :]))
    if unit := unit_of(word, attached=attached):
        return After(exponent, currency, unit, _apart(rest[len(word) :]))
    return After(exponent, currency, "", rest if attached and rest < _FIRST_OF_CJK else " " + rest)


def _apart(words: str) -> str:
    return words and " " + words.strip()
