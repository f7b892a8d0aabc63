"""The default reader: the main text of a page, block by block, on columns.

What stands in furniture goes; the rest tells the kind of the page, and which element holds its content; what is not of
the content in there goes too.  Nothing is learnt and no site is known: density, landmarks and repetition decide.  It
fails where a text is made of links, and on pages that have several texts far apart.

The constants of these files were chosen by hand on two corpora of labelled pages, articles-scrapinghub and
articles-wcxb, and moved up and down: they stand where that changes little on either half of them.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.page.data_tables import find_data_tables
from webquarry.page.landmarks import Landmarks, Role, find_landmarks
from webquarry.reading.blocks import Blocks, find_blocks
from webquarry.reading.boilerplate import REASONS, find_furniture
from webquarry.reading.cards import find_cards
from webquarry.reading.draft_article import Draft, find_root, narrow_root
from webquarry.reading.layout_cues import drop_by_sight, drop_pinned


# MERGED reading/bodies: Which blocks make up the content: of a page that is a text or a discussion, and of o
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


# MERGED reading/page_kinds: What kind of page a document is: a text, a listing or a discussion.
_TYPE = re.compile(r'"@type"\s*:\s*(?:"(\w+)"|\[([^\]]*)\])')
_DISCUSSIONS = frozenset(["DiscussionForumPosting", "QAPage"])
_ARTICLES = frozenset(
    "AdvertiserContentArticle AnalysisNewsArticle Article BlogPosting NewsArticle OpinionNewsArticle Report "
    "ReportageNewsArticle ReviewNewsArticle ScholarlyArticle TechArticle".split()
)
"""Types of schema.org."""
_PUBLISHED = "article:published_time"
"""Of Open Graph; its type is `article` on many pages that are none."""
_CARDS = 0.35
"""The share of letters that a listing has in cards at least; tables and lists of data beside a few cards are a text."""
_LITTLE_PROSE = 1_500
"""Letters of prose outside of cards up to which a page with that many cards is a listing."""


def find_types(document: Document) -> frozenset[str]:
    """The types of schema.org that a page states, with what Open Graph says of articles."""
    attributes, texts = document.attributes, document.texts
    items = [own["itemtype"] for own in filter(None, attributes) if "itemtype" in own]
    types = {item.rstrip("/").rsplit("/", 1)[-1] for item in items}
    for node in document.has_tag(["meta", "script"]).nonzero()[0].tolist():
        own = attributes[node]
        if "type" in own and own["type"].lower() == "application/ld+json":
            for one, several in _TYPE.findall("".join(texts[node + 1 : int(document.ends[node])])):
                types.update([one] if one else re.findall(r"\w+", several))
        elif own.get("property") == _PUBLISHED:
            types.add("Article")
    return frozenset(types)


def is_article(types: frozenset[str]) -> bool:
    """Whether a page says that it is an article."""
    return not _ARTICLES.isdisjoint(types)


def is_discussion(types: frozenset[str]) -> bool:
    """Whether a page says that it is a discussion."""
    return not _DISCUSSIONS.isdisjoint(types)


def is_listing(types: frozenset[str], blocks: Blocks, is_card: NDArray[np.bool_], counts: NDArray[np.bool_]) -> bool:
    """Whether a page is mostly cards, of the blocks that count, and does not say that it is an article."""
    in_cards = float(blocks.letters[is_card & counts].sum())
    prose = float(blocks.free[blocks.is_prose & ~is_card & counts].sum())
    if in_cards <= _CARDS * float(blocks.letters[counts].sum()):
        return False
    return prose < _LITTLE_PROSE and not is_article(types)


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
