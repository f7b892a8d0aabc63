"""What the words after the first number of a text make of it: a magnitude, a currency, a unit, or no value at all."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.values.amounts import After, read_after
from webquarry.values.currencies import sign_of
from webquarry.values.units import OF_POWERS, is_measure, is_relative, may_be_unit

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
