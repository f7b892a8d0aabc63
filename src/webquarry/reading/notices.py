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
    contents = document.texts
    said = [
        any(hint in contents[node] for hint in _HINTS) and _PHRASES.search(contents[node]) is not None
        for node in blocks.texts.tolist()
    ]
    is_notice = np.zeros(len(blocks), dtype=np.bool_)
    is_notice[blocks.of_texts[np.array(said, dtype=np.bool_)]] = True
    return is_notice & (blocks.letters < _LONGEST)
