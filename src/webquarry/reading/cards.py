"""Cards: what comes again beside itself and leads to another page each, as in teasers and listings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.model import Document
from webquarry.reading.blocks import Blocks
from webquarry.reading.masses import Masses, sum_below

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


def find_cards(document: Document, blocks: Blocks, masses: Masses) -> NDArray[np.bool_]:
    """For each block whether it is part of a card."""
    elements = np.flatnonzero((document.tags >= 0) & (masses.linked > 0) & ~document.has_tag(_NEVER))
    if len(elements) < _FEWEST:
        return np.zeros(len(blocks), dtype=np.bool_)
    _, group, counts = np.unique(_likenesses(document, elements), return_inverse=True, return_counts=True)
    titles = blocks.is_link & (blocks.letters >= _TITLE)
    in_titles = sum_below(document, blocks.firsts, np.where(titles, blocks.letters, 0))[elements]
    has_heading = _lead(blocks, titles & blocks.is_heading, elements)
    least = np.where(has_heading, _LINKED_HEADING, _LINKED)
    is_card = (
        (counts[group] >= _FEWEST)
        & _lead(blocks, titles, elements)
        & (masses.letters[elements] - masses.linked[elements] < _LONGEST)
        & (in_titles > 0)
        & (in_titles >= least * masses.letters[elements])
    )
    alike = np.bincount(group, weights=is_card)[group]
    is_card &= alike >= np.maximum(_FEWEST, _MOST * counts[group])
    chosen = np.zeros(len(document), dtype=np.bool_)
    chosen[elements[is_card]] = True
    return find_inside(document.ends, chosen)[blocks.firsts]


def _likenesses(document: Document, elements: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each element a number that siblings of the same tag and classes share."""
    known: dict[str, int] = {}
    attributes = document.attributes
    classes = [known.setdefault(attributes[node].get("class", ""), len(known)) for node in elements.tolist()]
    tagged = document.parents[elements].astype(np.int64) * len(document.tag_names) + document.tags[elements]
    likenesses: NDArray[np.int64] = tagged * len(known) + np.array(classes)
    return likenesses


def _lead(blocks: Blocks, titles: NDArray[np.bool_], elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each element whether one of its first blocks is a title."""
    first = np.searchsorted(blocks.firsts, elements)
    padded = np.append(titles, np.zeros(_LEADING, dtype=np.bool_))
    lead: NDArray[np.bool_] = np.logical_or.reduce([padded[first + place] for place in range(_LEADING)])
    return lead
