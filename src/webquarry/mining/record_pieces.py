"""Cut records into pieces: the texts and images that are values, or parts of values.

A piece is a text that is read in one go: nothing breaks the line in it, by the layout if there is one, else by tags.
`page/text_runs.py` splits a whole page by the format of its markup, for wrappers; `reading/blocks.py` joins lines to
paragraphs, for articles.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.html.node_paths import paths_below
from webquarry.mining.value_joins import Positions, find_highlights, find_joins, flows_by_layout
from webquarry.model.document import Document
from webquarry.page.leaves import INLINE_TAGS, Leaves, expand_ranges
from webquarry.page.looks import are_struck
from webquarry.values.column_values import is_free
from webquarry.values.prices import is_money

MAX_AMOUNT_LENGTH = 100  # characters of a text that are searched for digits
MAX_NESTED_HIGHLIGHTS = 20
_EDGE = " \u200b\u200e\u200f|·•,;/\\»«\u203a\u2039→—\u2013-"  # separators between texts of a line
_NO_TEXTS = frozenset(["", "|", "\u00b7", "\u2022"])  # bars stand between facts; a dash alone says that there is none
_SIGNED_SHARE = re.compile(r"[-\u2013\u2212]\d[\d.,]* ?%")
_DIGIT = re.compile(r"\d")
_SEPARATOR = re.compile(rf"[{re.escape(_EDGE)}:()\[\]<>]*")

_INLINE_DISPLAYS = ("contents", "inline", "ruby", "ruby-text")
_NEVER_INLINE = ("br", "hr", "img")
_MAX_TOUCH = 1  # pixels between texts that are read as one word
_INITIALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")  # a first letter may be drawn larger than the rest of its word
_SITE = re.compile(r"\w\.[a-z]{2,20}\s*$")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
MAX_SUFFIX = 3  # letters of a suffix to a number, such as `th` or `km`

# Wraps
MIN_WORDS_OF_LINE = 5  # shorter lines are facts below each other
MIN_LOWER_STARTS = 0.3  # share of the lines after a `br` that begin in lower case, where sentences are wrapped

# Copies for screen readers
MAX_SHOWN_LENGTH = 60  # characters of what is shown
_NOT_WORDS = re.compile(r"[\W_]+")
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")

Nodes = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Pieces:
    """The pieces of some records: columns with one entry a piece, in document order."""

    document: Document
    spans: Sequence[tuple[int, int]]  # for each record its first node, and the number after its last
    tops: Nodes  # for each record the element that tag paths begin at
    records: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # the element around the text, or the image itself
    nodes: list[int] = field(default_factory=list)  # the text or image itself; the owner if there are several texts
    texts: list[str] = field(default_factory=list)  # empty for images
    lines: list[int] = field(default_factory=list)  # the number of the line
    is_image: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def has_digits(self) -> list[bool]:
        """For each text, whether it has digits, as far as it may be an amount."""
        search = _DIGIT.search
        return [search(text, 0, MAX_AMOUNT_LENGTH) is not None for text in self.texts]

    def is_money(self, piece: int) -> bool:
        """Tell whether a text is an amount of money and nothing else."""
        text, known = self.texts[piece], self._is_money
        if text not in known:
            known[text] = self.has_digits[piece] and len(text) <= MAX_AMOUNT_LENGTH and is_money(text)
        return known[text]

    def is_price(self, piece: int) -> bool:
        """Tell whether a text is an amount of money, or says that there is nothing to pay."""
        return self.is_money(piece) or is_free(self.texts[piece])

    def text_between(self, one: int, other: int) -> str:
        """Return what is written between two pieces, without spaces around it."""
        document = self.document
        start, stop = document.ends.item(self.nodes[one]), self.nodes[other]
        return "".join(document.texts[start:stop]).strip() if start < stop else ""

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """For each piece, how many of its record are before it and after it."""
        bounds: dict[int, list[int]] = {}
        for piece, record in enumerate(self.records):
            bounds.setdefault(record, [piece, piece])[1] = piece
        return [(piece - bounds[record][0], bounds[record][1] - piece) for piece, record in enumerate(self.records)]

    @cached_property
    def headings(self) -> dict[int, str]:
        """By element the tag of the heading that it is or is in, as far as it is known."""
        return {}

    @cached_property
    def _is_money(self) -> dict[str, bool]:
        return {}


def find_pieces(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> Pieces:
    """Find the pieces of all records: texts with the words highlighted in them, without mere separators."""
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    records, chosen = expand_ranges(*leaves.starts[bounds.T])
    if not len(chosen):
        return Pieces(document, spans, bounds[:, 0])
    low = int(bounds.min())
    if doubles := _find_spoken_copies(document, low, int(bounds.max()), leaves.nodes[chosen], records):
        records, chosen = np.delete(records, doubles), np.delete(chosen, doubles)
    nodes, is_image = leaves.nodes[chosen], leaves.is_image[chosen]
    texts = list(map(document.texts.__getitem__, nodes.tolist()))
    inline = _find_inline(document, low, int(nodes.max()) + 1)
    gaps = _find_gaps(document, inline, low, nodes)
    between_texts = np.zeros(len(nodes), dtype=np.bool_)
    between_texts[1:] = ~is_image[1:] & ~is_image[:-1] & (records[1:] == records[:-1])
    starts = gaps.breaks | ~between_texts
    flows = between_texts & (~starts | flows_by_layout(document, nodes))
    joins = find_joins(document, records, leaves.owners[chosen], texts, flows=flows, spaces=gaps.spaces)
    starts &= ~joins.continues
    for leaf in joins.cents:
        texts[leaf] = "." + texts[leaf].strip()
    record_tops = _find_tops(document, bounds)
    owners, tops = leaves.owners[chosen], record_tops[records]
    if not starts.all():
        is_inline = inline[np.maximum(owners - low, 0)] & (owners >= low)
        paths, outer = record_paths(leaves, tops, owners), document.parents[owners].astype(np.int64)
        highlights = find_highlights(Positions(starts.cumsum(), owners, outer, paths, is_inline), texts)
        owners = _skip_highlights(document, leaves, tops, owners, highlights)
    soft = gaps.soft & between_texts
    soft[1:] &= owners[1:] == owners[:-1]
    if soft.any():
        starts &= ~_find_wraps(record_paths(leaves, tops, owners), starts, soft, texts)
    is_apart = gaps.spaces | gaps.soft | (_is_beside(document, owners) & ~joins.continues)
    is_apart[[leaf for leaf in joins.counted if len(texts[leaf].strip()) > MAX_SUFFIX]] = True
    is_apart[joins.cents] = False
    columns = _LeafColumns(records, nodes, owners, is_image, is_apart.tolist(), starts, joins.continues, texts)
    return _make_pieces(document, spans, record_tops, columns)


@dataclass(frozen=True)
class _LeafColumns:
    """The leaves of records: columns with one entry a leaf."""

    records: Nodes
    nodes: Nodes
    owners: Nodes
    is_image: Flags
    is_apart: list[bool]  # there is room between it and the one before
    starts: Flags  # it starts a line
    continues: Flags  # it continues the value of the one before
    texts: list[str]


def _skip_highlights(
    document: Document, leaves: Leaves, tops: Nodes, owners: Nodes, highlights: frozenset[int]
) -> Nodes:
    """Find the elements that hold leaves, highlights not counted."""
    codes = np.array(list(highlights), dtype=np.uint64)
    for _ in range(MAX_NESTED_HIGHLIGHTS if highlights else 0):
        paths = record_paths(leaves, tops, owners)
        marked = np.logical_or.reduce([paths == code for code in codes]) & (owners > tops)
        if not marked.any():
            break
        owners = np.where(marked, document.parents[owners], owners)
    return owners


def _is_beside(document: Document, owners: Nodes) -> Flags:
    """Tell for each leaf whether its element is beside that of the leaf before it.

    Without a layout, this is taken to leave room between them; raised and lowered letters leave none.
    """
    beside = np.zeros(len(owners), dtype=np.bool_)
    if document.layout is None:
        before, after = owners[:-1], owners[1:]
        in_each_other = (document.parents[before] == after) | (document.parents[after] == before)
        beside[1:] = (before != after) & ~in_each_other & ~document.has_tag(["sub", "sup"], after)
    return beside


def _make_pieces(document: Document, spans: Sequence[tuple[int, int]], tops: Nodes, leaves: _LeafColumns) -> Pieces:
    firsts = _find_parts(document, leaves).nonzero()[0]
    stops = np.append(firsts[1:], len(leaves.starts))
    opens = leaves.starts[firsts]
    closes = np.append(opens[1:], True)
    bounds = zip(firsts.tolist(), stops.tolist(), opens.tolist(), closes.tolist(), strict=True)
    texts = [
        " ".join(leaves.texts[first].split())
        if stop - first == opens + closes - 1
        else _text(leaves, first, stop, opens, closes)
        for first, stop, opens, closes in bounds
    ]
    kept = leaves.is_image[firsts] | np.array([text not in _NO_TEXTS for text in texts], dtype=np.bool_)
    firsts, stops = firsts[kept], stops[kept]
    is_several = stops - firsts > 1
    owners, last_owners = leaves.owners[firsts], leaves.owners[stops - 1]
    for part in (owners != last_owners).nonzero()[0].tolist():
        owners[part] = innermost_around(document, int(owners[part]), int(last_owners[part]))
    return Pieces(
        document,
        spans,
        tops,
        records=leaves.records[firsts].tolist(),
        owners=owners.tolist(),
        nodes=np.where(is_several, owners, leaves.nodes[firsts]).tolist(),
        texts=list(compress(texts, kept.tolist())),
        lines=leaves.starts.cumsum()[firsts].tolist(),
        is_image=leaves.is_image[firsts].tolist(),
    )


def _find_parts(document: Document, leaves: _LeafColumns) -> Flags:
    """Tell for each leaf whether it starts a part of a line: texts of one element or word go together.

    A link is always a part of its own.
    """
    parts = leaves.starts.copy()
    parts[1:] |= leaves.owners[1:] != leaves.owners[:-1]
    touches = parts & ~leaves.starts
    is_link = document.has_tag(["a"], leaves.owners)
    touches[1:] &= ~is_link[1:] & ~is_link[:-1]
    touches &= ~leaves.continues
    for leaf in touches.nonzero()[0].tolist():
        is_apart = leaves.is_apart[leaf] or not _is_one_word(document, leaves, leaf)
        parts[leaf] = is_apart and not _continues_address(leaves, leaf)
    return parts & ~leaves.continues


def _continues_address(leaves: _LeafColumns, leaf: int) -> bool:
    """Tell whether a leaf has the folders of the address before it, as in `example.org \u203a news`."""
    return leaves.texts[leaf].lstrip()[:1] == "\u203a" and _SITE.search(leaves.texts[leaf - 1]) is not None


def _is_one_word(document: Document, leaves: _LeafColumns, leaf: int) -> bool:
    """Tell whether a leaf that touches the one before it continues a word.

    `th` continues `12`, but `Members` does not continue `$63.75`.
    """
    before, text = leaves.texts[leaf - 1], leaves.texts[leaf]
    if not (before[-1].isalnum() and text[0].isalnum()):
        return False
    if (
        before[-1].isdigit()
        and text[0].isdigit()
        and len(set(are_struck(document, leaves.owners[leaf - 1 : leaf + 1]))) > 1
    ):
        return False
    if before[-1].isalpha() and text[0].isupper() and before.strip() not in _INITIALS.difference(text[0]):
        return False  # `2 hours ago` and `Sport`, which only a missing style sheet keeps apart
    if _CLOCK.match(text):
        return False  # a time touches its day
    if before[-1].isdigit() == text[0].isdigit() or document.tag(leaves.owners.item(leaf)) in ("sub", "sup"):
        return True
    return before[-1].isdigit() and len(text.strip()) <= MAX_SUFFIX


def _text(leaves: _LeafColumns, first: int, stop: int, opens: bool, closes: bool) -> str:
    """Join the texts of a part of a line, without separators at inner edges; empty if there is nothing else.

    `opens` and `closes` tell whether the part begins and ends its line.
    """
    text = leaves.texts[first]
    if stop > first + 1:
        text = "".join(
            [" " + leaves.texts[leaf] if leaves.is_apart[leaf] else leaves.texts[leaf] for leaf in range(first, stop)]
        )
    text = " ".join(text.split())
    if opens and closes:
        return text
    if _SEPARATOR.fullmatch(text):
        return ""
    is_signed = _SIGNED_SHARE.fullmatch(text) or (stop > first + 1 and leaves.continues[first + 1])  # `-- sqft`
    if not opens and not is_signed:
        text = text.lstrip(_EDGE + ":")
    return text if closes else text.rstrip(_EDGE)


def innermost_around(document: Document, one: int, other: int) -> int:
    """Find the innermost element that holds both."""
    while not one <= other < document.ends.item(one):
        one = document.parents.item(one)
    return one


def _find_tops(document: Document, bounds: Nodes) -> Nodes:
    """Return for each record the element that paths begin at: itself, or what holds it if some are several elements.

    Records of one kind then have the same paths at any depth of the page.
    """
    tops = bounds[:, 0]
    is_whole = (document.ends[tops] == bounds[:, 1]) & (document.tags[tops] >= 0)
    return tops if is_whole.all() else np.maximum(document.parents[tops], 0).astype(np.int64)


def record_paths(leaves: Leaves, tops: Nodes, nodes: Nodes) -> NDArray[np.uint64]:
    """Number the tag paths of nodes below the tops of their records."""
    outer = leaves.paths[tops]
    if (outer == outer[0]).all():  # then whole paths do
        return leaves.paths[nodes]
    levels = np.maximum(leaves.depths[nodes] - leaves.depths[tops], 0)
    return paths_below(leaves.paths[nodes], outer, levels)


@dataclass(frozen=True)
class _Gaps:
    """What lies between each leaf and the one before it."""

    breaks: Flags  # the line ends
    soft: Flags  # only one `br` ends it
    spaces: Flags  # there is white space in a text of its own, or room in the layout


def _find_inline(document: Document, low: int, high: int) -> Flags:
    """Tell for each node of a range whether text flows through it, by the layout or else by its tag."""
    here = slice(low, high)
    by_tag = document.has_tag(INLINE_TAGS, here)
    layout = document.layout
    if layout is None:
        return by_tag
    displays = layout.styles[here, layout.properties.index("display")]
    by_display = np.zeros(len(layout.values) + 1, dtype=np.bool_)
    for code in np.bincount(displays + 1)[1:].nonzero()[0].tolist():  # the list of all values is long
        by_display[code] = layout.values[code] in _INLINE_DISPLAYS
    may_be = (document.tags[here] >= 0) & ~document.has_tag(_NEVER_INLINE, here)
    return may_be & (by_display[displays] | (by_tag & (displays < 0)))


def _find_gaps(document: Document, inline: Flags, low: int, nodes: Nodes) -> _Gaps:
    """Find the gaps before leaves in document order; `inline` covers the nodes from `low` on.

    Elements that begin before `low` are ignored: only gaps between leaves of one record matter.
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
    return _Gaps(
        breaks=(edges > 0) | (breaks > 0),
        soft=(edges == 0) & (breaks == 1),
        spaces=(blanks > 0) | _is_apart(document, nodes),
    )


