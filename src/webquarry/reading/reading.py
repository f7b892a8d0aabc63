"""The default reader: the main text of a page, block by block, on columns.

What stands in furniture goes; the rest tells the kind of the page, and which element holds its content; what is not of
the content in there goes too.  Nothing is learnt and no site is known: density, landmarks and repetition decide.  It
fails where a text is made of links, and on pages that have several texts far apart.

The constants of these files were chosen by hand on two corpora of labelled pages, articles-scrapinghub and
articles-wcxb, and moved up and down: they stand where that changes little on either half of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Article, Document
from webquarry.reading.blocks import find_blocks
from webquarry.reading.bodies import read_listing, read_text
from webquarry.reading.cards import find_cards
from webquarry.reading.drafts import Draft
from webquarry.reading.furniture import REASONS, find_furniture
from webquarry.reading.landmarks import Landmarks, find_landmarks
from webquarry.reading.names import Role
from webquarry.reading.page_kinds import find_types, is_discussion, is_listing
from webquarry.reading.sights import drop_by_sight, drop_pinned

_MAIN = 0.2
"""The share of the letters outside of links and furniture that a main element has at least, if it is worth its name."""
_ENOUGH = 0.2
"""The share of the letters outside of links and furniture that must be kept.  Of 480 pages those that were read wrongly
had up to .03 of them, the others from .34 on."""


def read_blocks(document: Document) -> Article:
    """The main text of a document."""
    draft = Draft(document, find_blocks(document))
    if len(draft.blocks):
        _decide(draft)
    return draft.finish("blocks")


def _decide(draft: Draft) -> None:
    document, blocks = draft.document, draft.blocks
    marks, types = find_landmarks(document, blocks.spans.elements), find_types(document)
    discussion = is_discussion(types)
    around, within = find_furniture(document, blocks, marks, is_discussion=discussion)
    draft.drop_in(*around, REASONS)
    drop_pinned(draft)
    _keep_main(draft, marks)
    is_outside = draft.kept
    is_card = np.zeros_like(draft.kept) if discussion else find_cards(document, blocks)
    if not discussion and is_listing(types, blocks, is_card, draft.kept):
        read_listing(draft, is_card)
    else:
        draft.drop_in(*within, REASONS)
        drop_by_sight(draft)
        read_text(draft, marks, is_card, is_discussion=discussion)
    _keep_enough(draft, is_outside)


def _keep_main(draft: Draft, marks: Landmarks) -> None:
    """Leave out what stands outside of the main element, where there is one that holds its share."""
    blocks = draft.blocks
    if not len(mains := marks.find(Role.MAIN)):
        return
    in_main, letters = blocks.spans.cover(mains), np.where(draft.kept, blocks.free, 0.0)
    if letters[in_main].sum() > _MAIN * letters.sum():
        draft.drop(~in_main, "outside of the main element")


def _keep_enough(draft: Draft, is_outside: NDArray[np.bool_]) -> None:
    """Keep all that is outside of furniture where nearly none of it was kept: there is no content that stands out."""
    blocks = draft.blocks
    there = float(blocks.free[is_outside].sum())
    if float(blocks.letters[draft.kept].sum()) < _ENOUGH * there:
        draft.keep(is_outside, "all that is not furniture")
