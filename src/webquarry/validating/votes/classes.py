"""Style classes: which nodes of a site's pages stand in the same place and look the same.

A class is a path of steps from the root to a node.  The coarse one is made of tags alone.  The fine one also has the
look of each element: with a layout its style vector, else its class names.  Pages of one template share both; where
they name or paint an outer element anew on each page, as with `post-1234`, they share the coarse one at least.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.html.paths import depths_of, tag_paths
from webquarry.model import Document, Layout

STYLES = 32
"""Properties of the style vector: the first of a layout, those of Potvin and Villemaire, section 4.2."""
_OF_A_PAGE = re.compile(r"\d{3}")
"""A class name with such a number names one page, not a place in the template."""
_TEXT = crc32(b"#text")
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well mixed: the golden ratio's
_CODE = np.uint64(33)  # bits to leave out of 64 for a code that is not negative in 32


class Classes(NamedTuple):
    """For each node the numbers of its classes; they mean the same on all pages."""

    fine: NDArray[np.uint64]
    coarse: NDArray[np.uint64]


def classes_of(document: Document) -> Classes:
    """The classes of all nodes; a text's is one step below that of the element that holds it."""
    depths = depths_of(document.ends)
    tags = _tag_steps(document)
    looks = _named_steps(document, tags) if document.layout is None else _painted_steps(document.layout, tags)
    fine, coarse = (tag_paths(document.parents, _with_texts(document, steps), depths) for steps in (looks, tags))
    return Classes(fine, coarse)


def _tag_steps(document: Document) -> NDArray[np.uint64]:
    codes = np.array([crc32(name.encode()) for name in (*document.tag_names, "")], dtype=np.uint64)
    return codes[document.tags]


def _named_steps(document: Document, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    attributes, codes = document.attributes, dict[str, int]()
    elements = np.flatnonzero(document.tags >= 0).tolist()
    named = [(node, own["class"]) for node in elements if (own := attributes[node]) and "class" in own]
    for _, names in named:
        if names not in codes:
            codes[names] = _code_names(names)
    steps = tags * _MIXER
    steps[[node for node, _ in named]] += np.array([codes[names] for _, names in named], dtype=np.uint64)
    return steps * _MIXER


def _code_names(names: str) -> int:
    shared = {name for name in names.split() if _OF_A_PAGE.search(name) is None}
    return crc32(" ".join(sorted(shared)).encode("utf-8", "replace"))


def _painted_steps(layout: Layout, tags: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = np.array([crc32(value.encode("utf-8", "replace")) for value in (*layout.values, "")], dtype=np.uint64)
    steps = tags * _MIXER
    for codes in layout.styles[:, :STYLES].T:
        steps = (steps + values[codes]) * _MIXER
    return steps


def _with_texts(document: Document, steps: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The steps as codes, with one for all texts; -1 for what is neither element nor text."""
    codes = (steps * _MIXER >> _CODE).astype(np.int32)
    codes[document.tags < 0] = -1
    codes[document.kinds == Kind.TEXT] = _TEXT >> 1
    return codes
