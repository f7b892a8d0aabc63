"""How numbers and dates are written on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.values.text_value import fold

# MERGED values/digits: Runs of digits with marks between them, and the numbers that they stand for.
MARKS = (".", ",")
_EXACT = 2**53  # the whole numbers that a float still tells apart
_LONGEST_RUN = 15  # digits without a mark: more are never counted or measured, they name something
_ADDRESS_PARTS, _LARGEST_PART = 4, 255  # of an Internet address, which else looks like a number in groups of three


def _pattern(mark: str, group: str, more: str = "", before: str = "") -> re.Pattern[str]:
    grouped = rf"[1-9]\d{{0,2}}([{group} '])\d{{3}}(?:\2\d{{3}})*"
    return re.compile(rf"{before}(0|[1-9]\d*|{grouped}{more})(?:\{mark}(\d+))?")


_PATTERNS = {
    ".": _pattern(".", ",", r"|[1-9]\d?(?:,\d\d)+,\d{3}"),  # also lakhs and crores: 12,34,567
    ",": _pattern(",", ".", before=r"(?!\d{4},\d{4}$)"),  # 1979,1987 are two years
}
_OTHER = {".": ",", ",": "."}
_NOT_DIGITS = str.maketrans("", "", ".,' ")


def find_mark(run: str) -> str:
    """The decimal mark with which alone the run is a number; nothing when both will do, or none.

    >>> [find_mark(run) for run in ("12,5", "1,234.5", "1.234.567", "1.234", "1.2.3")]
    [',', '.', ',', '', '']
    """
    if run.isdecimal():
        return ""
    if _PATTERNS["."].fullmatch(run) is None:
        return "," if _PATTERNS[","].fullmatch(run) else ""
    return "" if _PATTERNS[","].fullmatch(run) else "."


def majority(marks: Iterable[str], otherwise: str) -> str:
    """The decimal mark that most of them are."""
    found = list(marks)
    points, commas = found.count("."), found.count(",")
    if points == commas:
        return otherwise
    return "." if points > commas else ","


def read_digits(run: str, mark: str, exponent: int = 0) -> float | None:
    """The number that a run of digits stands for, times ten to the exponent; None when it is none.

    The mark is the decimal mark to try first: a run that fits only the other is read with that.
    Zeros in front are for identifiers, and so is whatever is too long.

    >>> read_digits("1.234", ","), read_digits("1.234", "."), read_digits("1.234,5", "."), read_digits("007", ".")
    (1234, 1.234, 1234.5, None)
    """
    if run.isdecimal() and not exponent:
        return _read_whole(run)
    match = _PATTERNS[mark].fullmatch(run) or _PATTERNS[_OTHER[mark]].fullmatch(run)
    if match is None or _is_address(run):
        return None
    whole, decimals = match[1].translate(_NOT_DIGITS), match[3]
    if decimals is None and not exponent:
        number = int(whole)
        return number if number <= _EXACT else float(number)
    # One conversion of the written digits: multiplying afterwards makes 1.1 million 1100000.0000000001.
    return float(f"{whole}.{decimals or 0}e{exponent}")


def _read_whole(run: str) -> int | None:
    return None if len(run) > _LONGEST_RUN or (run[0] == "0" and len(run) > 1) else int(run)


def _is_address(run: str) -> bool:
    parts = run.split(".")
    return len(parts) == _ADDRESS_PARTS and all(part.isdecimal() and int(part) <= _LARGEST_PART for part in parts)


_LONGEST = 100  # characters: longer texts are prose, whose numbers are versions, times and addresses as often as not
_COMMA = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk ky lt lv mk mn nb nl nn no pl pt ro ru"
    " sk sl sq sr sv tg tr uk uz vi".split()
)
_POINT_REGIONS = frozenset("de-ch de-li it-ch es-mx es-us es-pr es-gt es-hn es-ni es-pa es-pe es-sv es-do".split())
_MONTH_FIRST = frozenset(("", "en", "en-us", "en-ph", "es-us", "fil"))

_MARKED = re.compile(r"\d[^\w\s]++\d")  # without a mark between digits there is nothing to learn
_RUN = re.compile(r"(?<![\w.,:/'-])\d++(?>(?:[.,']\d++)+)(?![\w:/'-]|[.,]\d)")
_DATE = re.compile(r"(?<!\d)(\d{1,2})([/-])(\d{1,2})\2\d{4}(?!\d)")


@dataclass(frozen=True)
class Locale:
    """How numbers and dates are written: the decimal mark, and whether 3/4/2020 is in April."""

    decimal: str = "."
    day_first: bool = False
    language: str = ""
    """A tag such as `de` or `en-CA`; nothing when it is not known."""

    @property
    def primary(self) -> str:
        """The language without its region, in small letters."""
        return self.language.partition("-")[0].lower()

    @property
    def region(self) -> str:
        """The region in small letters; nothing when the tag has none."""
        return next((part.lower() for part in self.language.split("-")[1:] if len(part) == 2), "")


def find_locale(language: str, texts: Iterable[str]) -> Locale:
    """The locale of a page, by what its texts show, then by its language.

    A decimal mark or an order of day and month that most texts prove is taken.  Else the language decides.
    English without a region is read as in the United States, as the likely subtags of Unicode have it, and
    so is a page that names no language: a point, and the month first.

    >>> find_locale("en", ["12,50 €", "1.299 €"]).decimal, find_locale("de", ["1.299 €"]).decimal
    (',', ',')
    >>> find_locale("", ["25/12/2020"]).day_first, find_locale("en-GB", []).day_first
    (True, True)
    """
    tag = language.strip().replace("_", "-").lower()
    marks: list[str] = []
    orders: list[int] = []
    for text in texts:
        if len(text) > _LONGEST or _MARKED.search(text) is None:
            continue
        plain = fold(text)
        marks.extend(find_mark(run) for run in _RUN.findall(plain))
        orders.extend(order for first, _, second in _DATE.findall(plain) if (order := _order(first, second)))
    usual = "," if tag.partition("-")[0] in _COMMA and tag not in _POINT_REGIONS else "."
    balance = sum(orders)
    return Locale(majority(marks, usual), balance > 0 if balance else tag not in _MONTH_FIRST, tag)


def _order(first: str, second: str) -> int:
    """1 when the day must stand first, -1 when the month must, else 0."""
    return (int(first) > 12) - (int(second) > 12)
