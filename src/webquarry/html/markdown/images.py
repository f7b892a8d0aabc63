"""Which images stand among the texts of an article."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.html.markdown.tree import Tree
from webquarry.html.resolving import IMAGE_ATTRIBUTES, Resolver, largest

_SMALLEST = 33
"""CSS pixels: icons and avatars beside names are 16 to 32 wide, as icon sets have it."""
_WIDE = ("html", "body")


def find_images(
    tree: Tree, kept: NDArray[np.int32], resolve: Resolver, boxes: NDArray[np.float32] | None
) -> dict[int, str]:
    """The images that belong to the kept texts, with their addresses.

    An image stands among them when it is between two of them, or in the smallest element that holds all, and the
    smallest element around it that holds any text holds a kept one.
    """
    found = np.flatnonzero(tree.has_tag(["img"]) & ~tree.hidden)
    if not len(kept) or not len(found):
        return {}
    first, last = _span(tree, kept)
    images: dict[int, str] = {}
    belongs = _Belonging(tree, kept)
    for node in found[(found >= first) & (found < last)].tolist():
        address = _address(tree, node, resolve)
        if address and address not in images.values() and not _is_small(tree, node, boxes) and belongs.to_kept(node):
            images[node] = address
    return images


def _span(tree: Tree, kept: NDArray[np.int32]) -> tuple[int, int]:
    """The smallest element that holds all kept texts; from the first to the last of them when that is the page."""
    first, last = int(kept[0]), int(kept[-1])
    holder = int(tree.parents[first])
    while holder > 0 and tree.ends[holder] <= last:
        holder = int(tree.parents[holder])
    if holder <= 0 or tree.tag_names[tree.tags[holder]] in _WIDE:
        return first, last
    return holder, int(tree.ends[holder])


class _Belonging:
    """How many texts, and how many kept ones, stand before each node."""

    def __init__(self, tree: Tree, kept: NDArray[np.int32]) -> None:
        self._tree = tree
        texts = (tree.kinds == Kind.TEXT) & ~tree.hidden
        texts[[node for node in np.flatnonzero(texts).tolist() if tree.texts[node].isspace()]] = False
        chosen = np.zeros(len(texts), dtype=np.bool_)
        chosen[kept] = True
        self._texts = np.concatenate(([0], np.cumsum(texts | chosen)))
        self._kept = np.concatenate(([0], np.cumsum(chosen)))

    def to_kept(self, node: int) -> bool:
        """Whether the smallest element around a node that holds any text holds a kept one."""
        while node > 0:
            end = self._tree.ends[node]
            if self._texts[end] > self._texts[node]:
                return bool(self._kept[end] > self._kept[node])
            node = int(self._tree.parents[node])
        return False


def _address(tree: Tree, node: int, resolve: Resolver) -> str:
    own = tree.attributes[node]
    written = (own[name] for name in IMAGE_ATTRIBUTES if own.get(name, "").strip())
    return next((address for each in written if (address := resolve(largest(each)))), "")


def _is_small(tree: Tree, node: int, boxes: NDArray[np.float32] | None) -> bool:
    if boxes is not None and not np.isnan(boxes[node, 2]):
        return bool(boxes[node, 2:].max() < _SMALLEST)
    own = tree.attributes[node]
    sizes = [own[name].strip().removesuffix("px") for name in ("width", "height") if name in own]
    return any(size.isdecimal() and len(size) < 3 and int(size) < _SMALLEST for size in sizes)
