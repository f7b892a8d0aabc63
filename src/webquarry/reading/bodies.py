"""Which blocks make up the content: of a page that is a text or a discussion, and of one that is a listing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.reading.drafts import Draft
from webquarry.reading.landmarks import Landmarks
from webquarry.reading.names import Role
from webquarry.reading.roots import find_data_tables, find_root, narrow_root


def read_text(draft: Draft, marks: Landmarks, is_card: NDArray[np.bool_], *, is_discussion: bool) -> None:
    """Keep prose, with what stands in the flow of it; in a discussion the posts, wherever they stand."""
    document, blocks = draft.document, draft.blocks
    in_body = blocks.spans.cover(marks.find(Role.CONTENT))
    is_teaser = is_card & ~in_body
    prose = np.where(blocks.is_prose & draft.kept & ~is_teaser, blocks.free, 0.0)
    root = find_root(document, blocks, prose > 0)
    if root is None:
        read_listing(draft, is_card | in_body)
        return
    _keep_within(draft, root if is_discussion else narrow_root(document, blocks, root, prose))
    leads = blocks.is_heading | blocks.is_term
    leads[:-1] &= (draft.kept & ~blocks.is_link)[1:]
    leads[-1] = False
    is_datum = blocks.in_any(find_data_tables(document)) | (blocks.is_listed & in_body & ~is_card)
    draft.drop(blocks.is_link & ~leads & ~is_datum, "links")
    draft.drop(is_teaser, "one of many that lead to other pages")
    _drop_idle_headings(draft)
    _drop_title(draft)


def read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    """Keep cards, with what stands between them."""
    blocks = draft.blocks
    _keep_within(draft, find_root(draft.document, blocks, draft.kept & (is_card | blocks.is_prose)))


def _keep_within(draft: Draft, root: int | None) -> None:
    """Leave out what stands outside of an element, or all where there is none."""
    is_outside, spans = np.ones(len(draft.blocks), dtype=np.bool_), draft.blocks.spans
    if root is not None:
        is_outside[spans.starts[root] : spans.stops[root]] = False
    draft.drop(is_outside, "outside of the content")


def _drop_title(draft: Draft) -> None:
    """Leave out the title, which is metadata, and where there is but one also the labels before it."""
    blocks = draft.blocks
    titles = (blocks.is_title & draft.kept).nonzero()[0]
    if not len(titles):
        return
    before = ~blocks.is_prose
    before[titles[0] :] = False
    if len(titles) == 1:
        draft.drop(before, "before the title")
    is_first = np.zeros_like(draft.kept)
    is_first[titles[0]] = True
    draft.drop(is_first, "title")


def _drop_idle_headings(draft: Draft) -> None:
    """Leave out the headings behind which nothing is kept."""
    texts = (draft.kept & ~draft.blocks.is_heading).nonzero()[0]
    idle = draft.blocks.is_heading.copy()
    idle[: texts[-1] + 1 if len(texts) else 0] = False
    draft.drop(idle, "heading without text")
