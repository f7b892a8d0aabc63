"""What stands around and in the content without being part of it, by landmarks and by what they hold.

A name alone proves little: a footer comes late, a menu is made of links, a share bar has no sentences.  What holds
the title of the page, or most of its prose, is none of it whatever it is called.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import are_inside
from webquarry.reading.landmarks import Landmarks
from webquarry.reading.masses import Masses, sum_below
from webquarry.reading.names import Role

_FEW = 80
"""Letters of prose, less than a sentence or two: what is made of labels and links may have as many."""
_SOME = 500
"""Letters of prose, a paragraph or two: the most that a byline, a caption or an advertisement has."""
_ENOUGH = 300
"""Letters of prose that must be left for the content, elsewhere on the page."""
_MINOR = 0.4
"""The share of all prose up to which an element can be furniture without a further question."""
_MOST = 0.7
"""The share of all prose from which on a name does not make furniture of an element."""
_SEVERAL = 3
"""What is named as comments, itself counted, where comments have more prose than that: each has a name of its own."""
_NARROW = 0.3
"""The same for a column that is one by its name only."""
_CONTROL = 0.25
"""The share of all letters up to which a control is one: old pages are one form as a whole, and results are called by
what was searched."""
_LINKED = 0.5
"""The share of letters in links from which on an element is made of links."""
_RELATED = 0.05
"""The share of letters in links that a list of other pages has at least; their summaries are long."""
_BODY = 0.25
"""The share of all prose that what is named as the body of the content has at least."""
_BODY_LETTERS = 200
_NEVER = frozenset("article blockquote body h1 h2 h3 h4 h5 h6 html main".split())
"""What is content, or holds it, whatever its names say."""
_SECTIONS = frozenset("article li main section td".split())
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
    hold_content = _hold_content(document, marks, masses, nodes)
    comments = sum_below(document, np.flatnonzero(marks.are(Role.COMMENTS)))[nodes]
    is_small = masses.letters[nodes] <= _CONTROL * masses.letters[0]
    marks, masses = marks.at(nodes), masses.at(nodes)
    prose, total = masses.prose, masses.total
    has_few, has_some = prose < _FEW, prose <= _SOME
    leaves_enough = total - prose >= _ENOUGH
    is_minor = (prose <= _MINOR * total) | leaves_enough
    is_most = prose > _MOST * total
    comes_late = masses.before >= total - masses.before - prose
    is_linked = masses.linked >= _LINKED * masses.letters
    follows = has_few if is_discussion else has_few | (masses.before >= _BODY_LETTERS)
    in_section = are_inside(document, document.has_tag(_SECTIONS), nodes)
    stated, named, either = marks.are_stated, marks.are_named, marks.are
    around = {
        Role.NAVIGATION: (named(Role.NAVIGATION) & (is_linked | has_few))
        | (stated(Role.NAVIGATION) & (is_linked | has_some | ((masses.linked >= _NARROW * masses.letters) & is_minor))),
        Role.SHARING: named(Role.SHARING) & has_few,
        Role.CONTROL: either(Role.CONTROL) & is_small & (has_few | document.has_tag(["form"], nodes)),
        Role.NOTICE: either(Role.NOTICE) & (prose <= _MINOR * total),
        Role.SIGN_UP: named(Role.SIGN_UP) & has_some,
        Role.ADVERTISEMENT: named(Role.ADVERTISEMENT) & has_some,
        Role.HEAD: (named(Role.HEAD) & has_few) | (stated(Role.HEAD) & has_some & ~in_section),
        Role.FOOT: either(Role.FOOT) & ((prose <= _ENOUGH) | (comes_late & is_minor & ~is_most)),
        Role.ASIDE: (named(Role.ASIDE) & (prose <= _NARROW * total)) | (stated(Role.ASIDE) & is_minor & ~is_most),
        Role.COMMENTS: either(Role.COMMENTS) & follows & ~(is_most & (comments < _SEVERAL)),
    }
    within = {
        Role.RELATED: named(Role.RELATED)
        & (has_few | (leaves_enough & ~is_most & (masses.linked >= _RELATED * masses.letters))),
        Role.BYLINE: either(Role.BYLINE) & has_some,
        Role.LABELS: named(Role.LABELS) & has_few,
        Role.CAPTION: (named(Role.CAPTION) & has_some) | (stated(Role.CAPTION) & (prose <= _NARROW * total)),
    }
    can_be = ~hold_content & ~document.has_tag(_NEVER, nodes)
    of_page, of_records = (_settle(group, can_be) for group in (around, within))
    of_page[named(Role.UNSEEN) & has_some] = int(Role.UNSEEN)
    of_page[document.has_tag(_CONTROLS, nodes)] = int(Role.CONTROL)
    if not is_discussion:
        of_page[named(Role.COMMENTS) & follows & document.has_tag(["article"], nodes)] = int(Role.COMMENTS)
    found = Furniture(np.zeros(len(document), dtype=np.int32), np.zeros(len(document), dtype=np.int32))
    found.around[nodes], found.within[nodes] = of_page, of_records
    return found


def _hold_content(document: Document, marks: Landmarks, masses: Masses, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For some nodes whether each holds the title, the main element, or a body by its name that has much prose."""
    is_body = marks.are_named(Role.CONTENT) & (masses.prose >= max(_BODY * masses.total, _BODY_LETTERS))
    content = np.flatnonzero(document.has_tag(["h1", "main"]) | is_body)
    return content.searchsorted(nodes) < content.searchsorted(document.ends[nodes])


def _settle(group: dict[Role, NDArray[np.bool_]], can_be: NDArray[np.bool_]) -> NDArray[np.int32]:
    """For each node the first role that holds."""
    settled = np.zeros(len(can_be), dtype=np.int32)
    for role, holds in reversed(group.items()):
        settled[holds & can_be] = int(role)
    return settled
