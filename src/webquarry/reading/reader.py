"""Read the main text of a page block by block: the default reader.

Boilerplate goes first. The remaining blocks tell whether the page is a text, a listing or a discussion, and which
element holds its content; boilerplate within that element goes last. Nothing is learnt and no site is known: density,
landmarks and repetition decide. It fails where a text is made of links, and on pages with several texts far apart.

The constants of this stage were chosen by hand on two corpora of labelled pages, articles-scrapinghub and
articles-wcxb: moving them up or down changes little on either half.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.page.data_tables import find_data_tables
from webquarry.page.landmarks import Landmarks, Role, find_landmarks, find_reference, is_feed
from webquarry.reading.blocks import (
    Blocks,
    Draft,
    cumulate,
    find_blocks,
    find_body,
    find_root,
    narrow_root,
    widen_root,
)
from webquarry.reading.boilerplate import (
    REASONS,
    Title,
    find_address_boxes,
    find_boilerplate,
    find_prompt_lines,
    find_titled_sections,
    find_titles,
)
from webquarry.reading.layout_cues import drop_by_layout, drop_pinned
from webquarry.reading.repeated_parts import MIN_CARDS, are_comments_posts, find_beside_posts, find_cards, find_copies

LINKS = "links"
"""Reason for lines that are little more than links."""
_MIN_SHARE_IN_MAIN = 0.2
"""Share of the letters outside of links and boilerplate that a usable main element has."""
_MIN_SHARE_KEPT = 0.2
"""Share of the letters outside of links and boilerplate that must be kept. Of 480 pages those that were read wrongly
kept up to .03, the others .34 or more."""


Records = Sequence[tuple[int, int]]
"""Records of a page, each by its first node and the number after its last."""


def read_blocks(document: Document, find_records: Callable[[Document], Records] | None = None) -> Article:
    """Read the main text of a document.

    `find_records` finds the records of its main list; it is asked on pages with little prose only.
    """
    draft = Draft(document, find_blocks(document))
    if is_feed(document) or find_reference(document):
        draft.drop(draft.kept, "the page is not to be read, but names others")
    elif len(draft.blocks):
        _decide(draft, find_records)
    return draft.finish("blocks")


def _decide(draft: Draft, find_records: Callable[[Document], Records] | None) -> None:
    document, blocks = draft.document, draft.blocks
    marks, types = find_landmarks(document, blocks.spans.elements), find_types(document)
    is_discussion = not _DISCUSSIONS.isdisjoint(types) or (
        _ARTICLES.isdisjoint(types) and are_comments_posts(document, blocks, marks.find(Role.COMMENTS))
    )
    around, within = find_boilerplate(document, blocks, marks, is_discussion=is_discussion)
    draft.drop_in(*around, REASONS)
    drop_pinned(draft)
    _keep_main(draft, marks)
    draft.drop(find_address_boxes(document, blocks, draft.kept), REASONS[int(Role.SIGN_UP)])
    outside_boilerplate = draft.kept
    is_card = np.zeros_like(draft.kept) if is_discussion else find_cards(document, blocks)
    related, titles = np.zeros_like(draft.kept), find_titles(document, blocks, draft.kept)
    if titles and not is_discussion and is_card.any():
        sections = find_titled_sections(document, blocks, draft.kept, titles, is_discussion=False)
        for start, stop, role, may_list in sections:
            related[start:stop] |= role is Role.RELATED and not may_list
        draft.drop(related, REASONS[int(Role.RELATED)])
        is_card &= ~related
    found: Records = ()
    if find_records is not None and not is_discussion and _may_list(types, blocks, is_card, draft.kept):
        found = find_records(document)
    records, is_about_one_thing = _cover_records(blocks, found), len(found) == 1
    if _is_listing(types, blocks, records, draft.kept):
        _read_records(draft, records, is_card)
    elif not (is_discussion or is_about_one_thing) and _is_listing(types, blocks, is_card, draft.kept):
        _read_listing(draft, is_card)
    else:
        draft.drop_in(*within, REASONS)
        outside_boilerplate = outside_boilerplate & ~_drop_titled(draft, titles, is_discussion=is_discussion)
        drop_by_layout(draft)
        _read_text(draft, marks, is_card, types, is_discussion=is_discussion)
    if float(blocks.letters[draft.kept].sum()) < _MIN_SHARE_KEPT * float(blocks.free[outside_boilerplate].sum()):
        draft.keep(outside_boilerplate, "all that is not furniture")
    prompts = find_prompt_lines(document, blocks, draft.kept, is_discussion=is_discussion)
    draft.drop(prompts, "talks to the visitor")
    draft.drop(find_copies(document, blocks, draft.kept), "repeats the text above")


def _drop_titled(draft: Draft, titles: list[Title], *, is_discussion: bool) -> NDArray[np.bool_]:
    """Drop the sections whose headings say what they are, and tell which blocks are comments: there may be many."""
    commented = np.zeros_like(draft.kept)
    for start, stop, role, _ in find_titled_sections(
        draft.document, draft.blocks, draft.kept, titles, is_discussion=is_discussion
    ):
        chosen = np.zeros_like(draft.kept)
        chosen[start:stop] = True
        draft.drop(chosen, REASONS[int(role)])
        commented |= chosen & (role is Role.COMMENTS)
    return commented


def _keep_main(draft: Draft, marks: Landmarks) -> None:
    """Drop what is outside of the main element, if that holds its share."""
    blocks = draft.blocks
    if not len(mains := marks.find(Role.MAIN)):
        return
    in_main, letters = blocks.spans.cover(mains), np.where(draft.kept, blocks.free, 0.0)
    if letters[in_main].sum() > _MIN_SHARE_IN_MAIN * letters.sum():
        draft.drop(~in_main, "outside of the main element")


def _read_text(
    draft: Draft, marks: Landmarks, is_card: NDArray[np.bool_], types: frozenset[str], *, is_discussion: bool
) -> None:
    """Keep prose and what is in its flow; in a discussion keep the posts, wherever they are."""
    document, blocks = draft.document, draft.blocks
    in_body = blocks.spans.cover(marks.find(Role.CONTENT))
    is_teaser = is_card & ~in_body
    prose = np.where(blocks.is_prose & draft.kept & ~is_teaser, blocks.free, 0.0)
    root = find_root(document, blocks, prose > 0)
    if root is None:
        _read_listing(draft, is_card | in_body)
        return
    outer = root if is_discussion else narrow_root(document, blocks, root, prose)
    inner = root if is_discussion else find_body(document, blocks, outer, marks.find(Role.CONTENT), prose)
    if not is_discussion and _ARTICLES.isdisjoint(types):
        inner = widen_root(document, blocks, inner, prose, draft.kept)
    leads = (prose > 0) & _follow_title(blocks)
    leads[blocks.spans.starts[inner] :] = False
    _keep_within(draft, inner)
    beside = find_beside_posts(document, blocks, marks.find(Role.BYLINE), inner, prose)
    draft.drop(beside, "about a post")
    if not _ARTICLES.isdisjoint(types):
        leads[: blocks.spans.starts[outer]] = False
    if float(prose[leads].sum()) <= _MAX_SHARE_OF_LEAD * float(prose.sum()):
        draft.keep(leads, "between the title and the text")
    leads = blocks.is_heading | blocks.is_term
    leads[:-1] &= (draft.kept & ~blocks.is_link)[1:]
    leads[-1] = False
    is_data = blocks.in_any(find_data_tables(document)) | (blocks.is_listed & in_body & ~is_card)
    draft.drop(blocks.is_link & ~leads & ~is_data, LINKS)
    draft.drop(is_teaser, "one of many that lead to other pages")
    _drop_trailing_headings(draft)
    _drop_title(draft)


def _may_list(types: frozenset[str], blocks: Blocks, is_card: NDArray[np.bool_], kept: NDArray[np.bool_]) -> bool:
    """Tell whether a page says that it is a listing, or has so little prose outside of cards that it may be one."""
    if not _ARTICLES.isdisjoint(types):
        return False
    if not _LISTINGS.isdisjoint(types):
        return True
    prose = float(blocks.free[blocks.is_prose & ~is_card & kept].sum())
    return prose < _MAX_PROSE_OF_LISTING


def _cover_records(blocks: Blocks, records: Records) -> NDArray[np.bool_]:
    """Tell for each block whether it begins in a record; none do where records lead nowhere, as paragraphs do."""
    found = np.zeros(len(blocks), dtype=np.bool_)
    if len(records) < MIN_CARDS:
        return found
    linked = cumulate(blocks.linked)
    spans = blocks.firsts.searchsorted(np.array(records))
    if np.mean(linked[spans[:, 1]] > linked[spans[:, 0]]) >= _MIN_SHARE_LINKED:
        for start, stop in spans.tolist():
            found[start:stop] = True
    return found


def _read_records(draft: Draft, records: NDArray[np.bool_], is_card: NDArray[np.bool_]) -> None:
    """Keep records with the prose, headings, questions and answers around them."""
    blocks = draft.blocks
    _read_listing(draft, records | (is_card & blocks.is_heading))
    boxes = draft.document.has_tag(["details"]).nonzero()[0]  # those with links are menus that open
    answers = blocks.spans.cover(boxes[blocks.spans.sum_in(blocks.linked, boxes) == 0])
    draft.drop(~(records | is_card | blocks.is_prose | blocks.is_heading | answers), "between the records")


def _read_listing(draft: Draft, is_card: NDArray[np.bool_]) -> None:
    """Keep cards and what is between them."""
    blocks = draft.blocks
    _keep_within(draft, find_root(draft.document, blocks, draft.kept & (is_card | blocks.is_prose)))


def _follow_title(blocks: Blocks) -> NDArray[np.bool_]:
    """Tell which blocks come after the last title of the page."""
    titles = blocks.is_title.nonzero()[0]
    follow = np.zeros(len(blocks), dtype=np.bool_)
    if len(titles):
        follow[titles[-1] + 1 :] = True
    return follow


def _keep_within(draft: Draft, root: int | None) -> None:
    """Drop what is outside of an element, or everything where there is none."""
    is_outside, spans = np.ones(len(draft.blocks), dtype=np.bool_), draft.blocks.spans
    if root is not None:
        is_outside[spans.starts[root] : spans.stops[root]] = False
    draft.drop(is_outside, "outside of the content")


def _drop_title(draft: Draft) -> None:
    """Drop the title, which is metadata, and the labels before it where there is only one."""
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


def _drop_trailing_headings(draft: Draft) -> None:
    """Drop headings after the last text."""
    texts = (draft.kept & ~draft.blocks.is_heading).nonzero()[0]
    trailing = draft.blocks.is_heading.copy()
    trailing[: texts[-1] + 1 if len(texts) else 0] = False
    draft.drop(trailing, "heading without text")


_TYPE = re.compile(r'"@type"\s*:\s*(?:"(\w+)"|\[([^\]]*)\])')
_DISCUSSIONS = frozenset(["DiscussionForumPosting", "QAPage"])
_ARTICLES = frozenset(
    "AdvertiserContentArticle AnalysisNewsArticle Article BlogPosting NewsArticle OpinionNewsArticle Report "
    "ReportageNewsArticle ReviewNewsArticle ScholarlyArticle TechArticle".split()
)
_LISTINGS = frozenset("CollectionPage OfferCatalog SearchResultsPage".split())
_PUBLISHED = "article:published_time"
"""Open Graph's property of articles; its type is `article` on many pages that are none."""
_MAX_SHARE_OF_LEAD = 0.2
"""Share of the prose between the title and the text: a lead or a summary."""
_MIN_SHARE_IN_CARDS = 0.35
"""Share of letters that a listing has in cards; tables and lists of data beside a few cards are a text."""
_MAX_PROSE_OF_LISTING = 1_500  # letters outside of cards
_MAX_PROSE_ABOVE_GUIDE = 600  # letters before the last card: an introduction
_MIN_SHARE_ABOVE_GUIDE = 0.2
"""Share of letters in cards with a long text below them: an article has fewer links above its text."""
_MIN_FREE_OF_CARDS = 0.1
"""Share of the letters of cards outside of links, such as prices: a menu above a text has none."""
_MIN_SHARE_LINKED = 0.7
"""Share of records that have a link, if they are what the page lists."""


