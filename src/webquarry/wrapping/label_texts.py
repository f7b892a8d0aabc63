"""Compare labels, and take them from the texts of their values."""

from __future__ import annotations

import re
from functools import lru_cache

from webquarry.wrapping.field_signatures import Texts
from webquarry.wrapping.field_values import COLONS

EDGE = " \t|·•,;:»«\u203a\u2039/\u2192"
"""Separators that do not belong to a value at whose ends they are."""
MAX_LABEL_LENGTH = 60
"""Characters of the label of a pair."""
ALTERNATIVE = " | "
"""Separates the labels that a field may have, such as `Category | Categories`."""
_LONGER_LABEL = re.compile(r"(?: [^\W\d_]+){1,3}[:\uff1a]")
"""Words behind a label that are part of another label."""
MAX_LABEL_TEXTS = 4
"""Texts that a label before a value may be in."""


def trim(text: str) -> str:
    """Remove separators at the ends of a value."""
    return text.strip(EDGE)


def squeeze(text: str) -> str:
    """Leave out of a text all but letters and digits, and case."""
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def fold_label(text: str) -> str:
    """Fold a label to compare it: without case, and without colon and separators at its ends."""
    return text.strip(EDGE + COLONS).casefold()


def fold_value(text: str) -> str:
    """Fold a value to compare it: without case, spaces and punctuation at its ends."""
    return " ".join(fold_label(text).split())


fold_known_label = lru_cache(maxsize=10_000)(fold_label)
"""For the labels of rules, which are compared with many texts."""


def is_label(text: str, heading: str) -> bool:
    """Tell whether a text is a label."""
    return fold_label(text) == fold_label(heading)


def take_label(texts: Texts, start: int, stop: int, label: str) -> str | None:
    """Return what some texts of a page say without a label before or behind it; None if they have no such label."""
    for size in range(1, min(stop - start, MAX_LABEL_TEXTS)):
        if is_label(texts.join(start, start + size), label):
            return texts.join(start + size, stop).lstrip(EDGE + COLONS).rstrip(EDGE) or None
        if is_label(texts.join(stop - size, stop), label):
            return texts.join(start, stop - size).strip(EDGE + COLONS) or None
    return without_label(texts.join(start, stop), label)


def without_label(text: str, label: str) -> str | None:
    """Remove a label before or behind a value; None if the text has no such label, or nothing else.

    >>> without_label("SKU: A-17", "SKU"), without_label("3 Beds", "Beds"), without_label("Skunk", "SKU")
    ('A-17', '3', None)
    >>> without_label("Office hours: 9 to 5", "Office") is None
    True
    """
    label = label.strip(EDGE + COLONS)
    if not label or len(text) <= len(label):
        return None
    folded, wanted = text.casefold(), label.casefold()
    if len(folded) != len(text):  # letters that fold to several
        folded, wanted = text, label
    if folded.startswith(wanted) and not (text[len(label)].isalnum() and label[-1].isalnum()):
        rest = text[len(label) :]
        return None if _LONGER_LABEL.match(rest) else rest.lstrip(EDGE + COLONS).rstrip(EDGE) or None
    if folded.endswith(wanted) and not (text[-len(label) - 1].isalnum() and label[0].isalnum()):
        return text[: -len(label)].strip(EDGE + COLONS) or None
    return None
