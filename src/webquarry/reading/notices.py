"""What a block says that gives it away as a notice: phrases that sites of a language share."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.reading.blocks import Blocks

_HINTS = ("©", "opyright", "ookie", "ights", "echte", "erechos", "ireitos", "roits")
"""Of which a phrase has one; to look for them takes less time."""
_PHRASES = re.compile(
    r"^\W*(?:©|copyright)|all rights reserved|alle rechte vorbehalten|tod[oa]s (?:los|os) (?:derechos|direitos)"
    r"|tous droits réservés"
    r"|(?:we|site|seite|página|sito) (?:uses?|verwendet|nutzt|utiliza|usa|utilise) (?:des )?cookies",
    re.IGNORECASE,
)
_LONGEST = 800
"""Letters of a notice; a longer text may well speak of cookies and rights."""


def find_notices(document: Document, blocks: Blocks) -> NDArray[np.bool_]:
    """For each block whether it says that it is a notice about rights or cookies."""
    contents = [document.texts[node] for node in blocks.texts.tolist()]
    everything = "\n".join(contents)
    hints = [hint for hint in _HINTS if hint in everything]
    is_notice = np.zeros(len(blocks), dtype=np.bool_)
    for place, text in enumerate(contents if hints else ()):
        for hint in hints:
            if hint in text and _PHRASES.search(text):
                is_notice[blocks.of_texts[place]] = True
    return is_notice & (blocks.letters < _LONGEST)
