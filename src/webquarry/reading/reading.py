"""The default reader: the main text of a page, block by block, on columns.

What stands in furniture goes; the rest tells the kind of the page, and which element holds its content; what is not of
the content in there goes too.  Nothing is learnt and no site is known: density, landmarks and repetition decide.  It
fails where a text is made of links, and on pages that have several texts far apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Article, Document
from webquarry.reading.blocks import find_blocks
from webquarry.reading.cards import find_cards
from webquarry.reading.drafts import Draft
from webquarry.reading.furniture import REASONS, find_furniture
from webquarry.reading.landmarks import Landmarks, find_landmarks
from webquarry.reading.masses import weigh
from webquarry.reading.names import Role
from webquarry.reading.page_kinds import find_types, is_discussion, is_listing
from webquarry.reading.roots import find_root, narrow_root

_PER_LINKED = -0.1
"""The value of a letter in a link, a letter of prose being 1: links speak against an element, but prose decides."""
_PER_SCRAP = -1.0
"""The value of a block that is neither prose nor in a list."""
_PER_FURNITURE = -8.0
"""The value of a block of furniture in listings, in letters of cards: what has many is the frame of the page."""
_IN_BODY = 0.2
"""What links and cards weigh in what is named as the body of the content."""


def read_blocks(document: Document) -> Article:
    """The main text of a document."""
    draft = Draft(document, find_blocks(document))
    if len(draft.blocks):
        _decide(draft)
    return draft.finish("blocks")


def _decide(draft: Draft) -> None:
    document, blocks = draft.document, draft.blocks
    marks, masses = find_landmarks(document), weigh(document, blocks)
    types = marks.types | find_types(document)
    discussion = is_discussion(types)
    furniture = find_furniture(document, marks, masses, is_forum=discussion)
    draft.drop_in(furniture.around, REASONS)
    is_card = find_cards(document, blocks, masses)
    if not discussion and is_listing(types, blocks, is_card, draft.kept):
        _read_listing(draft, is_card)
        _drop_idle_headings(draft)
        return
    draft.drop_in(furniture.within, REASONS)
    _read_text(draft, marks, np.zeros_like(is_card) if discussion else is_card, is_whole=discussion)
    _drop_idle_headings(draft)
    draft.drop(blocks.is_title, "title")


def _read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    blocks = draft.blocks
    values = np.where(is_card | blocks.is_prose, blocks.letters, _PER_SCRAP)
    _keep_within(draft, find_root(draft.document, blocks.firsts, np.where(draft.kept, values, _PER_FURNITURE)))


def _read_text(draft: Draft, marks: Landmarks, is_card: NDArray[np.bool_], *, is_whole: bool) -> None:
    document, blocks = draft.document, draft.blocks
    is_body = marks.are(Role.CONTENT)
    in_body = blocks.in_any(document, is_body)
    prose = np.where(blocks.is_prose, blocks.letters - blocks.linked, 0)
    values = np.where(blocks.is_prose, prose, _PER_LINKED * blocks.linked)
    values[~blocks.is_prose & ~blocks.is_listed & ~in_body] += _PER_SCRAP
    values[is_card] = -(blocks.letters * np.where(in_body, _IN_BODY, 1))[is_card]
    root = find_root(document, blocks.firsts, np.where(draft.kept, values, 0))
    if root is not None and not is_whole:
        root = narrow_root(document, root, blocks.firsts, np.where(draft.kept & ~is_card, prose, 0), is_body)
    _keep_within(draft, root)
    draft.drop(blocks.is_link & ~(in_body & ~is_card & blocks.is_listed), "links")
    draft.drop(is_card, "card")


def _keep_within(draft: Draft, root: int | None) -> None:
    firsts = draft.blocks.firsts
    outside = np.ones_like(draft.kept) if root is None else (firsts < root) | (firsts >= draft.document.ends[root])
    draft.drop(outside, "outside of the content")


def _drop_idle_headings(draft: Draft) -> None:
    """Leave out the headings behind which nothing is kept."""
    texts = np.flatnonzero(draft.kept & ~draft.blocks.is_heading)
    last = int(texts[-1]) if len(texts) else -1
    draft.drop(draft.blocks.is_heading & (np.arange(len(draft.kept)) > last), "heading without text")
