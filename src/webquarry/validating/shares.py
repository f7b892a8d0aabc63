"""How much of the text of each node is what: a node is judged by the texts that it is or holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.validating.deleting import weigh

Nodes = NDArray[np.int32]
Floats = NDArray[np.float64]


class Spans(NamedTuple):
    """For each of some nodes where the texts that it is or holds begin and end among all texts."""

    starts: NDArray[np.intp]
    stops: NDArray[np.intp]


def find_spans(document: Document, nodes: Nodes, texts: Nodes) -> Spans:
    """The spans of nodes among texts that are in document order.

    >>> document = Document("<p>a</p><p>b</p>")
    >>> starts, stops = find_spans(document, np.array([4, 7, 0]), np.array([5, 7]))
    >>> starts.tolist(), stops.tolist()
    ([0, 1, 0], [1, 2, 2])
    """
    return Spans(np.searchsorted(texts, nodes), np.searchsorted(texts, document.ends[nodes]))


def sum_bytes(document: Document, texts: Nodes, spans: Spans, *shares: NDArray[np.bool_ | np.floating]) -> Floats:
    """For each span the bytes of its texts, in the first row; below it a row for each of the shares of these.

    `shares` have an entry a text, from 0 to 1.
    """
    weights = weigh(document.texts[text] for text in texts.tolist())
    sums = np.zeros((1 + len(shares), len(texts) + 1))
    np.cumsum([weights, *(weights * share for share in shares)], axis=1, out=sums[:, 1:])
    return sums[:, spans.stops] - sums[:, spans.starts]
