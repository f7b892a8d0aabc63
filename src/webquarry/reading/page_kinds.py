"""What kind of page a document is: a text, a listing or a discussion."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks

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
