"""Where the text of a page ends: what follows it is comments and the like."""

from __future__ import annotations

import re

import numpy as np

from webquarry.reading.boilerpipe.blocks import Blocks, Label

_MOST_WORDS = 14
"""Words of a block that says that the text ends."""
_DENSE = 9
"""Words a line of what counts as full text."""
_ENOUGH_WORDS = 60
"""Words of full text that must stand before the end."""
_PHRASES = re.compile(
    r"^(?:[0-9]+ )?comments|^[0-9]+ users responded in|^© reuters|^please rate this|^post a comment"
    r"|what you think\.\.\.|add your comment|add comment|reader views|have your say|reader comments|rätta artikeln"
    r"|^thanks for your comments - this feedback is now closed$",
    re.MULTILINE,
)
_LINK = "Comment"
"""Says so too, when it is all of a block and a link."""


def find_ends(blocks: Blocks) -> Blocks:
    """The blocks, with a label on those that say, in English or Swedish, that comments follow."""
    short = np.flatnonzero(blocks.words <= _MOST_WORDS).tolist()
    every = blocks.read_texts()
    texts = [every[place] for place in short]
    lines = "\n".join(texts).lower()
    found = [short[lines.count("\n", 0, match.start())] for match in _PHRASES.finditer(lines)]
    found += [place for place, text in zip(short, texts, strict=True) if text == _LINK and blocks.linked[place]]
    ends = np.zeros(len(blocks), dtype=np.bool_)
    ends[found] = True
    return blocks.mark(Label.ENDS_TEXT, ends)


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
