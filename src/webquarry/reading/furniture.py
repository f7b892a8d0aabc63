"""What stands around and in the content without being part of it, by landmarks and by what they hold.

A name alone proves little: a menu has little prose, a share bar hardly any, and a side has less than the content.  What
holds the title of the page is none of it whatever it is called.  Comments alone may have more prose than what they
follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks, are_inside
from webquarry.reading.landmarks import Landmarks
from webquarry.reading.names import Role
from webquarry.reading.spans import run_up

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
_NEVER = frozenset("article blockquote body h1 h2 h3 h4 h5 h6 html main".split())
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


@dataclass(frozen=True)
class Furniture:
    """Columns with one entry a node that is for something: the role by which it is furniture, 0 where it is none."""

    nodes: NDArray[np.int64]
    around: NDArray[np.int64]
    """On pages of all kinds."""
    within: NDArray[np.int64]
    """What belongs to the records of a listing, and elsewhere does not belong to the content."""


def find_furniture(document: Document, blocks: Blocks, marks: Landmarks, *, is_discussion: bool) -> Furniture:
    """What is furniture; in discussions comments are the content."""
    found = marks.roles & _find_allowed(document, blocks, marks.nodes, is_discussion=is_discussion)
    return Furniture(marks.nodes, *(_first(found & group) for group in (_AROUND, _WITHIN)))


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
        Role.HEAD: is_narrow & ~are_inside(document, document.has_tag(_SECTIONS), nodes),
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


def _first(roles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first role of each, which is the lowest bit of its number.

    >>> _first(np.array([6, 8, 0])).tolist()
    [2, 8, 0]
    """
    return roles & -roles
