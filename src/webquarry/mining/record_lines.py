"""Lines: which texts are read in one go, since nothing breaks the line between them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document

_INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
_INLINE_DISPLAYS = ("contents", "inline", "ruby", "ruby-text")
_NEVER_INLINE = ("br", "hr", "img")
_TOUCHING = 1
"""Pixels between texts that are read as one word."""


@dataclass(frozen=True)
class Gaps:
    """What stands between each of some leaves and the one before it."""

    breaks: NDArray[np.bool_]
    """Whether the line ends."""
    soft: NDArray[np.bool_]
    """Whether one `br` is all that ends it."""
    spaces: NDArray[np.bool_]
    """Whether white space stands on its own, or room is left."""


def find_inline(document: Document, low: int, high: int) -> NDArray[np.bool_]:
    """For each node of a range whether it is an element that text runs on through; the layout or else the tag tells."""
    here = slice(low, high)
    by_tag = document.has_tag(_INLINE_TAGS, here)
    layout = document.layout
    if layout is None:
        return by_tag
    displays = layout.styles[here, layout.properties.index("display")]
    by_display = np.zeros(len(layout.values) + 1, dtype=np.bool_)
    for code in np.flatnonzero(np.bincount(displays + 1)[1:]).tolist():  # the list of all values is long
        by_display[code] = layout.values[code] in _INLINE_DISPLAYS
    may_be = (document.tags[here] >= 0) & ~document.has_tag(_NEVER_INLINE, here)
    return may_be & (by_display[displays] | (by_tag & (displays < 0)))


def find_gaps(document: Document, inline: NDArray[np.bool_], low: int, nodes: NDArray[np.int64]) -> Gaps:
    """The gaps before the nodes, which are leaves in document order; inline is given for all nodes from `low` on.

    Elements that begin before `low` are not looked at: what is asked is only gaps between leaves of one record.
    """
    high, places = low + len(inline), nodes - low
    tags = document.tags[low:high]
    is_edge = (tags >= 0) & ~inline
    breaks = np.zeros(len(nodes), dtype=np.int64)
    if "br" in document.tag_names:
        is_break = tags == document.tag_names.index("br")
        is_edge &= ~is_break
        breaks = _count(is_break, places)
    stops = document.ends[low:high][is_edge]
    is_edge[stops[stops < high] - low] = True
    blank = document.kinds[low:high] == Kind.TEXT
    blank[places] = False
    edges, blanks = _count(is_edge, places), _count(blank, places)
    return Gaps(
        breaks=(edges > 0) | (breaks > 0),
        soft=(edges == 0) & (breaks == 1),
        spaces=(blanks > 0) | _is_apart(document, nodes),
    )


def _count(marks: NDArray[np.bool_], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each place how many marks stand after the place before, up to it; 1 for the first."""
    counts = np.ones(len(places), dtype=np.int64)
    passed = np.cumsum(marks)[places]
    counts[1:] = passed[1:] - passed[:-1]
    return counts


def _is_apart(document: Document, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    apart = np.zeros(len(nodes), dtype=np.bool_)
    if document.layout is not None:
        boxes = document.layout.boxes[nodes]
        apart[1:] = np.abs(boxes[1:, 0] - boxes[:-1, 0] - boxes[:-1, 2]) > _TOUCHING
    return apart


# MERGED mining/fields/highlights: Highlights: inline elements that only mark words of a text, and are no fac
# MERGED
# MERGED `Cells <b>divide</b> and <b>grow</b>` is one text, `<b>Brand:</b> Acme` are two.  Not the tag tells,
# MERGED elements recur: words are marked here and there, facts stand in their place.  Fails on a text in whi
# MERGED record has the same number of marked words in the same places, and on facts in the midst of a senten
# MERGED are sometimes missing.
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


# MERGED mining/fields/wraps: Wraps: breaks of lines in the midst of a sentence, which part nothing.
LONG_LINE = 5
"""Words: shorter lines are facts below each other."""
GO_ON = 0.3
"""Of the lines after a break, those that start with a small letter: in a text that is broken anywhere, many do."""


def find_wraps(
    paths: NDArray[np.uint64],
    starts: NDArray[np.bool_],
    soft: NDArray[np.bool_],
    texts: Sequence[str],
) -> NDArray[np.bool_]:
    """For each leaf whether the line before goes on with it, although a `br` stands between.

    For each are given the tag path of its element, whether it starts a line, whether but a `br` parts it from a
    text of the same element, and its text.
    """
    wraps = np.zeros(len(paths), dtype=np.bool_)
    breaks: dict[int, list[int]] = defaultdict(list)
    for leaf in np.flatnonzero(soft).tolist():
        breaks[int(paths[leaf])].append(leaf)
    if not breaks:
        return wraps
    spaces = np.array([text.count(" ") for text in texts])
    until = np.cumsum(spaces)
    firsts = np.maximum.accumulate(np.where(starts, np.arange(len(starts)), 0))
    for leaves in breaks.values():
        going_on = sum(texts[leaf].lstrip()[:1].islower() for leaf in leaves)
        before = np.array(leaves) - 1
        long = int((until[before] - until[firsts[before]] + spaces[firsts[before]] >= LONG_LINE - 1).sum())
        if going_on >= GO_ON * len(leaves) and 2 * long >= len(leaves):
            wraps[leaves] = True
    return wraps
