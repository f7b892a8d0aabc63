"""How numbers and dates are written on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.values.digits import find_mark, majority
from webquarry.values.folding import fold

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
