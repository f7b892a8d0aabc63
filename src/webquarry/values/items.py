"""Texts that list several things, and the items in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from webquarry.values.magnitudes import exponent_of

_SEPARATOR = re.compile(r"[,;](?:\s+|$)|[、，；]\s*| [|•·] ")  # noqa: RUF001 - in their own scripts
_BOUNDARY = re.compile(r"[(\[{（【]|[)\]}）】]|" + _SEPARATOR.pattern)  # noqa: RUF001
_OPENING = frozenset("([{（【")  # noqa: RUF001
_CLOSING = frozenset(")]}）】")  # noqa: RUF001
_BRACKETS = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_DEEPEST = 3  # brackets in brackets
_DIGIT = re.compile(r"\d")

_FEW_WORDS = 4  # of an item outside brackets; clauses of a sentence have more
_LONGEST_LINE = 120  # characters, on the average; lines of a paragraph are longer
_MOST = 0.5
# Of all items: in the lists of a fact book at least .83 are so short, in its prose at most .74.
_SHORT = 0.8
_PAIRS = 0.8  # of the texts
_ALIKE = 0.25  # items with digits: nearly none or nearly all of a list; some are an address


def split_items(text: str) -> list[str]:
    """The items of a text: its lines, or else what commas and semicolons part outside brackets.

    >>> split_items("coal, iron ore (high grade, little), and fish; timber")
    ['coal', 'iron ore (high grade, little)', 'fish', 'timber']
    >>> split_items("first, with a comma\\nsecond")
    ['first, with a comma', 'second']
    """
    if "\n" in text:
        return [line for each in text.split("\n") if (line := each.strip())]
    parts = _split_outside_brackets(text) if _opens(text) else _SEPARATOR.split(text)
    return [item for part in parts if (item := part.strip().removeprefix("and "))]


def without_brackets(text: str) -> str:
    """The text without what stands in brackets."""
    for _ in range(_DEEPEST):
        if not _opens(text):
            break
        text = _BRACKETS.sub("", text)
    return text.strip()


def are_lists(texts: Sequence[str]) -> bool:
    """Whether texts are lists: most have several items, and these are short and alike.

    Two parts in nearly every text are a pair, such as coordinates.  Prose with many commas and few words between
    them is taken for a list.
    """
    counts = []
    items: list[str] = []
    for text in texts:
        found = split_items(text)
        counts.append(len(found))
        items.extend(found)
    if sum(count > 1 for count in counts) <= _MOST * len(texts) or counts.count(2) >= _PAIRS * len(texts):
        return False
    lines = sum("\n" in text for text in texts)
    if lines > _MOST * len(texts):
        return sum(map(len, items)) <= _LONGEST_LINE * len(items)
    plain = [without_brackets(item) for item in items]
    short = sum(len(item.split()) <= _FEW_WORDS for item in plain)
    numbered = sum(_DIGIT.search(item) is not None for item in plain) / len(items)
    return short >= _SHORT * len(items) and not _ALIKE < numbered < 1 - _ALIKE


@lru_cache(maxsize=256)
def words_beside(item: str) -> tuple[str, ...]:
    """What an item says beside numbers and their magnitudes, outside brackets.

    >>> words_beside("1.2 million km of road (paved 3%)"), words_beside("$900")
    (('km', 'of', 'road'), ())
    """
    words = without_brackets(item).split()
    return tuple(word for word in words if not (_DIGIT.search(word) or exponent_of(word, money=True, attached=False)))


def _opens(text: str) -> bool:
    return "(" in text or "[" in text or "{" in text or "（" in text or "【" in text  # noqa: RUF001


def _split_outside_brackets(text: str) -> list[str]:
    """The parts between separators; when a bracket is never closed, also those within it."""
    parts, start, depth = [], 0, 0
    for match in _BOUNDARY.finditer(text):
        mark = match[0]
        if mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth = max(depth - 1, 0)
        elif not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    if depth:
        return _SEPARATOR.split(text)
    parts.append(text[start:])
    return parts
