"""Columns of texts, read as values of one type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webquarry.values.booleans import LONGEST_TRUTH, read_booleans
from webquarry.values.dates import read_dates
from webquarry.values.folding import fold
from webquarry.values.locale import Locale
from webquarry.values.numbers import read_amounts
from webquarry.values.value import Value

_LONGEST = 100  # characters: no value with its label and unit is longer
_DIGIT = re.compile(r"\d")
MISSING = frozenset(("", "-", "--", "---", "?", "…", "...", "n/a", "N/A", "n.a.", "k.A."))
"""Texts that stand for nothing."""


def read_column(texts: Sequence[str | None], locale: Locale) -> tuple[str, tuple[Value | None, ...]] | None:
    """The type of a column and the value of each text, when all texts are of one type; else None.

    Types are `number`, `money`, `date` and `boolean`.
    Empty texts, and dashes and the like that stand for nothing, have no value.

    >>> read_column(["1.234 €", None, "12,50 €"], Locale("."))
    ('money', (Value(value=1234, unit='EUR'), None, Value(value=12.5, unit='EUR')))
    """
    if _is_prose(texts):
        return None
    cells = ["" if text is None else fold(text.strip()) for text in texts]
    present = [cell for cell in cells if cell not in MISSING]
    found = _read(present, locale) if present else None
    if found is None:
        return None
    values = iter(found[1])
    return found[0], tuple(None if cell in MISSING else next(values) for cell in cells)


def read_value(text: str, locale: Locale) -> tuple[str, Value] | None:
    """The type and the value of one text, when it is clear by itself; else None.

    >>> read_value("12,5 km", Locale(",")), read_value("Catch 22", Locale())
    (('number', Value(value=12.5, unit='km')), None)
    """
    found = read_column((text,), locale)
    if found is None or found[1][0] is None:
        return None
    return found[0], found[1][0]


def _is_prose(texts: Sequence[str | None]) -> bool:
    """Whether a glance tells that there are no values: most columns of a page are of such texts."""
    for text in texts:
        if text is None or len(text) <= LONGEST_TRUTH:
            continue
        if len(text) > _LONGEST and len(text.strip()) > _LONGEST:
            return True
        if _DIGIT.search(text) is None and len(text.strip()) > LONGEST_TRUTH:
            return True
    return False


def _read(texts: list[str], locale: Locale) -> tuple[str, list[Value]] | None:
    if _DIGIT.search(texts[0]) is None:
        truths = read_booleans(texts, locale)
        return None if truths is None else ("boolean", truths)
    if not all(map(_DIGIT.search, texts)):
        return None
    amounts = read_amounts(texts, locale)
    if amounts is not None:
        return amounts
    dates = read_dates(texts, locale)
    return None if dates is None else ("date", dates)
