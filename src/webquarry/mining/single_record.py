"""Find the one record of a page without a good list: alone in its list, or what the page is about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves, range_sums

MIN_SINGLE_SHARE = 0.5  # of the weight outside furniture that the record must exceed
MAX_SINGLE_REST = 0.2  # share of an element beside its main part, for the element to be the record
MIN_SINGLE_PARTS = 3  # different tag paths of leaves; fewer make a text
MAX_CARD_WEIGHT = 500  # characters of a record alone in its list; more is an article
_CARDS = frozenset(["article", "li"])
_CARD_HEADINGS = HEADING_TAGS - {"h1"}  # the heading of the page is not of a card


def find_lone_card(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """Find the largest item or article outside furniture that is alone in its list and has a heading and a link.

    A collection with one product, a search with one result.  Fails on cards without a heading.
    """
    heads, links = (_count_before(document, tags) for tags in (_CARD_HEADINGS, frozenset(["a"])))
    cards = np.flatnonzero(document.has_tag(_CARDS) & (leaves.counts > 1) & (leaves.totals <= MAX_CARD_WEIGHT))
    stops = document.ends[cards]
    is_alone = leaves.counts[document.parents[cards]] == leaves.counts[cards]
    has_both = (heads[stops] > heads[cards]) & (links[stops] > links[cards])
    is_outside = range_sums(furniture, leaves.starts[cards], leaves.starts[stops]) == 0
    found = cards[is_alone & has_both & is_outside]
    return int(found[np.argmax(leaves.totals[found])]) if len(found) else None


def _count_before(document: Document, tags: frozenset[str]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(document.has_tag(tags))])


def find_single(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """Find the innermost element with most of the page's content, widened by the little beside it."""
    content = leaves.weights * ~furniture
    weights = range_sums(content, leaves.starts[:-1], leaves.starts[document.ends])
    holding = np.flatnonzero((document.tags >= 0) & (weights > MIN_SINGLE_SHARE * content.sum()))
    if not len(holding):
        return None
    node = int(holding[-1])
    while document.tag(parent := int(document.parents[node])) not in ("", "body", "html"):
        if weights[node] < (1 - MAX_SINGLE_REST) * weights[parent]:
            break
        node = parent
    owners = leaves.owners[leaves.starts[node] : leaves.starts[document.ends[node]]]
    return node if len(np.unique(leaves.paths[owners])) >= MIN_SINGLE_PARTS else None
