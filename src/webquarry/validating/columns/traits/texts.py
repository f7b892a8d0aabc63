"""What texts of a column are compared by: what they say, how they begin and end, how long they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from webquarry.validating.columns.traits.trait import NUMBER, TEXT, TYPE, Trait
from webquarry.values import Locale, read_value

_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel):/{0,2}[^/\s]*|www\.[^/\s]+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_TWICE = 1.0
"""In logarithms to the base 2: lengths of which one is twice the other are near each other."""


def find_text_traits(texts: Sequence[str], locales: Iterable[Locale]) -> list[Trait]:
    """The traits of texts, each read as its page writes numbers and dates."""
    words = [_WORD.findall(text.lower()) for text in texts]
    kinds = [_kind(text, locale) for text, locale in zip(texts, locales, strict=True)]
    lengths = np.log2(np.array([len(text) + 1 for text in texts], dtype=np.float64))
    return [
        Trait(TYPE, TEXT, 1.0, kinds),
        Trait("letters", TEXT, 1.0, [_LETTER.search(text) is not None for text in texts]),
        Trait("digits", TEXT, 0.5, [_DIGIT.search(text) is not None for text in texts]),
        Trait("beginning", TEXT, 0.5, [_fold(each[0]) if each else "" for each in words]),
        Trait("end", TEXT, 0.5, [_fold(each[-1]) if each else "" for each in words]),
        Trait("text", TEXT, 0.5, [text.lower() for text in texts]),
        Trait("capital", TEXT, 0.5, [text[:1].isupper() for text in texts]),
        Trait("length", TEXT, 1.0, numbers=[lengths], tolerance=_TWICE),
    ]


def _kind(text: str, locale: Locale) -> str:
    if _ADDRESS.match(text):
        return "link"
    found = read_value(text, locale)
    return "text" if found is None else found[0]


def _fold(word: str) -> str:
    return NUMBER if word.isdecimal() else word
