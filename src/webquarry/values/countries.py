"""Tell texts that end with a country, such as `Lisbon, Portugal`.

The names of countries in some forty languages are from Unicode's CLDR: `scripts/make_cldr_tables.py` writes them, under
the licence in `UNICODE-LICENSE.txt`.
"""

from __future__ import annotations

import pkgutil
import re
from functools import lru_cache

MAX_PLACE_LENGTH = 60  # characters; longer texts are sentences
MAX_WORDS_OF_COUNTRY = 5
_ALSO = frozenset(["uk", "usa", "us", "u.s.", "uae", "eu", "england", "scotland", "wales"])
_WORDS = re.compile(r"[^\s,;()|/]+")


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
