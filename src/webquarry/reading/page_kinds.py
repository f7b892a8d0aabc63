"""What kind of page a document is: a text, a listing or a forum."""

from __future__ import annotations

import re
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks

_DISCUSSION = re.compile(
    r"""["/](?:DiscussionForumPosting|QAPage)["']|<body[^>]{0,500}\b(?:question|topic|thread|forum)"""
    r"""|<meta[^>]{1,100}generator[^>]{1,100}(?:Discourse|phpBB|vBulletin|XenForo|MyBB|NodeBB|Invision)""",
    re.IGNORECASE,
)
"""What schema.org calls discussions, what bodies are called on them, and the programs that run most of them."""
_ARTICLE = re.compile(
    r"""["/](?:NewsArticle|BlogPosting|Article|ReportageNewsArticle|TechArticle|ScholarlyArticle)["']"""
    r"""|itemprop=["']?articleBody|property=["']article:published_time""",
)
"""What schema.org and Open Graph call articles."""
_LITTLE_PROSE = 1_500
"""Letters outside of cards up to which a page with more letters in cards is a listing."""
_MANY_CARDS = 4
"""How many times the prose the letters in cards must be where there is more."""


class PageKind(Enum):
    """What the main text of a page is made of."""

    TEXT = "text"
    LISTING = "listing"
    FORUM = "forum"


def is_forum(document: Document) -> bool:
    """Whether a page says that it is a discussion."""
    return _DISCUSSION.search(document.markup) is not None


def is_listing(document: Document, blocks: Blocks, is_card: NDArray[np.bool_], is_out: NDArray[np.bool_]) -> bool:
    """Whether a page is mostly cards; `is_out` tells which blocks do not count."""
    in_cards = float(blocks.letters[is_card & ~is_out].sum())
    of_prose = blocks.is_prose & ~is_card & ~is_out
    prose = float((blocks.letters - blocks.linked)[of_prose].sum())
    if in_cards <= prose or (prose >= _LITTLE_PROSE and in_cards <= _MANY_CARDS * prose):
        return False
    return _ARTICLE.search(document.markup) is None
