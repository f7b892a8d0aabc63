"""Find runs of text that a page has twice, such as one copy for wide and one for narrow screens.

Without style sheets both copies are visible. A refrain, a quotation or a step that recurs is a small part of a text and
stays. This fails for copies in which every line differs a little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.reading.blocks import Blocks

_MIN_LETTERS_OF_LINE = 60
"""Letters of a block that shows by itself that a run is repeated: nearly a line of text, as of prose."""
_MAX_COPIES = 3
"""Times that a page has such a block where it has copies, as for wide and narrow screens and for print; a block that
recurs more often is a refrain or a placeholder."""
_MIN_SHARE_OF_COPY = 0.15
"""Share of the letters of the text that a copy has. On the half of articles-wcxb to tune on, the largest repeated runs
that belong to the text have .05; .1 to .2 score alike."""


def find_copies(document: Document, blocks: Blocks, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of the kept blocks repeat a run of earlier ones that is a large part of the text."""
    found, places = np.zeros(len(blocks), dtype=np.bool_), kept.nonzero()[0]
    letters = blocks.letters[places]
    if not _may_repeat(letters):
        return found
    before = np.append(0.0, letters.cumsum())
    for start, stop in _find_repeated_runs([*blocks.texts_of(document, places)]):
        if before[stop] - before[start] >= _MIN_SHARE_OF_COPY * before[-1]:
            found[places[start:stop]] = True
    return found


def _may_repeat(letters: NDArray[np.float64]) -> bool:
    """Tell whether two blocks are equally long, and long enough; reading their texts takes much longer."""
    long = letters[letters >= _MIN_LETTERS_OF_LINE]
    long.sort()
    return bool((long[1:] == long[:-1]).any())


def _find_repeated_runs(texts: Sequence[str]) -> list[tuple[int, int]]:
    """List the runs of texts that repeat earlier ones, each by its start and the place after it.

    >>> line, other = "a" * 60, "b" * 60
    >>> _find_repeated_runs(["One", line, "Two", other, "Ad", "One", line, "Two", other, "End"])
    [(5, 9)]
    """
    times, firsts = Counter(text for text in texts if len(text) >= _MIN_LETTERS_OF_LINE), dict[str, int]()
    runs: list[tuple[int, int]] = []
    place = end = 0
    while place < len(texts):
        first = firsts.setdefault(texts[place], place)
        if first == place or not 1 < times[texts[place]] <= _MAX_COPIES:
            place += 1
            continue
        start, back = place, place - first
        while start - 1 >= max(end, back, first + 1) and texts[start - 1] == texts[start - 1 - back]:
            start -= 1
        end = place + 1
        while end < len(texts) and end - back < start and texts[end] == texts[end - back]:
            end += 1
        runs.append((start, end))
        place = end
    return runs
