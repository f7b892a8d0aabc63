"""Find page furniture, what every page of a site has, such as navigation, header and footer; and advertisements."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Attributes, find_inside
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves

MOST_SHARE = 0.5
"""Of the page's weight: an element that holds more is not furniture, whatever its name."""
_ALWAYS = frozenset(["aside", "nav"])
_OUTSIDE = frozenset(["footer", "header"])
"""Furniture of the page, or else parts of the article or section that holds them."""
_SECTIONS = frozenset("article li main section td".split())
_ROLES = frozenset("banner complementary contentinfo menu menubar navigation search toolbar".split())
_WORDS = re.compile(r"nav(?:bar|igation)?(?![a-z])|menu|footer|sidebar|breadcrumb", re.IGNORECASE)
"""In class names and ids: the words that sites of all languages use."""


def find_furniture(document: Document, leaves: Leaves) -> NDArray[np.bool_]:
    """Tell for each leaf whether it is in furniture, by tags, roles and class names."""
    sectioned = find_inside(document.ends, document.has_tag(_SECTIONS))
    chosen = document.has_tag(_ALWAYS) | (document.has_tag(_OUTSIDE) & ~sectioned)
    can_be = (leaves.totals > 0) & (leaves.totals <= MOST_SHARE * leaves.totals[0])
    known: dict[str, bool] = {}
    footers: dict[tuple[int, str], list[int]] = {}
    for node in np.flatnonzero(can_be & (document.tags >= 0) & ~chosen).tolist():
        if (attributes := document.attributes[node]) and _says_so(attributes, known):
            chosen[node] = True
            if "footer" in (name := attributes.get("class", "").lower()):
                footers.setdefault((int(leaves.paths[node]), name), []).append(node)
    for nodes in footers.values():
        if len(nodes) > 1:
            chosen[nodes] = False  # a page has one footer; several are the footers of cards
    within: NDArray[np.bool_] = find_inside(document.ends, chosen & can_be)[leaves.nodes]
    return within


def find_lone_links(document: Document, leaves: Leaves) -> NDArray[np.bool_]:
    """Tell for each leaf whether it is the only text of a link, as in a menu."""
    lone = np.zeros(len(leaves), dtype=np.bool_)
    links = np.flatnonzero(document.has_tag(["a"]))
    starts = leaves.starts[links]
    lone[starts[leaves.starts[document.ends[links]] - starts == 1]] = True
    return lone & ~leaves.is_image


def _says_so(attributes: Attributes, known: dict[str, bool]) -> bool:
    """Tell whether role, class or id name an element furniture; `known` caches the answers for names."""
    if attributes.get("role") in _ROLES:
        return True
    for attribute in ("class", "id"):
        if name := attributes.get(attribute):
            if name not in known:
                known[name] = _WORDS.search(name) is not None
            if known[name]:
                return True
    return False


_CLASS = re.compile(
    r"(?:^|[\s_-])(?:ads?|advert|advertisement|banner|promo|promoted|sponsor|sponsored)(?:$|[\s_-])", re.IGNORECASE
)
_LABELS = frozenset(
    """
    ad ads advert advertisement advertorial promoted sponsored anzeige werbung gesponsert annonce publicité sponsorisé
    anuncio publicidad patrocinado anúncio publicidade pubblicità sponsorizzato annuncio advertentie gesponsord
    reklama sponsorowane реклама annons reklam sponsrad annonse mainos hirdetés διαφήμιση إعلان פרסומת
    広告 广告 廣告 광고
    """.split()
)
_FIRST = 3
"""Leaves of an element among which its label is searched for."""


def is_advertisement(document: Document, leaves: Leaves, node: int) -> bool:
    """Tell whether an element is marked as an advertisement, by a class or by one of its first texts."""
    if _CLASS.search(document.attributes[node].get("class", "")):
        return True
    start, stop = int(leaves.starts[node]), int(leaves.starts[document.ends[node]])
    texts = (document.texts[leaf] for leaf in leaves.nodes[start : min(stop, start + _FIRST)].tolist())
    return any(text.strip(" \t\r\n\xa0:.·[]()").lower() in _LABELS for text in texts)
