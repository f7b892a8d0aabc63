"""Advertisements, as far as the page says that they are: it has to, in most countries."""

from __future__ import annotations

import re

from webquarry.mining.leaves import Leaves
from webquarry.model import Document

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
"""Leaves of an element among which its label stands."""


def is_advertisement(document: Document, leaves: Leaves, node: int) -> bool:
    """Whether an element is called an advertisement, by a class or by one of its first texts."""
    if _CLASS.search(document.attributes[node].get("class", "")):
        return True
    start, stop = int(leaves.starts[node]), int(leaves.starts[document.ends[node]])
    texts = (document.texts[leaf] for leaf in leaves.nodes[start : min(stop, start + _FIRST)].tolist())
    return any(text.strip(" \t\r\n\xa0:.·[]()").lower() in _LABELS for text in texts)
