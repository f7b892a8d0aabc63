"""Define Value, what a text says as a number, date or boolean, and Locale, how a page writes numbers and dates.

Texts are folded to plain characters before their digits are read.  What languages have of their own is in tables of
CLDR, which `scripts/make_cldr_tables.py` makes, under the licence in `UNICODE-LICENSE.txt`.
"""

from __future__ import annotations

import json
import pkgutil
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

_INVISIBLE = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
_PLAIN = str.maketrans(
    "\u2212\u2011\u2013\u2014"  # minus sign, non-breaking hyphen, dashes used as minus signs and for missing values
    "\u2019\u02bc\uff07\u066c"  # apostrophes, and the Arabic thousands separator, which also only groups digits
    "\u066b\u066a"  # Arabic decimal separator and percent sign
    "\uff05\uff04\uffe5\uffe1\uff0c\uff0e\uff0d\uff0f\uff1a\uff08\uff09",  # full-width forms
    "----''''.%%$¥£,.-/:()",
    _INVISIBLE,
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_MAY_BE_FOLDED = re.compile(rf"(?=[^\x00-\x7f])[\d{''.join(map(chr, _PLAIN))}]")
_WORD = re.compile(r"\w+")

# Numbers and dates of a locale
MARKS = (".", ",")
_MAX_EXACT = 2**53  # largest whole number up to which a float is exact
_MAX_DIGITS = 15  # without a mark; longer numbers are identifiers
_IPV4_PARTS, _MAX_IPV4_PART = 4, 255  # an IPv4 address looks like a number in groups of three
_MAX_TEXT_CHARACTERS = 100  # in longer texts, prose, many numbers are versions, times or addresses
_COMMA_LANGUAGES = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk ky lt lv mk mn nb nl nn no pl pt ro ru"
    " sk sl sq sr sv tg tr uk uz vi".split()
)
_POINT_REGIONS = frozenset("de-ch de-li it-ch es-mx es-us es-pr es-gt es-hn es-ni es-pa es-pe es-sv es-do".split())
_MONTH_FIRST = frozenset(("", "en", "en-us", "en-ph", "es-us", "fil"))
_MARKED = re.compile(r"\d[^\w\s]++\d")  # only texts with a mark between digits prove anything
_RUN = re.compile(r"(?<![\w.,:/'-])\d++(?>(?:[.,']\d++)+)(?![\w:/'-]|[.,]\d)")
_NAME = re.compile(r"(?:[^\W\d_]\S* ){2}")  # a text that begins with two words: VW Golf 1.5 has a point in any country
_DATE = re.compile(r"(?<!\d)(\d{1,2})([/-])(\d{1,2})\2\d{4}(?!\d)")
_OTHER = {".": ",", ",": "."}
_NOT_DIGITS = str.maketrans("", "", ".,' ")


@dataclass(frozen=True)
class Value:
    """A number, date or boolean, or a range of numbers or dates."""

    value: float | date | bool
    unit: str | None = None
    """An ISO 4217 code, or a unit as written."""
    to: float | date | None = None
    """The upper end of a range."""
    note: str | None = None
    """Words beside the value that qualify it: from, per month, / night."""

    def __repr__(self) -> str:
        more = {"to": self.to, "note": self.note}
        said = "".join(f", {name}={each!r}" for name, each in more.items() if each is not None)
        return f"Value(value={self.value!r}, unit={self.unit!r}{said})"


def fold(text: str) -> str:
    """Map digits, dashes, apostrophes and spaces to plain ones, and collapse white space except line breaks.

    >>> fold(" 1\\u202f234,50\\u00a0€ "), fold("\\u0661\\u0662\\u066b\\u0665"), fold("12\\n 345")
    ('1 234,50 €', '12.5', '12\\n345')
    """
    if not text.isascii() and _MAY_BE_FOLDED.search(text):  # quicker than to translate every accented letter
        text = _FOREIGN_DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_PLAIN))
    if "\n" not in text:
        return " ".join(text.split())
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line and not line.isspace())


def fold_name(text: str) -> str:
    """Reduce a title or name to its words in lower case, for comparison.

    >>> fold_name("Salt & Pepper: A Story")
    'salt pepper a story'
    """
    return " ".join(_WORD.findall(fold(text).casefold()))


def common_prefix(texts: Sequence[str]) -> str:
    """Return what all texts begin with, which is what the first and last in sorted order share."""
    low, high = min(texts), max(texts)
    return next((low[:end] for end, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), low)


@dataclass(frozen=True)
class Locale:
    """The decimal mark, whether 3/4/2020 is in April, and the language."""

    decimal: str = "."
    day_first: bool = False
    language: str = ""
    """A tag such as `de` or `en-CA`; empty if unknown."""
    today: date | None = None
    """The day that "yesterday" and "3 days ago" refer to, such as that when the page was fetched; None if unknown."""

    @cached_property
    def primary(self) -> str:
        """The language without its region, in lower case."""
        return self.language.partition("-")[0].lower()

    @property
    def region(self) -> str:
        """The region in lower case; empty if the tag has none."""
        return next((part.lower() for part in self.language.split("-")[1:] if len(part) == 2), "")


