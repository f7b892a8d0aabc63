"""Find lines and boxes that talk to the visitor instead of telling about the subject of the page.

A box is known by its field for an e-mail address, whatever the box and its heading are called and in whatever language.
A line is known by its words: `Advertisement`, `Share this article`, `4 min read`. The words are those of the languages
that landmarks know; a line that says more than such words stays.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.page.landmarks import ADVERTISEMENT_LABELS
from webquarry.reading.blocks import Blocks, cumulate

_PROMPT = re.compile(
    r"(?:article|story|post|content) continues (?:below|after).*|continue reading below.*"
    r"|scroll(?: down)? to continue.*"
    r"|(?:print|share|e-?mail|save|tweet|listen to|rate|copy|report)(?: this)? (?:page|article|story|post|link|recipe)"
    r"|share (?:this|on|via|with)(?: \S+)?|(?:artikel|beitrag|seite) (?:teilen|drucken)"
    r"|partager(?: (?:l'article|sur \S+))?|imprimer(?: l'article)?|compartir(?: en \S+)?|condividi(?: su \S+)?"
    r"|compartilhar(?: no \S+)?|\d+[ -]min(?:ute)?s? read|(?:estimated )?read(?:ing)? time\W*\d+.*"
    r"|lesezeit\W*\d+.*|temps de lecture\W*\d+.*"
    r"|(?:back|go|return|jump) to (?:the )?top|top of page|nach oben|zum seitenanfang|haut de page|volver arriba"
    r"|skip to (?:main )?content|(?:link )?copied(?: to clipboard)?|loading|please wait"
    r"|(?:click|tap) to (?:enlarge|expand|zoom|share)|roll over image to zoom(?: in)?"
    r"|was this (?:page|article|answer|information) helpful(?: to you)?|thank you for your feedback"
)
"""Prompts in lower case: ignoring the case takes twice as long."""
_COUNT = re.compile(r"[+-]?\d[\d.,]*k?")
_EDGES = " \t\n\r\xa0:.!?…»›>→←↑^-–—()[]#|·•*"  # noqa: RUF001 - dashes of all kinds
_MAX_LINE = 60  # letters of a prompt
_MAX_LETTERS_OF_BOX = 400
"""Letters of a box that asks for an address: a heading, a promise and what is done with the address."""
_MAX_SHARE_OF_BOX = 0.2
"""Share of the letters of the page that such a box has: a page may be a form."""
_WHOLES = frozenset("article body html main".split())
_NO_ADDRESS = frozenset("button checkbox hidden image radio reset submit".split())
"""Types of input that take no address."""


def find_prompt_lines(
    document: Document, blocks: Blocks, kept: NDArray[np.bool_], *, is_discussion: bool
) -> NDArray[np.bool_]:
    """Tell which of the kept blocks only talk to the visitor, or in a discussion only count votes."""
    can_be = kept & (blocks.letters <= _MAX_LINE) & ~blocks.is_heading & (~blocks.is_listed | blocks.is_link)
    found = np.zeros(len(blocks), dtype=np.bool_)
    places = can_be.nonzero()[0]
    for place, text in zip(places.tolist(), blocks.texts_of(document, places), strict=True):
        line = text.strip(_EDGES).replace("\u2019", "'").lower()
        is_count = is_discussion and _COUNT.fullmatch(line) is not None
        found[place] = is_count or line in ADVERTISEMENT_LABELS or _PROMPT.fullmatch(line) is not None
    return found


def find_address_boxes(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which blocks are in a box with a field for an e-mail address: a sign-up, unless the page is a form."""
    found = np.zeros(len(blocks), dtype=np.bool_)
    fields = [node for node in document.has_tag(["input"]).nonzero()[0].tolist() if _takes_address(document, node)]
    if not fields:  # as on most pages
        return found
    letters, headings = cumulate(np.where(kept, blocks.letters, 0.0)), cumulate(blocks.is_heading.astype(np.float64))
    most = min(_MAX_LETTERS_OF_BOX, _MAX_SHARE_OF_BOX * float(letters[-1]))
    starts, stops, parents = blocks.spans.starts, blocks.spans.stops, document.parents
    boxes: set[int] = set()  # of earlier fields, whose outermost is found: a page may have thousands in one
    for field in fields:
        node, start, stop = int(parents[field]), 0, 0
        while node > 0 and node not in boxes and document.tag_names[document.tags[node]] not in _WHOLES:
            first, last = int(starts[node]), int(stops[node])
            if letters[last] - letters[first] > most or headings[last] - headings[first] > 1:
                break
            boxes.add(node)
            node, start, stop = int(parents[node]), first, last
        found[start:stop] = True
    return found


def _takes_address(document: Document, node: int) -> bool:
    own = document.attributes[node]
    kind = own.get("type", "").lower()
    if kind in _NO_ADDRESS:
        return False
    return kind == "email" or any("mail" in own.get(name, "").lower() for name in ("name", "id", "placeholder"))
