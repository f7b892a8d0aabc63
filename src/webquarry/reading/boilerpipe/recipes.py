"""The filters of the ArticleExtractor in their order, and what each says of the blocks that it decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.reading.boilerpipe.blocks import Blocks
from webquarry.reading.boilerpipe.ending import drop_trailing_headings, find_ends, ignore_after_end
from webquarry.reading.boilerpipe.fusing import drop_boilerplate, fuse_near
from webquarry.reading.boilerpipe.largest import add_large_ones, add_list_at_end, keep_largest
from webquarry.reading.boilerpipe.rules import classify_by_words
from webquarry.reading.boilerpipe.titles import expand_to_title, mark_title


class Step(NamedTuple):
    """A filter, with the words for what it decides; without words it decides nothing."""

    apply: Callable[[Blocks], Blocks]
    kept: str = ""
    left: str = ""


_LEAST_BESIDE = 150
"""Words of a block that counts as text beside the largest; Boilerpipe's own number."""

_FIND_ENDS = Step(find_ends)
_MARK_TITLE = Step(mark_title)
_CLASSIFY = Step(
    classify_by_words,
    kept="few links, and enough words here or next to it",
    left="too many links or too few words",
)
_IGNORE_AFTER_END = Step(ignore_after_end, left="after the end of the text")
_FUSE_NEAR = Step(fuse_near, kept="just before text that is content")
_EXPAND_TO_TITLE = Step(expand_to_title, kept="between the title and the text")
_NOT_LARGEST = "apart from the largest text"

RELEASED = (
    _FIND_ENDS,
    _MARK_TITLE,
    _CLASSIFY,
    _IGNORE_AFTER_END,
    _FUSE_NEAR,
    Step(drop_boilerplate),
    Step(partial(fuse_near, content_only=True)),
    Step(keep_largest, left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
)
"""As in Boilerpipe 1.2, the last release, which ports follow and published figures are of."""

LATEST = (
    _FIND_ENDS,
    _MARK_TITLE,
    _CLASSIFY,
    _IGNORE_AFTER_END,
    Step(drop_trailing_headings, left="a heading without text below it"),
    _FUSE_NEAR,
    Step(partial(drop_boilerplate, keep_title=True)),
    Step(partial(fuse_near, content_only=True, same_level=True)),
    Step(partial(keep_largest, least_beside=_LEAST_BESIDE), left=_NOT_LARGEST),
    _EXPAND_TO_TITLE,
    Step(add_large_ones, kept="long, and equally deep in the tree as the largest text"),
    Step(add_list_at_end, kept="in a list that ends the text"),
)
"""As in the sources after it, which were never released."""


def decide(blocks: Blocks, steps: Iterable[Step]) -> tuple[NDArray[np.bool_], list[str]]:
    """For each block whether it is content, and the words of the step that decided that last."""
    words = [""]
    reasons, before = np.zeros(len(blocks), dtype=np.int64), blocks.chosen
    for step in steps:
        blocks = step.apply(blocks)
        if not (step.kept or step.left):
            continue
        after = blocks.chosen
        is_news = (before != after) | (reasons == 0)
        for verdict, said in ((after, step.kept), (~after, step.left)):
            if said:
                reasons[is_news & verdict] = len(words)
                words.append(said)
        before = after
    return before, [words[reason] for reason in reasons.tolist()]
