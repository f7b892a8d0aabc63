"""Find the posts of a discussion, and in each the element that holds its text.

Posts are similar siblings with prose of their own. What stands beside their texts again and again (name, rank, date,
number of messages, buttons) is about them and not part of them, whatever its class is called. This fails where a post
has its text in several elements, and where only two were posted.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks

_MIN_POSTS = 3
_MIN_SHARE_OF_POSTS = 0.8
"""Share of the prose of the content that is in posts."""
_MIN_SHARE_WITH_PROSE = 0.6
"""Share of the posts that have prose: some only say thank you."""
_MIN_SHARE_WITH_BYLINE = 0.8
"""Share of the posts that name an author or a date."""
_MIN_SHARE_OF_TEXT = 0.85
"""Share of the prose of all posts that is in the element with their texts."""
_DIGITS = re.compile(r"\d+")


_NEVER = frozenset("blockquote br code dd dt em h1 h2 h3 h4 h5 h6 p pre span strong".split())


def find_beside_posts(
    document: Document, blocks: Blocks, bylines: NDArray[np.int64], root: int, prose: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell which blocks are in a post inside of the root, but not in its text; none where there are no posts."""
    spans = blocks.spans
    first, last = bylines.searchsorted((root, int(document.ends[root])))
    if last - first < _MIN_POSTS:  # as on most pages
        return np.zeros(len(blocks), dtype=np.bool_)
    inside = spans.elements[(spans.elements > root) & (spans.elements < document.ends[root])]
    inside = inside[~document.has_tag(_NEVER, inside)]
    posts = _find_posts(document, blocks, bylines, inside, prose)
    if not len(posts):
        return np.zeros(len(blocks), dtype=np.bool_)
    texts = _find_texts(document, blocks, posts, prose)
    return spans.cover(posts) & ~spans.cover(texts)


def _find_posts(
    document: Document,
    blocks: Blocks,
    bylines: NDArray[np.int64],
    elements: NDArray[np.int64],
    prose: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Find the outermost similar siblings that hold most of the prose, and nearly all a byline."""
    groups: dict[tuple[int, str], list[int]] = {}
    for node, parent in zip(elements.tolist(), document.parents[elements].tolist(), strict=True):
        groups.setdefault((parent, _name(document, node)), []).append(node)
    least = _MIN_SHARE_OF_POSTS * prose.sum()
    for nodes in groups.values():
        if len(nodes) < _MIN_POSTS:
            continue
        found = np.array(nodes)
        has_byline = bylines.searchsorted(found) < bylines.searchsorted(document.ends[found])
        if has_byline.mean() < _MIN_SHARE_WITH_BYLINE:
            continue
        sums = blocks.spans.sum_in(prose, found)
        if sums.sum() >= least and (sums > 0).sum() >= max(_MIN_POSTS, _MIN_SHARE_WITH_PROSE * len(nodes)):
            return found
    return np.zeros(0, dtype=np.int64)


def _find_texts(
    document: Document, blocks: Blocks, posts: NDArray[np.int64], prose: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Find the innermost elements, one of the same path in each post, that hold nearly all prose of the posts."""
    texts, total = posts, blocks.spans.sum_in(prose, posts).sum()
    while True:
        kinds: dict[str, list[int]] = {}
        for text in texts.tolist():
            for child in _children(document, text):
                kinds.setdefault(_name(document, child), []).append(child)
        inner = [
            np.array(nodes)
            for nodes in kinds.values()
            if len(nodes) <= len(posts)
            and blocks.spans.sum_in(prose, np.array(nodes)).sum() >= _MIN_SHARE_OF_TEXT * total
        ]
        if not inner:
            return texts
        texts = inner[0]


def _children(document: Document, node: int) -> list[int]:
    found, child, end = [], node + 1, int(document.ends[node])
    while child < end:
        if document.tags[child] >= 0:
            found.append(child)
        child = int(document.ends[child])
    return found


def _name(document: Document, node: int) -> str:
    """Name an element by tag and classes, without numbers."""
    own = document.attributes[node]
    return f"{document.tag_names[document.tags[node]]} {_DIGITS.sub('', own.get('class', ''))}"