def _count(marks: Flags, places: Nodes) -> Nodes:
    """Count the marks after the previous place, up to each place; 1 for the first."""
    counts = np.ones(len(places), dtype=np.int64)
    passed = marks.cumsum()[places]
    counts[1:] = passed[1:] - passed[:-1]
    return counts


def _is_apart(document: Document, nodes: Nodes) -> Flags:
    """Tell for each leaf whether there is room between it and the one before it.

    The box of a text that wraps covers what is before and behind it in its lines, so that it tells nothing.
    """
    apart = np.zeros(len(nodes), dtype=np.bool_)
    if document.layout is not None:
        starts = document.layout.boxes[nodes, :2]
        stops = starts + document.layout.boxes[nodes, 2:]
        common = np.minimum(stops[1:], stops[:-1]) - np.maximum(starts[1:], starts[:-1])
        apart[1:] = (np.abs(starts[1:, 0] - stops[:-1, 0]) > _MAX_TOUCH) & ~(common > _MAX_TOUCH).all(axis=1)
    return apart


def _find_wraps(paths: NDArray[np.uint64], starts: Flags, soft: Flags, texts: Sequence[str]) -> Flags:
    """Tell for each leaf whether it continues the line before it in spite of a `br`, within a sentence.

    Arguments are columns: the tag path of its element, whether it starts a line, whether only a `br` separates it from
    a text of the same element, and its text.
    """
    wraps = np.zeros(len(paths), dtype=np.bool_)
    breaks: dict[int, list[int]] = defaultdict(list)
    for leaf in soft.nonzero()[0].tolist():
        breaks[int(paths[leaf])].append(leaf)
    if not breaks:
        return wraps
    spaces = np.array([text.count(" ") for text in texts])
    until = spaces.cumsum()
    firsts = np.maximum.accumulate(np.where(starts, np.arange(len(starts)), 0))
    for leaves in breaks.values():
        going_on = sum(texts[leaf].lstrip()[:1].islower() for leaf in leaves)
        before = np.array(leaves) - 1
        long = int((until[before] - until[firsts[before]] + spaces[firsts[before]] >= MIN_WORDS_OF_LINE - 1).sum())
        if going_on >= MIN_LOWER_STARTS * len(leaves) and 2 * long >= len(leaves):
            wraps[leaves] = True
    return wraps


