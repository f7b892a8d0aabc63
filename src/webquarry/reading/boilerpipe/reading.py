"""A document to its article, by Boilerpipe."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webquarry.model import Article, Document
from webquarry.reading.boilerpipe.building import build_blocks
from webquarry.reading.boilerpipe.recipes import RELEASED, Step, decide

PASSED_OVER = "in an element that Boilerpipe passes over"


def read_boilerpipe(document: Document, *, steps: Iterable[Step] = RELEASED) -> Article:
    """The article of a page as Boilerpipe's ArticleExtractor finds it; every text of the page has a reason."""
    built = build_blocks(document)
    content, reasons = decide(built.blocks, steps)
    kept = np.append(content, False)[built.places]
    words = [*reasons, PASSED_OVER]
    return Article(
        document=document,
        method="boilerpipe",
        nodes=built.nodes,
        kept=kept,
        scores=kept.astype(np.float32),
        reasons=tuple(words[place] for place in built.places.tolist()),
    )
