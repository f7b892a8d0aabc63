"""Tell places among texts: `Lisbon, Portugal`, `Springfield, IL`, `35000 Rennes`.

The names of countries in some forty languages are from Unicode's CLDR: `scripts/make_cldr_tables.py` writes them, under
the licence in `UNICODE-LICENSE.txt`.
"""

from __future__ import annotations

import pkgutil
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from webquarry.values.column_values import MIN_FITTING, fit_most

_PLACE = (
    r"(?:[^\d,;]{2,40}(?:, [^\d,;]{2,40})*, [A-Z]{2,3}"
    r"|(?:.{1,60}, )?(?:[A-Z]{1,2}-)?\d{2}-?\d{3} [^\W\d_].{1,40}|[^\W\d_]\D{1,40} \(?\d{5}\)?"
    r"|(?!19|20)\d{4}(?: [A-Z]{2})? (?![a-z])[^\W\d_][^\W\d_A-Z]\D{0,40}|Remote(?: [-\u2013] |, )[^\d;]{2,40})"
)
_PLACES = re.compile(rf"(?:Remote; )?{_PLACE}(?:; {_PLACE})*")
_PLACE_AND_TOWN = re.compile(r"([^,|]{2,60}), ((?![a-z])[^\W\d_][^,\d|]{1,30})")
MAX_PLACE_LENGTH = 60  # characters; longer texts are sentences
MAX_WORDS_OF_COUNTRY = 5
_ALSO = frozenset(["uk", "usa", "us", "u.s.", "uae", "eu", "england", "scotland", "wales"])
_WORDS = re.compile(r"[^\s,;()|/]+")


def are_places(texts: Sequence[str], language: str) -> bool:
    """Tell whether most texts are places, by their form or by the country at their end.

    >>> are_places(["1 Old Quay, Varel", "Mill Lane, Varel", "Fish Road, Jever", "Dyke, Jever"], "en")
    True
    """
    if fit_most(texts, lambda text: _PLACES.fullmatch(text) is not None) or _share_towns(texts):
        return True
    return fit_most(texts, lambda text: ends_with_country(text, language))


def _share_towns(texts: Sequence[str]) -> bool:
    """Tell whether texts are different places of a few towns: `Old Quay, Varel`, `Mill Lane, Varel`."""
    parts = [match for match in map(_PLACE_AND_TOWN.fullmatch, texts) if match]
    towns = Counter(match[2] for match in parts)
    return (
        len(parts) >= MIN_FITTING * len(texts)
        and len({match[1] for match in parts}) >= MIN_FITTING * len(parts)
        and towns.total() > len(towns) + 1
        and len(towns) > 1
    )


def ends_with_country(text: str, language: str) -> bool:
    """Tell whether a short text ends with a country, as the language of the page or English calls it.

    >>> ends_with_country("Lisbon, Portugal", "en"), ends_with_country("Köln (Deutschland)", "de")
    (True, True)
    >>> ends_with_country("China shop", "en")
    False
    """
    words = _WORDS.findall(text.lower()) if len(text) <= MAX_PLACE_LENGTH else []
    if not words:
        return False
    names = _load_names()
    known = (names.get(language.lower().partition("-")[0], frozenset()), names["en"], _ALSO)
    ends = (" ".join(words[-count:]) for count in range(1, min(MAX_WORDS_OF_COUNTRY, len(words)) + 1))
    return any(end in each for end in ends for each in known)


@lru_cache(maxsize=1)
def _load_names() -> dict[str, frozenset[str]]:
    """Load the names of countries by language."""
    lines = (pkgutil.get_data(__package__, "cldr_countries.txt") or b"en").decode().splitlines()
    rows = [line.split("|") for line in lines]
    return {row[0]: frozenset(row[1:]) for row in rows}
