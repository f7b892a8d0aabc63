"""Highlights: inline elements that only mark words of a text, and are no facts of their own.

`Cells <b>divide</b> and <b>grow</b>` is one text, `<b>Brand:</b> Acme` are two.  Not the tag tells, but how the
elements recur: words are marked here and there, facts stand in their place.  Fails on a text in which every
record has the same number of marked words in the same places, and on facts in the midst of a sentence that
are sometimes missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

WORDS_OF_A_TEXT = 3
"""Words around marked ones, on average: fewer are separators, labels and units between facts."""
IN_PLACE = 0.75
"""Of the lines, those in which a fact stands where it mostly does."""


_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass
class _Marks:
    """How elements of one tag path stand among the text of the elements that hold them."""

    outer: int
    lines: int = 0
    words_around: int = 0
    inside: int = 0
    patterns: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """In which places of a line they stand, and how often."""


@dataclass(frozen=True)
class Standing:
    """Where texts stand: columns, one entry a leaf."""

    owners: Sequence[int]
    """The element that each stands in."""
    outer: Sequence[int]
    """The element around that."""
    paths: Sequence[int]
    """The tag path of the owner."""
    outer_paths: Sequence[int]


def find_highlights(
    standing: Standing, lines: Sequence[range], is_inline: Sequence[bool], texts: Sequence[str]
) -> frozenset[int]:
    """The tag paths of highlights.

    Lines are ranges of leaves; of each leaf is given whether text runs on through its owner, and its text.
    """
    owners, outer, paths = standing.owners, standing.outer, standing.paths
    marks: dict[int, _Marks] = {}
    # for each path the lines with text of its own
    holding = Counter([paths[line.start] for line in lines if len(line) == 1])
    for line in lines:
        if len(line) == 1:
            continue
        holding.update({paths[leaf] for leaf in line})
        plain: dict[int, list[int]] = {}
        for leaf in line:
            plain.setdefault(owners[leaf], []).append(leaf)
        inner: dict[int, list[int]] = {}
        for leaf in line:
            if is_inline[leaf] and outer[leaf] in plain:
                inner.setdefault(outer[leaf], []).append(leaf)
        for holder, marked in inner.items():
            words = sum(len(_WORD.findall(texts[leaf])) for leaf in plain[holder])
            _note(marks, standing, sorted(marked + plain[holder]), set(marked), words)
    return frozenset(path for path, seen in marks.items() if _is_highlight(seen, holding))


def _note(marks: dict[int, _Marks], standing: Standing, members: list[int], marked: set[int], words: int) -> None:
    """Add what one line shows of the elements in one that holds text of its own too."""
    places: dict[int, list[int]] = {}
    for place, leaf in enumerate(members):
        if leaf in marked:
            places.setdefault(standing.paths[leaf], []).append(place)
    for path, where in places.items():
        seen = marks.setdefault(path, _Marks(standing.outer_paths[members[where[0]]]))
        seen.lines += 1
        seen.words_around += words
        seen.patterns[tuple(where)] += 1
        seen.inside += sum(
            0 < place < len(members) - 1 and marked.isdisjoint((members[place - 1], members[place + 1]))
            for place in where
        )


def _is_highlight(seen: _Marks, holding: Counter[int]) -> bool:
    if _moves(seen.patterns):
        return 2 * seen.words_around >= seen.lines
    if seen.words_around < WORDS_OF_A_TEXT * seen.lines:
        return False
    if seen.lines == 1 and holding[seen.outer] == 1:  # a text like no other: words marked all over it
        return seen.inside > 1
    counts = {len(places) for places in seen.patterns}
    varies = len(counts) > 1 or holding[seen.outer] > seen.lines
    return varies and (seen.inside > 0 or max(counts) > 1)


def _moves(patterns: Counter[tuple[int, ...]]) -> bool:
    """Whether as many words are often marked in other places."""
    commonest: dict[int, int] = {}
    for places, count in patterns.items():
        commonest[len(places)] = max(count, commonest.get(len(places), 0))
    return sum(commonest.values()) < IN_PLACE * patterns.total()
