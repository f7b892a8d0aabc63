"""Foreign values among those of an extraction: some are exchanged for texts from elsewhere on their page."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.report import Selection

RATE = 0.05
"""Share of the values that are exchanged."""
DRAWS = 3
"""Times that other values are exchanged: one draw is a few hundred foreign values, and luck shows."""
_WORD = re.compile(r"\w")

Nodes = NDArray[np.int32]


@dataclass(frozen=True)
class Injected:
    """A selection of which some values are foreign."""

    source: str
    """Those of one source are validated together."""
    half: str
    selection: Selection
    is_foreign: NDArray[np.bool_]


def texts_outside(document: Document, spans: Iterable[tuple[int, int]]) -> Nodes:
    """The texts of a page that are seen, say something and are not in any of the spans."""
    inside = np.zeros(len(document), dtype=np.bool_)
    for first, stop in spans:
        inside[first:stop] = True
    nodes = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden & ~inside)
    return np.array([node for node in nodes.tolist() if _WORD.search(document.texts[node])], dtype=np.int32)


def inject(
    selection: Selection, outside: Nodes, number: int, *, looks: bool = True
) -> tuple[Selection, NDArray[np.bool_]]:
    """The selection with foreign values, and which they are; the number of the draw and the page's address settle it.

    With `looks` a foreign value is a node elsewhere, with its own look; without, only its text is put in the place of
    the value.
    """
    draw = random.Random(f"{number} {selection.document.url}")
    nodes, texts = selection.nodes.copy(), list(selection.texts)
    is_foreign = np.zeros(len(nodes), dtype=np.bool_)
    for place in range(len(nodes) if len(outside) else 0):
        if draw.random() < RATE:
            node = draw.choice(outside.tolist())
            texts[place] = " ".join(selection.document.texts[node].split())
            nodes[place] = node if looks else nodes[place]
            is_foreign[place] = True
    return replace(selection, nodes=nodes, texts=tuple(texts)), is_foreign
