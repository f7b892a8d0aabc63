"""Tell which texts of a line are one to a reader, although they are in elements of their own.

The sign, the whole and the cents of a price are often three elements; a range has a dash between two prices, and words
such as `from` and `/ month` beside them.  Other elements only mark words within a text, such as those that a search
matched.  Fails where a price and its sign are not on one line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.visibility import CELLS
from webquarry.model.document import Document
from webquarry.page.leaves import count_before
from webquarry.page.looks import are_struck, to_number
from webquarry.values.prices import find_money, is_money
from webquarry.values.units import may_be_unit, same_unit, sign_of, unit_of

MAX_LENGTH = 40  # characters of a text that may be part of an amount
MIN_COMMON_HEIGHT = 0.5  # share of the lower of two boxes, for them to be on one line
MAX_GAP = 0.6  # of the height of a line, between boxes that are read as one value
SMALL_LETTERS = 0.8  # of raised cents, to the size of the letters before them
_DIGIT = re.compile(r"\d")
_CENTS = re.compile(r"\s*\d\d\s*")
_ENDS_WITH_MARK = re.compile(r"\d[.,]\Z")  # the cents follow in an element of their own: `269,` and `00`
_BEGINS_WITH_CENTS = re.compile(r"\d\d(?![\d.,])")
_SIGN_AND_CENTS = re.compile(r"[€£$]\d\d\s*")  # as in 24€99
_CENTS_CLASS = re.compile(r"cent(?:s|avos|imes|esimi)?\b|fraction|decimal", re.IGNORECASE)
_BAR = "|"  # keeps what is before it and after it apart
_NUMBER = re.compile(r"\s*\d{1,3}(?:(?:[., ]?\d{3})*(?:[.,]\d{1,2})?)\s*")
_COUNT = re.compile(r"[-+~]?\d[\d.,\s]*[kKM]?")
_NO_COUNT = re.compile(r"\s*[-\u2013\u2014]{1,3}\s*")  # a dash where the number is not known: `-- sqft`
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEVER_UNITS = frozenset(["a", "button"])
MIN_RECORDS_WITH_UNIT = 2
MAX_UNITS = 100  # words for what is counted that are compared with each other
MIN_SHARE_OF_COMMON_UNITS = 0.8  # of what is counted; the rest are units of a few records, such as `acres lot`
_AFTER_NUMBER = re.compile(r"\s*(?:[%°+]|/\s?\d{1,3})\s*")

Nodes = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Joins(NamedTuple):
    """What a reader joins: columns with one entry a leaf."""

    continues: Flags  # it continues the value of the leaf before it
    cents: list[int]  # leaves with the cents of an amount, before which no mark is written
    counted: frozenset[int]  # leaves that say what the number before them counts


def find_joins(
    document: Document, records: Nodes, owners: Nodes, texts: Sequence[str], *, flows: Flags, spaces: Flags
) -> Joins:
    """Find the leaves that continue a value.

    `flows` tells of each leaf whether it may follow the one before it in a line, `spaces` whether there is room
    between the two.
    """
    continues = np.zeros(len(owners), dtype=np.bool_)
    cents: list[int] = []
    beside = flows.copy()
    beside[:-1] |= flows[1:]
    lined = beside.nonzero()[0]  # only texts that share their line with another matter
    is_short = np.zeros(len(owners), dtype=np.bool_)
    is_short[lined] = [len(texts[leaf]) <= MAX_LENGTH for leaf in lined.tolist()]
    short = is_short.nonzero()[0].tolist()
    numbers = [leaf for leaf in short if _DIGIT.search(texts[leaf]) is not None]
    if not numbers:
        return Joins(continues, cents, frozenset())
    flows = flows & is_short
    flows[1:] &= is_short[:-1]
    line_of = (~flows).cumsum()
    counted = _find_counted(document, records, owners, texts, numbers)
    counted |= _find_uncounted(document, owners, texts, counted, short)
    numbers += [leaf - 1 for leaf in counted]
    line_parts = _Line(document, owners, texts, spaces.tolist(), counted, {}, {})
    bounds = np.concatenate([~flows, [True]]).nonzero()[0].tolist()
    joined: list[int] = []
    for line in sorted(set(line_of[numbers].tolist())):
        first, stop = bounds[line - 1], bounds[line]
        if stop - first > 1:
            joined += _join_line(line_parts, range(first, stop), cents)
    if joined:
        leaves = np.array(joined)
        struck = are_struck(document, owners[np.concatenate([leaves - 1, leaves])])
        continues[leaves] = struck[: len(leaves)] == struck[len(leaves) :]
    return Joins(continues, [leaf for leaf in cents if continues[leaf]], counted)


def _find_counted(
    document: Document, records: Nodes, owners: Nodes, texts: Sequence[str], numbers: Sequence[int]
) -> frozenset[int]:
    """Find leaves that say what the number before them counts, such as `votes`, `answers` and `views`.

    Records share their units: hardly any are beside as many common ones as a record has.
    """
    found: dict[tuple[str, str], list[int]] = {}
    others: set[tuple[str, str]] = set()
    for leaf in [number + 1 for number in numbers]:
        if leaf >= len(texts) or records[leaf] != records[leaf - 1] or owners[leaf] == owners[leaf - 1]:
            continue
        owner = int(owners[leaf])
        kind = tag_and_class(document, owner)
        if kind[0] in _NEVER_UNITS or not _COUNT.fullmatch(texts[leaf - 1].strip()):
            continue
        if is_money(texts[leaf]):
            others.add(kind)
        elif _may_be_counted(texts[leaf].strip()) and not _ends_link(document, int(owners[leaf - 1]), owner):
            found.setdefault(kind, []).append(leaf)
    return frozenset(
        leaf
        for kind, group in found.items()
        if kind not in others and _are_units(records, texts, group)
        for leaf in group
    )


def _may_be_counted(words: str) -> bool:
    """Tell whether words may say what a number counts; a letter that is no unit is the drawing of an icon font."""
    return may_be_unit(words) and (len(words) > 1 or not words.isascii() or unit_of(words, attached=False) != "")


def _find_uncounted(
    document: Document, owners: Nodes, texts: Sequence[str], counted: frozenset[int], short: Sequence[int]
) -> frozenset[int]:
    """Find leaves with the unit of a number that is not known: a dash is in its place."""
    units = {(tag_and_class(document, owners.item(leaf)), texts[leaf].strip()) for leaf in counted}
    return frozenset(
        leaf + 1
        for leaf in short
        if units
        and leaf + 1 < len(texts)
        and _NO_COUNT.fullmatch(texts[leaf])
        and (tag_and_class(document, owners.item(leaf + 1)), texts[leaf + 1].strip()) in units
    )


def tag_and_class(document: Document, node: int) -> tuple[str, str]:
    """Return what elements of one kind share."""
    return document.tag(node), document.values_of("class").get(node, "")


def _ends_link(document: Document, number: int, unit: int) -> bool:
    """Tell whether a number is in a link, alone in it, and the words after it are not."""
    link = number if document.tag(number) == "a" else document.parents.item(number)
    return document.tag(link) == "a" and not link <= unit < document.ends.item(link)


def _are_units(records: Nodes, texts: Sequence[str], leaves: Sequence[int]) -> bool:
    counts = Counter(records[leaves].tolist())
    if len(counts) < MIN_RECORDS_WITH_UNIT or all(_YEAR.fullmatch(texts[leaf - 1].strip()) for leaf in leaves):
        return False
    units: Counter[str] = Counter()
    for unit, count in Counter(texts[leaf].strip() for leaf in leaves).most_common(MAX_UNITS):
        units[next((known for known in units if same_unit(unit, known)), unit)] += count
    common = units.most_common(max(counts.values()))
    return sum(count for _, count in common) >= MIN_SHARE_OF_COMMON_UNITS * len(leaves)


def flows_by_layout(document: Document, nodes: Nodes) -> Flags:
    """Tell for each leaf whether its box follows that of the leaf before it on one line; never without a layout."""
    flows = np.zeros(len(nodes), dtype=np.bool_)
    if document.layout is None or len(nodes) < 2:
        return flows
    x, y, width, height = document.layout.boxes[nodes].astype(np.float64).T
    low, high = np.maximum(y[1:], y[:-1]), np.minimum(y[1:] + height[1:], y[:-1] + height[:-1])
    least, most = np.minimum(height[1:], height[:-1]), np.maximum(height[1:], height[:-1])
    gap = np.maximum(x[1:] - x[:-1] - width[:-1], x[:-1] - x[1:] - width[1:])  # to the right, or to the left in Arabic
    flows[1:] = (high - low >= MIN_COMMON_HEIGHT * least) & (np.abs(gap) <= MAX_GAP * most)
    cells = count_before(document.has_tag(CELLS))[nodes]
    flows[1:] &= cells[1:] == cells[:-1]  # what is in two cells of a table is two values
    return flows


class _Line(NamedTuple):
    document: Document
    owners: Nodes
    texts: Sequence[str]
    spaces: list[bool]
    counted: frozenset[int]  # leaves that say what the number before them counts
    known_money: dict[str, bool]
    known_amounts: dict[str, bool]

    def is_money(self, text: str) -> bool:
        """Tell whether a text is an amount of money and nothing else."""
        if text not in self.known_amounts:
            self.known_amounts[text] = is_money(text)
        return self.known_amounts[text]

    def has_money(self, text: str) -> bool:
        """Tell whether a text has an amount of money."""
        if text not in self.known_money:
            self.known_money[text] = bool(find_money(text))
        return self.known_money[text]


def _join_line(line: _Line, leaves: range, cents: list[int]) -> list[int]:
    """Find the leaves of one line that an amount of money reaches across; add those that may be its cents."""
    parts: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    length = 0
    broken_off: set[int] = set()
    for leaf in leaves:
        if leaf > leaves[0]:
            if _is_cents(line, leaf):
                cents.append(leaf)
                parts.append(".")
            elif _is_broken_off(line, leaf):
                broken_off.add(leaf)
                parts.append("")
            elif _is_amount_of_its_own(line, leaf):
                parts.append(_BAR)
            else:
                parts.append(_space_between(line, leaf))
            length += len(parts[-1])
        own = line.texts[leaf]
        starts.append(length + len(own) - len(own.lstrip()))
        stops.append(length + len(own.rstrip()))
        parts.append(own)
        length += len(own)
    spans = find_money("".join(parts).replace("\n", " ").replace("\t", " "))
    ends = [stop for _, stop in spans]
    joined = []
    for place, leaf in enumerate(leaves[1:], 1):
        span = bisect_right(ends, starts[place])  # the first that ends after the leaf has begun
        is_inside = span < len(spans) and spans[span][0] < stops[place - 1]
        if is_inside or leaf in broken_off or _continues_number(line, leaf):
            joined.append(leaf)
    return joined


def _space_between(line: _Line, leaf: int) -> str:
    """Give a space if there is room before a leaf, or letters meet letters: a currency ends where an element does."""
    before, text = line.texts[leaf - 1], line.texts[leaf]
    if before[-1:].isspace() or text[:1].isspace():
        return ""
    return " " if line.spaces[leaf] or (before[-1:].isalpha() and text[:1].isalpha()) else ""


def _continues_number(line: _Line, leaf: int) -> bool:
    """Tell whether a text belongs to the number before it: a sign that touches it, or its unit."""
    before, text = line.texts[leaf - 1], line.texts[leaf]
    if leaf in line.counted:
        return True
    if not before.rstrip()[-1:].isdigit():
        return False
    if not line.spaces[leaf] and _AFTER_NUMBER.fullmatch(text):
        return True
    if line.document.tag(line.owners.item(leaf)) == "a" or _NUMBER.fullmatch(before) is None:
        return False
    return unit_of(next(iter(text.split()), ""), attached=False) != ""


def _is_broken_off(line: _Line, leaf: int) -> bool:
    """Tell whether the number before a leaf breaks off after its mark, and the leaf has its cents."""
    before, text = line.texts[leaf - 1], line.texts[leaf]
    return not line.spaces[leaf] and bool(_BEGINS_WITH_CENTS.match(text) and _ENDS_WITH_MARK.search(before))


def _is_amount_of_its_own(line: _Line, leaf: int) -> bool:
    """Tell whether a number and an amount, or two amounts, meet here: a sign belongs to one of them only."""
    before, text = line.texts[leaf - 1].rstrip(), line.texts[leaf].lstrip()
    if not before[-1:].isdigit() and _DIGIT.search(text) is None:
        return False
    if line.texts[leaf - 1][-1:].isdigit() and line.texts[leaf][:1].isdigit() and not line.spaces[leaf]:
        return line.has_money(before) or any(map(str.isalpha, text))  # `£128` and `12 places`
    if line.is_money(text) and (line.is_money(before) or sign_of(before.strip(), before=False)):
        return True
    if _SIGN_AND_CENTS.fullmatch(text) and not line.spaces[leaf]:
        return False
    if before[-1:].isdigit():
        return line.has_money(text) and not line.has_money(before)
    return text[:1].isdigit() and line.has_money(before) and not line.has_money(text)


def _is_cents(line: _Line, leaf: int) -> bool:
    """Tell whether a leaf has the cents of the number before it, told by smaller letters instead of a mark."""
    if not _CENTS.fullmatch(line.texts[leaf]) or not line.texts[leaf - 1].rstrip()[-1:].isdigit():
        return False
    document, owner = line.document, line.owners.item(leaf)
    if document.tag(owner) == "sup" or _CENTS_CLASS.search(document.attributes[owner].get("class", "")):
        return True
    if document.layout is None or line.spaces[leaf]:
        return False
    sizes = [to_number(document.layout.style(line.owners.item(each), "font-size"), 0.0) for each in (leaf - 1, leaf)]
    return 0 < sizes[1] <= SMALL_LETTERS * sizes[0]


MIN_WORDS_AROUND = 3  # around marked words, on average: fewer are separators, labels and units between facts
MIN_WORDS_OF_PROSE = 5  # of its first characters
MAX_READ = 40  # characters of a text that are searched for words
MIN_IN_PLACE = 0.75  # share of the lines in which a fact is in its usual place
_WORD = re.compile(r"[^\W\d_]{2,}")


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
    leaves = (np.concatenate([[False], beside]) | np.concatenate([beside, [False]])).nonzero()[0]
    numbers, lines = leaves.tolist(), lines[leaves]
    owners = (positions.owners[leaves] * (size + 1) + lines).tolist()
    inline = positions.is_inline[leaves].nonzero()[0]
    outer = (positions.outer[leaves] * (size + 1) + lines)[inline].tolist()
    holders, marked, plain = set(owners), dict[int, list[int]](), dict[int, list[int]]()
    for place, holder in zip(inline.tolist(), outer, strict=True):
        if holder in holders:
            marked.setdefault(holder, []).append(numbers[place])
            plain.setdefault(holder, [])
    for leaf, holder in zip(numbers, owners, strict=True) if marked else ():
        if holder in plain:
            plain[holder].append(leaf)
    return marked, plain


def _note(marks: dict[int, _Marks], paths: list[int], marked: list[int], plain: list[int], words: int) -> None:
    """Add one line: the marked and plain leaves of an element in it."""
    members, around = sorted(marked + plain), set(plain)
    places: dict[int, list[int]] = {}
    for leaf in marked:
        places.setdefault(paths[leaf], []).append(bisect_left(members, leaf))
    for path, where in places.items():
        if path not in marks:
            marks[path] = _Marks(paths[plain[0]])
        mark = marks[path]
        mark.lines += 1
        mark.words_around += words
        mark.patterns[tuple(where)] += 1
        for place in where:
            inner = 0 < place < len(members) - 1
            mark.inside += inner and members[place - 1] in around and members[place + 1] in around


def _is_highlight(mark: _Marks, holding: Counter[int]) -> bool:
    if _moves(mark.patterns):
        return 2 * mark.words_around >= mark.lines
    counts = {len(places) for places in mark.patterns}
    if mark.words_around < (1 if len(counts) > 1 else MIN_WORDS_AROUND) * mark.lines:
        return False
    if (
        not mark.inside
        and mark.words_around >= MIN_WORDS_OF_PROSE * mark.lines
        and 2 * mark.lines < holding[mark.outer]
    ):
        return True  # the words before a few texts, such as `2,335 results - ` before what is found
    if mark.lines == 1 and holding[mark.outer] == 1:  # the only text of its kind: words marked throughout
        return mark.inside > 1
    varies = len(counts) > 1 or holding[mark.outer] > mark.lines
    return varies and (mark.inside > 0 or max(counts) > 1)


def _moves(patterns: Counter[tuple[int, ...]]) -> bool:
    """Tell whether the same number of words is often marked in other places."""
    commonest: dict[int, int] = {}
    for places, count in patterns.items():
        commonest[len(places)] = max(count, commonest.get(len(places), 0))
    return sum(commonest.values()) < MIN_IN_PLACE * patterns.total()