def find_locale(language: str, texts: Iterable[str]) -> Locale:
    """Find the locale of a page by what its texts prove, then by its language.

    English without a region is read as in the United States, following Unicode's likely subtags, and
    so is a page without a language: decimal point, month first.

    >>> find_locale("en", ["12,50 €", "1.299 €"]).decimal, find_locale("de", ["1.299 €"]).decimal
    (',', ',')
    >>> find_locale("", ["1.5 TSI", "14.990 €", "8.490 €"]).decimal
    ','
    >>> find_locale("de", ["VW Golf 1.5 TSI", "62.300 km"]).decimal, find_locale("", ["VW Golf 1.5 TSI"]).decimal
    (',', '.')
    >>> find_locale("", ["25/12/2020"]).day_first, find_locale("en-GB", []).day_first
    (True, True)
    """
    tag = language.strip().replace("_", "-").lower()
    marks: list[str] = []
    in_names: list[str] = []
    orders: list[int] = []
    for text in texts:
        if len(text) > _MAX_TEXT_CHARACTERS or _MARKED.search(text) is None:
            continue
        plain = fold(text)
        is_name = _NAME.match(plain) is not None
        is_money = _has_currency_sign(plain)
        (in_names if is_name else marks).extend(
            find_mark(run) or (_mark_in_money(run) if is_money else "") for run in _RUN.findall(plain)
        )
        orders.extend(order for first, _, second in _DATE.findall(plain) if (order := _order(first, second)))
    usual = "," if tag.partition("-")[0] in _COMMA_LANGUAGES and tag not in _POINT_REGIONS else "."
    balance = sum(orders)
    proved = marks if any(marks) or tag else in_names
    return Locale(majority(proved, usual), balance > 0 if balance else tag not in _MONTH_FIRST, tag)


def _has_currency_sign(text: str) -> bool:
    return "$" in text or (not text.isascii() and any(unicodedata.category(mark) == "Sc" for mark in text))


def _order(first: str, second: str) -> int:
    """Return 1 if the day must come first, -1 if the month must, else 0."""
    return (int(first) > 12) - (int(second) > 12)


def _pattern(mark: str, group: str, more: str = "", before: str = "") -> re.Pattern[str]:
    grouped = rf"[1-9]\d{{0,2}}([{group} '])\d{{3}}(?:\2\d{{3}})*"
    return re.compile(rf"{before}(0|[1-9]\d*|{grouped}{more})(?:\{mark}(\d+))?")


_PATTERNS = {
    ".": _pattern(".", ",", r"|[1-9]\d?(?:,\d\d)+,\d{3}"),  # also lakhs and crores: 12,34,567
    ",": _pattern(",", ".", before=r"(?!\d{4},\d{4}$)"),  # 1979,1987 are two years
}


def find_mark(run: str) -> str:
    """Return the only decimal mark with which the run is a number; `""` if both will do, or neither.

    >>> [find_mark(run) for run in ("12,5", "1,234.5", "1.234.567", "1.234", "1.2.3")]
    [',', '.', ',', '', '']
    """
    if run.isdecimal():
        return ""
    if _PATTERNS["."].fullmatch(run) is None:
        return "," if _PATTERNS[","].fullmatch(run) else ""
    return "" if _PATTERNS[","].fullmatch(run) else "."


def _mark_in_money(run: str) -> str:
    """Return the decimal mark of an amount of money whose only mark has three digits behind it: it groups them."""
    return "," if "." in run and "," not in run else "." if "," in run and "." not in run else ""


def majority(marks: Iterable[str], otherwise: str) -> str:
    """Return the most common decimal mark, or `otherwise` on a tie."""
    found = list(marks)
    points, commas = found.count("."), found.count(",")
    if points == commas:
        return otherwise
    return "." if points > commas else ","


def find_column_mark(runs: Sequence[str], locale: Locale, *, whole: bool) -> str:
    """Return the decimal mark that most numbers of a column prove, else that of the locale.

    If nothing is proved, the mark in numbers that are all `whole` separates thousands.
    """
    marks = [find_mark(run) for run in runs]
    used = {mark for run in runs for mark in MARKS if mark in run}
    usual = locale.decimal
    if whole and len(used) == 1 and not any(marks):
        usual = "," if "." in used else "."
    return majority(marks, usual)


def read_digits(run: str, mark: str, exponent: int = 0) -> float | None:
    """Read a run of digits, times ten to the exponent; None if it is not a number.

    `mark` is the decimal mark to try first: a run that only fits the other one is read with that.
    Numbers with leading zeros or too many digits are identifiers.

    >>> read_digits("1.234", ","), read_digits("1.234", "."), read_digits("1.234,5", "."), read_digits("007", ".")
    (1234, 1.234, 1234.5, None)
    """
    if run.isdecimal() and not exponent:
        is_identifier = len(run) > _MAX_DIGITS or (run[0] == "0" and len(run) > 1)
        return None if is_identifier else int(run)
    match = _PATTERNS[mark].fullmatch(run) or _PATTERNS[_OTHER[mark]].fullmatch(run)
    if match is None or _is_ipv4_address(run):
        return None
    whole, decimals = match[1].translate(_NOT_DIGITS), match[3]
    if decimals is None and not exponent:
        number = int(whole)
        return number if number <= _MAX_EXACT else float(number)
    # Convert once: multiplying afterwards would make 1.1 million 1100000.0000000001.
    return float(f"{whole}.{decimals or 0}e{exponent}")


def _is_ipv4_address(run: str) -> bool:
    parts = run.split(".")
    return len(parts) == _IPV4_PARTS and all(part.isdecimal() and int(part) <= _MAX_IPV4_PART for part in parts)


@lru_cache(maxsize=1)
def load_tables() -> dict[str, Any]:
    """Load what CLDR says about `languages`, and the `signs` and `own_signs` of currencies.

    >>> load_tables()["languages"]["de"]["months"][2]
    ['März', 'Mär']
    """
    tables: dict[str, Any] = json.loads(pkgutil.get_data(__package__, "cldr_tables.json") or b"{}")
    return tables
