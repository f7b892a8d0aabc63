"""The blocks of a page, paragraphs and what else stands for itself, as columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.html.kinds import Kind
from webquarry.html.visibility import BLOCKS, CELLS
from webquarry.model import Document

_HOLDERS = BLOCKS | CELLS
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_QUOTED = frozenset(["pre", "code", "blockquote"])
_LISTED = frozenset(["li", "dd", "dt", "td"])
_WIDE_RUNS = re.compile("[\u2e80-\U0010ffff]+")
"""Characters that are a syllable or a word of their own: ideographs, kana, Hangul."""
_WIDE = 2
"""What such a character weighs, in letters."""
_ENDS = (".", "!", "?", "…", ":", "。", "？", "！", "؟", "।", "۔")  # noqa: RUF001 - these are meant
"""Of sentences."""

LINKED = 0.6
"""The share of letters in links from which on a block is a link."""
_LONG = 60
"""Letters outside of links that make a block prose, whatever it ends with."""
_SHORT = 20
"""Letters that make a sentence prose."""
_LINKED_PROSE = 0.35
"""The share of letters in links up to which a long block is prose."""
_LINKED_SENTENCE = 0.2
_LINKED_QUOTED = 0.5


@dataclass(frozen=True)
class Blocks:
    """Columns with one entry a block, except where said otherwise."""

    texts: NDArray[np.int32]
    """The texts that a reader sees and that are not blank, in document order."""
    of_texts: NDArray[np.int64]
    """For each text the block that it is part of."""
    firsts: NDArray[np.int64]
    """The first text of the block."""
    letters: NDArray[np.float64]
    linked: NDArray[np.float64]
    """Letters that stand in links."""
    is_link: NDArray[np.bool_]
    is_heading: NDArray[np.bool_]
    is_title: NDArray[np.bool_]
    """Whether it stands in a heading of the first level."""
    is_listed: NDArray[np.bool_]
    """Whether it stands in a list or table."""
    is_prose: NDArray[np.bool_]
    """Whether it reads like a sentence, code or a quotation."""

    def __len__(self) -> int:
        return len(self.firsts)

    def in_any(self, document: Document, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """For each block whether it stands in one of the chosen nodes."""
        return find_inside(document.ends, chosen)[self.firsts]


def find_blocks(document: Document) -> Blocks:
    """The blocks of what a reader sees.  Two line breaks, or a rule, part blocks as well."""
    texts = _texts(document)
    holders = _holders(document, texts)
    breaks = np.cumsum(document.has_tag(["br", "hr"]))[texts]
    begins = np.ones(len(texts), dtype=np.bool_)
    begins[1:] = (holders[1:] != holders[:-1]) | (breaks[1:] - breaks[:-1] > 1)
    of_texts = np.cumsum(begins) - 1
    firsts = texts[begins].astype(np.int64)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(of_texts, weights=values, minlength=len(firsts)).astype(np.float64)

    contents = [document.texts[node] for node in texts.tolist()]
    weights = np.array([_weigh(text) for text in contents], dtype=np.float64)
    in_links = find_inside(document.ends, _links(document))[texts]
    letters, linked = total(weights), total(np.where(in_links, weights, 0))
    sentences = total(np.array([_has_sentence(text) for text in contents], dtype=np.float64)) > 0

    def stand_in(names: frozenset[str]) -> NDArray[np.bool_]:
        return find_inside(document.ends, document.has_tag(names))[firsts]

    is_heading, is_quoted = stand_in(_HEADINGS), stand_in(_QUOTED)
    share = linked / np.maximum(letters, 1)
    return Blocks(
        texts=texts,
        of_texts=of_texts,
        firsts=firsts,
        letters=letters,
        linked=linked,
        is_link=share > LINKED,
        is_heading=is_heading,
        is_title=stand_in(frozenset(["h1"])),
        is_listed=stand_in(_LISTED),
        is_prose=((letters - linked >= _LONG) & (share < _LINKED_PROSE) & ~is_heading)
        | ((letters >= _SHORT) & sentences & (share < _LINKED_SENTENCE) & ~is_heading)
        | (is_quoted & (share < _LINKED_QUOTED)),
    )


def _texts(document: Document) -> NDArray[np.int32]:
    shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden).tolist()
    contents = document.texts
    return np.array([node for node in shown if contents[node] and not contents[node].isspace()], dtype=np.int32)


def _holders(document: Document, texts: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each text the nearest element that begins a new line."""
    is_holder = document.has_tag(_HOLDERS)
    is_holder[0] = True
    holders = document.parents[texts]
    while len(inline := np.flatnonzero(~is_holder[holders])):
        holders[inline] = document.parents[holders[inline]]
    return holders


def _links(document: Document) -> NDArray[np.bool_]:
    """Links that lead away, and buttons.

    What leads to a place on the same page is a link in lists, as tables of contents are; headings lead to themselves.
    """
    is_link = document.has_tag(["a", "button"])
    attributes = document.attributes
    anchors = np.flatnonzero(document.has_tag(["a"])).tolist()
    to_here = [node for node in anchors if attributes[node].get("href", "#").startswith("#")]
    is_link[to_here] = document.has_tag(_LISTED, document.parents[to_here])
    is_link[[node for node in to_here if len(attributes[node].get("href", "#")) == 1]] = False
    return is_link


def _weigh(text: str) -> int:
    bare = text.strip()
    if bare.isascii():
        return len(bare)
    return len(bare) + (_WIDE - 1) * sum(map(len, _WIDE_RUNS.findall(bare)))


def _has_sentence(text: str) -> bool:
    return ". " in text or ", " in text or text.rstrip().endswith(_ENDS)
