"""Read dates as Unicode's CLDR says that languages write them, and dates relative to a given day.

Names of months and weekdays in eleven common languages are known without the tables of CLDR.
"""

# ruff: noqa: RUF002, RUF003 - words in their own alphabets

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from webquarry.values.text_value import Locale, fold, load_tables

MONTH_LANGUAGES = frozenset(("", *"en de fr es it pt nl pl sv da nb nn no".split()))
"""Languages of pages whose months are all here, and pages without a language."""
# English, German, French, Spanish, Italian, Portuguese, Dutch, Polish (also genitive), Swedish, Danish, Norwegian.
# No name means different months in two of them.
_MONTHS = (
    "january jan januar jänner janvier janv enero ene gennaio gen janeiro januari styczeń stycznia sty",
    "february feb februar feber février févr fév febrero febbraio fevereiro fev februari luty lutego lut",
    "march mar märz mär mrz mars marzo março maart mrt marzec marca marts",
    "april apr avril avr abril abr aprile kwiecień kwietnia kwi",
    "may mai mayo maggio mag maio mei maj maja",
    "june jun juni juin junio giugno giu junho czerwiec czerwca cze",
    "july jul juli juillet juil julio luglio lug julho lipiec lipca lip",
    "august aug août aoû agosto ago augustus augusti sierpień sierpnia sie",
    "september sep sept septembre septiembre setiembre settembre set setembro wrzesień września wrz",
    "october oct oktober okt octobre octubre ottobre ott outubro out październik października paź",
    "november nov novembre noviembre novembro listopad listopada lis",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia gru desember des",
)
_DAYS = (
    "monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun",
    "montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa sonntag so",
    "lundi lun mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim",
    "lunes martes miércoles mié jueves jue viernes vie sábado sáb domingo dom",
    "lunedì martedì mercoledì giovedì gio venerdì sabato segunda-feira terça-feira quarta-feira quinta-feira",
    "sexta-feira segunda seg terça ter quarta qua quinta qui sexta sex maandag ma dinsdag woensdag wo donderdag",
    "vrijdag vr zaterdag za zondag zo poniedziałek pon wtorek wt środa śr czwartek czw piątek pt sobota sob niedziela",
    "måndag mån tisdag tis onsdag ons torsdag tor tors fredag fre lördag lör söndag sön mandag man tirsdag tir lørdag",
    "lør søndag søn nd",
)


