"""Find the cards of a page: similar siblings that each begin with a link to another page, as in listings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks

MIN_CARDS = 3
_MIN_SHARE_OF_CARDS = 0.7
"""Share of similar siblings that must be cards for any of them to be one."""
_MAX_CARD_TEXT = 700
"""Letters outside of links: an element with more is a text itself, not the summary of another page."""
_MIN_LINKED_TITLE = 0.2
"""Share of letters in blocks that are links: a list in a text has links too, but fewer."""
_MIN_LINKED_HEADING = 0.1
"""The same where the link is a heading: the summary below it may be long."""
_MIN_TITLE = 10  # letters of the link to the other page
_LEADING_BLOCKS = 3  # at the start of a card, among which the link is; a label or date may come first
_NEVER_CARDS = frozenset(
    "b body br code dd dt em h1 h2 h3 h4 h5 h6 head html i p pre span strong tbody td th thead tr".split()
)


def find_cards(document: Document, blocks: Blocks) -> NDArray[np.bool_]:
    """Tell for each block whether it is part of a card: one of several similar siblings that each link to a page."""
    titles, spans = blocks.is_link & (blocks.letters >= _MIN_TITLE), blocks.spans
    elements = spans.elements[~document.has_tag(_NEVER_CARDS, spans.elements)]
    elements = elements[spans.sum_in(blocks.linked, elements) > 0]
    first = spans.starts[elements]
    in_titles = spans.sum_in(np.where(titles, blocks.letters, 0.0), elements)
    least = np.where(_begin_with(titles & blocks.is_heading)[first], _MIN_LINKED_HEADING, _MIN_LINKED_TITLE)
    is_card = _begin_with(titles)[first] & (spans.sum_in(blocks.free, elements) < _MAX_CARD_TEXT)
    is_card &= (in_titles > 0) & (in_titles >= least * spans.sum_in(blocks.letters, elements))
    return spans.cover(_keep_repeated(document, elements, is_card))


def _keep_repeated(document: Document, elements: NDArray[np.int64], is_card: NDArray[np.bool_]) -> NDArray[np.int64]:
    """List the cards that have enough siblings of the same tag and classes which are cards too."""
    parents = document.parents[elements]
    can_be = np.bincount(parents[is_card], minlength=len(document))[parents] >= MIN_CARDS
    if not can_be.any():
        return elements[:0]
    elements, is_card = elements[can_be], is_card[can_be]
    known: dict[tuple[int, int, str], int] = {}
    attributes = document.attributes
    keys = zip(
        parents[can_be].tolist(),
        document.tags[elements].tolist(),
        [attributes[node].get("class", "") for node in elements.tolist()],
        strict=True,
    )
    group = np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
    cards_in = np.bincount(group, weights=is_card)
    are_cards = cards_in >= np.maximum(MIN_CARDS, _MIN_SHARE_OF_CARDS * np.bincount(group))
    cards: NDArray[np.int64] = elements[is_card & are_cards[group]]
    return cards


def _begin_with(titles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each block, and for the end, whether a title is among the `_LEADING_BLOCKS` from there on."""
    padded = np.zeros(len(titles) + _LEADING_BLOCKS, dtype=np.bool_)
    padded[: len(titles)] = titles
    found: NDArray[np.bool_] = padded[: len(titles) + 1].copy()
    for place in range(1, _LEADING_BLOCKS):
        found |= padded[place : len(titles) + 1 + place]
    return found
