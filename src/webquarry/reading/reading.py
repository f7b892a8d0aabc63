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
from webquarry.reading.page_kinds import find_types, is_article, is_discussion, is_listing
from webquarry.reading.roots import find_root, narrow_root

_PER_LINKED = -0.1
"""The value of a letter in a link, a letter of prose being 1: links speak against an element, but prose decides."""
_PER_SCRAP = -1.0
"""The value of a block that is neither prose nor in a list."""
_PER_FURNITURE = -8.0
"""The value of a block of furniture in listings, in letters of cards: what has many is the frame of the page."""
_IN_BODY = 0.2
"""What links and cards weigh in what is named as the body of the content."""


PER_LISTED = 0.3
NARROWB = 0.7
NA = 0.7
NB = 0.85
MAIN = 0.2
MAINFREE = 1
CUES = 1


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
    _keep_main(draft, marks)
    is_card = find_cards(document, blocks, masses)
    teased = blocks.in_any(document, furniture.within == int(Role.RELATED))
    if not discussion and is_listing(types, blocks, is_card | teased, draft.kept):
        _read_listing(draft, is_card | teased)
        _drop_idle_headings(draft)
        return
    draft.drop_in(furniture.within, REASONS)
    if CUES:
        draft.drop(_cues(draft), "notice")
    _read_text(
        draft,
        marks,
        np.zeros_like(is_card) if discussion else is_card,
        is_whole=discussion,
        is_article=is_article(types),
    )
    _drop_idle_headings(draft)
    draft.drop(blocks.is_title, "title")


def _read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    blocks = draft.blocks
    values = np.where(is_card | blocks.is_prose, blocks.letters, _PER_SCRAP)
    _keep_within(draft, find_root(draft.document, blocks.firsts, np.where(draft.kept, values, _PER_FURNITURE)))


def _read_text(draft: Draft, marks: Landmarks, is_card: NDArray[np.bool_], *, is_whole: bool, is_article: bool) -> None:
    document, blocks = draft.document, draft.blocks
    is_body = marks.are(Role.CONTENT)
    in_body = blocks.in_any(document, is_body)
    prose = np.where(blocks.is_prose, blocks.letters - blocks.linked, 0)
    values = np.where(blocks.is_prose, prose, _PER_LINKED * blocks.linked)
    values[~blocks.is_prose & ~blocks.is_listed & ~in_body] += _PER_SCRAP
    values[blocks.is_listed & ~blocks.is_prose & ~blocks.is_link] += (PER_LISTED * (blocks.letters - blocks.linked))[
        blocks.is_listed & ~blocks.is_prose & ~blocks.is_link
    ]
    values[is_card] = -(blocks.letters * np.where(in_body, _IN_BODY, 1))[is_card]
    values = np.where(draft.kept, values, 0)
    root = find_root(document, blocks.firsts, values)
    if root is not None and not is_whole:
        root = narrow_root(
            document,
            root,
            blocks.firsts,
            np.where(draft.kept & ~is_card, prose, 0),
            is_body,
            0.7 if is_article else NARROWB,
            NA if is_article else NB,
        )
    _keep_within(draft, root)
    leads = blocks.is_heading & np.append((draft.kept & blocks.is_prose)[1:], False)
    draft.drop(blocks.is_link & ~(in_body & ~is_card & blocks.is_listed) & ~leads, "links")
    draft.drop(is_card, "card")


import re

_CUE = re.compile(
    r"^\W*(?:copyright|©)|all rights reserved|(?:we|site|website|página|seite|site web) (?:uses?|utiliza|verwendet|utilise) (?:des |own )?cookies|alle rechte vorbehalten|todos los derechos reservados|tous droits réservés",
    re.IGNORECASE,
)


def _cues(draft):
    b = draft.blocks
    starts = np.searchsorted(b.of_texts, np.arange(len(b) + 1))
    tx = draft.document.texts
    T = b.texts.tolist()
    out = np.zeros(len(b), bool)
    for i in np.flatnonzero(draft.kept & (b.letters < 800)).tolist():
        t = " ".join(tx[n] for n in T[starts[i] : starts[i + 1]])
        if _CUE.search(t):
            out[i] = True
    return out


def _keep_main(draft: Draft, marks: Landmarks) -> None:
    """Leave out what stands outside of the main element, where there is one and it holds its share."""
    blocks = draft.blocks
    in_main = blocks.in_any(draft.document, marks.are_stated(Role.MAIN))
    letters = np.where(draft.kept, blocks.letters - (blocks.linked if MAINFREE else 0), 0)
    if letters[in_main].sum() >= max(250, MAIN * letters.sum()):
        draft.drop(~in_main, "outside of the main element")


def _keep_within(draft: Draft, root: int | None) -> None:
    firsts = draft.blocks.firsts
    outside = np.ones_like(draft.kept) if root is None else (firsts < root) | (firsts >= draft.document.ends[root])
    draft.drop(outside, "outside of the content")


def _drop_idle_headings(draft: Draft) -> None:
    """Leave out the headings behind which nothing is kept."""
    texts = np.flatnonzero(draft.kept & ~draft.blocks.is_heading)
    last = int(texts[-1]) if len(texts) else -1
    draft.drop(draft.blocks.is_heading & (np.arange(len(draft.kept)) > last), "heading without text")
