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

import numpy as np
from numpy.typing import NDArray

WORDS_OF_A_TEXT = 3
"""Words around marked ones, on average: fewer are separators, labels and units between facts."""
ENOUGH = 40
"""Characters of a text that are asked for words."""
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

    lines: NDArray[np.int64]
    """The number of the line of each."""
    owners: NDArray[np.int64]
    """The element that each stands in."""
    outer: NDArray[np.int64]
    """The element around that."""
    paths: NDArray[np.uint64]
    """The tag path of the owner."""
    is_inline: NDArray[np.bool_]
    """Whether text runs on through the owner."""


def find_highlights(standing: Standing, texts: Sequence[str]) -> frozenset[int]:
    """The tag paths of highlights; the text of each leaf is given."""
    marked, plain = _find_marked(standing)
    if not marked:
        return frozenset()
    paths, lines = standing.paths.tolist(), standing.lines.tolist()
    marks: dict[int, _Marks] = {}
    for holder, members in marked.items():
        words = sum([len(_WORD.findall(texts[leaf], 0, ENOUGH)) for leaf in plain[holder]])
        _note(marks, paths, members, plain[holder], words)
    outer = {seen.outer for seen in marks.values()}
    # for each path of what holds marked words the lines with text of its own
    holding = Counter([path for _, path in {place for place in zip(lines, paths, strict=True) if place[1] in outer}])
    return frozenset([path for path, seen in marks.items() if _is_highlight(seen, holding)])


def _find_marked(standing: Standing) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Leaves in inline elements among text, and leaves that are the text; by numbers for a line and what holds it."""
    lines, size = standing.lines, len(standing.lines)
    beside = lines[1:] == lines[:-1]
    leaves = np.flatnonzero(np.concatenate([[False], beside]) | np.concatenate([beside, [False]]))
    numbers, is_inline = leaves.tolist(), standing.is_inline[leaves].tolist()
    plain: dict[int, list[int]] = {}
    for leaf, holder in zip(numbers, (standing.owners * (size + 1) + lines)[leaves].tolist(), strict=True):
        plain.setdefault(holder, []).append(leaf)
    marked: dict[int, list[int]] = {}
    for leaf, inline, holder in zip(
        numbers, is_inline, (standing.outer * (size + 1) + lines)[leaves].tolist(), strict=True
    ):
        if inline and holder in plain:
            marked.setdefault(holder, []).append(leaf)
    return marked, plain


def _note(marks: dict[int, _Marks], paths: list[int], marked: list[int], plain: list[int], words: int) -> None:
    """Add what one line shows of the elements in one that holds text of its own too."""
    members = sorted(marked + plain)
    places: dict[int, list[int]] = {}
    for leaf in marked:
        places.setdefault(paths[leaf], []).append(members.index(leaf))
    for path, where in places.items():
        if path not in marks:
            marks[path] = _Marks(paths[plain[0]])
        seen = marks[path]
        seen.lines += 1
        seen.words_around += words
        seen.patterns[tuple(where)] += 1
        for place in where:
            inner = 0 < place < len(members) - 1
            seen.inside += inner and members[place - 1] in plain and members[place + 1] in plain


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
