"""What is unseen: parts of records that a browser does not show, and a plain page does not hide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document
from webquarry.wrapping.listings.samples import Sample
from webquarry.wrapping.listings.signatures import write_signature
from webquarry.wrapping.listings.views import View

_IMAGES = frozenset("canvas img picture svg video".split())
MOST = 50
"""Signatures; more are a page whose parts have no names that last."""
_SMALLEST = 2
"""Pixels of a side; what is smaller is there for screen readers."""


def find_unseen(samples: Sequence[Sample], *, is_whole: bool) -> tuple[str, ...]:
    """The signatures, from the record inwards, of elements that are never seen in any record."""
    unseen: dict[str, None] = {}
    seen: set[str] = set()
    for sample in samples:
        if sample.region.document.layout is None:
            continue
        is_unseen = _unseen(sample.region.document)
        for first, stop in sample.spans:
            top = first if is_whole else sample.view.parents[first]
            for node, signature in _elements(sample.view, is_unseen, first + is_whole, stop, top):
                if is_unseen[node]:
                    unseen.setdefault(signature)
                else:
                    seen.add(signature)
    return tuple(signature for signature in unseen if signature not in seen)[:MOST]


def _elements(view: View, is_unseen: NDArray[np.bool_], node: int, stop: int, top: int) -> Iterator[tuple[int, str]]:
    """The elements of a record with their signatures, without those in unseen ones."""
    while node < stop:
        if view.unread[node] or view.tags[node] < 0:
            node = view.ends[node]
            continue
        path = view.path(node, top)
        if path:
            yield node, write_signature([path])
        node = view.ends[node] if is_unseen[node] else node + 1


def _unseen(document: Document) -> NDArray[np.bool_]:
    """For each node whether it has text and neither that nor an image in it is seen."""
    layout = document.layout
    if layout is None:
        return document.hidden
    x, y, width, height = layout.boxes.T
    with np.errstate(invalid="ignore"):
        is_off = (width < _SMALLEST) | (height < _SMALLEST) | (x + width <= 0) | (y + height <= 0)
    written = np.array([bool(text) and not text.isspace() for text in document.texts])
    is_seen = (written | document.has_tag(_IMAGES)) & ~document.hidden & ~is_off
    before = np.concatenate([[0], np.cumsum(is_seen)])
    all_before = np.concatenate([[0], np.cumsum(written)])
    nodes = np.arange(len(document))
    has_text = all_before[document.ends] > all_before[nodes]
    unseen: NDArray[np.bool_] = has_text & (before[document.ends] == before[nodes])
    return unseen
