"""Which words are lost, and on how many pages.

Words may change places and be joined or divided (trees differ in where an element ends); a word
is lost when its characters are not there any more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

DOCUMENT_TEXT = "document_text"
"""What `Document.text()` gives is judged like one more system."""

_NO_WORD = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffc\U00010000-\U0010ffff]")  # U+FFFD stands for such a character


@dataclass
class Losses:
    """How many pages a system was given, and the words that it lost on some."""

    total: int = 0
    pages: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def share_kept(self) -> float:
        return 1 - len(self.pages) / self.total if self.total else 1.0


def words_of(texts: Iterable[str]) -> Counter[str]:
    """The words of texts, without the characters that XML cannot hold."""
    return Counter(_NO_WORD.sub("", " ".join(texts).replace("\x0c", " ")).split())


def find_lost(wanted: Counter[str], found: Counter[str]) -> list[str]:
    """The words that are wanted and whose characters are nowhere.

    >>> find_lost(Counter(["one", "two"]), Counter(["onetwo"]))
    []
    >>> find_lost(Counter(["one", "two"]), Counter(["one", "tw"]))
    ['two']
    """
    missing, surplus = wanted - found, found - wanted
    lacking = _characters(missing) - _characters(surplus)
    return [word for word in missing if any(character in lacking for character in word)]


def _characters(words: Counter[str]) -> Counter[str]:
    characters: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    return characters
