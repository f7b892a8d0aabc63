"""Read a column of texts as values of one type: numbers, money, dates or booleans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from webquarry.values.cldr_dates import read_relative_date
from webquarry.values.dates import MAX_LABEL_CHARACTERS, read_dates
from webquarry.values.prices import MIN_SHARE_OF_PRICES, read_prices
from webquarry.values.text_value import Locale, Value, find_column_mark, fold, read_digits
from webquarry.values.units import (
    CROWNS,
    MIN_CODE_DIGITS,
    Amount,
    code_of,
    dimension_of,
    is_counted,
    is_relative,
    may_be_unit,
    same_unit,
    take_apart,
)

_ANY = ""
# Yes, no, and the languages of a page in which one of the two is enough; None requires both.
_PAIRS = (
    ("yes", "no", _ANY),
    ("true", "false", _ANY),
    ("y", "n", None),
    ("ja", "nein", "de"),
    ("wahr", "falsch", "de"),
    ("oui", "non", "fr"),
    ("vrai", "faux", "fr"),
    ("sí", "no", "es ca"),
    ("si", "no", "es it"),
    ("sì", "no", "it"),
    ("sim", "não", "pt"),
    ("ja", "nee", "nl af"),
    ("ja", "nej", "sv da"),
    ("ja", "nei", "nb nn no"),
    ("tak", "nie", "pl"),
    ("ano", "ne", "cs"),
    ("áno", "nie", "sk"),
    ("kyllä", "ei", "fi"),
    ("igen", "nem", "hu"),
    ("evet", "hayır", "tr"),  # noqa: RUF001 - in its own alphabet
    ("да", "нет", "ru"),
    ("так", "ні", "uk"),
    ("ναι", "όχι", "el"),  # noqa: RUF001 - in its own alphabet
    ("はい", "いいえ", "ja"),
    ("是", "否", "zh"),
    ("예", "아니오", "ko"),
)
_TICKS = frozenset("✓✔✅☑")
_CROSSES = frozenset("✗✘✕✖❌☒\u00d7")
_TRUTHS = {word: word == yes for yes, no, _ in _PAIRS for word in (yes, no)}
_TRUE_OR_FALSE = _TICKS | _CROSSES | _TRUTHS.keys()
MAX_TRUTH_CHARACTERS = 6
"""Of the longest word for yes or no."""


def read_booleans(texts: Sequence[str], locale: Locale) -> list[Value] | None:
    """Read texts that are all yes and no, or all ticks and crosses; else None.

    One word of a pair is enough in its own language. Crosses alone are not: they also mean close or delete.
    """
    if any(len(text) > MAX_TRUTH_CHARACTERS for text in texts):
        return None
    words = [text.lower() for text in texts]
    present = set(words)
    if not present <= _TRUE_OR_FALSE:
        return None
    if present & _TICKS and present <= _TICKS | _CROSSES:
        return [Value(word in _TICKS) for word in words]
    for yes, no, languages in _PAIRS:
        is_spoken = languages is not None and (languages == _ANY or locale.primary in languages.split())
        if present == {yes, no} or (len(present) == 1 and present <= {yes, no} and is_spoken):
            return [Value(word == yes) for word in words]
    return None


def truth_of(word: str) -> bool | None:
    """Read one word or sign where a boolean is expected; None if it is neither yes nor no.

    No word in the table means yes in one language and no in another.

    >>> truth_of("Nein"), truth_of("✓"), truth_of("maybe")
    (False, True, None)
    """
    if word in _TICKS:
        return True
    return False if word in _CROSSES else _TRUTHS.get(word.lower())


MIN_FITTING = 0.8
"""Of the texts of a column that have one form."""
MIN_SHARE_OF_VALUES = 0.9
"""Of the texts of a column that are dates, or numbers with a unit; the others say something else in their place."""
MISSING = frozenset(("", "-", "--", "---", "?", "…", "...", "n/a", "N/A", "n.a.", "k.A."))
"""Texts that say there is no value."""
_FREE = frozenset(
    "free|free!|kostenlos|gratis|gratuit|grátis|gratuito|zdarma|бесплатно|безкоштовно|darmowe|za darmo|bezpłatnie"
    "|bezpłatne|bezplatně|ingyenes|ücretsiz|ilmainen|δωρεάν|miễn phí|無料|免费|免費|무료|مجاني|مجانا|חינם"
    "|मुफ़्त|ฟรี".split("|")
)
"""Words for things without a price, in lower case."""
_NO_VALUE = _FREE | frozenset(
    "none|na|nil|null|unknown|tba|tbd|t.b.a.|to be announced|to be determined|to be confirmed|not available|unavailable"
    "|not applicable|sold out|out of stock|on request|upon request|price on request|price upon request|poa"
    "|call|call for price|call for pricing|contact us|ask for price|request a quote|not rated|no rating|no ratings"
    "|auf anfrage|preis auf anfrage|auf nachfrage|ausverkauft|unbekannt|keine angabe|keine angaben"
    "|nicht verfügbar|sur demande|prix sur demande|nous consulter|épuisé|inconnu|non disponible|non précisé"
    "|consultar|a consultar|precio a consultar|bajo consulta|agotado|no disponible|desconocido|sob consulta|esgotado"
    "|indisponível|su richiesta|prezzo su richiesta|trattativa riservata|esaurito|non disponibile"
    "|op aanvraag|prijs op aanvraag|uitverkocht|onbekend|brak|brak danych|na zapytanie|zapytaj o cenę|cena na zapytanie"
    "|na dotaz|cena na dotaz|vyprodáno|slutsåld|på forespørsel|udsolgt|по запросу|цена по запросу"
    "|нет в наличии|нет данных|договорная|售罄|売り切れ|품절".split("|")
)
"""Words that say there is no value, in lower case."""
_NO_NUMBER = re.compile(r"-{1,3} [^\W\d_]")  # a dash before a unit
PHONE = re.compile(r"\d{3}[ .]\d{3}[ .]\d{3}")
DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SOME_DAY = date(2000, 1, 1)
"""To tell that a text is relative to the day when a page was fetched, where that is not known."""
_MAX_VALUE_CHARACTERS = 100  # with label and unit
_MIN_CODE_DIGITS_BEFORE_WORDS = 4  # 10115 Berlin, 1999 Ford
_ZEROS_OF_BILLION = 9
_RESTATED = re.compile(r"(.+) \((\d[\d.,']*[^()\d]+)\)")  # 129 kW (175 PS)
_SEPARATORS = frozenset(" -|·•,;★⭐")  # between values in a line


def is_free(text: str) -> bool:
    """Tell whether a text is a word for things without a price.

    >>> is_free("Kostenlos"), is_free("Free delivery")
    (True, False)
    """
    return fold(text.strip()).lower() in _FREE


def fit_most(texts: Sequence[str], fits: Callable[[str], object]) -> bool:
    """Tell whether most texts fit, stopping as soon as too many do not."""
    fitting = len(texts)
    for text in texts:
        if not fits(text):
            fitting -= 1
            if fitting < MIN_FITTING * len(texts):
                return False
    return True


def says_no_value(text: str) -> bool:
    """Tell whether a text says that there is no value: a dash, or words such as `sold out`."""
    plain = fold(text.strip())
    return plain in MISSING or plain.lower() in _NO_VALUE


def read_column(texts: Sequence[str | None], locale: Locale) -> tuple[str, tuple[Value | None, ...]] | None:
    """Return the type of a column and the value of each text if all texts have one type; else None.

    Types are `number`, `money`, `date` and `boolean`. Empty texts, dashes and the like have no value, and neither do
    words such as "sold out" if most texts have one. In a column of money a minority of texts may be anything, and
    any number of them "free". Among dates, "2 days ago" has no value if the day of the page is not known.

    >>> read_column(["1.234 €", None, "12,50 €"], Locale("."))
    ('money', (Value(value=1234, unit='EUR'), None, Value(value=12.5, unit='EUR')))
    """
    is_dated = locale.today is not None
    if not is_dated and _is_prose(texts):
        return None
    cells = ["" if text is None else fold(text.strip()) for text in texts]
    present = [cell for cell in cells if cell not in MISSING]
    found = None
    if present:
        found = _read_recent(present, locale) if is_dated else None
        if found is None and not (is_dated and _is_prose(texts)):
            found = _read_present(present, locale) or (None if is_dated else _read_recent(present, locale))
    if found is None:
        return None
    values = iter(found[1])
    return found[0], tuple(None if cell in MISSING else next(values) for cell in cells)


def read_value(text: str, locale: Locale) -> tuple[str, Value] | None:
    """Return the type and value of one text if it is clear by itself; else None.

    >>> read_value("12,5 km", Locale(",")), read_value("Catch 22", Locale())
    (('number', Value(value=12.5, unit='km')), None)
    """
    found = read_column((text,), locale)
    if found is None or found[1][0] is None:
        return None
    return found[0], found[1][0]


def _is_prose(texts: Sequence[str | None]) -> bool:
    """Quickly rule out columns without values, as most columns of a page are."""
    wordy, most = 0, (1 - MIN_SHARE_OF_PRICES) * sum(map(bool, texts))
    for text in texts:
        if text is None or len(text) <= MAX_TRUTH_CHARACTERS:
            continue
        if len(text) > _MAX_VALUE_CHARACTERS and len(text.strip()) > _MAX_VALUE_CHARACTERS:
            return True
        plain = text.strip()
        if DIGIT.search(text) is None and len(plain) > MAX_TRUTH_CHARACTERS and fold(plain).lower() not in _FREE:
            wordy += 1
            if wordy > most:
                return True
    return False


def _read_present(texts: list[str], locale: Locale) -> tuple[str, Sequence[Value | None]] | None:
    """Read folded texts; only texts beside money, and words that say there is no value, may have none."""
    with_digits = [text for text in texts if DIGIT.search(text)]
    if not with_digits:
        truths = read_booleans(texts, locale)
        return None if truths is None else ("boolean", truths)
    priced = [text for text in texts if text.lower() not in _FREE]
    if len(with_digits) < MIN_SHARE_OF_PRICES * len(priced):
        return None
    prices = read_prices(priced, locale)
    if prices is not None and (len(priced) > 1 or len(texts) == 1):
        each = iter(prices)
        return "money", [None if text.lower() in _FREE else next(each) for text in texts]
    if len(with_digits) < MIN_SHARE_OF_PRICES * len(texts):
        return None
    is_complete = all(
        text.lower() in _NO_VALUE or _NO_NUMBER.match(text) for text in texts if DIGIT.search(text) is None
    )
    is_likely = is_complete or _are_nearly_all(with_digits, texts) or _say_one_thing(texts)
    found = _read_all(with_digits, locale) if is_likely else None
    if found is None or not (is_complete or found[0] == "date" or all(value.unit for value in found[1])):
        return None
    values = iter(found[1])
    return found[0], [next(values) if DIGIT.search(text) else None for text in texts]


def _say_one_thing(texts: Sequence[str]) -> bool:
    """Tell whether all texts without digits are the same, several times, such as `no messages yet` among dates."""
    wordy = [text for text in texts if DIGIT.search(text) is None]
    return len(wordy) > 1 and len(set(wordy)) == 1


def _are_nearly_all(with_digits: Sequence[str], texts: Sequence[str]) -> bool:
    return len(with_digits) >= MIN_SHARE_OF_VALUES * len(texts)


def _read_recent(texts: list[str], locale: Locale) -> tuple[str, Sequence[Value | None]] | None:
    """Read folded texts that are all dates, at least one of them relative to the day of the page; else None.

    Where that day is not known, relative dates have no value, and most texts must be dates with a year.
    """
    if locale.today is None and 2 * sum(_YEAR.search(text) is not None for text in texts) <= len(texts):
        return None
    dated = locale if locale.today is not None else replace(locale, today=_SOME_DAY)
    days = [read_relative_date(text, dated) for text in texts]
    others = [text for text, day in zip(texts, days, strict=True) if day is None]
    dates = read_dates(others, locale) if others and len(others) < len(texts) else []
    if dates is None or len(dates) < len(others):
        return None
    rest = iter(dates)
    is_known = locale.today is not None
    return "date", [next(rest) if day is None else (Value(day) if is_known else None) for day in days]


def _read_all(texts: list[str], locale: Locale) -> tuple[str, list[Value]] | None:
    """Read folded texts as all numbers or all dates; else None."""
    numbers = _read_numbers(texts, locale)
    if numbers is not None:
        return "number", numbers
    dates = read_dates(texts, locale)
    return None if dates is None else ("date", dates)


def _take_restated(text: str) -> Amount | None:
    """Take apart an amount that is said again in a unit of the same kind: `129 kW (175 PS)`, not `3 KB (70 words)`."""
    match = _RESTATED.fullmatch(text)
    if match is None:
        return None
    amount, other = take_apart(match[1]), take_apart(match[2])
    if amount is None or other is None or not amount.unit or dimension_of(amount.unit) != dimension_of(other.unit):
        return None
    return amount if dimension_of(amount.unit) else None


def _read_numbers(texts: Sequence[str], locale: Locale) -> list[Value] | None:
    amounts: list[Amount] = []
    for text in texts:
        amount = take_apart(text) or _take_restated(text)
        if amount is None or (amounts and amount.label != amounts[0].label):
            return None
        if not amounts and not _is_label(amount.label, alone=len(texts) == 1):  # no need to read the rest
            return None
        if amount.currency and (code_of(amount.currency, locale) or amount.currency != CROWNS or amount.unit):
            return None
        amounts.append(amount)
    first = amounts[0]
    if any(amount.form != first.form for amount in amounts):
        return None
    if any(amount.exponent for amount in amounts):
        # Alone, `B` is a gate or a block; beside K and M it is a billion.
        amounts = [each._replace(exponent=_ZEROS_OF_BILLION, tail="") if each.tail == "B" else each for each in amounts]
    units = _find_units(amounts)
    if units is None or _are_codes(amounts, units):
        return None
    whole = all(amount.form == "(" or is_counted(amount.unit) for amount in amounts) or (
        first.tail != "" and not first.unit and any(amount.run.isdecimal() for amount in amounts)
    )
    return _to_values(amounts, units, find_column_mark([amount.run for amount in amounts], locale, whole=whole))


def _find_units(amounts: list[Amount]) -> list[str | None] | None:
    """Return the unit of each number; None if the words after the numbers are not units.

    Known units may differ. An unknown word must follow every number of a column of several, singular
    or plural, and words after a known unit must all be the same.
    """
    first = amounts[0]
    if not any(amount.tail for amount in amounts):
        return [amount.currency or amount.unit or None for amount in amounts]
    if len(amounts) == 1 or is_relative(first.tail):
        return None
    if all(amount.tail == first.tail for amount in amounts) and (
        set(first.tail) <= _SEPARATORS or all(amount.unit for amount in amounts)
    ):
        return [amount.unit or None for amount in amounts]
    words = [amount.unit or (amount.tail[1:] if amount.tail[:1] == " " else "") for amount in amounts]
    if not all(words) or not may_be_unit(words[0]):
        return None
    return list(words) if all(same_unit(words[0], word) for word in words) else None


def _is_label(label: str, *, alone: bool) -> bool:
    """Tell whether the words before a number are a label: without a colon they are a title with a number in it.

    In a column of several, a dash or another separator will do as well.
    """
    if alone:
        return not label or (label[-2:] in (": ", ":\n") and len(label) <= MAX_LABEL_CHARACTERS)
    return label.rstrip()[-1:] in ("", ":") or set(label) <= _SEPARATORS


def _are_codes(amounts: list[Amount], units: Iterable[str | None]) -> bool:
    """Tell whether numbers only identify things: all long, of one length before words, or grouped like phones."""
    runs = [amount.run for amount in amounts]
    lengths = {len(run) for run in runs}
    if all(map(str.isdecimal, runs)):
        unknown = any(amount.tail for amount in amounts) and not any(amount.unit for amount in amounts)
        alike = unknown and len(lengths) == 1
        return min(lengths) >= (_MIN_CODE_DIGITS_BEFORE_WORDS if alike else MIN_CODE_DIGITS)
    return not any(units) and all(map(PHONE.fullmatch, runs))


def _to_values(amounts: list[Amount], units: Sequence[str | None], mark: str) -> list[Value] | None:
    values = []
    for amount, unit in zip(amounts, units, strict=True):
        number = read_digits(amount.run, mark, amount.exponent)
        if number is None:
            return None
        values.append(Value(0 - number if amount.negative else number, unit))  # never -0.0
    return values
