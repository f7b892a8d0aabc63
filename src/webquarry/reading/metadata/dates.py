"""Dates as pages state them, in ISO 8601."""

from __future__ import annotations

import re
from datetime import date, datetime

from webquarry.values.dates import read_dates, read_leading_date
from webquarry.values.folding import fold
from webquarry.values.locale import Locale

_YEARS = range(1000, 2200)
_NO_DATE = "1970-01-01"
"""What programs write when they do not know."""
_DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?!\d)")
_LOOSE_ZONE = re.compile(r"(?<=:\d\d)\s+(?:([+-]\d\d:?\d\d)(?: \S+)?|UTC|GMT)\Z")
"""A zone that stands apart from its time, and perhaps is named twice."""
_LONGEST = 80  # characters of a line that states a date


def read_date(text: str, locale: Locale) -> str:
    """The date, or date and time, that a text states; nothing when it states none.

    >>> [read_date(text, Locale()) for text in ("2024-07-05T10:00:00Z", "2024-7-5 10:00", "July 5, 2024", "0001-01-01")]
    ['2024-07-05T10:00:00+00:00', '2024-07-05', '2024-07-05', '']
    """
    plain = fold(text)
    said = "" if len(plain) > _LONGEST else _read_iso(plain) or _read_day(plain) or _read_words(plain, locale)
    return "" if said.startswith(_NO_DATE) else said


def _read_iso(text: str) -> str:
    try:
        said = datetime.fromisoformat(_LOOSE_ZONE.sub(_zone, text))
    except ValueError:
        return ""
    if said.year not in _YEARS:
        return ""
    return said.isoformat() if ":" in text or "T" in text else said.date().isoformat()


def _zone(match: re.Match[str]) -> str:
    return match[1] or "+00:00"


def _read_day(text: str) -> str:
    match = _DAY.match(text)
    if match is None:
        return ""
    try:
        said = date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return ""
    return said.isoformat() if said.year in _YEARS else ""


def _read_words(text: str, locale: Locale) -> str:
    found = read_dates([text], locale)
    said = found[0] if found else read_leading_date(text, locale)
    return str(said.value) if said else ""
