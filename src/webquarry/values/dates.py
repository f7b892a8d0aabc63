"""Read columns of dates, whose order of day and month the column or the locale decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from webquarry.values.cldr_dates import MONTH_LANGUAGES, is_weekday, month_of, read_cldr_dates, read_foreign_dates
from webquarry.values.text_value import Locale, Value, common_prefix

MAX_LABEL_CHARACTERS = 24
"""Of a label that only one text shows, with its colon; longer ones are titles."""
_LABEL_WORD = re.compile(r"[^\d\s:]+:? ?|: ?")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS_AFTER = re.compile(r"\D*$")
_MAX_DATE_CHARACTERS = 60
_YEARS = range(1000, 2200)
_FIRST_YEAR_OF_1900S = 69  # POSIX: years 69 to 99 belong to the twentieth century

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:\Z|[T ])")
_TWO_NUMBERS = re.compile(r"\d\D+\d")
_NUMERIC = re.compile(r"(\d{1,4})([-/.]) ?(\d{1,2})\2 ?(\d{1,4})(?!\d)")
_DAY_MONTH_YEAR = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?[ -]?(?:of |de )?(?P<month>[^\W\d_]++)"
    r"[.,]{0,2}[ -]?(?:of |de |del )?'?(?P<year>\d{4}|\d{2})(?!\d)"
)
_MONTH_DAY_YEAR = re.compile(
    r"(?P<month>[^\W\d_]++)\.?[ -](?P<day>\d{1,2})(?:st|nd|rd|th)?(?:, ?| )(?P<year>\d{4})(?!\d)"
)
_YEAR_MONTH_DAY = re.compile(r"(?P<year>\d{4})[ ,-]{1,2}(?P<month>[^\W\d_]++)\.?[ -](?P<day>\d{1,2})(?!\d)")
_CJK = re.compile(r"(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]")
_CLOCK = (
    r"(?:[01]?\d|2[0-4])[:.h][0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?|(?:0?[1-9]|1[0-2]) ?[ap]\.?m\.?"
)
_TIME_AFTER = re.compile(
    rf"(?:T|[, ]{{1,2}}(?:(?:at|um|à|kl\.?|a las|alle|om|[-|·]),? )?)(?:{_CLOCK})"
    r"(?: ?(?:Uhr|h|Z|[A-Z]{3,4}))?(?: ?[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_TIME_BEFORE = re.compile(rf"(?:{_CLOCK})(?:,| [-|·])? ", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([^\W\d_]+(?:-feira)?)\.?,? ")
_SEPARATORS = " -|·•,;"  # between values in a line
_ARTICLES = frozenset(("le", "el", "il", "den", "am", "on", "the"))


class _Written(NamedTuple):
    """A date as far as its own text determines it."""

    year: int
    first: int
    second: int
    """`first` and `second` are month and day if `ordered`; otherwise the column decides which is which."""
    ordered: bool
    short: bool
    """The year has only two digits and could be a day."""


_RANGE = re.compile(r"\s+(?:-|to|until|bis|au|al|hasta|até|till|tot|до|do|až)\s+", re.IGNORECASE)  # between two days


def read_dates(texts: Sequence[str], locale: Locale) -> list[Value] | None:
    """Read folded texts that are all dates, some of them perhaps from one day to another; else None.

    >>> read_dates(["5.9.2023 - 8.10.2023", "6.9.2023"], Locale(day_first=True))[0]
    Value(value=datetime.date(2023, 9, 5), unit=None, to=datetime.date(2023, 10, 8))
    """
    if _TWO_NUMBERS.search(texts[0]) is None:
        return None
    ends = [_RANGE.split(text, maxsplit=1) for text in texts]
    if all(len(each) == 1 for each in ends):
        return _read_single_dates(texts, locale)
    last = _read_single_dates([each[-1] for each in ends], locale)
    first = _read_single_dates([each[0] for each in ends], locale)
    if first is None or last is None:
        return None
    pairs = zip(first, last, ends, strict=True)
    return [
        replace(start, to=stop.value) if len(each) > 1 and isinstance(stop.value, date) else start
        for start, stop, each in pairs
    ]


def read_iso_day(text: str) -> Value | None:
    """Read the day of a date in ISO 8601, which the time of day may follow; None if the text is not one.

    >>> read_iso_day("2026-03-14T19:30:00-07:00"), read_iso_day("2026-02-31"), read_iso_day("19:30")
    (Value(value=datetime.date(2026, 3, 14), unit=None), None, None)
    """
    text = text.strip()
    try:
        return Value(date.fromisoformat(text[:10])) if _ISO_DAY.match(text) else None
    except ValueError:  # the 31st of February
        return None


def _read_single_dates(texts: Sequence[str], locale: Locale) -> list[Value] | None:
    """Read folded texts that are all dates, after a label that all share; else None."""
    if _TWO_NUMBERS.search(texts[0]) is None:
        return None
    lines = tuple(text.replace("\n", " ") for text in texts)
    forms = dict.fromkeys((lines, tuple(strip_labels(lines))))
    is_known = locale.primary in MONTH_LANGUAGES
    dates = None if is_known else read_cldr_dates(lines, locale, _TIME_AFTER)
    if dates is None:
        written = next(filter(None, map(_read_all, forms)), None)
        found = None if written is None else _resolve_order(written, locale)
        if found is not None:
            return found
    for said in forms:
        dates = dates or read_cldr_dates(said, locale, _TIME_AFTER) or read_foreign_dates(said, locale, _TIME_AFTER)
    return None if dates is None else [Value(day) for day in dates]


def read_leading_date(text: str, locale: Locale) -> Value | None:
    """Read the date that a folded text begins with, whatever follows; None if its year is not written in full.

    >>> read_leading_date("17 May 1814 (declared)", Locale()), read_leading_date("1 July-30 June", Locale())
    (Value(value=datetime.date(1814, 5, 17), unit=None), None)
    """
    text = text[_end_of_day_word(text) :]
    for pattern, read in _FORMS:
        match = pattern.match(text)
        if match is None or text[match.end() : match.end() + 1].isalnum():
            continue
        found = read(match)
        if found is None or found.year not in _YEARS or str(found.year) not in match[0]:
            continue
        values = _resolve_order([found], locale)
        return None if values is None else values[0]
    return None


def _read_all(texts: Sequence[str]) -> list[_Written] | None:
    written = []
    for text in texts:
        found = _read_date(text.strip(_SEPARATORS))
        if found is None:
            return None
        written.append(found)
    return written


def _resolve_order(written: list[_Written], locale: Locale) -> list[Value] | None:
    """Decide the order of day and month: the one that a date proves, else that of the locale.

    Years of two digits are accepted if one is too large for a day or follows what must be a day:
    10.12.20 alone may be a version, and 25/12/20 may begin with the year.
    """
    short = [each for each in written if each.short]
    if short and not any(each.year % 100 > 31 or (each.second > 12 and not each.ordered) for each in short):
        return None
    loose = [each for each in written if not each.ordered]
    day_first, month_first = any(each.first > 12 for each in loose), any(each.second > 12 for each in loose)
    order = locale.day_first if day_first == month_first else day_first
    values = []
    for each in written:
        month, day = (each.second, each.first) if order and not each.ordered else (each.first, each.second)
        try:
            values.append(Value(date(each.year, month, day)))
        except ValueError:
            return None
    return values


def _read_date(text: str) -> _Written | None:
    if len(text) > _MAX_DATE_CHARACTERS:
        return None
    found = _read_day(text)
    if found is None and (clock := _TIME_BEFORE.match(text)):
        found = _read_day(text[clock.end() :])
    for _ in range(2):
        end = _end_of_day_word(text) if found is None else 0
        if not end:
            break
        text = text[end:]
        found = _read_day(text)
    return found


def _end_of_day_word(text: str) -> int:
    """Return where a weekday or an article before a date ends; 0 if there is none."""
    word = _WORD_BEFORE.match(text)
    return word.end() if word and (is_weekday(word[1]) or word[1].lower() in _ARTICLES) else 0


def _read_day(text: str) -> _Written | None:
    """Read the date that the text begins with if nothing but the time of day follows."""
    for pattern, read in _FORMS:
        match = pattern.match(text)
        if match is None:
            continue
        rest = text[match.end() :]
        if rest and rest != "." and _TIME_AFTER.fullmatch(rest) is None:
            continue
        found = read(match)
        if found is not None and found.year in _YEARS:
            return found
    return None


def _read_numeric(match: re.Match[str]) -> _Written | None:
    first, mark, second, third = match.groups()
    if len(first) == 4 and len(third) <= 2:
        return _Written(int(first), int(second), int(third), ordered=True, short=False)
    if len(first) > 2 or len(third) not in (2, 4):
        return None
    short = len(third) == 2
    year = _full_year(third)
    if mark == ".":  # the month never comes first
        return _Written(year, int(second), int(first), ordered=True, short=short)
    return _Written(year, int(first), int(second), ordered=False, short=short)


def _read_named(match: re.Match[str]) -> _Written | None:
    month = month_of(match["month"])
    return _Written(_full_year(match["year"]), month, int(match["day"]), ordered=True, short=False) if month else None


def _read_cjk(match: re.Match[str]) -> _Written:
    return _Written(int(match[1]), int(match[2]), int(match[3]), ordered=True, short=False)


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + (1900 if year >= _FIRST_YEAR_OF_1900S else 2000)


def strip_labels(texts: Sequence[str]) -> list[str]:
    """Remove the words that all texts begin and end with; from a single text, a label with a colon.

    >>> strip_labels(["Posted on 3 May 2020 by us", "Posted on 4 May 2020 by us"])
    ['3 May 2020', '4 May 2020']
    >>> strip_labels(["Updated: May 3, 2020"]), strip_labels(["Born May 3, 2020"])
    (['May 3, 2020'], ['Born May 3, 2020'])
    """
    if len(texts) == 1:
        label, colon, said = texts[0].partition(":")
        is_label = colon and len(label) < MAX_LABEL_CHARACTERS and not any(map(str.isdecimal, label))
        return [said.lstrip()] if is_label else list(texts)
    start = _label_end(common_prefix(texts))
    rest = [text[start:] for text in texts]
    ending = common_prefix([text[::-1] for text in rest])[::-1]
    words = _WORDS_AFTER.search(ending)
    after = len(words[0]) if words and " " in words[0] else 0
    return [text[: len(text) - after].rstrip(" ,") for text in rest]


def _label_end(shared: str) -> int:
    """Return where the whole words of a label end: before names of months and weekdays, which belong to the date."""
    end = 0
    while word := _LABEL_WORD.match(shared, end):
        name = _LETTERS.match(word[0])
        if word[0][-1] not in " :" or (name and (month_of(name[0]) or is_weekday(name[0]))):
            break
        end = word.end()
    return end


_FORMS = (
    (_NUMERIC, _read_numeric),
    (_DAY_MONTH_YEAR, _read_named),
    (_MONTH_DAY_YEAR, _read_named),
    (_YEAR_MONTH_DAY, _read_named),
    (_CJK, _read_cjk),
)
