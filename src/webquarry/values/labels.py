"""Words around values that all texts of a column share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webquarry.values.months import is_weekday, month_of

LONGEST_LABEL = 24
"""Characters of a label that only one text shows, colon included: a longer one is a title."""

_WORD = re.compile(r"[^\d\s:]+:? ?|: ?")
_NAME = re.compile(r"[^\W\d_]+")
_WORDS_AFTER = re.compile(r"\D*$")


def strip_labels(texts: Sequence[str]) -> list[str]:
    """The texts without the words that all of them begin and end with; of one text, without what ends in a colon.

    >>> strip_labels(["Posted on 3 May 2020 by us", "Posted on 4 May 2020 by us"])
    ['3 May 2020', '4 May 2020']
    >>> strip_labels(["Updated: May 3, 2020"]), strip_labels(["Born May 3, 2020"])
    (['May 3, 2020'], ['Born May 3, 2020'])
    """
    if len(texts) == 1:
        label, colon, said = texts[0].partition(":")
        return (
            [said.lstrip()]
            if colon and len(label) < LONGEST_LABEL and not any(map(str.isdecimal, label))
            else list(texts)
        )
    start = _label_end(_shared(texts))
    rest = [text[start:] for text in texts]
    ending = _shared([text[::-1] for text in rest])[::-1]
    words = _WORDS_AFTER.search(ending)
    after = len(words[0]) if words and " " in words[0] else 0
    return [text[: len(text) - after].rstrip(" ,") for text in rest]


def _shared(texts: Sequence[str]) -> str:
    """What all texts begin with: the same as the first and the last of them in order do."""
    low, high = min(texts), max(texts)
    return next((low[:place] for place, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), low)


def _label_end(shared: str) -> int:
    """Where the whole words of a label end: before names of months and days, which belong to the date."""
    end = 0
    while word := _WORD.match(shared, end):
        name = _NAME.match(word[0])
        if word[0][-1] not in " :" or (name and (month_of(name[0]) or is_weekday(name[0]))):
            break
        end = word.end()
    return end
