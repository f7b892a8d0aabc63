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
    in_body = blocks.in_any(document, marks.are(Role.CONTENT))
    is_teaser = is_card & ~in_body
    prose = np.where(blocks.is_prose & draft.kept & ~is_teaser, blocks.letters - blocks.linked, 0)
    root = find_root(document, blocks.firsts, prose)
    if root is None:
        read_listing(draft, is_card | in_body)
        return
    _keep_within(draft, root if is_discussion else narrow_root(document, root, blocks.firsts, prose))
    is_name = blocks.is_heading | blocks.in_any(document, document.has_tag(["dt"]))
    leads = is_name & np.append((draft.kept & ~blocks.is_link)[1:], np.False_)
    is_datum = blocks.in_any(document, find_data_tables(document)) | (blocks.is_listed & in_body & ~is_card)
    draft.drop(blocks.is_link & ~leads & ~is_datum, "links")
    draft.drop(is_teaser, "one of many that lead to other pages")
    _drop_idle_headings(draft)
    _drop_title(draft)


def read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    """Keep cards, with what stands between them."""
    blocks = draft.blocks
    letters = np.where(draft.kept & (is_card | blocks.is_prose), blocks.letters, 0)
    _keep_within(draft, find_root(draft.document, blocks.firsts, letters))


def _keep_within(draft: Draft, root: int | None) -> None:
    """Leave out what stands outside of an element, or all where there is none."""
    start, stop = (0, 0) if root is None else (root, int(draft.document.ends[root]))
    firsts = draft.blocks.firsts
    draft.drop((firsts < start) | (firsts >= stop), "outside of the content")


def _drop_title(draft: Draft) -> None:
    """Leave out the title, which is metadata, and where there is but one also the labels before it."""
    blocks, places = draft.blocks, np.arange(len(draft.kept))
    titles = np.flatnonzero(blocks.is_title & draft.kept)
    if len(titles) == 1:
        draft.drop(~blocks.is_prose & (places < titles[0]), "before the title")
    draft.drop(np.isin(places, titles[:1]), "title")


def _drop_idle_headings(draft: Draft) -> None:
    """Leave out the headings behind which nothing is kept."""
    texts = np.flatnonzero(draft.kept & ~draft.blocks.is_heading)
    last = int(texts[-1]) if len(texts) else -1
    draft.drop(draft.blocks.is_heading & (np.arange(len(draft.kept)) > last), "heading without text")
