"""What the vote of a site's pages decided, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.tallying import CALLED, PAGES, PLACES

_HALF = 0.5


class _Case(NamedTuple):
    """What is alike for all texts that the same is said of."""

    having: float
    texts: float
    called: float
    score: float
    is_inside: float
    is_label: float


def tell(
    pages: float,
    sums: Sequence[NDArray[np.float64]],
    scores: NDArray[np.float64],
    is_inside: NDArray[np.bool_],
    is_label: NDArray[np.bool_],
) -> tuple[str, ...]:
    """For each text of a page why it is content or not, by the sums of its classes, fine and coarse."""
    fine, coarse = sums
    is_shared = fine[:, PAGES] >= _HALF * coarse[:, PAGES]
    rows = np.where(is_shared[:, None], fine, coarse)[:, [PAGES, PLACES, CALLED]]
    cases, places = np.unique(np.column_stack([rows, scores, is_inside, is_label]), axis=0, return_inverse=True)
    words = [_say(_Case(*case), pages) for case in cases.tolist()]
    return tuple(words[place] for place in places.ravel().tolist())


def _say(case: _Case, pages: float) -> str:
    share = f"{100 * case.score:.0f} %"
    if case.is_label:
        return f"short, and once on each of {case.having:.0f} pages, outside of what holds most of the content"
    outside = "" if case.is_inside else "; it stands outside of what holds most of the content"
    if case.having < _HALF * pages:
        return f"stands on {case.having:.0f} of {pages:.0f} pages, so what holds it decides: {share} of that{outside}"
    return (
        f"{case.called:.0f} of {case.texts:.0f} texts in this style were called content: {share} page by page{outside}"
    )
