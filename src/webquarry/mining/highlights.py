"""Find elements that only mark words within a text, such as the words that a search matched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MIN_WORDS_AROUND = 3  # around marked words, on average: fewer are separators, labels and units between facts
MAX_READ = 40  # characters of a text that are searched for words
MIN_IN_PLACE = 0.75  # share of the lines in which a fact is in its usual place
_WORD = re.compile(r"[^\W\d_]{2,}")

Nodes = NDArray[np.int64]


@dataclass
class _Marks:
    """Where elements of one tag path occur in the text of the elements that hold them."""

    outer: int
    lines: int = 0
    words_around: int = 0
    inside: int = 0
    patterns: Counter[tuple[int, ...]] = field(default_factory=Counter)  # their places in a line, and how often


@dataclass(frozen=True)
class Positions:
    """Positions of texts: columns with one entry a leaf."""

    lines: Nodes  # the number of its line
    owners: Nodes  # the element that holds it
    outer: Nodes  # the element that holds the owner
    paths: NDArray[np.uint64]  # the tag path of the owner
    is_inline: NDArray[np.bool_]  # text flows through the owner


def find_highlights(positions: Positions, texts: Sequence[str]) -> frozenset[int]:
    """Find the tag paths of inline elements that only mark words of a text, and are no facts of their own.

    `Cells <b>divide</b> and <b>grow</b>` is one text, `<b>Brand:</b> Acme` are two.  Not the tag decides but how
    elements recur: words are marked here and there, facts have their place.  Fails on a text in which every record has
    the same number of marked words in the same places, and on facts within a sentence that are sometimes missing.
    """
    marked, plain = _find_marked(positions)
    if not marked:
        return frozenset()
    paths, lines = positions.paths.tolist(), positions.lines.tolist()
    marks: dict[int, _Marks] = {}
    for holder, members in marked.items():
        words = sum([len(_WORD.findall(texts[leaf], 0, MAX_READ)) for leaf in plain[holder]])
        _note(marks, paths, members, plain[holder], words)
    outer = {mark.outer for mark in marks.values()}
    # lines with text of their own, by the path of what holds marked words
    holding = Counter([path for _, path in {place for place in zip(lines, paths, strict=True) if place[1] in outer}])
    return frozenset([path for path, mark in marks.items() if _is_highlight(mark, holding)])


def _find_marked(positions: Positions) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Find leaves in inline elements within text, and leaves of that text, by numbers for line and holder."""
    lines, size = positions.lines, len(positions.lines)
    beside = lines[1:] == lines[:-1]
    leaves = np.flatnonzero(np.concatenate([[False], beside]) | np.concatenate([beside, [False]]))
    numbers, is_inline = leaves.tolist(), positions.is_inline[leaves].tolist()
    plain: dict[int, list[int]] = {}
    for leaf, holder in zip(numbers, (positions.owners * (size + 1) + lines)[leaves].tolist(), strict=True):
        plain.setdefault(holder, []).append(leaf)
    marked: dict[int, list[int]] = {}
    for leaf, inline, holder in zip(
        numbers, is_inline, (positions.outer * (size + 1) + lines)[leaves].tolist(), strict=True
    ):
        if inline and holder in plain:
            marked.setdefault(holder, []).append(leaf)
    return marked, plain


def _note(marks: dict[int, _Marks], paths: list[int], marked: list[int], plain: list[int], words: int) -> None:
    """Add one line: the marked and plain leaves of an element in it."""
    members = sorted(marked + plain)
    places: dict[int, list[int]] = {}
    for leaf in marked:
        places.setdefault(paths[leaf], []).append(members.index(leaf))
    for path, where in places.items():
        if path not in marks:
            marks[path] = _Marks(paths[plain[0]])
        mark = marks[path]
        mark.lines += 1
        mark.words_around += words
        mark.patterns[tuple(where)] += 1
        for place in where:
            inner = 0 < place < len(members) - 1
            mark.inside += inner and members[place - 1] in plain and members[place + 1] in plain


def _is_highlight(mark: _Marks, holding: Counter[int]) -> bool:
    if _moves(mark.patterns):
        return 2 * mark.words_around >= mark.lines
    if mark.words_around < MIN_WORDS_AROUND * mark.lines:
        return False
    if mark.lines == 1 and holding[mark.outer] == 1:  # the only text of its kind: words marked throughout
        return mark.inside > 1
    counts = {len(places) for places in mark.patterns}
    varies = len(counts) > 1 or holding[mark.outer] > mark.lines
    return varies and (mark.inside > 0 or max(counts) > 1)


def _moves(patterns: Counter[tuple[int, ...]]) -> bool:
    """Tell whether the same number of words is often marked in other places."""
    commonest: dict[int, int] = {}
    for places, count in patterns.items():
        commonest[len(places)] = max(count, commonest.get(len(places), 0))
    return sum(commonest.values()) < MIN_IN_PLACE * patterns.total()
