"""Read dates and amounts of money as Babel writes them in many languages, by Unicode's CLDR."""

from __future__ import annotations

import datetime as dt
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.findings import Finding
from webquarry.values.column_values import read_value
from webquarry.values.text_value import Value, find_locale, load_tables

DATE_LANGUAGES = (
    "en de fr es it pt nl pl sv da nb fi cs sk hu ro bg ru uk el tr ar fa he hi bn th vi id ms ja ko zh ca hr sr sl lt"
    " lv et eu gl is fil"
).split()
DAY = dt.date(2026, 3, 7)
WIDTHS = ("full", "long", "medium", "short")
AMOUNTS = (5, 12.99, 1234.5, 1234567.89)
_ALIASES = ("no", "yue")  # the same as nb and zh
_MAX_DIFFERENCE = 0.005


class Case(NamedTuple):
    """A text in a language, and what it says."""

    language: str
    text: str
    type: str
    value: Value


def run_locales(root: Path, sample: int | None) -> Finding | None:  # noqa: ARG001 - as all parts
    """Count the dates and amounts that are read alone on a page of their language."""
    if importlib.util.find_spec("babel") is None:
        return None
    rows, figures, complaints = [], {}, []
    for name, cases in (("dates", list(dates())), ("amounts", list(amounts()))):
        missed = [case for case in cases if not is_read(case)]
        languages = len({case.language for case in cases})
        rows.append((name, str(languages), str(len(cases)), str(len(cases) - len(missed))))
        figures[f"locales, {name} read"] = len(cases) - len(missed)
        complaints += [f"locales: {case.language}: {case.text!r} is not read as {case.value.value}" for case in missed]
    note = (
        f"Written by Babel: {DAY} in five forms (full, long, medium, short, and the skeleton yMMMd);"
        f" {len(AMOUNTS)} amounts in the currency of the country with most speakers and in euros (dollars where that is"
        " the euro)."
    )
    heads = ("texts", "languages", "written", "read")
    return Finding("Dates and money in many languages", heads, rows, note, figures, complaints)


def is_read(case: Case) -> bool:
    """Tell whether a text is read as what it says, on a page of its language."""
    found = read_value(case.text, find_locale(case.language, [case.text]))
    if found is None or found[0] != case.type or found[1].unit != case.value.unit:
        return False
    said, wanted = found[1].value, case.value.value
    if isinstance(said, dt.date) or isinstance(wanted, dt.date):
        return said == wanted
    return abs(said - wanted) <= _MAX_DIFFERENCE


def dates() -> Iterator[Case]:
    """Write the day in each language and form."""
    from babel.dates import format_date, format_skeleton  # noqa: PLC0415 - a tool that may be missing

    for language in DATE_LANGUAGES:
        _forget_locales()
        texts = [format_date(DAY, width, language) for width in WIDTHS]
        texts.append(format_skeleton("yMMMd", DAY, locale=language))
        yield from (Case(language, text, "date", Value(DAY)) for text in texts)


def amounts() -> Iterator[Case]:
    """Write the amounts in each language, in two currencies."""
    from babel.core import get_global  # noqa: PLC0415 - a tool that may be missing
    from babel.numbers import format_currency, get_currency_precision, get_territory_currencies  # noqa: PLC0415

    for language in load_tables()["languages"]:
        if language in _ALIASES:
            continue
        _forget_locales()
        territory = get_global("likely_subtags").get(language, language).rpartition("_")[2]
        own = next(iter(get_territory_currencies(territory)), "USD")
        for code in (own, "USD" if own == "EUR" else "EUR"):
            for amount in AMOUNTS:
                value = Value(round(amount, get_currency_precision(code)), code)
                yield Case(language, format_currency(amount, code, locale=language), "money", value)


def _forget_locales() -> None:
    """Clear Babel's cache: it merges what one locale says into what others inherit."""
    from babel import localedata  # noqa: PLC0415 - a tool that may be missing

    localedata._cache.clear()
