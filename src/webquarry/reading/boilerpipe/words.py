"""Words as Boilerpipe counts them, and the lines that they fill.

Words are parted by white space and by marks that are not usual punctuation: `don't` and `black/white` are one word
each, `black—white` is two.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LINE = 80
"""Characters of a line, by which text density is counted; the paper's own."""


class _Character(IntEnum):
    SPACE = 0
    MARK = 1
    JOINING = 2
    """A mark that does not part words."""
    UNDERSCORE = 3
    """It does not part words either, but is none by itself."""
    LETTER = 4
    """Or digit."""


class Words(NamedTuple):
    """All words of some texts."""

    places: NDArray[np.int64]
    """For each word the text that it is in."""
    lengths: NDArray[np.int64]
    """Characters, with the marks that hang on it."""


def find_words(texts: list[str]) -> Words:
    """The words of texts.

    >>> find_words(["Don't (ever) mix", "black—white: ___ 42%"])
    Words(places=array([0, 0, 0, 1, 1, 1]), lengths=array([5, 6, 3, 5, 6, 2]))
    """
    all_characters = _characters("\n" + "\n".join(texts))
    before, characters = all_characters[:-1], all_characters[1:]
    in_word, was_in_word = characters >= _Character.UNDERSCORE, before >= _Character.UNDERSCORE
    is_parted = (in_word & (before == _Character.MARK)) | (was_in_word & (characters == _Character.MARK))
    is_shown = characters != _Character.SPACE
    starts = np.flatnonzero(is_shown & ((before == _Character.SPACE) | is_parted))
    if not len(starts):
        return Words(starts, starts)
    is_word = np.maximum.reduceat(characters, starts) == _Character.LETTER
    lengths = np.add.reduceat(is_shown, starts, dtype=np.int64)
    stops = np.cumsum([len(text) + 1 for text in texts])
    return Words(np.searchsorted(stops, starts[is_word], side="right"), lengths[is_word])


def _characters(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _ASCII.take(codes, mode="clip")
    others = np.flatnonzero(codes >= len(_ASCII))
    distinct, places = np.unique(codes[others], return_inverse=True)
    kinds[others] = np.array([_character(chr(code)) for code in distinct.tolist()], dtype=np.uint8)[places]
    return kinds


def _character(character: str) -> _Character:
    if character.isspace():
        return _Character.SPACE
    if character in "\"'.,!@-:;$?()/":
        return _Character.JOINING
    if character == "_":
        return _Character.UNDERSCORE
    return _Character.LETTER if character.isalnum() else _Character.MARK


_ASCII = np.array([_character(chr(code)) for code in range(128)], dtype=np.uint8)


class Lines(NamedTuple):
    """How texts fill lines: the words in their full lines, and how many lines these are."""

    words: NDArray[np.int64]
    counts: NDArray[np.int64]


def fill_lines(lengths: NDArray[np.int64], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Lines:
    """The lines of texts whose words are those from a start to before a stop.

    A text of less than a line counts as one line.

    >>> fill_lines(np.array([9] * 15), np.array([0, 12]), np.array([12, 15]))
    Lines(words=array([8, 3]), counts=array([1, 1]))
    """
    reach = np.concatenate([[0], np.cumsum(lengths + 1)])  # where each word begins, when all stand in one line
    words, counts = stops - starts, np.ones_like(starts)
    reaches = reach[1:].tolist()
    for place in np.flatnonzero(reach[stops] - reach[starts] > LINE + 1).tolist():
        first, stop = int(starts[place]), int(stops[place])
        broken = 0
        word = bisect_right(reaches, int(reach[first]) + LINE + 1, first, stop)
        while word < stop:
            broken, first = broken + 1, word
            word = bisect_right(reaches, int(reach[word]) + LINE + 1, word + 1, stop)
        words[place], counts[place] = first - int(starts[place]), broken
    return Lines(words, counts)
