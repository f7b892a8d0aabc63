"""The leaves of a document: the texts and images that a person sees, in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.html.paths import depths_of, path_codes
from webquarry.model import Document

IMAGES = frozenset(["canvas", "img", "picture", "svg", "video"])
LONG_TEXT = 200
"""Characters; what a text has more does not make it weigh more: one long article is no list."""
IMAGE_WEIGHT = 30
"""Of an image, in characters."""
SMALLEST_IMAGE = 16
"""Pixels of a side; smaller ones are bullets, spacers and icons."""
SMALLEST_TEXT = 2
"""Pixels of a side; smaller ones are there for screen readers."""


@dataclass(frozen=True)
class Leaves:
    """Columns, one entry a leaf, and `paths` and `starts` one entry a node of the document."""

    nodes: NDArray[np.int32]
    owners: NDArray[np.int32]
    """The element that each stands in: the parent of a text, the image itself."""
    codes: NDArray[np.int32]
    """What leaves of the same tag path and kind share."""
    weights: NDArray[np.float64]
    is_image: NDArray[np.bool_]
    is_link: NDArray[np.bool_]
    boxes: NDArray[np.float32] | None
    """Left, top, right, bottom; None without a layout."""
    paths: NDArray[np.int32]
    """For each node of the document the code of its tag path."""
    depths: NDArray[np.int32]
    starts: NDArray[np.int32]
    """For each node of the document, and for the end of it, the number of leaves before it."""

    def __len__(self) -> int:
        return len(self.nodes)


def find_leaves(document: Document) -> Leaves:
    """The leaves that are seen and not too small to matter."""
    depths = depths_of(document.parents)
    paths = path_codes(document.parents, document.tags, depths)
    texts, images = _texts(document), _images(document)
    nodes = np.sort(np.concatenate([texts, images])).astype(np.int32)
    is_image = document.kinds[nodes] == Kind.ELEMENT
    owners = np.where(is_image, nodes, document.parents[nodes])
    lengths = np.array([min(len(document.texts[node].strip()), LONG_TEXT) for node in nodes.tolist()], dtype=np.float64)
    return Leaves(
        nodes=nodes,
        owners=owners,
        codes=paths[owners] * 2 + is_image,
        weights=np.where(is_image, IMAGE_WEIGHT, lengths),
        is_image=is_image,
        is_link=_in_links(document)[owners],
        boxes=_corners(document, nodes),
        paths=paths,
        depths=depths,
        starts=np.searchsorted(nodes, np.arange(len(document) + 1)).astype(np.int32),
    )


def _texts(document: Document) -> NDArray[np.int64]:
    candidates = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden)
    written = [node for node in candidates.tolist() if not document.texts[node].isspace() and document.texts[node]]
    return _seen(document, np.array(written, dtype=np.int64), SMALLEST_TEXT)


def _images(document: Document) -> NDArray[np.int64]:
    codes = [code for code, name in enumerate(document.tag_names) if name in IMAGES]
    return _seen(document, np.flatnonzero(np.isin(document.tags, codes) & ~document.hidden), SMALLEST_IMAGE)


def _seen(document: Document, nodes: NDArray[np.int64], smallest: int) -> NDArray[np.int64]:
    """Those of some size that stand on the page, not left of it or above."""
    if document.layout is None:
        return nodes
    x, y, width, height = document.layout.boxes[nodes].T
    is_large = (width >= smallest) & (height >= smallest)
    return nodes[is_large & (x + width > 0) & (y + height > 0) & (x < document.layout.width)]


def _in_links(document: Document) -> NDArray[np.bool_]:
    if "a" not in document.tag_names:
        return np.zeros(len(document), dtype=np.bool_)
    changes = np.zeros(len(document) + 1, dtype=np.int32)
    links = np.flatnonzero(document.tags == document.tag_names.index("a"))
    np.add.at(changes, links, 1)
    np.add.at(changes, document.ends[links], -1)
    return np.cumsum(changes[:-1]) > 0


def _corners(document: Document, nodes: NDArray[np.int32]) -> NDArray[np.float32] | None:
    if document.layout is None:
        return None
    boxes = document.layout.boxes[nodes].copy()
    boxes[:, 2:] += boxes[:, :2]
    return boxes
