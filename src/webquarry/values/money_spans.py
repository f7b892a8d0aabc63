"""Find amounts of money within a text: where each begins and ends, with the words that qualify it."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from webquarry.values.currencies import sign_of
from webquarry.values.price_words import find_qualifier, find_rate, joins_ends

_NUMBER = re.compile(r"\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*(?:[.,]\s?[-\u2013\u2014]{1,2}(?!\d))?")
_MAX_SIGN = 8  # characters of a currency and the space or sign behind it
_SIGN_BEFORE = re.compile(r"([^\s\d\-\u2013\u2014:;,()]{1,6})[ \u00a0\u202f]?[-\u2212+]?$")
_SIGN_AFTER = re.compile(r"[ \u00a0\u202f]?([^\s\d\-\u2013\u2014:;,()/*]{1,6})(?!\d)")
_MAGNITUDE = re.compile(r"[kKMbB]\b\+?")
_CURRENCY_MARK = "Sc"  # the Unicode category of currency signs

Span = tuple[int, int]


def find_money(text: str) -> list[Span]:
    """Find the amounts of money in a text, ranges as one, with `from`, `/ month` and the like.

    >>> text = "Now from $9.00 - $11.00 / month, was $15 or 12 pieces"
    >>> [text[start:stop] for start, stop in find_money(text)]
    ['from $9.00 - $11.00 / month', '$15']
    """
    found: list[Span] = []
    last = (0, 0)  # the number before, which may be the lower end of a range
    for number in _NUMBER.finditer(text):
        span = _money_around(text, *number.span())
        is_range = last[1] > 0 and joins_ends(text[last[1] : (span or number.span())[0]])
        if found and is_range and found[-1][1] == last[1]:
            found[-1] = found[-1][0], (span or number.span())[1]
        elif span is not None and is_range and span[0] == number.start():
            found.append((last[0], span[1]))
        elif span is not None:
            found.append(span)
        last = found[-1] if found and found[-1][1] >= number.end() else number.span()
    return [(find_qualifier(text, start), find_rate(text, stop)) for start, stop in found]


def is_money(text: str) -> bool:
    """Tell whether a text is an amount of money and nothing else.

    >>> is_money("From £9.00 GBP"), is_money("3x R$ 950,00"), is_money("12")
    (True, False, False)
    """
    spans = find_money(text)
    return len(spans) == 1 and not text[: spans[0][0]].strip() and not text[spans[0][1] :].strip(" .*")


def _money_around(text: str, start: int, stop: int) -> Span | None:
    """Extend a number by the currencies and the magnitude beside it; None if it has no currency."""
    before = _SIGN_BEFORE.search(text, max(0, start - _MAX_SIGN), start)
    signs = _sign_length(before[1], before=True) if before else 0
    magnitude = _MAGNITUDE.match(text, stop)
    stop = magnitude.end() if magnitude else stop
    after = _SIGN_AFTER.match(text, stop)
    signs_after = _sign_length(after[1], before=False) if after else 0
    if after and signs_after:
        stop = after.start(1) + signs_after
    if before and signs:
        start = before.end(1) - signs
    return (start, stop) if signs or signs_after else None


@lru_cache(maxsize=1024)  # a page has few
def _sign_length(word: str, *, before: bool) -> int:
    """Count the characters of a currency beside a number; a sign may touch other words, as in `from$`."""
    if sign_of(word, before=before):
        return len(word)
    mark = word[-1] if before else word[0]
    return int(unicodedata.category(mark) == _CURRENCY_MARK)
