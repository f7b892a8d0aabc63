"""What the vote of a site's pages decided, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.votes.tallying import CALLED, PAGES, PLACES

_HALF = 0.5


class _Case(NamedTuple):
    """What is alike for all texts that the same is said of."""

    having: float
    texts: float
    called: float
    score: float
    is_label: float
    is_too_far: float


def tell(
    pages: float,
    sums: Sequence[NDArray[np.float64]],
    scores: NDArray[np.float64],
    is_label: NDArray[np.bool_],
    is_too_far: NDArray[np.bool_],
) -> tuple[str, ...]:
    """For each text of a page why it is content or not, by the sums of its classes, fine and coarse.

    `is_label` where that alone made it none, `is_too_far` where it was its place outside of the main element.
    """
    fine, coarse = sums
    is_shared = fine[:, PAGES] >= _HALF * coarse[:, PAGES]
    rows = np.where(is_shared[:, None], fine, coarse)[:, [PAGES, PLACES, CALLED]]
    cases = [*zip(*np.column_stack([rows, scores, is_label, is_too_far]).T.tolist(), strict=True)]
    words = {case: _say(_Case(*case), pages) for case in set(cases)}
    return tuple(map(words.__getitem__, cases))


def _say(case: _Case, pages: float) -> str:
    if case.is_label:
        return f"short, and once on each of {case.having:.0f} pages, outside of what holds most of the content"
    share = f"{100 * case.score:.0f} %"
    too_far = "; too little outside of what holds most of the content" if case.is_too_far else ""
    if case.having < _HALF * pages:
        return f"stands on {case.having:.0f} of {pages:.0f} pages, so what holds it decides: {share}{too_far}"
    called = f"{case.called:.0f} of {case.texts:.0f} texts in this style were called content"
    return f"{called}: {share} of their bytes on a page{too_far}"
