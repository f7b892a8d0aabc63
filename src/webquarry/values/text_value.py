"""Define Value, what a text says as a number, date or boolean, and fold texts to plain characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


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


_WORD = re.compile(r"\w+")


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
