"""Write absolute XPaths of nodes, find nodes by them, and compare places by tag paths.

A step of an XPath has an index only where a sibling has the same name, as lxml writes it. An element whose name XPath
cannot express (`o:p`, `a"b`) is addressed by its place among all elements: `*[3]`.

A tag path is the tags from the root to an element, without places among siblings, as a 64-bit hash. The hash of the
rest below any element on the path follows from the two, so paths can be compared from the root, or from the elements
that records begin with.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Columns, Kind

_TESTS = {
    Kind.TEXT: "text()",
    Kind.COMMENT: "comment()",
    Kind.INSTRUCTION: "processing-instruction()",
    Kind.DOCTYPE: "doctype()",  # ours: XPath has no word for it
}
_STEP = re.compile(r"/([^/\[\]]+)(?:\[(\d+)\])?")
_EXPRESSIBLE = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


class Addresses:
    """XPaths of all nodes of a tree."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        # lists are quicker to read one by one than arrays
        self._parents, self._tags = columns.parents.tolist(), columns.tags.tolist()
        self._tests = [name if _EXPRESSIBLE.fullmatch(name) else "*" for name in columns.tag_names]
        self._codes = {name: code for code, name in enumerate(columns.tag_names)}
        self._codes |= {test: -kind for kind, test in _TESTS.items()}
        kinds = -columns.kinds.astype(np.int64)
        self._named = _Siblings(columns.parents, np.where(columns.tags < 0, kinds, columns.tags))
        self._paths = {0: ""}  # of ancestors of the nodes asked for: siblings share what is above them

    def xpath(self, node: int) -> str:
        """Write the absolute XPath of a node."""
        waiting = []
        parents, paths = self._parents, self._paths
        above = parents[node] if node else 0
        while above not in paths:
            waiting.append(above)
            above = parents[above]
        for each in reversed(waiting):
            paths[each] = f"{paths[parents[each]]}/{self._step(each)}"
        return f"{paths[parents[node]]}/{self._step(node)}" if node else "/"

    def node(self, xpath: str) -> int | None:
        """Find the node at an absolute XPath; None when there is none."""
        steps = _STEP.findall(xpath)
        if "".join(f"/{test}[{index}]" if index else f"/{test}" for test, index in steps) != xpath.rstrip("/"):
            return None
        node: int | None = 0
        for test, index in steps:
            if node is None:
                return None
            place = int(index) if index else 1
            if test == "*":
                node = self._elements.find(node, 0, place)
            else:
                node = self._named.find(node, self._codes[test], place) if test in self._codes else None
        return node

    @cached_property
    def _elements(self) -> _Siblings:
        """Elements whatever their name; few pages have a name that XPath cannot express."""
        return _Siblings(self._columns.parents, np.where(self._columns.tags < 0, -1, 0))

    def _step(self, node: int) -> str:
        tag = self._tags[node]
        test = self._tests[tag] if tag >= 0 else _TESTS[int(self._columns.kinds[node])]
        if test == "*":
            return f"*[{self._elements.place(node)}]"
        return f"{test}[{self._named.place(node)}]" if self._named.has_like(node) else test


class _Siblings:
    """Nodes grouped by parent and code, numbered in their group from 1."""

    def __init__(self, parents: NDArray[np.int32], codes: NDArray[np.int64]) -> None:
        self._lowest = int(codes.min())
        self._width = int(codes.max()) - self._lowest + 1
        keys = (parents.astype(np.int64) + 1) * self._width + (codes - self._lowest)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        starts = np.diff(self._keys, prepend=-1).nonzero()[0]
        sizes = np.diff(starts, append=len(keys))
        places, has_like = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.bool_)
        places[self._order] = np.arange(len(keys)) - np.repeat(starts, sizes) + 1
        has_like[self._order] = np.repeat(sizes > 1, sizes)
        self._places: list[int] = places.tolist()
        self._has_like: list[bool] = has_like.tolist()

    def place(self, node: int) -> int:
        return self._places[node]

    def has_like(self, node: int) -> bool:
        return self._has_like[node]

    def find(self, parent: int, code: int, place: int) -> int | None:
        if not self._lowest <= code < self._lowest + self._width:
            return None
        key = (parent + 1) * self._width + (code - self._lowest)
        at = int(np.searchsorted(self._keys, key)) + place - 1
        return int(self._order[at]) if place > 0 and at < len(self._keys) and self._keys[at] == key else None


