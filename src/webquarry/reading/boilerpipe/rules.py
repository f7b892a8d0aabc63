"""The rules learnt from news pages: what a block is goes by its words and links, and those of its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from webquarry.reading.boilerpipe.blocks import Blocks

# All numbers are those of the paper's classifier based on the number of words: words, and shares of them in links.
_MOST_LINKED = 0.333333
_MOST_LINKED_BEFORE = 0.555556
_FEW_WORDS, _FEW_WORDS_AFTER, _FEW_WORDS_BEFORE = 16, 15, 4
_FEW_WORDS_BELOW_LINKS, _FEW_WORDS_AFTER_BELOW_LINKS = 40, 17


def classify_by_words(blocks: Blocks) -> Blocks:
    """The blocks, decided by the number of words and the link density of each, the one before and the one after."""
    words, densities = blocks.words, blocks.link_densities
    words_before, words_after, density_before = _before(words), _after(words), _before(densities)
    many = (words > _FEW_WORDS) | (words_after > _FEW_WORDS_AFTER) | (words_before > _FEW_WORDS_BEFORE)
    many_below_links = (words > _FEW_WORDS_BELOW_LINKS) | (words_after > _FEW_WORDS_AFTER_BELOW_LINKS)
    enough = np.where(density_before <= _MOST_LINKED_BEFORE, many, many_below_links)
    return blocks.decide((densities <= _MOST_LINKED) & enough)


def _before(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros_like(numbers[:1]), numbers[:-1]])


def _after(numbers: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([numbers[1:], np.zeros_like(numbers[:1])])
