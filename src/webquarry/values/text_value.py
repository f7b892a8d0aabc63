"""What a text says, as a value that can be computed with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Value:
    """A number, a date or a truth, and its unit where it has one: a currency as in ISO 4217, or as written."""

    value: float | date | bool
    unit: str | None = None


# MERGED values/folding: Texts in plain characters: one kind of space, of digit, of dash and of apostrophe.
_SAME = {
    "\u2212": "-",  # minus sign
    "\u2011": "-",  # hyphen that does not break
    "\u2013": "-",  # dashes, which stand for a minus or for nothing
    "\u2014": "-",
    "\u2019": "'",
    "\u02bc": "'",
    "\uff07": "'",
    "\u066c": "'",  # Arabic thousands separator: like the apostrophe it only ever groups
    "\u066b": ".",  # Arabic decimal separator
    "\u066a": "%",
    "\uff05": "%",
    "\uff04": "$",
    "\uffe5": "¥",
    "\uffe1": "£",
    "\uff0c": ",",
    "\uff0e": ".",
    "\uff0d": "-",
    "\uff0f": "/",
    "\uff1a": ":",
    "\uff08": "(",
    "\uff09": ")",
}
_UNSEEN = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
_PLAIN = str.maketrans(_SAME | dict.fromkeys(_UNSEEN, ""))
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


def fold(text: str) -> str:
    """The text in plain characters, with one space for each run of white space; line breaks stay.

    >>> fold(" 1\\u202f234,50\\u00a0€ "), fold("\\u0661\\u0662\\u066b\\u0665"), fold("12\\n 345")
    ('1 234,50 €', '12.5', '12\\n345')
    """
    if not text.isascii():
        text = _FOREIGN_DIGIT.sub(_digit, text.translate(_PLAIN))
    if "\n" not in text:
        return " ".join(text.split())
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line and not line.isspace())


def _digit(match: re.Match[str]) -> str:
    return str(int(match[0]))
