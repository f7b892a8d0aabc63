"""Find the panels of tabs and accordions that a page shows after a click: a person reads them as parts of the page.

A hidden element is such a panel if its role or a word of its class names says so, if it is what a `details` folds away,
or if a control that is shown names its id.  Menus, dialogs, carts and the like open over the page and are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.html.visibility import is_for_screen_readers, is_hidden
from webquarry.model.document import Document
from webquarry.page.column_words import split_words

_ROLES = frozenset(["tabpanel", "region"])
_PANEL_WORDS = frozenset("accordion accordions collapse collapsible expandable pane panel tab tabpanel tabs".split())
_OVERLAY_WORDS = frozenset(
    """
    basket cart cookie dialog drawer dropdown filter filters lightbox login menu mobile modal nav navbar navigation
    offcanvas overlay popover popup search share sidebar submenu tooltip
    """.split()
)
"""Words of class names and ids of what opens over the page."""
_TARGETS = ("aria-controls", "data-bs-target", "data-target", "data-toggle-target", "href")
"""Attributes of controls that name the panel they open."""
_LISTED = re.compile(r"[#\w][\w:-]*")


def is_panel(own: Mapping[str, str]) -> bool:
    """Tell whether the attributes of an element say that it is a panel.

    >>> [is_panel({"class": name}) for name in ("tab-pane", "navbar-collapse collapse", "card")]
    [True, False, False]
    """
    says_so = own.get("role") in _ROLES or not _PANEL_WORDS.isdisjoint(_words_of(own))
    return says_so and not _opens_over_page(own)


def _opens_over_page(own: Mapping[str, str]) -> bool:
    return own.get("role") in ("dialog", "menu") or not _OVERLAY_WORDS.isdisjoint(_words_of(own))


def _words_of(own: Mapping[str, str]) -> tuple[str, ...]:
    return split_words(f"{own.get('class', '')[:200]} {own.get('id', '')[:80]}")


def find_folded(document: Document, hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of the hidden nodes are in panels that a click shows."""
    shown = np.zeros(len(document), dtype=np.bool_)
    targets = set(_list_targets(document, hidden))
    attributes, parents = document.attributes, document.parents
    starts = np.flatnonzero(hidden & ~hidden[parents] & (document.tags >= 0)).tolist()
    panels = {node for node in starts if _is_folded(document, node, targets)}
    for node in panels:
        shown[node : document.ends[node]] = True
    if not panels:
        return shown
    inside = np.flatnonzero(shown & (document.tags >= 0)).tolist()
    unseen = np.zeros(len(document), dtype=np.bool_)
    for node in inside:
        own = attributes[node]
        is_own = is_hidden(document.tag(node), own) and not is_panel(own) and node not in panels
        unseen[node] = is_own or is_for_screen_readers(own.get("class", ""))
    return shown & ~find_inside(document.ends, unseen)


def _is_folded(document: Document, node: int, targets: set[str]) -> bool:
    own, holder = document.attributes[node], document.parents.item(node)
    if document.tag(holder) == "details" and document.tag(node) != "summary":
        return True
    is_named = own.get("id", "") in targets and document.tag(node) not in ("dialog", "form", "nav")
    return is_panel(own) or (is_named and not _opens_over_page(own))


def _list_targets(document: Document, hidden: NDArray[np.bool_]) -> Iterator[str]:
    """List the ids that shown controls name."""
    for node in np.flatnonzero((document.tags >= 0) & ~hidden).tolist():
        own = document.attributes[node]
        for name in _TARGETS:
            if name in own and (name != "href" or own[name].startswith("#")):
                yield from (each.lstrip("#") for each in _LISTED.findall(own[name][:200]))
