"""Columns of texts, read as values of one type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from webquarry.values.amounts import Amount, take_apart
from webquarry.values.booleans import LONGEST_TRUTH, read_booleans
from webquarry.values.currencies import code_of
from webquarry.values.dates import LONGEST_LABEL, read_dates
from webquarry.values.locale import MARKS, Locale, find_mark, majority, read_digits
from webquarry.values.text_value import Value, fold
from webquarry.values.units import is_counted, is_relative, may_be_unit, same_unit

# MERGED values/numbers: Columns of numbers and of money.
_CODE_DIGITS = 10  # when all numbers are so long and without a mark they are phones, books or articles
_CODE_DIGITS_BEFORE_WORDS = 4  # 10115 Berlin, 1999 Ford
_PHONE = re.compile(r"\d{3}[ .]\d{3}[ .]\d{3}")
_BILLION = 9
_PARTING = frozenset(" -|·•,;★⭐")  # marks that part a value from the next in a line
CROWNS = "kr"
"""A unit as good as any where the language does not say whose they are."""


def read_amounts(texts: Sequence[str], locale: Locale) -> tuple[str, list[Value]] | None:
    """The type, `number` or `money`, and the value of each folded text; None when they are not all of one."""
    amounts: list[Amount] = []
    for text in texts:
        amount = take_apart(text)
        if amount is None or (amounts and amount.label != amounts[0].label):
            return None
        amounts.append(amount)
    codes = [code_of(amount.currency, locale) for amount in amounts]
    if all(codes):
        values = _read_money(amounts, codes, locale)
        return None if values is None else ("money", values)
    if any(codes) or any(amount.currency and (amount.currency != CROWNS or amount.unit) for amount in amounts):
        return None
    values = _read_numbers(amounts, locale)
    return None if values is None else ("number", values)


def _read_money(amounts: list[Amount], codes: list[str], locale: Locale) -> list[Value] | None:
    first = amounts[0]
    alone = len(amounts) == 1
    if alone and (first.tail or not _is_label(first.label, alone=True)):
        return None
    if any(amount.tail != first.tail or amount.unit or "." in amount.form for amount in amounts):
        return None
    # Where one price has no cents, no other has; and thousandths are never all noughts.
    whole = any(amount.run.isdecimal() or amount.run.endswith("000") for amount in amounts)
    return _values(amounts, codes, _find_mark(amounts, locale, whole=whole))


def _find_mark(amounts: list[Amount], locale: Locale, *, whole: bool) -> str:
    """The decimal mark that most numbers prove, else that of the locale.

    Where nothing is proved, a mark in numbers that are all whole parts groups of three digits.
    """
    runs = [amount.run for amount in amounts]
    marks = [find_mark(run) for run in runs]
    used = {mark for run in runs for mark in MARKS if mark in run}
    usual = locale.decimal
    if whole and len(used) == 1 and not any(marks):
        usual = "," if "." in used else "."
    return majority(marks, usual)


def _read_numbers(amounts: list[Amount], locale: Locale) -> list[Value] | None:
    first = amounts[0]
    if not _is_label(first.label, alone=len(amounts) == 1) or any(amount.form != first.form for amount in amounts):
        return None
    if any(amount.exponent for amount in amounts):
        amounts = [_with_billions(amount) for amount in amounts]
    units = _find_units(amounts)
    if units is None or _are_codes(amounts, units):
        return None
    whole = all(amount.form == "(" or is_counted(amount.unit) for amount in amounts) or (
        first.tail != "" and not first.unit and any(amount.run.isdecimal() for amount in amounts)
    )
    return _values(amounts, units, _find_mark(amounts, locale, whole=whole))


def _with_billions(amount: Amount) -> Amount:
    """The amount with `B` as a billion: alone it is a gate or a block, beside K and M it is not."""
    return amount._replace(exponent=_BILLION, tail="") if amount.tail == "B" else amount


def _find_units(amounts: list[Amount]) -> list[str | None] | None:
    """The unit of each number; None when words after them are no units.

    Known ones may differ.  An unknown word must stand after every number of a column of several, singular or
    plural, and words after a known unit must all be the same.
    """
    first = amounts[0]
    if not any(amount.tail for amount in amounts):
        return [amount.currency or amount.unit or None for amount in amounts]
    if len(amounts) == 1 or is_relative(first.tail):
        return None
    if all(amount.tail == first.tail for amount in amounts) and (
        set(first.tail) <= _PARTING or all(amount.unit for amount in amounts)
    ):
        return [amount.unit or None for amount in amounts]
    words = [amount.tail[1:] for amount in amounts if not amount.unit and amount.tail[:1] == " "]
    if len(words) < len(amounts) or not may_be_unit(words[0]):
        return None
    return list(words) if all(same_unit(words[0], word) for word in words) else None


def _is_label(label: str, *, alone: bool) -> bool:
    """Whether what stands before a number is set apart from it: words without a colon are a title with a number in it.

    In a column of several it may also be a dash or another mark that parts columns.
    """
    if alone:
        return not label or (label[-2:] in (": ", ":\n") and len(label) <= LONGEST_LABEL)
    return label.rstrip()[-1:] in ("", ":") or set(label) <= _PARTING


def _are_codes(amounts: list[Amount], units: Iterable[str | None]) -> bool:
    """Whether the numbers only name things: all are long, of one length before words, or in groups like phones."""
    runs = [amount.run for amount in amounts]
    lengths = {len(run) for run in runs}
    if all(map(str.isdecimal, runs)):
        unknown = any(amount.tail for amount in amounts) and not any(amount.unit for amount in amounts)
        alike = unknown and len(lengths) == 1
        return min(lengths) >= (_CODE_DIGITS_BEFORE_WORDS if alike else _CODE_DIGITS)
    return not any(units) and all(map(_PHONE.fullmatch, runs))


def _values(amounts: list[Amount], units: Sequence[str | None], mark: str) -> list[Value] | None:
    values = []
    for amount, unit in zip(amounts, units, strict=True):
        number = read_digits(amount.run, mark, amount.exponent)
        if number is None:
            return None
        values.append(Value(0 - number if amount.negative else number, unit))  # never -0.0
    return values


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
