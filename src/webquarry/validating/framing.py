"""The frame of a template: the one element that holds most of the content, and the labels that stand outside of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.ballots import Ballot
from webquarry.validating.tallying import BYTES, LEAD, PAGES, PLACES

MOST = 0.6
"""The share of a page's content that the frame holds, in the mean over pages."""
NEARLY_ALL = 0.8
"""The share of pages that have what is of the template."""
ONCE = 1.2
"""How many times a page has what stands there once, in the mean."""
LABEL = 100
"""Bytes of a title, a date or a byline; longer texts can be a summary."""


def find_frame(pages: int, ballot: Ballot, *sums: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each node of a page whether it stands in the frame; for all of them where the site has none."""
    is_text = np.isin(ballot.nodes, ballot.texts)
    can_be = np.any([_is_once(each, pages) & (each[:, LEAD] >= MOST * each[:, PAGES]) for each in sums], axis=0)
    candidates = np.flatnonzero(can_be & ~is_text)
    if not len(candidates):
        return np.ones(len(ballot.nodes), dtype=np.bool_)
    deepest = candidates[ballot.depths[candidates] == ballot.depths[candidates].max()]
    frame = ballot.nodes[deepest[np.argmax(ballot.called[deepest])]]
    inside: NDArray[np.bool_] = (ballot.nodes >= frame) & (ballot.nodes < ballot.document.ends[frame])
    return inside


def find_labels(pages: int, *sums: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each node whether pages have it once and short: a title, a date, a byline."""
    found: NDArray[np.bool_] = np.any(
        [_is_once(each, pages) & (each[:, BYTES] <= LABEL * each[:, PAGES]) for each in sums], axis=0
    )
    return found


def _is_once(sums: NDArray[np.float64], pages: int) -> NDArray[np.bool_]:
    is_once: NDArray[np.bool_] = (sums[:, PAGES] >= NEARLY_ALL * pages) & (sums[:, PLACES] <= ONCE * sums[:, PAGES])
    return is_once
