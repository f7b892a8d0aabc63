"""What is written of a page besides its kept texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.html.markdown.grids import find_grids
from webquarry.html.markdown.images import find_images
from webquarry.html.markdown.tree import Tree
from webquarry.html.resolving import Resolver
from webquarry.html.tables import Table


class Chosen(NamedTuple):
    """What is written of a page."""

    nodes: NDArray[np.bool_]
    """For each node whether it is a leaf that is written, or holds one."""
    images: dict[int, str]
    """The addresses of images."""
    tables: dict[int, Table]


def choose(tree: Tree, texts: NDArray[np.int32], resolve: Resolver, boxes: NDArray[np.float32] | None) -> Chosen:
    """Some texts, what holds them, and the images, breaks, rules and spaces among them."""
    texts = np.sort(texts)
    is_text = (tree.kinds == Kind.TEXT) & ~tree.hidden
    is_blank = (tree.kinds == Kind.TEXT) & np.array([not text or text.isspace() for text in tree.texts])
    counts = np.concatenate(([0], np.cumsum(is_text & ~is_blank)))
    images = find_images(tree, texts, np.flatnonzero(is_text & ~is_blank), resolve, boxes)
    leaves = np.union1d(texts, np.array(list(images), dtype=np.int64))
    nodes = np.zeros(len(tree.kinds), dtype=np.bool_)
    _add(nodes, leaves, tree.parents)
    parting = np.flatnonzero(is_blank | tree.has_tag(["br", "hr"]))
    _add(nodes, _between(tree, texts, parting, nodes, counts[tree.ends] == counts[:-1]), tree.parents)
    return Chosen(nodes, images, find_grids(tree, leaves))


def _add(nodes: NDArray[np.bool_], leaves: NDArray[np.int64], parents: NDArray[np.int32]) -> None:
    """Choose leaves and all that holds them."""
    while len(leaves := leaves[leaves >= 0]) and len(leaves := np.unique(leaves[~nodes[leaves]])):
        nodes[leaves] = True
        leaves = parents[leaves].astype(np.int64)


def _between(
    tree: Tree,
    texts: NDArray[np.int32],
    parting: NDArray[np.int64],
    nodes: NDArray[np.bool_],
    is_empty: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """What parts chosen texts: it stands beside them, or in elements beside them that hold no text."""
    if not len(texts):
        return parting[:0]
    parting = parting[(parting > texts[0]) & (parting < texts[-1])]
    parting = parting[~tree.hidden[tree.parents[parting]]]
    holders = tree.parents[parting]
    while len(places := np.flatnonzero(~nodes[holders] & is_empty[holders] & (holders > 0))):
        holders[places] = tree.parents[holders[places]]
    return parting[nodes[holders]]