_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_INVERSE = np.uint64(pow(int(_BASE), -1, 2**64))
"""The product of both is 1, as overflow is dropped."""


def depths_of(ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count the ancestors of each node, from the numbers after their last descendants.

    >>> depths_of(np.array([4, 3, 3, 4], dtype=np.int32)).tolist()
    [0, 1, 2, 1]
    """
    count = len(ends)
    depths: NDArray[np.int64] = np.arange(count) - np.bincount(ends, minlength=count + 1).cumsum()[:count]
    return depths


def tag_paths(ends: NDArray[np.int32], tags: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Hash the tag path of each element; other nodes have that of their parent.

    The hash is the sum of the tags on the way, each times a power of the base.  A tag times a negative power can be
    added where its element begins and subtracted where it ends, which needs no walk from level to level.

    >>> ends, tags = np.array([5, 4, 3, 4, 5], dtype=np.int32), np.array([-1, 0, 1, 1, 1], dtype=np.int32)
    >>> paths = tag_paths(ends, tags).tolist()
    >>> paths[2] == paths[3], paths[2] == paths[4]
    (True, False)
    """
    is_element = tags >= 0
    elements = is_element.nonzero()[0]
    stops = ends[elements]
    levels = (is_element - np.bincount(stops, minlength=len(tags) + 1)[:-1]).cumsum()
    highest = int(levels.max(initial=0))
    steps = np.zeros(len(tags) + 1, dtype=np.uint64)
    steps[elements] = (tags[elements].astype(np.uint64) + np.uint64(1)) * _powers(_INVERSE, highest)[levels[elements]]
    np.subtract.at(steps, stops, steps[elements])
    paths: NDArray[np.uint64] = steps[:-1].cumsum() * _powers(_BASE, highest)[levels]
    return paths


@lru_cache(maxsize=128)
def _powers(base: np.uint64, highest: int) -> NDArray[np.uint64]:
    powers = np.full(highest + 1, base)
    powers[0] = 1
    return np.cumprod(powers)


def paths_below(inner: NDArray[np.uint64], outer: NDArray[np.uint64], levels: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash the paths from outer elements to inner ones, which are the given number of levels below them.

    >>> ends, tags = np.array([5, 3, 3, 5, 5], dtype=np.int32), np.array([-1, 0, 1, 2, 1], dtype=np.int32)
    >>> paths = tag_paths(ends, tags)
    >>> below = paths_below(paths[[2, 4]], paths[[1, 3]], np.array([1, 1]))
    >>> bool(below[0] == below[1])
    True
    """
    highest = int(levels.max(initial=0))
    rest: NDArray[np.uint64] = inner - outer * _powers(_BASE, highest)[levels]
    return rest


def places_among(parents: NDArray[np.int32], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number the chosen nodes among those with the same parent, from 1; 0 for all others.

    >>> places_among(np.array([-1, 0, 0, 1, 0], dtype=np.int32), np.array([False, True, False, True, True])).tolist()
    [0, 1, 0, 1, 2]
    """
    places = np.zeros(len(parents), dtype=np.int64)
    nodes = chosen.nonzero()[0]
    ordered = nodes[np.argsort(parents[nodes], kind="stable")]
    holders = parents[ordered]
    places[ordered] = np.arange(len(ordered)) - np.searchsorted(holders, holders) + 1
    return places
