"""What stands around and in the content without being part of it, by landmarks and by what they hold.

A name alone proves little: a menu has little prose, a share bar hardly any, and a side has less than the content.  What
holds the title of the page is none of it whatever it is called.  Comments alone may have more prose than what they
follow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.model.document import Document
from webquarry.page.landmarks import Landmarks, Role
from webquarry.reading.blocks import Blocks, run_up

_FEW = 80
"""Letters of prose, less than two lines: what is made of labels and links may have as many."""
_SOME = 500
"""Letters of prose, a paragraph or two: the most that a menu has."""
_MOST = 0.7
"""The share of all prose from which on a long element is no footer."""
_NARROW = 0.35
"""The share of all prose up to which a tag or a name makes an element a side, a notice, a caption or the like."""
_CONTROL = 0.25
"""The share of all letters up to which a control is one: old pages are one form as a whole, and results are called by
what was searched."""
_BEFORE = 200
"""Letters of prose that come before comments, if they are comments on something."""
_CONTENT = frozenset(["h1", "main"])
"""What is no part of furniture."""
_NEVER = HEADING_TAGS | {"article", "blockquote", "body", "html", "main"}
"""What is content, or holds it, whatever its names say."""
_SECTIONS = frozenset("article main section".split())
"""What has a header of its own, which is not that of the page."""

_AROUND = int(
    Role.WIDGET
    | Role.UNSEEN
    | Role.NAVIGATION
    | Role.SHARING
    | Role.CONTROL
    | Role.NOTICE
    | Role.SIGN_UP
    | Role.ADVERTISEMENT
    | Role.HEAD
    | Role.FOOT
    | Role.ASIDE
    | Role.COMMENTS
)
_WITHIN = int(Role.RELATED | Role.BYLINE | Role.LABELS | Role.CAPTION)
_ALWAYS = Role.WIDGET | Role.UNSEEN
"""What is furniture also where it is, or holds, what else is content."""

_REASONS = {
    Role.WIDGET: "control",
    Role.NAVIGATION: "navigation",
    Role.COMMENTS: "comments",
    Role.SHARING: "sharing",
    Role.RELATED: "related pages",
    Role.NOTICE: "notice",
    Role.SIGN_UP: "sign-up",
    Role.ASIDE: "beside the content",
    Role.ADVERTISEMENT: "advertisement",
    Role.FOOT: "footer",
    Role.HEAD: "header",
    Role.BYLINE: "byline or date",
    Role.LABELS: "labels",
    Role.CAPTION: "caption",
    Role.CONTROL: "control",
    Role.UNSEEN: "hidden",
}
REASONS = {int(role): reason for role, reason in _REASONS.items()}
"""In words, by role."""


Furniture = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Nodes, and for each the role by which it is furniture."""


def find_furniture(
    document: Document, blocks: Blocks, marks: Landmarks, *, is_discussion: bool
) -> tuple[Furniture, Furniture]:
    """What is furniture on pages of all kinds, and what is so within a text, but belongs to the records of a listing.

    In discussions comments are the content.
    """
    found = marks.roles & _find_allowed(document, blocks, marks.nodes, is_discussion=is_discussion)
    return _first(marks.nodes, found & _AROUND), _first(marks.nodes, found & _WITHIN)


def _find_allowed(
    document: Document, blocks: Blocks, nodes: NDArray[np.int64], *, is_discussion: bool
) -> NDArray[np.int64]:
    """For each node the roles that make it furniture if it has them, by what it holds and where it stands."""
    running, spans = run_up(np.where(blocks.is_prose, blocks.free, 0.0)), blocks.spans
    before, total = running[spans.starts[nodes]], float(running[-1])
    prose = running[spans.stops[nodes]] - before
    has_few, has_some, is_narrow = prose < _FEW, prose <= _SOME, prose <= _NARROW * total
    is_small = spans.sum_in(blocks.letters, nodes) <= _CONTROL * float(blocks.letters.sum())
    allowed = {
        Role.SHARING | Role.LABELS: has_few,
        Role.NAVIGATION | Role.SIGN_UP | Role.UNSEEN: has_some,
        Role.NOTICE | Role.ADVERTISEMENT | Role.ASIDE | Role.RELATED | Role.BYLINE | Role.CAPTION: is_narrow,
        Role.CONTROL: is_small & (has_few | document.has_tag(["form"], nodes)),
        Role.HEAD: is_narrow & ~find_inside(document.ends, document.has_tag(_SECTIONS))[nodes],
        Role.FOOT: has_some | (prose <= _MOST * total),
        Role.COMMENTS: has_few if is_discussion else has_few | (before >= _BEFORE),
    }
    roles = np.full(len(nodes), int(Role.WIDGET))
    for several, are_allowed in allowed.items():
        roles |= are_allowed * int(several)
    content = document.has_tag(_CONTENT).nonzero()[0]
    holds_content = content.searchsorted(nodes) < content.searchsorted(document.ends[nodes])
    roles[holds_content | document.has_tag(_NEVER, nodes)] &= int(_ALWAYS)
    return roles


def _first(nodes: NDArray[np.int64], roles: NDArray[np.int64]) -> Furniture:
    """The nodes that have any roles with the first, which is the lowest bit of the number.

    >>> [each.tolist() for each in _first(np.array([3, 4, 5]), np.array([6, 0, 8]))]
    [[3, 5], [2, 8]]
    """
    chosen = roles.nonzero()[0]
    roles = roles[chosen]
    return nodes[chosen], roles & -roles
