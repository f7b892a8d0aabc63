"""Cards: what comes again beside itself and leads to another page each, as in teasers and listings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks

_FEWEST = 3
"""Cards that make a list of cards."""
_MOST = 0.7
"""The share of those alike that must be cards for any of them to be one."""
_LONGEST = 700
"""Letters outside of links: what has more is no summary of another page but a text."""
_LINKED = 0.2
"""The share of letters that are in blocks that are links: a list in a text has links too, but not as many."""
_LINKED_HEADING = 0.1
"""The same where the link is a heading: the summary below it may be long."""
_TITLE = 10
"""Letters of the link that names another page."""
_LEADING = 3
"""The first blocks of a card, one of which is the link; a label or a date may come before it."""
_NEVER = frozenset(
    "b body br code dd dt em h1 h2 h3 h4 h5 h6 head html i p pre span strong tbody td th thead tr".split()
)


def find_cards(document: Document, blocks: Blocks) -> NDArray[np.bool_]:
    """For each block whether it is part of a card."""
    titles, spans = blocks.is_link & (blocks.letters >= _TITLE), blocks.spans
    elements = spans.elements[~document.has_tag(_NEVER, spans.elements)]
    elements = elements[spans.sum_in(blocks.linked, elements) > 0]
    first = spans.starts[elements]
    in_titles = spans.sum_in(np.where(titles, blocks.letters, 0.0), elements)
    least = np.where(_lead(titles & blocks.is_heading)[first], _LINKED_HEADING, _LINKED)
    is_card = _lead(titles)[first] & (spans.sum_in(blocks.free, elements) < _LONGEST)
    is_card &= (in_titles > 0) & (in_titles >= least * spans.sum_in(blocks.letters, elements))
    return spans.cover(_come_again(document, elements, is_card))


def _come_again(document: Document, elements: NDArray[np.int64], is_card: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The cards among the elements of which enough siblings of the same tag and classes are cards."""
    parents = document.parents[elements]
    can_be = np.bincount(parents[is_card], minlength=len(document))[parents] >= _FEWEST
    if not can_be.any():
        return elements[:0]
    elements, is_card = elements[can_be], is_card[can_be]
    known: dict[tuple[int, int, str], int] = {}
    attributes = document.attributes
    likenesses = zip(
        parents[can_be].tolist(),
        document.tags[elements].tolist(),
        [attributes[node].get("class", "") for node in elements.tolist()],
        strict=True,
    )
    group = np.array([known.setdefault(likeness, len(known)) for likeness in likenesses], dtype=np.int64)
    alike = np.bincount(group, weights=is_card)
    come_again = alike >= np.maximum(_FEWEST, _MOST * np.bincount(group))
    cards: NDArray[np.int64] = elements[is_card & come_again[group]]
    return cards


def _lead(titles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each block, and for the end, whether it or one of those next to come is a title."""
    padded = np.zeros(len(titles) + _LEADING, dtype=np.bool_)
    padded[: len(titles)] = titles
    lead: NDArray[np.bool_] = padded[: len(titles) + 1].copy()
    for place in range(1, _LEADING):
        lead |= padded[place : len(titles) + 1 + place]
    return lead
