"""Which blocks make up the content: of a page that is a text or a discussion, and of one that is a listing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.reading.drafts import Draft
from webquarry.reading.landmarks import Landmarks
from webquarry.reading.names import Role
from webquarry.reading.roots import find_data_tables, find_root, narrow_root

_PER_LINKED = -0.1
"""The value of a letter in a link, a letter of prose being 1: links speak against an element, but prose decides."""
_PER_LISTED = 0.3
"""The value of a letter in a list or table that is neither prose nor link: data are content, but less surely."""
_PER_SCRAP = -1.0
"""The value of any other block."""
_PER_FURNITURE = -8.0
"""The value of a block of furniture in listings, a letter in a card being 1: what has many is the frame of the page."""
_HALF = 0.5
"""The share of the prose that the content holds at least: where links weigh more, they are of the content."""
_IN_BODY = 0.2
"""What cards weigh in what is named as the body of the content."""


def read_text(draft: Draft, marks: Landmarks, is_card: NDArray[np.bool_], *, is_discussion: bool) -> None:
    """Keep prose, with what stands in the flow of it; in a discussion the posts, wherever they stand."""
    document, blocks = draft.document, draft.blocks
    is_body = marks.are(Role.CONTENT)
    in_body = blocks.in_any(document, is_body)
    free = blocks.letters - blocks.linked
    prose = np.where(blocks.is_prose, free, 0)
    in_table = blocks.in_any(document, find_data_tables(document))
    is_data = (blocks.is_listed & ~blocks.is_link) | in_table
    others = np.where(in_table, 0, _PER_LINKED) * blocks.linked + np.where(is_data, _PER_LISTED * free, 0)
    others += np.where(blocks.is_listed | in_body, 0, _PER_SCRAP)
    values = np.where(blocks.is_prose, prose, others)
    values[is_card] = -(blocks.letters * np.where(in_body, _IN_BODY, 1))[is_card]
    root = find_root(document, blocks.firsts, np.where(draft.kept, values, 0))
    if root is None:
        read_listing(draft, is_card | in_body)
        return
    prose = np.where(draft.kept & ~is_card, prose, 0)
    while prose[_stand_within(draft, root)].sum() < _HALF * prose.sum():
        root = int(document.parents[root])
    if not is_discussion:
        root = narrow_root(document, root, blocks.firsts, prose, is_body)
    _keep_within(draft, root)
    within = draft.kept.copy()
    is_term = blocks.in_any(document, document.has_tag(["dt"]))
    leads = (blocks.is_heading | is_term) & np.append((draft.kept & blocks.is_prose)[1:], np.False_)
    is_source = blocks.is_listed & in_body & ~is_card
    draft.drop(blocks.is_link & ~in_table & ~is_source & ~leads, "links")
    draft.drop(is_card, "one of many that lead to other pages")
    _drop_idle_headings(draft)
    is_first = (np.cumsum(blocks.is_title & draft.kept) == 1) | (np.cumsum(blocks.is_prose & draft.kept) == 0)
    draft.drop(blocks.is_title & is_first, "title")
    titles = np.flatnonzero(blocks.is_title & within)
    if len(titles) == 1:
        draft.drop(~blocks.is_prose & (np.arange(len(blocks)) < titles[0]), "before the title")


def read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    """Keep cards, with what stands between them."""
    blocks = draft.blocks
    values = np.where(is_card | blocks.is_prose, blocks.letters, _PER_SCRAP)
    _keep_within(draft, find_root(draft.document, blocks.firsts, np.where(draft.kept, values, _PER_FURNITURE)))
    _drop_idle_headings(draft)


def _keep_within(draft: Draft, root: int | None) -> None:
    draft.drop(np.ones_like(draft.kept) if root is None else ~_stand_within(draft, root), "outside of the content")


def _stand_within(draft: Draft, root: int) -> NDArray[np.bool_]:
    firsts = draft.blocks.firsts
    within: NDArray[np.bool_] = (firsts >= root) & (firsts < draft.document.ends[root])
    return within


def _drop_idle_headings(draft: Draft) -> None:
    """Leave out the headings behind which nothing is kept."""
    texts = np.flatnonzero(draft.kept & ~draft.blocks.is_heading)
    last = int(texts[-1]) if len(texts) else -1
    draft.drop(draft.blocks.is_heading & (np.arange(len(draft.kept)) > last), "heading without text")
