"""Recognise names of months and weekdays in eleven languages."""

from __future__ import annotations

import unicodedata

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
    "august aug août agosto ago augustus augusti sierpień sierpnia sie",
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
