"""What the vote of a site's pages decided, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.votes.tallying import CALLED, PAGES, PLACES, mean_share, share_say

_FINE, _COARSE, _HOLDER = range(3)
"""What can have the most say on a text, as `share_say` has them."""


class _Case(NamedTuple):
    """What is alike for all texts that the same is said of."""

    decider: float
    having: float
    texts: float
    called: float
    share: float
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
    decider = np.argmax(share_say(pages, fine, coarse), axis=0)
    rows = np.where((decider == _FINE)[:, None], fine, coarse)
    columns = [decider, *rows[:, [PAGES, PLACES, CALLED]].T, mean_share(rows), scores, is_label, is_too_far]
    cases = [*zip(*np.stack(columns).tolist(), strict=True)]
    words = {case: _say(_Case(*case), pages) for case in set(cases)}
    return tuple(map(words.__getitem__, cases))


def _say(case: _Case, pages: float) -> str:
    if case.is_label:
        return f"short, and once on each of {case.having:.0f} pages, outside of what holds most of the content"
    too_far = "; too little outside of what holds most of the content" if case.is_too_far else ""
    share, score = (f"{100 * each:.0f} %" for each in (case.share, case.score))
    if case.decider == _HOLDER:
        return f"stands on {case.having:.0f} of {pages:.0f} pages, so what holds it decides: {score}{too_far}"
    alike = "in this style" if case.decider == _FINE else "in this place, in any style,"
    called = f"{case.called:.0f} of {case.texts:.0f} texts {alike} were called content"
    more = "" if score == share else f", {score} with what was said of itself and of what holds it"
    return f"{called}: {share} of their bytes on a page{more}{too_far}"
