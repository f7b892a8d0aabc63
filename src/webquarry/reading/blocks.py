"""Cut a page into blocks of text, note what is decided about each and why, and find the root of the content.

The blocks of a node follow each other, so two numbers per node tell which are in it, and questions about nodes are
answered by sums over blocks: pages have many more nodes than blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, are_inside, find_inside
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.page.leaves import find_line_holders

_ALL = slice(None)


@dataclass(frozen=True)
class Spans:
    """Blocks of each node; one entry per node unless said otherwise."""

    starts: NDArray[np.int64]
    """Place of the first block that begins in the node, or of the next one where none does."""
    stops: NDArray[np.int64]
    """Place after the last one."""
    elements: NDArray[np.int64]
    """Elements in which any block begins; others have no influence."""
    size: int
    """Number of blocks."""

    def cover(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell for each block whether it begins in one of some nodes."""
        if not len(nodes):  # as on most pages of most kinds
            return np.zeros(self.size, dtype=np.bool_)
        size = self.size + 1
        changes = np.bincount(self.starts[nodes], minlength=size) - np.bincount(self.stops[nodes], minlength=size)
        return changes[:-1].cumsum() > 0

    def sum_in(
        self, weights: NDArray[np.float64], nodes: slice | NDArray[np.integer[Any]] = _ALL
    ) -> NDArray[np.float64]:
        """Sum the weights of the blocks in each node, or in each of some."""
        running = cumulate(weights)
        sums: NDArray[np.float64] = running[self.stops[nodes]] - running[self.starts[nodes]]
        return sums


def find_spans(document: Document, firsts: NDArray[np.int64]) -> Spans:
    """Find the spans of blocks that begin at some nodes.

    >>> spans = find_spans(Document("<p>a<p>b"), np.array([5, 7]))
    >>> spans.sum_in(np.array([1.0, 2.0])).tolist(), spans.cover(np.array([6])).tolist()
    ([3.0, 3.0, 0.0, 3.0, 1.0, 1.0, 2.0, 2.0], [False, True])
    """
    before = np.bincount(firsts + 1, minlength=len(document) + 1).cumsum()
    starts, stops = before[:-1], before[document.ends]
    return Spans(starts, stops, ((stops > starts) & (document.tags >= 0)).nonzero()[0], len(firsts))


