"""Which images stand among the texts of an article."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.html.markdown.tree import Tree
from webquarry.html.resolving import IMAGE_ATTRIBUTES, Resolver, largest

_SMALLEST = 33
"""CSS pixels: icons and avatars beside names are 16 to 32 wide, as icon sets have it."""
_WIDE = ("html", "body")


def find_images(
    tree: Tree,
    kept: NDArray[np.int32],
    texts: NDArray[np.int64],
    resolve: Resolver,
    boxes: NDArray[np.float32] | None,
) -> dict[int, str]:
    """The images that belong to the kept ones of all texts that are seen, with their addresses.

    An image stands among them when it is between two of them, or in the smallest element that holds all, and the
    smallest element around it that holds any text holds a kept one.
    """
    found = np.flatnonzero(tree.has_tag(["img"]) & ~tree.hidden)
    if not len(kept) or not len(found):
        return {}
    first, last = _span(tree, kept)
    images: dict[int, str] = {}
    known: dict[int, bool] = {}
    seen: set[str] = set()  # an image is there again where scripts are off
    for node in found[(found >= first) & (found < last)].tolist():
        address = _address(tree, node, resolve)
        if not address or address in seen or _is_small(tree, node, boxes):
            continue
        if _belongs(tree, node, texts, kept, known):
            images[node] = address
            seen.add(address)
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


def _belongs(tree: Tree, node: int, texts: NDArray[np.int64], kept: NDArray[np.int32], known: dict[int, bool]) -> bool:
    """Whether the smallest element around a node that holds any text holds a kept one; `known` keeps the answers."""
    path = []
    while node > 0 and node not in known:
        path.append(node)
        end = int(tree.ends[node])
        if _count(texts, node, end):
            known[node] = bool(_count(kept, node, end))
            break
        node = int(tree.parents[node])
    answer = known.get(node, False)
    known.update(dict.fromkeys(path, answer))
    return answer


def _count(nodes: NDArray[Any], start: int, stop: int) -> int:
    """How many of the nodes stand from one to before another."""
    first, last = np.searchsorted(nodes, (start, stop))
    return int(last - first)


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
