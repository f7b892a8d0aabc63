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
from webquarry.reading.blocks import are_inside
from webquarry.reading.landmarks import Landmarks
from webquarry.reading.masses import Masses
from webquarry.reading.names import Role

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
_CONTROLS = frozenset("button label option select textarea".split())

_REASONS = {
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
    """Columns with one entry a node: the role by which it is furniture, 0 where it is none."""

    around: NDArray[np.int32]
    """On pages of all kinds."""
    within: NDArray[np.int32]
    """What belongs to the records of a listing, and elsewhere does not belong to the content."""


def find_furniture(document: Document, marks: Landmarks, masses: Masses, *, is_discussion: bool) -> Furniture:
    """What is furniture; in discussions comments are the content."""
    nodes = np.flatnonzero(((marks.stated | marks.named) != 0) | document.has_tag(_CONTROLS))  # no others can be
    content = np.flatnonzero(document.has_tag(_CONTENT))
    holds_content = content.searchsorted(nodes) < content.searchsorted(document.ends[nodes])
    is_small = masses.letters[nodes] <= _CONTROL * masses.letters[0]
    marks, masses = marks.at(nodes), masses.at(nodes)
    prose, total = masses.prose, masses.total
    has_few, has_some = prose < _FEW, prose <= _SOME
    is_narrow, is_most = prose <= _NARROW * total, prose > _MOST * total
    follows = has_few if is_discussion else has_few | (masses.before >= _BEFORE)
    in_section = are_inside(document, document.has_tag(_SECTIONS), nodes)
    stated, named, either = marks.are_stated, marks.are_named, marks.are
    around = {
        Role.NAVIGATION: either(Role.NAVIGATION) & has_some,
        Role.SHARING: named(Role.SHARING) & has_few,
        Role.CONTROL: either(Role.CONTROL) & is_small & (has_few | document.has_tag(["form"], nodes)),
        Role.NOTICE: either(Role.NOTICE) & is_narrow,
        Role.SIGN_UP: named(Role.SIGN_UP) & has_some,
        Role.ADVERTISEMENT: named(Role.ADVERTISEMENT) & is_narrow,
        Role.HEAD: stated(Role.HEAD) & is_narrow & ~in_section,
        Role.FOOT: either(Role.FOOT) & (has_some | ~is_most),
        Role.ASIDE: either(Role.ASIDE) & is_narrow,
        Role.COMMENTS: either(Role.COMMENTS) & follows,
    }
    within = {
        Role.RELATED: named(Role.RELATED) & is_narrow,
        Role.BYLINE: either(Role.BYLINE) & is_narrow,
        Role.LABELS: named(Role.LABELS) & has_few,
        Role.CAPTION: either(Role.CAPTION) & is_narrow,
    }
    can_be = ~holds_content & ~document.has_tag(_NEVER, nodes)
    of_page, of_records = (_settle(group, can_be) for group in (around, within))
    of_page[named(Role.UNSEEN) & has_some] = int(Role.UNSEEN)
    of_page[document.has_tag(_CONTROLS, nodes)] = int(Role.CONTROL)
    found = Furniture(np.zeros(len(document), dtype=np.int32), np.zeros(len(document), dtype=np.int32))
    found.around[nodes], found.within[nodes] = of_page, of_records
    return found


def _settle(group: dict[Role, NDArray[np.bool_]], can_be: NDArray[np.bool_]) -> NDArray[np.int32]:
    """For each node the first role that holds."""
    settled = np.zeros(len(can_be), dtype=np.int32)
    for role, holds in reversed(group.items()):
        settled[holds & can_be] = int(role)
    return settled