def cumulate(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum all weights before each place, and all of them.

    >>> cumulate(np.array([1.0, 2.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    running = np.zeros(len(weights) + 1)
    weights.cumsum(out=running[1:])
    return running


_BREAK, _ANCHOR, _BUTTON, _HEADING, _TITLE, _QUOTED, _LISTED, _TERM = (1 << place for place in range(8))
_TAGS = {
    _BREAK: {"br", "hr"},
    _ANCHOR: {"a"},
    _BUTTON: {"button"},
    _HEADING: HEADING_TAGS,
    _TITLE: {"h1"},
    _QUOTED: {"pre", "code", "blockquote"},
    _LISTED: {"li", "dd", "dt", "td"},
    _TERM: {"dt"},
}
_GROUPS_OF_TAG = {
    name: sum(group for group, names in _TAGS.items() if name in names) for names in _TAGS.values() for name in names
}
_FIRST_WIDE = 0x2E80
"""First code point of characters that are a syllable or a word: ideographs, kana, Hangul."""
_LETTERS_PER_WIDE = 2
_MIN_LINKED_OF_LINK = 0.6
"""Share of letters in links that makes a block a link."""
_MIN_PROSE = 60
"""Letters outside of links that make a block prose: nearly a line of text."""


@dataclass(frozen=True)
class Blocks:
    """Blocks of a page, in document order; one entry per block unless said otherwise."""

    texts: NDArray[np.int32]
    """Visible texts that are not blank, in document order."""
    of_texts: NDArray[np.int64]
    """For each text its block."""
    firsts: NDArray[np.int64]
    """First text of the block."""
    letters: NDArray[np.float64]
    linked: NDArray[np.float64]
    """Letters in links."""
    free: NDArray[np.float64]
    """Letters outside of links."""
    is_link: NDArray[np.bool_]
    is_heading: NDArray[np.bool_]
    is_title: NDArray[np.bool_]
    """In an `h1`."""
    is_listed: NDArray[np.bool_]
    """In a list or table."""
    is_term: NDArray[np.bool_]
    """In a `dt`."""
    is_prose: NDArray[np.bool_]
    """A line of text or more, code or a quotation."""
    spans: Spans

    def __len__(self) -> int:
        return len(self.firsts)

    def texts_of(self, document: Document, places: NDArray[np.int64]) -> Iterator[str]:
        """Yield the texts of some blocks, without the white space around words."""
        starts = self.of_texts.searchsorted(places).tolist()
        stops = self.of_texts.searchsorted(places, side="right").tolist()
        nodes, texts = self.texts.tolist(), document.texts
        for start, stop in zip(starts, stops, strict=True):
            yield " ".join(" ".join([texts[node] for node in nodes[start:stop]]).split())

    def in_any(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for each block whether it is in one of the chosen nodes."""
        return self.spans.cover(chosen.nonzero()[0])


def find_blocks(document: Document) -> Blocks:
    """Find the visible blocks. Two line breaks, or a rule, separate blocks too."""
    texts = document.seen_texts
    groups = document.by_tag(_GROUPS_OF_TAG)
    holders = find_line_holders(document, texts)
    breaks = ((groups & _BREAK) != 0).nonzero()[0].searchsorted(texts)
    begins = np.ones(len(texts), dtype=np.bool_)
    begins[1:] = (holders[1:] != holders[:-1]) | (breaks[1:] - breaks[:-1] > 1)
    of_texts = begins.cumsum() - 1
    firsts = texts[begins].astype(np.int64)
    spans = find_spans(document, firsts)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(of_texts, weights=values, minlength=len(firsts)).astype(np.float64, copy=False)

    all_texts = document.texts
    contents = [all_texts[node] for node in texts.tolist()]
    weights = _weigh(contents)
    letters, linked = total(weights), total(weights * find_inside(document.ends, _links(document, groups))[texts])

    around, free = groups[spans.elements], letters - linked

    def are_in(group: int) -> NDArray[np.bool_]:
        return spans.cover(spans.elements[(around & group) != 0])

    is_heading, is_quoted = are_in(_HEADING), are_in(_QUOTED)
    return Blocks(
        texts=texts,
        of_texts=of_texts,
        firsts=firsts,
        letters=letters,
        linked=linked,
        free=free,
        is_link=linked > _MIN_LINKED_OF_LINK * np.maximum(letters, 1),
        is_heading=is_heading,
        is_title=are_in(_TITLE),
        is_listed=are_in(_LISTED),
        is_term=are_in(_TERM),
        is_prose=((free >= _MIN_PROSE) & ~is_heading) | is_quoted,
        spans=spans,
    )


def _links(document: Document, groups: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark buttons and links to other pages; links within the page, and buttons that are headings, are its text."""
    is_link = np.zeros(len(document), dtype=np.bool_)
    is_link[[node for node, address in document.values_of("href").items() if address[:1] != "#"]] = True
    is_link &= (groups & _ANCHOR) != 0
    buttons = ((groups & _BUTTON) != 0).nonzero()[0]
    if len(buttons):
        is_link[buttons[~are_heading_buttons(document, buttons)]] = True
    return is_link


def are_heading_buttons(document: Document, buttons: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which buttons unfold the text below them: those in a heading, or with one inside."""
    headings = document.has_tag(HEADING_TAGS).nonzero()[0]
    found = are_inside(document.ends, buttons, headings)
    found |= headings.searchsorted(document.ends[buttons]) > headings.searchsorted(buttons)
    expandable, menus = document.values_of("aria-expanded"), document.values_of("aria-haspopup")
    unfold = [node in expandable and node not in menus for node in buttons.tolist()]
    return found | np.array(unfold, dtype=np.bool_)


def _weigh(texts: list[str]) -> NDArray[np.float64]:
    """Count the letters of each text; a CJK character counts as two."""
    bare = [text.strip() for text in texts]
    lengths = np.fromiter(map(len, bare), dtype=np.float64, count=len(bare))
    joined = "".join(bare)
    if joined.isascii():
        return lengths
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    wide = (codes >= _FIRST_WIDE).nonzero()[0]
    if not len(wide):  # as on most pages, which have accents and quotation marks
        return lengths
    of_wide = lengths.cumsum().searchsorted(wide, side="right")
    return lengths + (_LETTERS_PER_WIDE - 1) * np.bincount(of_wide, minlength=len(texts))


_MAX_SCORED_PROSE = 100
"""Letters of prose from which the score of a block no longer grows."""
_MIN_KEPT_SCORE = 0.5
_MIN_NUMBERED_LINES = 2
_PROSE, _HEADING_DECISION, _OTHER, _MARK, _LINE_NUMBER = 0, -1, -2, -3, -4
"""Codes of the reasons for which blocks are kept, and of those for which a text of a block is not."""

Codes = int | tuple[NDArray[np.int64], NDArray[np.int64]]
"""Codes of reasons: one for all blocks, or nodes with one each, the outermost around a block giving the reason."""


class Draft:
    """Blocks of a page, with the reason that decided about each."""

    def __init__(self, document: Document, blocks: Blocks) -> None:
        self.document = document
        self.blocks = blocks
        self.kept: NDArray[np.bool_] = np.ones(len(blocks), dtype=np.bool_)
        self._reasons = {
            _PROSE: "prose",
            _HEADING_DECISION: "heading",
            _OTHER: "in the content",
            _MARK: "mark of a heading",
            _LINE_NUMBER: "number of a line of code",
        }
        self._decisions: list[tuple[NDArray[np.bool_], Codes]] = []
        """The blocks that each decision changed, and the codes of its reasons."""

    def drop(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Drop the chosen blocks."""
        self._drop(chosen, self._code(reason))

    def keep(self, chosen: NDArray[np.bool_], reason: str) -> None:
        """Keep the chosen blocks again."""
        self._decisions.append((chosen & ~self.kept, self._code(reason)))
        self.kept = self.kept | chosen

    def drop_in(self, nodes: NDArray[np.int64], codes: NDArray[np.int64], reasons: dict[int, str]) -> None:
        """Drop what is in some nodes; the code of the outermost node gives the reason."""
        self._reasons |= reasons
        self._drop(self.blocks.spans.cover(nodes), (nodes, codes))

    def _drop(self, chosen: NDArray[np.bool_], codes: Codes) -> None:
        self._decisions.append((chosen & self.kept, codes))
        self.kept = self.kept & ~chosen

    def _code(self, reason: str) -> int:
        code = -len(self._reasons)  # negative: `drop_in` has the positive codes
        self._reasons[code] = reason
        return code

    def finish(self, method: str) -> Article:
        """Make the article."""
        blocks = self.blocks
        return Article(
            document=self.document,
            method=method,
            nodes=blocks.texts,
            kept=self.kept[blocks.of_texts] & ~self._are_marks & ~self._are_line_numbers,
            scores=self._find_scores,
            reasons=self._find_reasons,
        )

    def _find_scores(self) -> NDArray[np.float32]:
        """Score texts by the prose of their block, from `_MIN_KEPT_SCORE` on if it is kept, else below."""
        blocks, kept = self.blocks, self.kept
        free = np.where(blocks.is_prose | blocks.is_heading, 1.0, 0.5) * blocks.free
        scores = _MIN_KEPT_SCORE * np.minimum(free / _MAX_SCORED_PROSE, 1) + np.where(kept, 1 - _MIN_KEPT_SCORE, 0)
        scores[~kept] *= 0.99
        return scores[blocks.of_texts].astype(np.float32)

    def _find_reasons(self) -> tuple[str, ...]:
        blocks = self.blocks
        reason_of = np.zeros(len(blocks), dtype=np.int64)
        for changed, codes in self._decisions:
            reason_of = np.where(changed, codes if isinstance(codes, int) else _spread(blocks.spans, *codes), reason_of)
        kind = np.where(blocks.is_prose, _PROSE, np.where(blocks.is_heading, _HEADING_DECISION, _OTHER))
        is_plain = self.kept & (reason_of == _PROSE)  # never dropped
        of_texts = np.where(is_plain, kind, reason_of)[blocks.of_texts]
        of_texts[self._are_marks & self.kept[blocks.of_texts]] = _MARK
        of_texts[self._are_line_numbers & self.kept[blocks.of_texts]] = _LINE_NUMBER
        return tuple([self._reasons[code] for code in of_texts.tolist()])

    @cached_property
    def _are_marks(self) -> NDArray[np.bool_]:
        """Tell for each text whether it is the permalink sign of a heading, such as a pilcrow."""
        document, blocks = self.document, self.blocks
        are_marks = blocks.is_heading[blocks.of_texts]
        places = are_marks.nonzero()[0]
        are_marks[places] = document.has_tag(["a"], document.parents[blocks.texts[places]])
        places = are_marks.nonzero()[0]
        linked = [document.texts[node] for node in blocks.texts[places].tolist()]
        are_marks[places] = [not any(map(str.isalnum, text)) for text in linked]
        return are_marks

    @cached_property
    def _are_line_numbers(self) -> NDArray[np.bool_]:
        """Tell for each text whether it numbers lines of code: 1, 2, 3 in elements, or in a cell, of their own."""
        document, texts = self.document, self.blocks.texts
        are_numbers = np.zeros(len(texts), dtype=np.bool_)
        if "pre" not in document.tag_names:
            return are_numbers
        pres = document.has_tag(["pre"]).nonzero()[0]
        is_innermost = np.append(pres[1:] >= document.ends[pres[:-1]], True)[
            : len(pres)
        ]  # they may nest thousands deep
        for start in pres[is_innermost].tolist():
            first, last = texts.searchsorted((start, document.ends[start])).tolist()
            said = [document.texts[node].split() for node in texts[first:last].tolist()]
            numbers = [place for place, words in enumerate(said, first) if all(map(str.isdecimal, words))]
            counted = [int(word) for place in numbers for word in said[place - first]]
            is_column = len(numbers) == last - first
            if len(counted) < _MIN_NUMBERED_LINES or counted != list(range(1, len(counted) + 1)):
                continue
            if not is_column or document.has_tag(["td"], document.parents[[start]])[0]:
                are_numbers[numbers] = True
        return are_numbers


def _spread(spans: Spans, nodes: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each block the code of the outermost node around it; 0 where there is none."""
    starts, stops = spans.starts[nodes], spans.stops[nodes]
    is_outermost = np.ones(len(nodes), dtype=np.bool_)
    is_outermost[1:] = starts[1:] >= np.maximum.accumulate(stops)[:-1]
    changes = np.zeros(spans.size + 1, dtype=np.int64)
    changes[starts[is_outermost]] = codes[is_outermost]
    changes[stops[is_outermost]] -= codes[is_outermost]
    return changes[:-1].cumsum()


_MIN_SHARE_OF_ROOT = 0.85
"""Share of the prose that makes an element inside of the root the root itself."""
_MIN_SHARE_OF_BODY = 0.5
"""Share of the prose in an element that is named as the body of the text: notes and references may be long."""
_MAX_PROSE_OF_FACTS = 600
"""Letters of prose of a page that consists of facts, such as an offer: one or two paragraphs describe what it is
about. With 1,500, facts around a text that is the content come in on the half of articles-wcxb to tune on."""
_MIN_SHARE_OF_FACTS = 0.6
"""Share of the letters outside of links that the root of such a page has."""
_PARTS = frozenset("blockquote dl li ol p pre table tbody tr ul".split())
"""Elements that are part of a text and never hold all of it."""


def find_root(document: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> int | None:
    """Find the innermost element with all chosen blocks that can hold a text; None when no block is chosen."""
    places = chosen.nonzero()[0]
    if not len(places):
        return None
    spans = blocks.spans
    elements = spans.elements
    holders = elements[(spans.starts[elements] <= places[0]) & (spans.stops[elements] > places[-1])]
    return int(holders[~document.has_tag(_PARTS, holders)][-1])


def narrow_root(document: Document, blocks: Blocks, root: int, prose: NDArray[np.float64]) -> int:
    """Find the innermost element with nearly all prose of the root, without cutting off paragraphs beside it.

    A summary before it or lines about the author behind it stay outside.
    """
    elements = blocks.spans.elements
    sums = blocks.spans.sum_in(prose, elements)
    chain = elements[
        (sums >= _MIN_SHARE_OF_ROOT * prose.sum()) & (elements >= root)
    ]  # each is a child of the one before
    stays = _hold_paragraphs(document, chain, elements[sums > 0]).nonzero()[0]
    places = chain[: stays[0] + 1 if len(stays) else None]
    places = places[~document.has_tag(_PARTS, places)]
    return int(places[-1]) if len(places) else root


def find_body(
    document: Document, blocks: Blocks, root: int, bodies: NDArray[np.int64], prose: NDArray[np.float64]
) -> int:
    """Find the one element inside of the root that is named as the body of a text; the root if it holds too little.

    Where there are several, as in a thread or a page of sections, none of them is the whole text.
    """
    inside = bodies[(bodies > root) & (bodies < document.ends[root]) & ~document.has_tag(_PARTS, bodies)]
    inside = inside[blocks.spans.sum_in(prose, inside) > 0]
    if not len(inside) or inside[-1] >= document.ends[inside[0]]:
        return root
    share = float(blocks.spans.sum_in(prose, inside[:1])[0]) / max(float(prose.sum()), 1.0)
    return int(inside[0]) if share >= _MIN_SHARE_OF_BODY else root


def widen_root(
    document: Document, blocks: Blocks, root: int, prose: NDArray[np.float64], chosen: NDArray[np.bool_]
) -> int:
    """Find the innermost element around the root that holds most facts, which are chosen blocks outside of links.

    Prices, properties and lists say what such a page is about, and its prose is one of its parts. The root of a page
    with more prose or with as much in links, such as results of a search, stays.
    """
    facts = np.where(chosen & ~blocks.is_link, blocks.free, 0.0)
    if prose.sum() > _MAX_PROSE_OF_FACTS or facts.sum() <= blocks.letters[chosen].sum() / 2:
        return root
    elements = blocks.spans.elements
    around = elements[(elements <= root) & (document.ends[elements] >= document.ends[root])]
    are_enough = blocks.spans.sum_in(facts, around) >= _MIN_SHARE_OF_FACTS * facts.sum()
    holders = around[are_enough & ~document.has_tag(_PARTS, around)]
    return int(holders[-1]) if len(holders) else root


def _hold_paragraphs(document: Document, chain: NDArray[np.int64], elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell for each element of the chain whether it has paragraphs of its own, such as a lead."""
    hold = np.zeros(len(document), dtype=np.bool_)
    hold[document.parents[elements[document.has_tag(["p"], elements)]]] = True
    return hold[chain]