def bare(word: str) -> str:
    """Return the word in lower case without accents."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


_MONTH_NUMBERS = {bare(name): number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_DAY_NAMES = frozenset(bare(name) for names in _DAYS for name in names.split())


def month_of(word: str) -> int:
    """Return the number of the month that a word names, or 0.

    >>> month_of("März"), month_of("DEC"), month_of("Monday")
    (3, 12, 0)
    """
    return _MONTH_NUMBERS.get(bare(word), 0)


def is_weekday(word: str) -> bool:
    """Tell whether a word names a day of the week."""
    return bare(word) in _DAY_NAMES


_FIRST_YEAR_OF_1900S = 69  # POSIX: years 69 to 99 belong to the twentieth century
_MAX_DATE_CHARACTERS = 60
_DIGIT = re.compile(r"\d")
_MAX_DAYS_AGO = 366_000  # a thousand years
_DAY_AND_YEAR = re.compile(r"(?=.*(?<!\d)\d{1,2}(?!\d))(?=.*(?<!\d)\d{4}(?!\d))")
_SAME_TABLE = {"nn": "nb", "iw": "he", "in": "id", "tl": "fil", "sh": "bs"}  # nearly the same, or an old code
# Beside those of CLDR, which has many a word that pages leave out ("г.").  Spaces also stand for a comma or a point.
_USUAL_PATTERNS = ("d MMM y", "E d MMM y", "MMM d y", "E MMM d y", "y MMM d")
_PATTERN_PARTS = re.compile(r"'([^']*)'|([A-Za-z])\2*|([^A-Za-z']+)")
_COMMA = "[,،፣、]"
_MIN_MONTH_LETTERS = 3  # of an abbreviation that CLDR does not have
_INDEXED_LETTERS = 2  # of names of months
_DAYS_OF_UNIT = {"day": 1, "week": 7}
_MONTHS_OF_UNIT = {"month": 1, "year": 12}


class _Form(NamedTuple):
    """One way of a language to write dates."""

    expression: str
    """Compiled on first use: that takes long, and most languages are only tried."""
    has_name: bool
    """The month is a name and not a number."""
    is_loose: bool
    """Day and month are numbers whose order differs between countries."""


class _Language(NamedTuple):
    forms: tuple[_Form, ...]
    months: dict[str, int]


class _RelativeDays(NamedTuple):
    """What a language says instead of a date."""

    ago: tuple[tuple[re.Pattern[str], str], ...]
    near: dict[str, int]


def read_cldr_dates(texts: Sequence[str], locale: Locale, rest: re.Pattern[str]) -> list[date] | None:
    """Read folded texts that are all dates as the language of the page writes them; else None.

    `rest` matches what may follow a date: the time of day.

    >>> read_cldr_dates(["7 марта 2026 г."], Locale(language="ru"), re.compile(""))
    [datetime.date(2026, 3, 7)]
    """
    name = _SAME_TABLE.get(locale.primary, locale.primary)
    if name not in load_tables()["languages"]:
        return None
    return _read_all([bare(text) for text in texts], _language(name), locale, rest)


def read_foreign_dates(texts: Sequence[str], locale: Locale, rest: re.Pattern[str]) -> list[date] | None:
    """Read folded texts that are all dates with names of months in any language; None if languages disagree."""
    if len(texts[0]) > _MAX_DATE_CHARACTERS or _DAY_AND_YEAR.match(texts[0]) is None:
        return None
    plain = [bare(text) for text in texts]
    found: list[date] | None = None
    for name in _languages_with_month_in(plain[0]):
        dates = _read_all(plain, _only_named(_language(name)), locale, rest)
        if dates is not None and found is not None and dates != found:
            return None
        found = dates or found
    return found


_WORDS_FOR_AGO = {"ar": (("منذ ", "قبل "),)}
"""Words that pages write instead of those of CLDR."""


def read_relative_date(text: str, locale: Locale) -> date | None:
    """Read a folded text such as "yesterday" or "3 days ago" relative to the day of the locale; else None.

    >>> read_relative_date("vor 3 Tagen", Locale(language="de", today=date(2026, 3, 7)))
    datetime.date(2026, 3, 4)
    """
    if locale.today is None or len(text) > _MAX_DATE_CHARACTERS:
        return None
    plain = bare(text)
    for said, usual in _WORDS_FOR_AGO.get(locale.primary, ()):
        plain = plain.replace(bare(said), bare(usual), 1)
    has_number = _DIGIT.search(plain) is not None
    for relative in _relative_days(locale.primary):
        if plain in relative.near:
            return locale.today + timedelta(days=relative.near[plain])
        for pattern, unit in relative.ago if has_number else ():
            match = pattern.fullmatch(plain)
            if match is not None and int(match[1]) <= _MAX_DAYS_AGO:
                return _go_back(locale.today, int(match[1]), unit)
    return None


def find_month(word: str, language: str) -> int:
    """Return the number of the month that a word names, in the given language or a common one; 0 if it names none.

    Three letters are enough if no other month begins with them.

    >>> find_month("Kasım", "tr-TR"), find_month("dec", "nl"), find_month("ноя", "ru"), find_month("Tuesday", "en")
    (11, 12, 11, 0)
    """
    primary = language.partition("-")[0].lower()
    name = _SAME_TABLE.get(primary, primary)
    known = month_of(word)
    if known or name not in load_tables()["languages"]:
        return known
    plain, months = _name(word), _language(name).months
    if plain in months or len(plain) < _MIN_MONTH_LETTERS:
        return months.get(plain, 0)
    begun = {number for month, number in months.items() if month.startswith(plain)}
    return begun.pop() if len(begun) == 1 else 0


def _go_back(day: date, number: int, unit: str) -> date | None:
    """Go back from a day; hours and minutes count as the same day, as the time of day is unknown."""
    try:
        if unit in _MONTHS_OF_UNIT:
            months = day.year * 12 + day.month - 1 - number * _MONTHS_OF_UNIT[unit]
            last = (date(months // 12 + (months % 12 == 11), (months + 1) % 12 + 1, 1) - timedelta(days=1)).day
            return date(months // 12, months % 12 + 1, min(day.day, last))
        return day - timedelta(days=number * _DAYS_OF_UNIT.get(unit, 0))
    except (ValueError, OverflowError):
        return None


def _only_named(language: _Language) -> _Language:
    return language._replace(forms=tuple(form for form in language.forms if form.has_name))


def _read_all(texts: Iterable[str], language: _Language, locale: Locale, rest: re.Pattern[str]) -> list[date] | None:
    dates = []
    for text in texts:
        found = _read_one(text, language, locale, rest) if len(text) <= _MAX_DATE_CHARACTERS else None
        if found is None:
            return None
        dates.append(found)
    return dates


def _read_one(text: str, language: _Language, locale: Locale, rest: re.Pattern[str]) -> date | None:
    for form in language.forms:
        match = _compiled(form.expression).match(text)
        if match is None:
            continue
        after = text[match.end() :]
        if after and after != "." and rest.fullmatch(after) is None:
            continue
        year, day = int(match["y"]), int(match["d"])
        if len(match["y"]) == 2:
            year += 1900 if year >= _FIRST_YEAR_OF_1900S else 2000
        month = language.months[match["m"]] if form.has_name else int(match["M"])
        if form.is_loose and (match.start("d") < match.start("M")) != locale.day_first:
            month, day = day, month
        try:
            return date(year, month, day)
        except ValueError:
            continue
    return None


@lru_cache(maxsize=128)
def _language(name: str) -> _Language:
    table = load_tables()["languages"][name]
    months = {_name(each): number for number, names in enumerate(table["months"], 1) for each in names}
    patterns = dict.fromkeys((*table["patterns"], *_USUAL_PATTERNS))
    names = {"M": _any_of(months), "E": _any_of(map(_name, table["days"])), "G": _any_of(map(_name, table["eras"]))}
    return _Language(tuple(_make_form(each, names) for each in patterns), months)


@lru_cache(maxsize=128)
def _relative_days(language: str) -> list[_RelativeDays]:
    """Return what a language says, if it is known, and what English says."""
    names, known = dict.fromkeys((_SAME_TABLE.get(language, language), "en")), load_tables()["languages"]
    return [_read_relative_days(known[name]) for name in names if name in known]


def _read_relative_days(table: dict[str, Any]) -> _RelativeDays:
    ago = [
        (re.compile(re.escape(bare(fold(said))).replace(re.escape("{0}"), r"(\d{1,6})")), unit)
        for unit, phrases in table["ago"].items()
        for said in phrases
        if "{0}" in said
    ]
    near = {bare(fold(said)): int(days) for said, days in table["near"].items()}
    return _RelativeDays(tuple(ago), near)


def _name(said: str) -> str:
    return bare(fold(said)).rstrip(".")


def _make_form(pattern: str, names: dict[str, str]) -> _Form:
    """Make a form of a pattern in CLDR's notation, such as `EEEE, d. MMMM y`.

    `names` has expressions for the names of months, days and eras, by the letter of the notation.
    """
    is_short = "yy" in pattern and "yyy" not in pattern
    parts: list[str] = []
    fields: list[str] = []
    literals = 0  # after the last field: pages often leave them out
    for match in _PATTERN_PARTS.finditer(pattern):
        letters = match[0] if match[2] else ""
        if letters and letters[0] in "yMLdEcG":
            parts.append(_field(letters, names, is_short=is_short))
            fields.append(letters)
            literals = 0
        else:
            parts.append(_literal(match[1] if match[1] is not None else match[0]))
            literals += 1
    ending = f"(?:{''.join(parts[len(parts) - literals :])})?" if literals else ""
    source = "".join(parts[: len(parts) - literals]) + ending + r"(?!\w)"
    has_name = any(len(each) > 2 for each in fields if each[0] in "ML")
    is_loose = not has_name and ("/" in pattern or "-" in pattern) and not pattern.lstrip("'").startswith("y")
    return _Form(source, has_name, is_loose)


@lru_cache(maxsize=2048)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def _field(letters: str, names: dict[str, str], *, is_short: bool) -> str:
    kind = letters[0]
    if kind == "y":
        return r"(?P<y>\d{4}|\d{2})" if is_short else r"(?P<y>\d{4})"
    # in a short date all digits have to be as the language writes them, so that a version is not a date
    digits = r"\d{2}" if len(letters) == 2 and is_short else r"\d{1,2}"
    if kind == "d":
        return f"(?P<d>{digits})"
    if kind in "ML" and len(letters) <= 2:
        return f"(?P<M>{digits})"
    if kind in "ML":
        return rf"(?P<m>{names['M']})\.?"
    return rf" ?(?:{names['E' if kind in 'Ec' else 'G']})\.?"


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(set(names), key=len, reverse=True)))


def _literal(said: str) -> str:
    """Match what is written between fields: commas may be missing, and a space may be another separator."""
    plain = re.escape(bare(said.translate(str.maketrans("\u00a0\u202f", "  ")))).replace("\\ ", " ")
    plain = re.sub(r"[,،፣、]", f"{_COMMA}?", plain)
    return rf"\.?{_COMMA}? ?" if plain == " " else plain.replace(" ", " ?")


@lru_cache(maxsize=1)
def _languages_by_month() -> dict[str, dict[str, set[str]]]:
    """Index the languages that have a name of a month, by its first letters and the name."""
    index: dict[str, dict[str, set[str]]] = {}
    for language, table in load_tables()["languages"].items():
        for names in table["months"]:
            for month in map(_name, names):
                index.setdefault(month[:_INDEXED_LETTERS], {}).setdefault(month, set()).add(language)
    return index


def _languages_with_month_in(text: str) -> list[str]:
    index, found = _languages_by_month(), set[str]()
    for place in range(len(text)):
        for length in range(1, _INDEXED_LETTERS + 1):
            for month, languages in index.get(text[place : place + length], {}).items():
                if text.startswith(month, place):
                    found |= languages
    return sorted(found)
