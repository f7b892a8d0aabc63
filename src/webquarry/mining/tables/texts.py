"""What kind of text a text is, at a glance."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\s*[-/\u2013]\s*\d{2,4})?")
_LETTERS = re.compile(r"[^\W\d_]")


def is_number_like(text: str) -> bool:
    """Whether a text is mostly digits, and begins with no letter: a number, an amount, a date in figures.

    >>> [is_number_like(text) for text in ("1,234", "$12", "12 km", "2-1", "Apollo 11", "EN57", "")]
    [True, True, True, True, False, False, False]
    """
    digits = len(_DIGITS.findall(text))
    return digits > 0 and digits >= len(_LETTERS.findall(text)) and _LETTERS.match(text) is None


def has_digit(text: str) -> bool:
    """Whether there is a digit in a text."""
    return _DIGITS.search(text) is not None


def is_year(text: str) -> bool:
    """Whether a text is a year, or a span of years.

    >>> [is_year(text) for text in ("1998", "2009-10", "3000", "12")]
    [True, True, False, False]
    """
    return _YEAR.fullmatch(text) is not None