def _find_spoken_copies(document: Document, low: int, high: int, leaves: Nodes, records: Nodes) -> list[int]:
    """Find the places of leaves that repeat others, where screen readers skip what is shown and read what is beside it.

    A price is kept as it is shown, unless only the other has a mark before its cents; of a number what is said is kept,
    which tells what it counts or rates.
    Leaves are those of the nodes from `low` to before `high`.
    """
    said = document.values_of("aria-hidden")
    silent = [node for node, is_silent in said.items() if low <= node < high and is_silent == "true"]
    if not silent:
        return []
    ends = document.ends
    starts = np.searchsorted(leaves, silent).tolist()
    stops = np.searchsorted(leaves, ends[silent]).tolist()
    found: set[int] = set()
    for node, start, stop in zip(silent, starts, stops, strict=True):
        shown = "".join(document.texts[leaf] for leaf in leaves[start:stop].tolist()).strip() if start < stop else ""
        if not shown or len(shown) > MAX_SHOWN_LENGTH:
            continue
        holder = document.parents.item(document.parents.item(node))
        for beside in (stop, start - 1):
            if not 0 <= beside < len(leaves) or records[beside] != records[start] or beside in found:
                continue
            said = document.texts[leaves[beside]].strip()
            if not holder < leaves[beside] < ends[holder] or not _say_same(shown, said):
                continue
            found.update(range(start, stop) if _says_more(shown, said) else [beside])
            break
    return sorted(found)


def _say_same(shown: str, said: str) -> bool:
    """Tell whether a text ends with the price that another is, or has the number that it is."""
    one, other = _NOT_WORDS.sub("", shown).lower(), _NOT_WORDS.sub("", said).lower()
    if one and other.endswith(one) and is_money(shown):
        return not (one[:1].isdigit() and other[: -len(one)][-1:].isdigit())
    return one.isdigit() and shown != said and shown in said.split()


def _says_more(shown: str, said: str) -> bool:
    return not is_money(shown) or (_CENTS.search(shown) is None and _CENTS.search(said) is not None)
