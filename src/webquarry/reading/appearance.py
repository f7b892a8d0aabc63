"""How the blocks of a rendered page look: where they stand, and in which type they are set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Layout
from webquarry.reading.blocks import Blocks

_SMALLER = 0.86
"""The size of type, as a share of that of the text, below which it is meant to be smaller: usual steps, such as from
14 to 12 or from 16 to 13 pixels, are below; smaller ones are made by typefaces, and by notes that are of the text."""
_LARGER = 1.15
"""The same for what is meant to be larger."""

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Setting(NamedTuple):
    """How the text of a page is set: its column, from left to right, and the size of its type; in CSS pixels."""

    left: float
    right: float
    size: float

    def reaches(self, lefts: NDArray[np.floating[Any]], rights: NDArray[np.floating[Any]]) -> Flags:
        """For some boxes whether each stands in the column, or partly so."""
        reached: Flags = (lefts < self.right) & (rights > self.left)
        return reached

    @property
    def width(self) -> float:
        """Of the column."""
        return self.right - self.left


@dataclass(frozen=True)
class Appearance:
    """Columns with one entry a block; lengths in CSS pixels, of what is written and not of what holds it."""

    lefts: Floats
    tops: Floats
    rights: Floats
    bottoms: Floats
    sizes: Floats
    """Of the largest type in the block."""
    text: Setting

    @property
    def in_column(self) -> Flags:
        """For each block whether it stands in the column of the text, or partly so."""
        return self.text.reaches(self.lefts, self.rights)

    @property
    def widths(self) -> Floats:
        """From left to right."""
        return self.rights - self.lefts

    @property
    def are_smaller(self) -> Flags:
        """For each block whether its type is smaller than that of the text."""
        return self.sizes < _SMALLER * self.text.size

    @property
    def are_larger(self) -> Flags:
        """For each block whether its type is larger."""
        return self.sizes > _LARGER * self.text.size

    def are_flanked(self, others: Flags) -> Flags:
        """For each block whether some of the others stands at the height of its middle."""
        places = np.flatnonzero(others)
        places = places[np.argsort(self.tops[places], kind="stable")]
        reach = np.append(-np.inf, np.maximum.accumulate(self.bottoms[places]))  # of those that begin above a height
        middles = (self.tops + self.bottoms) / 2
        flanked: Flags = reach[self.tops[places].searchsorted(middles)] > middles
        return flanked


def appearance_of(layout: Layout, blocks: Blocks, prose: Floats) -> Appearance:
    """How blocks look; the text of the page is set as most of its prose, which weighs something, is."""
    starts = blocks.texts.searchsorted(blocks.firsts)
    boxes = layout.boxes[blocks.texts].astype(np.float64)
    lefts = np.minimum.reduceat(boxes[:, 0], starts)
    rights = np.maximum.reduceat(boxes[:, 0] + boxes[:, 2], starts)
    sizes = np.maximum.reduceat(_type_sizes(layout, blocks.texts), starts)
    return Appearance(
        lefts=lefts,
        tops=np.minimum.reduceat(boxes[:, 1], starts),
        rights=rights,
        bottoms=np.maximum.reduceat(boxes[:, 1] + boxes[:, 3], starts),
        sizes=sizes,
        text=Setting(_middle(lefts, prose), _middle(rights, prose), _commonest(sizes, prose)),
    )


def _middle(values: Floats, weights: Floats) -> float:
    """The median of values that weigh something.

    >>> _middle(np.array([10.0, 30.0, 20.0]), np.array([1.0, 1.0, 3.0]))
    20.0
    """
    order = np.argsort(values)
    running = np.cumsum(weights[order])
    return float(values[order][running.searchsorted(running[-1] / 2)])


def _commonest(values: Floats, weights: Floats) -> float:
    """The value that weighs most.

    >>> _commonest(np.array([16.0, 12.0, 16.0]), np.array([2.0, 3.0, 2.0]))
    16.0
    """
    known, places = np.unique(values, return_inverse=True)
    return float(known[np.bincount(places, weights=weights).argmax()])


def _type_sizes(layout: Layout, texts: NDArray[np.int32]) -> Floats:
    codes, places = np.unique(layout.styles[texts, layout.properties.index("font-size")], return_inverse=True)
    return np.array([float(layout.values[code].removesuffix("px")) for code in codes.tolist()])[places]