def find_types(document: Document) -> frozenset[str]:
    """List the schema.org types that a page states; `article:published_time` of Open Graph makes it an Article."""
    texts = document.texts
    types = {item.rstrip("/").rsplit("/", 1)[-1] for item in document.values_of("itemtype").values()}
    for node, kind in document.values_of("type").items():
        if kind.lower() == "application/ld+json":
            for one, several in _TYPE.findall("".join(texts[node + 1 : int(document.ends[node])])):
                types.update([one] if one else re.findall(r"\w+", several))
    if _PUBLISHED in document.values_of("property").values():
        types.add("Article")
    return frozenset(types)


def _is_listing(types: frozenset[str], blocks: Blocks, is_card: NDArray[np.bool_], kept: NDArray[np.bool_]) -> bool:
    """Tell whether the kept blocks are mostly cards, on a page that does not call itself an article.

    Below the cards that follow a title there may be a long text about them, as in shops.
    """
    cards, titles = (is_card & kept).nonzero()[0], blocks.is_title.nonzero()[0]
    if not len(cards) or not _ARTICLES.isdisjoint(types):
        return False
    if _are_mostly_cards(blocks, is_card, kept, _MAX_PROSE_OF_LISTING):
        return True
    if not len(titles) or titles[-1] > cards[0]:
        return False
    in_cards = float(blocks.letters[cards].sum())
    is_menu = float(blocks.free[cards].sum()) < _MIN_FREE_OF_CARDS * in_cards
    if is_menu or in_cards < _MIN_SHARE_ABOVE_GUIDE * float(blocks.letters[kept].sum()):
        return False
    above = kept.copy()
    above[cards[-1] + 1 :] = False
    return _are_mostly_cards(blocks, is_card, above, _MAX_PROSE_ABOVE_GUIDE)


def _are_mostly_cards(blocks: Blocks, is_card: NDArray[np.bool_], kept: NDArray[np.bool_], most_prose: int) -> bool:
    in_cards = float(blocks.letters[is_card & kept].sum())
    prose = float(blocks.free[blocks.is_prose & ~is_card & kept].sum())
    return in_cards > _MIN_SHARE_IN_CARDS * float(blocks.letters[kept].sum()) and prose < most_prose
