"""The title of the page among its blocks, and what stands between it and the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

import numpy as np

from webquarry.reading.boilerpipe.blocks import Blocks, Label

_SEPARATORS = tuple(map(re.compile, (r" *[|»-] *", r" *[|»:] *", r" *[|»:()] *", r" *[|»:()-] *", r" *[|»,:()-] *")))
"""What parts the title of a text from names of sites and sections; the longest part of each splitting counts."""
_CLEAR_SEPARATORS = tuple(map(re.compile, (r" +\| +", r" +- +")))
"""Here every part of enough words counts."""
_ENOUGH_WORDS = 4
"""Boilerpipe's own number."""
_ADDRESS = ".com"
"""A part with it is the name of a site."""
_MARKS = "?!.:-"
"""They may be in the text of a block and not in the title."""


def mark_title(blocks: Blocks) -> Blocks:
    """The blocks, with a label on the first whose text is the title of the page or a part of it."""
    titles = set(find_titles(blocks.title))
    lines = "\n".join(blocks.read_texts()).replace("'", "").lower()  # all in one go: they are many and short
    bare = reduce(lambda text, mark: text.replace(mark, ""), _MARKS, lines)
    pairs = zip(lines.split("\n"), bare.split("\n"), strict=True)
    first = next((place for place, (line, rest) in enumerate(pairs) if line in titles or rest.strip() in titles), -1)
    return blocks.mark(Label.TITLE, np.arange(len(blocks)) == first)


def find_titles(title: str) -> Iterator[str]:
    """What the title of a text may be, given that of its page.

    >>> sorted(set(find_titles("Rain at last - Weather | The Daily")))
    ['rain at last', 'rain at last - weather', 'rain at last - weather | the daily', 'weather | the daily']
    """
    whole = " ".join(title.replace("'", "").lower().split())
    if not whole:
        return
    yield whole
    yield from filter(None, (_longest_part(pattern.split(whole)) for pattern in _SEPARATORS))
    for pattern in _CLEAR_SEPARATORS:
        parts = pattern.split(whole)
        yield from (part for part in parts if len(part.split(" ")) >= _ENOUGH_WORDS and _ADDRESS not in part)
    yield re.sub(r" - [^-]+$", "", whole)
    yield re.sub(r"^[^-]+ - ", "", whole)


def _longest_part(parts: list[str]) -> str:
    """The part with more words or more characters than those before it; nothing where the title is not parted."""
    longest, most_words = "", 0
    for part in parts if len(parts) > 1 else []:
        words = len(part.split(" "))
        if _ADDRESS not in part and (words > most_words or len(part) > len(longest)):
            longest, most_words = part, words
    return longest.strip()


def expand_to_title(blocks: Blocks) -> Blocks:
    """The blocks, with all that might be content from the title to the first content."""
    content = np.flatnonzero(blocks.content)
    titles = np.flatnonzero(blocks.has(Label.TITLE))
    before = titles[titles <= content[0]] if len(content) else titles[:0]
    if not len(before):
        return blocks
    places = np.arange(len(blocks))
    between = (places >= before[-1]) & (places < content[0])
    return blocks.decide(blocks.content | (between & blocks.has(Label.MIGHT_BE_CONTENT)))
