"""Where the text of a page ends: what follows it is comments and the like."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from webquarry.reading.boilerpipe.blocks import Blocks, Label

# Numbers and phrases are Boilerpipe's own.
_MOST_WORDS = 14
"""Words of a block that says that the text ends."""
_DENSE = 9
"""Words a line of what counts as full text."""
_ENOUGH_WORDS = 60
"""Words of full text that must stand before the end."""
_PHRASES = (
    *("\ncomments", "\n© reuters", "\nplease rate this", "\npost a comment"),
    *("what you think...", "add your comment", "add comment", "reader views", "have your say", "reader comments"),
    *("rätta artikeln", "\nthanks for your comments - this feedback is now closed\n"),
)
"""What says so, in blocks that stand in a line each."""
_AFTER_NUMBERS = (" comments", " users responded in")
"""What says so after a number that begins the block."""
_LINK = "Comment"
"""Says so when it is all of a block and a link."""


def find_ends(blocks: Blocks) -> Blocks:
    """The blocks, with a label on those that say, in English or Swedish, that comments follow."""
    short, every = np.flatnonzero(blocks.words <= _MOST_WORDS).tolist(), blocks.read_texts()
    texts = [every[place] for place in short]
    found = [short[line] for line in _find_lines("\n".join(["", *texts, ""]).lower())]
    found += [place for place, text in zip(short, texts, strict=True) if text == _LINK and blocks.linked[place]]
    ends = np.zeros(len(blocks), dtype=np.bool_)
    ends[found] = True
    return blocks.mark(Label.ENDS_TEXT, ends)


def _find_lines(text: str) -> Iterator[int]:
    """The numbers of the lines that say that comments follow; a line begins and ends with a line feed."""
    starts = list(accumulate(len(line) + 1 for line in text.split("\n")))
    for phrase in _PHRASES:
        yield from (bisect_right(starts, place + 1) - 1 for place in _find_all(text, phrase))
    for phrase in _AFTER_NUMBERS:
        for place in _find_all(text, phrase):
            line = bisect_right(starts, place) - 1
            before = text[starts[line] : place]
            if before.isascii() and before.isdigit():
                yield line


def _find_all(text: str, phrase: str) -> Iterator[int]:
    place = text.find(phrase)
    while place >= 0:
        yield place
        place = text.find(phrase, place + 1)


def ignore_after_end(blocks: Blocks) -> Blocks:
    """The blocks without content from the first that ends the text, if there is enough text before it."""
    is_full = blocks.content & (blocks.text_densities >= _DENSE)
    ends = blocks.has(Label.ENDS_TEXT) & (np.cumsum(np.where(is_full, blocks.words, 0)) >= _ENOUGH_WORDS)
    return blocks.decide(blocks.content & ~np.maximum.accumulate(ends))


def drop_trailing_headings(blocks: Blocks) -> Blocks:
    """The blocks without the headings below all other content."""
    others = np.flatnonzero(blocks.content & ~blocks.has(Label.HEADING))
    last = others[-1] if len(others) else -1
    return blocks.decide(blocks.content & (np.arange(len(blocks)) <= last))
