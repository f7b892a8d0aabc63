"""Find boilerplate around and within the content, by landmarks and the prose they hold.

A name alone proves little: a menu has little prose, a share bar hardly any, and a sidebar less than the content. An
element with the title of the page is never boilerplate. Only comments may have more prose than what they follow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, find_inside
from webquarry.model.document import Document
from webquarry.page.landmarks import Landmarks, Role
from webquarry.reading.blocks import Blocks, cumulate

_MAX_PROSE_OF_LABELS = 80
"""Letters of prose in elements of labels and links: less than two lines."""
_MAX_PROSE_OF_MENU = 500
"""Letters of prose in a menu: a paragraph or two."""
_MAX_SHARE_OF_FOOTER = 0.7
"""Share of all prose that a long footer has."""
_MAX_SHARE_OF_ASIDE = 0.35
"""Share of all prose that a sidebar, a notice, a caption or the like has."""
_MAX_SHARE_OF_CONTROL = 0.25
"""Share of all letters that a control has: some old pages are one form, and results are named after the search."""
_MIN_PROSE_BEFORE_COMMENTS = 200
"""Letters of prose before comments, if they comment on something."""
_CONTENT = frozenset(["h1", "main"])
"""Elements that are not in boilerplate."""
_NEVER = HEADING_TAGS | {"article", "blockquote", "body", "html", "main"}
"""Elements that are content, or hold it, whatever their names."""
_SECTIONS = frozenset("article main section".split())
"""Elements with a header of their own."""

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
"""Roles that make an element boilerplate even if it holds content."""

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
"""Reasons by role."""


Boilerplate = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Nodes, and for each the role that makes it boilerplate."""


def find_boilerplate(
    document: Document, blocks: Blocks, marks: Landmarks, *, is_discussion: bool
) -> tuple[Boilerplate, Boilerplate]:
    """Find boilerplate of any page, and boilerplate within a text, which belongs to the records of a listing.

    In discussions comments are the content.
    """
    found = marks.roles & _find_allowed(document, blocks, marks.nodes, is_discussion=is_discussion)
    return _first(marks.nodes, found & _AROUND), _first(marks.nodes, found & _WITHIN)


def _find_allowed(
    document: Document, blocks: Blocks, nodes: NDArray[np.int64], *, is_discussion: bool
) -> NDArray[np.int64]:
    """Return for each node the roles that would make it boilerplate, by what it holds and where it is."""
    running, spans = cumulate(np.where(blocks.is_prose, blocks.free, 0.0)), blocks.spans
    before, total = running[spans.starts[nodes]], float(running[-1])
    prose = running[spans.stops[nodes]] - before
    has_few, has_some = prose < _MAX_PROSE_OF_LABELS, prose <= _MAX_PROSE_OF_MENU
    is_narrow = prose <= _MAX_SHARE_OF_ASIDE * total
    is_small = spans.sum_in(blocks.letters, nodes) <= _MAX_SHARE_OF_CONTROL * float(blocks.letters.sum())
    allowed = {
        Role.SHARING | Role.LABELS: has_few,
        Role.NAVIGATION | Role.SIGN_UP | Role.UNSEEN: has_some,
        Role.NOTICE | Role.ADVERTISEMENT | Role.ASIDE | Role.RELATED | Role.BYLINE | Role.CAPTION: is_narrow,
        Role.CONTROL: is_small & (has_few | document.has_tag(["form"], nodes)),
        Role.HEAD: is_narrow & ~find_inside(document.ends, document.has_tag(_SECTIONS))[nodes],
        Role.FOOT: has_some | (prose <= _MAX_SHARE_OF_FOOTER * total),
        Role.COMMENTS: has_few if is_discussion else has_few | (before >= _MIN_PROSE_BEFORE_COMMENTS),
    }
    roles = np.full(len(nodes), int(Role.WIDGET))
    for several, are_allowed in allowed.items():
        roles |= are_allowed * int(several)
    content = document.has_tag(_CONTENT).nonzero()[0]
    holds_content = content.searchsorted(nodes) < content.searchsorted(document.ends[nodes])
    roles[holds_content | document.has_tag(_NEVER, nodes)] &= int(_ALWAYS)
    return roles


def _first(nodes: NDArray[np.int64], roles: NDArray[np.int64]) -> Boilerplate:
    """List the nodes that have any role, each with its first: the lowest bit.

    >>> [each.tolist() for each in _first(np.array([3, 4, 5]), np.array([6, 0, 8]))]
    [[3, 5], [2, 8]]
    """
    chosen = roles.nonzero()[0]
    roles = roles[chosen]
    return nodes[chosen], roles & -roles
