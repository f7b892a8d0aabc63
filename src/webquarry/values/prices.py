"""Read texts as money: an amount or a range with a currency, and the words beside it that qualify it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from webquarry.values.amounts import Amount, take_apart
from webquarry.values.currencies import (
    DASHES,
    MAY_NAME_CURRENCY,
    THREE_DECIMALS,
    WHOLE_CURRENCIES,
    code_of,
    join_signs,
    spell_out_signs,
)
from webquarry.values.locale import Locale, find_column_mark, read_digits
from webquarry.values.money_spans import read_joint, says_between, split_rate, words_after, words_before
from webquarry.values.text_value import Value

MIN_SHARE_OF_PRICES = 2 / 3
"""Of the texts of a column of money; the others say that a price is on request, or have two prices."""
_LINES_OF_NUMBERS = re.compile(r"\d\n\d")
# Possessive, and groups are atomic, as in amounts.py.
_RUN = r"(\d++(?>(?:[.,' ]\d++)*))"
_TWO = re.compile(rf"(\D*+){_RUN}(\D++){_RUN}(\D*+)")


_CENTS_AFTER_SIGN = re.compile(r"(\d)([€£$])(\d\d)(?!\d)")
_ROUND = re.compile(r"[.,]\d\d0$")


class Price(NamedTuple):
    """A text with one amount of money in it, or two that make a range."""

    ends: tuple[Amount, ...]
    currency: str
    """A code, or a sign that several currencies share."""
    note: str
    unknown: tuple[str, str]
    """Words before and after that are neither a label nor a note."""


def read_price(text: str) -> Price | None:
    """Take a folded text apart; None if it has no currency, or several prices.

    >>> price = read_price("From £9 - £11 GBP / night")
    >>> [end.run for end in price.ends], price.currency, price.note
    (['9', '11'], 'GBP', 'from / night')
    >>> read_price("$12.00 $10.00")
    """
    if MAY_NAME_CURRENCY.search(text) is None:
        return None
    if "\n" in text:
        if _LINES_OF_NUMBERS.search(text):
            return None
        text = text.replace("\n", " ")
    text = _CENTS_AFTER_SIGN.sub(r"\1,\3 \2", text)  # 24€99
    text, rate = split_rate(text) if "/" in text or " " in text else (text, "")
    amount = take_apart(text.rstrip("*†‡ "))
    ends = _read_range(text) if amount is None else (amount,)
    if not ends:
        return None
    first, last = ends[0], ends[-1]
    if not last.currency or any(end.unit or "." in end.form for end in ends) or (first.form and first.label):
        return None
    before, after = words_before(first.label), words_after(last.tail)
    note = " ".join(filter(None, (before.note, after.note, rate)))
    return Price(ends, last.currency, note, (before.unknown, after.unknown))


def _read_range(text: str) -> tuple[Amount, Amount] | None:
    match = _TWO.fullmatch(text)
    joint = read_joint(match[3]) if match else None
    if match is None or joint is None:
        return None
    low = take_apart(match[1] + match[2] + joint.left)
    # with the currency of the lower end the L of "60 L" is a lakh and not a litre
    sign = low.currency if low and low.currency != DASHES else ""
    high = take_apart(f"{joint.right if joint.right.strip() else sign}{match[4]}{match[5]}")
    if low is None or high is None or high.label or high.negative or low.negative or low.tail not in ("", high.tail):
        return None
    if joint.needs_between and not says_between(low.label):
        return None
    currency = join_signs(low.currency, high.currency) or join_signs(high.currency, low.currency)
    if not currency:
        return None
    return low._replace(currency=currency), high._replace(currency=currency)


def read_prices(texts: Sequence[str], locale: Locale) -> list[Value | None] | None:
    """Read folded texts as money if most are; None if they are not.

    Words that are neither labels nor qualifiers have to be the same in all texts that have any, at least two:
    otherwise they are titles that mention a price.
    """
    prices: list[Price | None] = []
    others, most = 0, (1 - MIN_SHARE_OF_PRICES) * len(texts)
    for text in spell_out_signs(texts, locale):
        price = read_price(text)
        prices.append(price)
        others += price is None
        if others > most:  # no need to read the rest, as most columns are not money
            return None
    strange = [price.unknown for price in prices if price and any(price.unknown)]
    if len(strange) == 1 or len(set(strange)) > 1:
        prices = [None if price and any(price.unknown) else price for price in prices]
    codes = [code_of(price.currency, locale) if price else "" for price in prices]
    if sum(map(bool, codes)) < MIN_SHARE_OF_PRICES * len(texts):
        return None
    runs = [end.run for price, code in zip(prices, codes, strict=True) if price and code for end in price.ends]
    mark = find_column_mark(runs, locale, whole=_are_whole(runs, set(filter(None, codes))))
    values = [
        _to_value(price, code, mark) if price and code else None for price, code in zip(prices, codes, strict=True)
    ]
    return values if sum(map(bool, values)) >= MIN_SHARE_OF_PRICES * len(texts) else None


def _are_whole(runs: Sequence[str], codes: Collection[str]) -> bool:
    """Tell whether prices have no cents: one has none, or ends in a zero that nobody would write as a thousandth."""
    if THREE_DECIMALS.issuperset(codes):
        return False
    return any(run.isdecimal() or _ROUND.search(run) for run in runs) or WHOLE_CURRENCIES.issuperset(codes)


def _to_value(price: Price, code: str, mark: str) -> Value | None:
    numbers = [_to_number(end, end.exponent, mark) for end in price.ends]
    first, last = price.ends[0], price.ends[-1]
    if len(numbers) > 1 and last.exponent and not first.exponent:
        # in $1-2 million and $136-248K the magnitude belongs to both, in $500-$1K it does not
        bare = _to_number(last, 0, mark)
        if numbers[0] is not None and bare is not None and numbers[0] < bare:
            numbers[0] = _to_number(first, last.exponent, mark)
    low, high = numbers[0], numbers[-1]
    if low is None or high is None or high < low:
        return None
    note = " ".join(filter(None, (price.note, price.unknown[1]))) or None
    return Value(low, code, to=high if high > low else None, note=note)


def _to_number(amount: Amount, exponent: int, mark: str) -> float | None:
    number = read_digits(amount.run, mark, exponent)
    return 0 - number if number is not None and amount.negative else number  # never -0.0
